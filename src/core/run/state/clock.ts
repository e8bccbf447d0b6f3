/** Run clock: wall time minus clock jumps during which no time counted. */

import type { ClockStepped } from '../log/facts.ts'
import { isPatient } from './outage.ts'
import { isStopped, type RunState } from './state.ts'

type Clock = { -readonly [K in 'paused_ms' | 'stepped_to']: RunState[K] }

/**
 * Whether a recorded clock jump counts. Each jump counts once, regardless of how many workers
 * detect it.
 */
export const countsStep = ({ started, stepped_to }: RunState, { to }: ClockStepped): boolean =>
  started !== null && to > stepped_to

export function stepClock(draft: Clock, { ms, to }: ClockStepped): void {
  draft.paused_ms += ms
  draft.stepped_to = to
}

/** Returns the correction for a clock jump, if the run's clock has started and is not stopped. */
export function stepOf(
  { started_at, waiting, outage }: RunState,
  { before: previousAt, after }: { readonly before: number; readonly after: number },
): ClockStepped | undefined {
  const stands = isStopped(waiting) || isPatient({ outage })
  if (started_at === null || stands || started_at >= after) return undefined
  return { type: 'clock.stepped', ms: after - Math.max(previousAt, started_at), to: after }
}
