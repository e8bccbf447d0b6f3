/**
 * How long a run waits before it asks a model again that did not answer, and when it gives up: the
 * pauses grow to minutes and differ from run to run, so that many do not come back at once.
 */

import { fractionOf } from '../../../lib/id.ts'
import { LIMITS } from '../../limits.ts'

/** With a patience of 0: before the second and the third attempt (ms). */
const FEW_MS = [1_000, 10_000] as const
/** The longest of these, whatever a provider asks for. */
const FEW_MAX_MS = 600_000
const FIRST_MS = 2_000
const LONGEST_MS = LIMITS.model_pause_seconds * 1_000

/** From when an outage is spoken of: its second attempt in a row. One alone is no news. */
export const NEWS_FROM = 2

interface Failed {
  readonly run: string
  readonly step: number
  /** The attempt that has failed, from 1. */
  readonly attempt: number
  /** What the provider asks for; absent: nothing. */
  readonly retryAfterMs?: number | undefined
  /** When the first of them had failed, ms since 1970. */
  readonly since: number
  readonly patience_seconds: number
}

/** When it gives up, ms since 1970; undefined: after three attempts. */
export const givesUpAt = ({ since, patience_seconds }: Failed): number | undefined =>
  patience_seconds === 0 ? undefined : since + patience_seconds * 1_000

/**
 * When the model is asked again, ms since 1970; undefined: it is not, because the patience is over,
 * or would be before the provider wants to be asked.
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

/** Between one and two seconds at first, then twice as long each time, up to five minutes. */
function pauseMs({ run, step, attempt }: Failed, floor: number): number {
  const share = fractionOf(run, step, attempt)
  const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 30))
  const grown = Math.round((most * (1 + share)) / 2)
  // Many were told the same time to wait.
  return Math.max(grown, Math.round(floor * (1 + share / 4)))
}
