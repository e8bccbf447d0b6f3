/** What one run asks of a cloud, from its request to its deletion: the same shape for all of them. */

import type { Bill } from './prices.ts'
import type { Name } from './scenarios.ts'

export interface Figure {
  readonly run: Name
  readonly cloud: 'AWS' | 'Cloudflare' | 'state machine'
  /** Calls that reached the model. */
  readonly calls: number
  readonly commits: number
  readonly storage: Bill
  /** When the retention ends. */
  readonly deletion: Bill
  /** Processors, and their time while models think. */
  readonly compute: Bill
  /** An object that cannot leave the memory, though it has nothing to do. */
  readonly held: Bill
  /** Bytes that stay for 30 days. */
  readonly kept: Bill
  /** The same operations by the place that performs them: what a limit of that place bounds. */
  readonly places: Places
  readonly deletionPlaces: Places
}

/** By name of a place, then of an operation; of one run. `own`: a place that the run has to itself. */
export type Places = Readonly<Record<string, Readonly<Record<string, number>>>>

/** Ids, and what objects of runs are named by: how the ids of those in them begin. */
const OWN = /\b(?:run|fan|ses|del)_[a-z0-9]+|(?<=^object [^/]+\/)[0-9a-z]{10}$/g

/** Objects of the copies that lists show. */
const HOUR = /\/\d{4}-\d\d-\d\dT\d\d$/

/** Sums up what was counted for so many runs; ids are all called `own`. */
export function placesOf(counted: Places, runs: number): Places {
  const sums: Record<string, Record<string, number>> = {}
  for (const [place, operations] of Object.entries(counted)) {
    const name = place.replace(HOUR, '/hour').replace(OWN, 'own')
    sums[name] ??= {}
    if (/\bown\b/.test(name)) sums[name].places = (sums[name].places ?? 0) + 1 / runs
    for (const [what, count] of Object.entries(operations))
      sums[name][what] = (sums[name][what] ?? 0) + count / runs
  }
  return sums
}

/** An operation of all places whose name begins so; of a name that ends with `$` that one alone. */
export const sumOf = (places: Places, beginning: string, what: string): number =>
  Object.entries(places)
    .filter(([place]) => `${place}$`.startsWith(beginning))
    .reduce((sum, [, operations]) => sum + (operations[what] ?? 0), 0)
