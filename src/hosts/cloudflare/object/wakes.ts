/**
 * Passes that an object is to make, in its memory: a wake that is lost with the object comes back
 * by the alarm of its partition, as lost wakes do everywhere (protocol rule 31). Wakes for one
 * moment are one; a wake that comes during a pass means one more.
 */

import type { Alarm, Wake } from '../../../ports/world.ts'
import { merged } from '../../shared/wake.ts'

export interface Wakes {
  /** `at`: milliseconds since 1970; 0: now. */
  add(wake: Wake, at: number): void
  /** The oldest that is due, with all that is due of its partition, of those not under way. */
  take(now: number, underWay: { has(partition: string): boolean }): Wake | undefined
  /** Whether one for this partition is due. */
  isDue(partition: string, now: number): boolean
  /** When the next one is due of those not under way; undefined: none waits. */
  next(underWay: { has(partition: string): boolean }): number | undefined
}

export function memoryWakes(): Wakes {
  const waiting = new Map<string, Map<number, Wake>>()
  const first = (of: ReadonlyMap<number, Wake>): number => Math.min(...of.keys())
  const oldest = (underWay: { has(partition: string): boolean }) => {
    let candidate: { partition: string; at: number } | undefined
    for (const [partition, times] of waiting) {
      if (underWay.has(partition)) continue
      const at = first(times)
      if (candidate === undefined || at < candidate.at) candidate = { partition, at }
    }
    return candidate
  }
  return {
    add(wake, at) {
      const times = waiting.get(wake.partition) ?? new Map<number, Wake>()
      waiting.set(wake.partition, times)
      const existing = times.get(at)
      times.set(at, existing ? merged(existing, wake) : wake)
    },
    take(now, underWay) {
      const next = oldest(underWay)
      if (next === undefined || next.at > now) return undefined
      const times = waiting.get(next.partition)!
      const due = [...times].filter(([at]) => at <= now)
      for (const [at] of due) times.delete(at)
      if (times.size === 0) waiting.delete(next.partition)
      return due.map(([, wake]) => wake).reduce(merged)
    },
    isDue: (partition, now) => first(waiting.get(partition) ?? new Map()) <= now,
    next: (underWay) => oldest(underWay)?.at,
  }
}

/** The wake of a commit that says so. */
export const wakeBy = (partition: string, { lane, started }: Alarm): Wake => ({
  partition,
  lane,
  started,
  staleCount: 0,
})
