/**
 * The arithmetic of `npm run bench -- scale`: a month of sustained load, day by day, against limits. A
 * *demand* is what one run asks of one kind of place; what was begun a retention ago is deleted.
 */

import type { Limit } from './limits.ts'

const DAY_S = 86_400
export const RETENTION_DAYS = 30

export interface Demand {
  readonly limit: Limit
  readonly where: string
  /** Of what the limit counts, by one run; of a stock the bytes that it leaves. */
  readonly run: number
  /** The same by the deletion of one run. */
  readonly deletion: number
  readonly is: 'rate' | 'stock'
  /** Places that share the load evenly. */
  readonly places: number
  /** Whether the program puts it all in this place: a bound of its design. */
  readonly ours: boolean
  readonly mend?: string
}

/** Runs a second, from the first day of deletions on, that this place can take; Infinity: any. */
export function ceiling({ limit, run, deletion, is, places }: Demand): number {
  const perRun = is === 'stock' ? run * RETENTION_DAYS * DAY_S : run + deletion
  return perRun > 0 ? (limit.value * places) / perRun : Number.POSITIVE_INFINITY
}

export interface Break {
  readonly demand: Demand
  /** 1 is the first. */
  readonly day: number
  /** What is asked of one place on that day, as a multiple of what it can take. */
  readonly load: number
}

/** What one place is asked for on a day, as a share of what it can take. */
export function loadOn(day: number, demand: Demand, rate: number): number {
  const { limit, run, deletion, is, places } = demand
  const asked =
    is === 'stock'
      ? rate * run * DAY_S * Math.min(day, RETENTION_DAYS)
      : rate * (run + (day > RETENTION_DAYS ? deletion : 0))
  return asked / places / limit.value
}

/** What breaks in a month at so many runs a second, and when; what breaks at the lowest rate first. */
export function month(demands: readonly Demand[], rate: number): Break[] {
  const found = demands.flatMap((demand): Break[] => {
    for (let day = 1; day <= RETENTION_DAYS + 1; day += 1) {
      const load = loadOn(day, demand, rate)
      if (load > 1) return [{ demand, day, load: loadOn(RETENTION_DAYS + 1, demand, rate) }]
    }
    return []
  })
  return found.sort((one, other) => ceiling(one.demand) - ceiling(other.demand))
}
