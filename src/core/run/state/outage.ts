/**
 * The pauses between attempts of a model call that fails, and the end of the patience. Pauses grow
 * to minutes and differ from run to run, so that many runs do not return at once.
 */

import { fractionOf } from '../../../lib/id.ts'
import { LIMITS } from '../../limits.ts'
import type { RunError } from '../log/subagent-facts.ts'

/** Pauses before the second and the third attempt with a patience of 0 (ms). */
const FEW_MS = [1_000, 10_000] as const
/** Longest pause, regardless of a provider's `Retry-After`. */
const FEW_MAX_MS = 600_000
const FIRST_MS = 2_000
const LONGEST_MS = LIMITS.model_pause_seconds * 1_000

/** The failed attempt that makes an outage news; a single failure is not. */
export const NEWS_FROM = 2

/** A model that is unavailable, from the first failed attempt of a step to the next answer. */
export interface Outage {
  /** Ms since 1970. */
  readonly since: number
  /** End of the pause, until which the run's clock stops. Absent: three attempts while it runs. */
  readonly gives_up_at?: number
  /** The last failure. */
  readonly error: RunError
  /** Whether the log has `model.unavailable`, of which the parent is notified. */
  readonly isReported: boolean
  /** A retry was requested: the next call ignores the circuit. */
  readonly forced?: true
}

/** Returns whether the run waits out an outage, with its clock stopped. */
export const isPatient = ({ outage }: { readonly outage: Outage | null }): boolean =>
  outage?.gives_up_at !== undefined

interface Failed {
  readonly run: string
  readonly step: number
  /** The attempt that has failed, from 1. */
  readonly attempt: number
  /** The provider's own minimum; absent: none. */
  readonly retryAfterMs?: number | undefined
  /** When the first of them had failed, ms since 1970. */
  readonly since: number
  readonly patience_seconds: number
}

/** Returns the end of the patience, ms since 1970; undefined: after three attempts. */
export const givesUpAt = ({ since, patience_seconds }: Failed): number | undefined =>
  patience_seconds === 0 ? undefined : since + patience_seconds * 1_000

/**
 * Returns the time of the next attempt, ms since 1970; undefined when the patience is over, or ends
 * before the provider's minimum.
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

/** Returns one to two seconds at first, then twice as long each time, up to five minutes. */
function pauseMs({ run, step, attempt }: Failed, floor: number): number {
  const share = fractionOf(run, step, attempt)
  const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 30))
  const backoff = Math.round((most * (1 + share)) / 2)
  // The provider may have sent many runs the same time.
  return Math.max(backoff, Math.round(floor * (1 + share / 4)))
}
