import { expect, it } from 'vitest'
import { dispatch } from '../../../../src/engine/dispatch.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import type { Wake } from '../../../../src/ports/world.ts'
import { look, settle, startRun, testWorld, withTime } from '../../../support/drive.ts'

/** Handles wake after wake, one at a time, until none comes at once; all that were handled. */
async function follow(world: MemoryWorld, before: () => void = () => {}): Promise<Wake[]> {
  const handled: Wake[] = []
  for (;;) {
    const [wake] = world.queue.take()
    if (!wake) return handled
    if (handled.push(wake) > 1_000) throw new Error('it goes round for ever')
    before()
    await withTime(world, dispatch(world, wake))
  }
}

/** A world whose events have as much time as `sliceMs` says just then. */
function sliced(sliceMs: () => number): MemoryWorld {
  const world = testWorld({ settings: { flushMs: 0 } })
  const settings = Object.defineProperty({ ...world.settings }, 'sliceMs', { get: sliceMs })
  return Object.assign(world, { settings })
}

it('a wake repeated 50 times without a fact is dropped, and the tick resumes the run', async () => {
  let slice = -1
  const world = sliced(() => slice)
  const id = await startRun(world, { input: '@say at last' })
  const wakes = await follow(world)
  expect(wakes.map(({ staleCount }) => staleCount)).toEqual(
    Array.from({ length: 52 }, (_, hop) => hop),
  )
  expect((await look(world, id)).state.status).toBe('queued')
  slice = 60_000
  world.clock.advance(61_000)
  await tick(world)
  await settle(world)
  expect((await look(world, id)).state.status).toBe('completed')
})

it('a fact resets the count: a run of more slices than the limit is never dropped', async () => {
  let written = 0
  // An event has time for one commit.
  const world = sliced(() => (written > 0 ? -1 : 60_000))
  const { commit } = world.store
  Object.assign(world.store, {
    commit: (...given: Parameters<typeof commit>) => {
      written += 1
      return commit(...given)
    },
  })
  const steps = Array.from({ length: 48 }, (_, at) => `@call file_list {"path":"d${at}"}\n@then`)
  const id = await startRun(world, { input: [...steps, '@say done'].join('\n') })
  const wakes = await follow(world, () => {
    written = 0
  })
  expect((await look(world, id)).state.status).toBe('completed')
  expect(wakes.length).toBeGreaterThan(55)
  expect(Math.max(...wakes.map(({ staleCount }) => staleCount))).toBeLessThanOrEqual(1)
})
