/** What an object does with the answers of its lane that come late. */

import { expect, it, onTestFinished, vi } from 'vitest'
import type { WorkerEnv } from '../../../../src/hosts/cloudflare/compose.ts'
import { placesIn } from '../../../../src/hosts/cloudflare/lanes/lane-place.ts'
import type { Wake } from '../../../../src/ports/world.ts'

const WAKE: Wake = { partition: 'acme/run/run_1', lane: 'main', started: false, staleCount: 0 }

/** A lane that answers when it is told to. */
function slowLane() {
  const asked: ((isIn: boolean) => void)[] = []
  const left: string[] = []
  const lane = {
    enter: (wakes: readonly Wake[]) =>
      new Promise<boolean[]>((resolve) => {
        asked.push((isIn) => resolve(wakes.map(() => isIn)))
      }),
    leave: async (partitions: readonly string[]) => void left.push(...partitions),
  }
  const env = { LANES: { getByName: () => lane } } as unknown as WorkerEnv
  return { asked, left, places: placesIn(env, { spend: () => {} } as never) }
}

function withFakeTime(): void {
  vi.useFakeTimers()
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => void vi.useRealTimers())
  onTestFinished(() => log.mockRestore())
}

it('a slot granted after the pass stopped waiting is returned', async () => {
  withFakeTime()
  const { asked, left, places } = slowLane()
  const taken = places.take(WAKE)
  await vi.advanceTimersByTimeAsync(10_001)
  expect(await taken).toBe(5_000)
  asked[0]!(true)
  await vi.advanceTimersByTimeAsync(1)
  expect(left).toEqual([WAKE.partition])
})

it('a slot granted to a later request is kept when the answer to an earlier one arrives', async () => {
  withFakeTime()
  const { asked, left, places } = slowLane()
  const first = places.take(WAKE)
  await vi.advanceTimersByTimeAsync(10_001)
  await first
  const second = places.take(WAKE)
  await vi.advanceTimersByTimeAsync(1)
  asked[1]!(true)
  expect(await second).toBe(undefined)
  asked[0]!(true)
  await vi.advanceTimersByTimeAsync(1)
  expect(left).toEqual([])
})
