/** A timer that can be cancelled, of clocks that have one and of clocks that only sleep. */

import { expect, it } from 'vitest'
import { after } from '../../src/lib/after.ts'

const sleep = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
const own = (ms: number, run: () => void) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

it.each([
  ['sleeps', { sleep }],
  ['has timers', { sleep, after: own }],
])('runs once after its time, and never once cancelled: a clock that %s', async (_, clock) => {
  const ran: string[] = []
  const cancel = after(clock, 5, () => ran.push('cancelled'))
  after(clock, 5, () => ran.push('due'))
  cancel()
  await sleep(30)
  cancel()
  expect(ran).toEqual(['due'])
})
