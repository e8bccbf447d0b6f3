/**
 * Earliest and latest start of a run. Before `start_at`, no work is performed or billed. A run that
 * has not started by `expires_at` ends (PROTOCOL.md rule 52).
 */

import type { Begins } from '../log/fact-parts.ts'
import type { RunFact } from '../log/facts.ts'
import type { RunState } from './state.ts'

/** Returns the run's scheduled start time, if in the future. */
export const startsAt = ({ spec, started }: RunState, now: number): number | undefined =>
  started === null && spec?.start_at !== undefined && spec.start_at > now
    ? spec.start_at
    : undefined

/** Returns when a run expires unless it has started by then. */
export const expiresAt = ({ spec, started }: RunState): number | undefined =>
  started === null ? spec?.expires_at : undefined

/**
 * Returns the terminal fact of an expired run. A started run continues, and its worker will record
 * the start.
 */
export function expired(state: RunState, now: number): RunFact | undefined {
  const at = expiresAt(state)
  if (at === undefined || now < at || state.busy > 0) return undefined
  const message = 'The run expired before it started.'
  return { type: 'run.timed_out', stop_reason: 'timeout', error: { code: 'expired', message } }
}

/**
 * Returns the spec member for a request's start and expiry times. `expires_in` counts from the
 * earliest start.
 */
export function beginsOf(
  request: {
    readonly start_at?: string | undefined
    readonly expires_in?: number | undefined
    readonly priority?: number | undefined
  },
  at: number | undefined,
  now: number,
): Begins {
  const { expires_in, priority } = request
  const from = Math.max(now, at ?? now)
  return {
    ...(at === undefined || at <= now ? {} : { start_at: at }),
    ...(expires_in === undefined ? {} : { expires_at: from + expires_in * 1_000 }),
    ...(priority === undefined || priority === 0 ? {} : { priority }),
  }
}
