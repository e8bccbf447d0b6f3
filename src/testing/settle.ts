/** Lets a world in memory work: takes its wakes and handles them until nothing moves. */

import { dispatch } from '../engine/dispatch.ts'
import type { MemoryWorld } from '../hosts/memory/world.ts'

const ROUNDS = 1_000
const TURNS = 5
const STEP_MS = 10

/** Handles wakes, all of a moment at once, until none is due. Throws when that never happens. */
export async function settle(world: MemoryWorld, real = NONE): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const wakes = world.queue.take()
    if (wakes.length === 0) return
    await withTime(world, Promise.all(wakes.map((wake) => dispatch(world, wake))), real)
  }
  throw new Error('the world does not come to rest')
}

/** Real calls, of which some may be under way. */
interface Real {
  underWay(): number
}
const NONE: Real = { underWay: () => 0 }

/**
 * Lets time pass in small steps as long as the work waits for nothing but time; while real calls
 * are under way, as much of it as passes on the wall.
 */
export async function withTime<T>(world: MemoryWorld, work: Promise<T>, real = NONE): Promise<T> {
  let done = false
  const over = work.finally(() => {
    done = true
  })
  // A failure is thrown at the end; until then there is no listener, which is not a crash.
  over.catch(() => undefined)
  while (!done) {
    if (real.underWay() > 0) {
      const began = performance.now()
      await new Promise((resolve) => setTimeout(resolve, STEP_MS))
      world.clock.advance(Math.round(performance.now() - began))
      continue
    }
    for (let turn = 0; turn < TURNS && !done; turn += 1) await new Promise(setImmediate)
    if (!done && world.clock.sleepers() > 0) world.clock.advance(STEP_MS)
  }
  return over
}
