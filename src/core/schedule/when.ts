/**
 * Due times of a schedule: a cron expression in a time zone (`lib/cron.ts` documents clock
 * changes), a single time, or an interval. A slot is the nominal time of a fire, in milliseconds
 * since 1970, and determines the run's ID. The caller passes in all times.
 */

import { cronLast, cronNext } from '../../lib/cron.ts'

export type When =
  | { readonly type: 'cron'; readonly cron: string; readonly timezone: string }
  | { readonly type: 'at'; readonly at: number }
  /** Interval schedule, with slots at `from` + k · `every_ms`, from k = 1. */
  | { readonly type: 'every'; readonly every_ms: number; readonly from: number }

/** Returns the first slot after the given time, or undefined if there is none. */
export function nextSlot(when: When, after: number): number | undefined {
  switch (when.type) {
    case 'at':
      return when.at > after ? when.at : undefined
    case 'every': {
      const passed = Math.floor((after - when.from) / when.every_ms)
      return when.from + Math.max(1, passed + 1) * when.every_ms
    }
    case 'cron':
      return cronNext(when.cron, when.timezone, after)
  }
}

/** Returns the newest slots in (`after`, `upTo`], at most `most`, in order from the oldest. */
export function slotsIn(when: When, after: number, upTo: number, most: number): readonly number[] {
  if (upTo <= after) return []
  switch (when.type) {
    case 'at':
      return when.at > after && when.at <= upTo ? [when.at] : []
    case 'every': {
      const { from, every_ms } = when
      const last = Math.floor((upTo - from) / every_ms)
      const first = Math.max(1, Math.floor((after - from) / every_ms) + 1, last - most + 1)
      const count = Math.max(0, last - first + 1)
      return Array.from({ length: count }, (_, k) => from + (first + k) * every_ms)
    }
    case 'cron':
      return cronLast(when.cron, when.timezone, upTo, most)
        .filter((slot) => slot > after && slot <= upTo)
        .reverse()
  }
}

/** Returns the next slots of a schedule, for display. */
export function upcoming(when: When, after: number, count: number): readonly number[] {
  const slots: number[] = []
  let at = nextSlot(when, after)
  while (at !== undefined && slots.length < count) {
    slots.push(at)
    at = nextSlot(when, at)
  }
  return slots
}
