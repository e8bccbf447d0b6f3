/**
 * The crash count of a run that may be killing its workers (protocol rule 34). Only suspicious
 * passes count: after a start, and when the minute clock sends a run that a worker may have been
 * at. A fact committed by a lease owner resets the count; a pass that ends in order takes its own
 * back.
 */

export interface CrashCount {
  readonly count: number
  /** Time of the first and of the last one, ms since 1970. */
  readonly since: number
  readonly last: number
}

/** A partition fails after this many crashes without a fact, over at least this time. */
export const POISON_CRASHES = 5
const POISON_MS = 30 * 60_000
const MINUTE = 60_000

export const nextCrashCount = (previous: CrashCount | undefined, now: number): CrashCount => ({
  count: (previous?.count ?? 0) + 1,
  since: previous?.since ?? now,
  last: now,
})

/**
 * The count after the pass that was just counted has ended in order: as before, so that mail does
 * not wait because of a pass that crashed nothing. `mine`: the count with it; another worker may
 * have counted since.
 */
export function returned(
  current: CrashCount,
  mine: CrashCount,
  previous: CrashCount | undefined,
): CrashCount | undefined {
  const { count, since, last } = current
  if (count === mine.count && last === mine.last) return previous
  return count <= 1 ? undefined : { count: count - 1, since, last }
}

export type Verdict =
  | { readonly kind: 'go' }
  /** The pass runs alone in its process. */
  | { readonly kind: 'alone' }
  | { readonly kind: 'later'; readonly at: number }
  | { readonly kind: 'poison' }

/** Other passes skip it. */
export const isSuspect = (crashes: CrashCount | undefined): boolean => (crashes?.count ?? 0) >= 2

/** When the next pass may begin: from the second count on it waits 2, 4, 8 … minutes. */
export function judge(crashes: CrashCount | undefined, now: number): Verdict {
  if (!crashes || crashes.count < 2) return { kind: 'go' }
  const pause = crashes.last + MINUTE * 2 ** (Math.min(crashes.count, POISON_CRASHES) - 1)
  if (now < pause) return { kind: 'later', at: pause }
  if (crashes.count < POISON_CRASHES) return { kind: 'alone' }
  const over = crashes.since + POISON_MS
  return now < over ? { kind: 'later', at: over } : { kind: 'poison' }
}
