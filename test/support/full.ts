/**
 * What the gate leaves out of a test. `FULL=1` runs tests at full length: every variation of a kept
 * plan, two years instead of two months, thousands of random cases with a new seed. `MEASURE=1`
 * asserts bounds in milliseconds and megabytes (`measured.ts`).
 */

export const isFull = process.env.FULL === '1'
export const isMeasuring = process.env.MEASURE === '1'

/** Returns the first value with `FULL=1` and the second one otherwise. */
export const fullOr = <T>(full: T, short: T): T => (isFull ? full : short)

/** The number of cases of a property test: at most 100, or all of them with `FULL=1`. */
export const cases = (full: number): number => fullOr(full, Math.min(full, 100))
