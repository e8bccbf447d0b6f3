/**
 * Partitions that are handled at the same time, as a host does it, in a world whose clock moves
 * only when all of them wait: tests of slow children need seconds of nobody's time.
 */

import { dispatch } from '../../src/engine/dispatch.ts'
import { memoryClock } from '../../src/hosts/memory/clock.ts'
import type { MemoryOverrides, MemoryWorld } from '../../src/hosts/memory/world.ts'
import type { Wake } from '../../src/ports/world.ts'
import { testWorld } from './drive.ts'
import { scriptModel } from './script.ts'

/** A world whose model takes the time that `@slow` says. */
export function slowWorld(overrides: MemoryOverrides = {}): MemoryWorld {
  const clock = memoryClock()
  return testWorld({ clock, model: scriptModel(clock), ...overrides })
}

/** What is under way in each world, also when a test has looked at it in the middle. */
const worlds = new WeakMap<object, Map<string, Wake | undefined>>()

/**
 * Handles whatever is sent until nothing is under way and nobody sleeps, or until `enough` says so;
 * what is under way then goes on with the next call.
 */
export async function together(
  world: MemoryWorld,
  enough: () => Promise<boolean> = async () => false,
): Promise<void> {
  const handled = worlds.get(world) ?? new Map<string, Wake | undefined>()
  worlds.set(world, handled)
  let failure: unknown
  const start = (wake: Wake): void => {
    handled.set(wake.partition, undefined)
    dispatch(world, wake)
      .catch((error: unknown) => {
        failure ??= error
      })
      .finally(() => {
        const again = handled.get(wake.partition)
        handled.delete(wake.partition)
        if (again) start(again)
      })
  }
  for (let round = 0; round < 1_000_000; round += 1) {
    for (const wake of world.queue.take()) {
      if (handled.has(wake.partition)) handled.set(wake.partition, wake)
      else start(wake)
    }
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
    if (failure !== undefined) throw failure
    if (await enough()) return
    const next = world.queue.nextAt()
    const due = next !== undefined && next <= world.clock.now()
    const sleeps = world.clock.sleepers() > 0
    if (handled.size === 0 && !due && !sleeps) return
    if (!due && sleeps) world.clock.advance(50)
  }
  throw new Error('the in-memory world did not become idle')
}
