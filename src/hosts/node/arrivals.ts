/** When the partitions that wait in lanes arrived. */

import type { Wake } from '../../ports/world.ts'
import { systemClock } from '../shared/clock.ts'
import { type Pool, poolOf } from './waiting.ts'

export function arrivals() {
  /** By partition, the oldest first. */
  const since = new Map<string, { readonly lane: Pool; readonly at: number }>()
  return {
    add(wake: Wake): void {
      if (since.has(wake.partition)) return
      since.set(wake.partition, { lane: poolOf(wake), at: systemClock.monotonic() })
    },
    /** Its turn has come: how long it has waited, in milliseconds. */
    take(partition: string): number {
      const arrived = since.get(partition)
      since.delete(partition)
      return arrived ? systemClock.monotonic() - arrived.at : 0
    },
    oldestMs(lane: Pool): number {
      for (const one of since.values()) {
        if (one.lane === lane) return systemClock.monotonic() - one.at
      }
      return 0
    },
    clear: () => since.clear(),
  }
}
