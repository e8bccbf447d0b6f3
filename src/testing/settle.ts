/** Runs an in-memory world: handles its wakes until no further progress is possible. */

import { dispatch } from '../engine/dispatch.ts'
import type { MemoryWorld } from '../hosts/memory/world.ts'

const ROUNDS = 1_000
const TURNS = 5
const STEP_MS = 10

/**
 * Handles wakes until none is due; all wakes due at the same time are handled concurrently. Throws
 * if wakes never cease.
 */
export async function settle(world: MemoryWorld, real = NONE): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const wakes = world.queue.take()
    if (wakes.length === 0) return
    await withTime(world, Promise.all(wakes.map((wake) => dispatch(world, wake))), real)
  }
  throw new Error('the in-memory world did not become idle')
}

/** Calls to real models and servers, some of which may be pending. */
interface Real {
  underWay(): number
}
const NONE: Real = { underWay: () => 0 }

/**
 * Advances time in small steps while the work waits only for time. While real calls are pending,
 * in-memory time advances with real time.
 */
export async function withTime<T>(world: MemoryWorld, work: Promise<T>, real = NONE): Promise<T> {
  let done = false
  const over = work.finally(() => {
    done = true
  })
  // A failure is thrown at the end; the empty handler prevents an unhandled rejection from ending
  // the process.
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
