/**
 * Crash count of a run that may be crashing its workers (PROTOCOL.md rule 34). Only suspicious
 * passes count: a pass after a start, or after the minute clock dispatches a run that a worker may
 * have been processing. A fact committed by a lease owner resets the count; a pass that ends
 * normally subtracts its own increment.
 */

export interface CrashCount {
  readonly count: number
  /** Times of the first and last crash, in milliseconds since 1970. */
  readonly since: number
  readonly last: number
}

/**
 * Number of crashes without a committed fact, over at least `POISON_MS`, after which a partition
 * fails.
 */
export const POISON_CRASHES = 5
const POISON_MS = 30 * 60_000
const MINUTE = 60_000

export const nextCrashCount = (previous: CrashCount | undefined, now: number): CrashCount => ({
  count: (previous?.count ?? 0) + 1,
  since: previous?.since ?? now,
  last: now,
})

/**
 * Returns the count after a counted pass has ended normally: its previous value, so that a harmless
 * pass does not delay mail. `mine` is the count that includes this pass; another worker may have
 * counted a pass since.
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
  /** Verdict that the pass must run alone in its process. */
  | { readonly kind: 'alone' }
  | { readonly kind: 'later'; readonly at: number }
  | { readonly kind: 'poison' }

/** Whether a run is suspected of crashing workers, so that other passes skip it. */
export const isSuspect = (crashes: CrashCount | undefined): boolean => (crashes?.count ?? 0) >= 2

/**
 * Decides when the next pass of a run may start. From the second counted crash on, it waits 2, 4,
 * 8, … minutes.
 */
export function judge(crashes: CrashCount | undefined, now: number): Verdict {
  if (!crashes || crashes.count < 2) return { kind: 'go' }
  const pause = crashes.last + MINUTE * 2 ** (Math.min(crashes.count, POISON_CRASHES) - 1)
  if (now < pause) return { kind: 'later', at: pause }
  if (crashes.count < POISON_CRASHES) return { kind: 'alone' }
  const over = crashes.since + POISON_MS
  return now < over ? { kind: 'later', at: over } : { kind: 'poison' }
}
