/**
 * The price of a month of the AWS home's clock, by the memory of its function: of ticks that find
 * nothing, timed by the medians of their calls, and at the most of one that never ends.
 */

import { beat } from '../../src/engine/worker/beat.ts'
import { wakeSweep } from '../../src/engine/worker/sweep.ts'
import { memoryObjects } from '../../src/hosts/memory/objects.ts'
import { memoryStore } from '../../src/hosts/memory/store.ts'
import { systemClock } from '../../src/hosts/shared/clock.ts'
import { MEDIANS } from '../bench/aws-medians.ts'
import { aws, virtualClock } from '../bench/aws-world.ts'
import { dollars } from './prices.ts'

const MINUTES = 30 * 24 * 60

/** From its call to its end, where nothing is due. */
export async function idleTickMs(): Promise<number> {
  const clock = virtualClock()
  const backing = { store: memoryStore(), objects: memoryObjects() }
  const place = aws({ latencies: MEDIANS, backing, clock, realClock: systemClock })
  const tick = async (): Promise<void> => {
    await beat(place.world)
    await wakeSweep(place.world)
  }
  // The first one makes the rows that the others find.
  await place.elapse(tick())
  const from = place.now()
  await place.elapse(tick())
  return place.now() - from
}

/** US dollars for thirty days of ticks that take so long. */
export const clockMonth = (megabytes: number, ms: number): number =>
  dollars({
    'lambda request': MINUTES,
    'lambda GB-second': (MINUTES * ms * megabytes) / 1_024 / 1_000,
  }) / 1e6
