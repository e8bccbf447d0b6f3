/**
 * Pauses between attempts of a failing model call, and the end of the run's patience. Pauses grow
 * to minutes and vary by run, so that many runs do not retry simultaneously.
 */

import { fractionOf } from '../../../lib/id.ts'
import { LIMITS } from '../../limits.ts'
import type { RunError } from '../log/subagent-facts.ts'

/** Pauses before the second and third attempt of a run without patience, in milliseconds. */
const FEW_MS = [1_000, 10_000] as const
/**
 * Maximum pause of a run without patience, in milliseconds, regardless of a provider's
 * `Retry-After`.
 */
const FEW_MAX_MS = 600_000
const FIRST_MS = 2_000
const LONGEST_MS = LIMITS.model_pause_seconds * 1_000

/** Number of failed attempts after which an outage is reported; a single failure is not. */
export const NEWS_FROM = 2

/** Model outage of a run, from a step's first failed attempt to the next answer. */
export interface Outage {
  /** Start time of the model outage, in milliseconds since 1970. */
  readonly since: number
  /**
   * Time when the run stops retrying; its clock is stopped until then. Absent if the run makes
   * three attempts with a running clock.
   */
  readonly gives_up_at?: number
  /** Error of the last model call attempt. */
  readonly error: RunError
  /** Whether the log contains `model.unavailable`. The parent receives this fact as a notice. */
  readonly isReported: boolean
  /** Whether a retry was requested, so that the next call ignores the circuit breaker. */
  readonly forced?: true
}

/** Returns whether the run waits during a model outage with its clock stopped. */
export const isPatient = ({ outage }: { readonly outage: Outage | null }): boolean =>
  outage?.gives_up_at !== undefined

interface Failed {
  readonly run: string
  readonly step: number
  /** Number of the failed model call attempt, from 1. */
  readonly attempt: number
  /** Minimum pause requested by the provider, in milliseconds; absent if not requested. */
  readonly retryAfterMs?: number | undefined
  /** Time of the first failed attempt, in milliseconds since 1970. */
  readonly since: number
  readonly patience_seconds: number
}

/**
 * Returns when the run stops retrying, in milliseconds since 1970; undefined if limited to three
 * attempts.
 */
export const givesUpAt = ({ since, patience_seconds }: Failed): number | undefined =>
  patience_seconds === 0 ? undefined : since + patience_seconds * 1_000

/**
 * Returns the time of the next attempt, in milliseconds since 1970. Returns undefined if the run no
 * longer retries, or stops retrying before the provider's minimum pause.
 */
export function askAgainAt(failed: Failed, now: number): number | undefined {
  const { attempt, retryAfterMs: floor = 0 } = failed
  const end = givesUpAt(failed)
  if (end === undefined) {
    if (attempt >= LIMITS.model_attempts) return undefined
    return now + Math.min(FEW_MAX_MS, Math.max(FEW_MS[attempt - 1] ?? FEW_MAX_MS, floor))
  }
  if (now >= end || now + floor > end) return undefined
  return Math.min(end, now + pauseMs(failed, floor))
}

/**
 * Returns the pause before a retry: one to two seconds at first, then doubled each time up to five
 * minutes.
 */
function pauseMs({ run, step, attempt }: Failed, floor: number): number {
  const share = fractionOf(run, step, attempt)
  const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 30))
  const backoff = Math.round((most * (1 + share)) / 2)
  // Randomized, because the provider may have sent many runs the same retry time.
  return Math.max(backoff, Math.round(floor * (1 + share / 4)))
}
