/** Lets a world in memory work: takes its wakes and handles them until nothing moves. */

import { dispatch } from '../engine/dispatch.ts'
import type { MemoryWorld } from '../hosts/memory/world.ts'

const ROUNDS = 1_000
const TURNS = 5
const STEP_MS = 10

/** Handles wakes, all of a moment at once, until none is due. Throws when that never happens. */
export async function settle(world: MemoryWorld): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const wakes = world.queue.take()
    if (wakes.length === 0) return
    await withTime(world, Promise.all(wakes.map((wake) => dispatch(world, wake))))
  }
  throw new Error('the world does not come to rest')
}

/** Lets time pass in small steps as long as the work waits for nothing but time. */
export async function withTime<T>(world: MemoryWorld, work: Promise<T>): Promise<T> {
  let done = false
  const over = work.finally(() => {
    done = true
  })
  // A failure is thrown at the end; until then nobody listens, which is no crash.
  over.catch(() => undefined)
  while (!done) {
    for (let turn = 0; turn < TURNS && !done; turn += 1) await new Promise(setImmediate)
    if (!done && world.clock.sleepers() > 0) world.clock.advance(STEP_MS)
  }
  return over
}
