/** Rounds over the data of the deployment that every platform wakes each minute. */

import type { World } from '../ports/world.ts'
import { wakeReseal } from './reseal-rounds.ts'
import { wakeSweep } from './worker/sweep.ts'

/** Wakes the rounds that are due: the sweep of objects, and the exchange of a master key. */
export async function wakeRounds(world: World): Promise<void> {
  if (world.settings.paused) return
  await wakeSweep(world)
  await wakeReseal(world)
}
