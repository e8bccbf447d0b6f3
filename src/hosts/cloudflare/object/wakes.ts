/**
 * Pending passes of an object, in memory. If a wake is lost with the object, the alarm of its
 * partition recovers it, as with any lost wake (PROTOCOL.md rule 31). Wakes of a partition for the
 * same time are merged; a wake during a pass causes one more pass.
 */

import type { Alarm, Wake } from '../../../ports/world.ts'
import { merged } from '../../shared/wake.ts'

export interface Wakes {
  /** Adds a wake; `at` is its due time in milliseconds since 1970, and 0 means now. */
  add(wake: Wake, at: number): void
  /**
   * Removes the oldest due wake, excluding partitions in progress, and returns it merged with all
   * due wakes of its partition.
   */
  take(now: number, underWay: { has(partition: string): boolean }): Wake | undefined
  /** Reports whether a wake for this partition is due. */
  isDue(partition: string, now: number): boolean
  /**
   * Returns the time at which the next wake is due, excluding partitions in progress; undefined if
   * no wake is pending.
   */
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

/** Returns a wake for the pass that a commit requests. */
export const wakeBy = (partition: string, { lane, started }: Alarm): Wake => ({
  partition,
  lane,
  started,
  staleCount: 0,
})
