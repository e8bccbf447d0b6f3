/** A run's clock: wall time minus jumps of the clock that never passed. */

import type { ClockStepped } from '../log/facts.ts'
import { isPatient } from './outage.ts'
import { isStopped, type RunState } from './state.ts'

type Clock = { -readonly [K in 'paused_ms' | 'stepped_to']: RunState[K] }

/** Each jump counts once, however many have seen it. */
export const countsStep = ({ started, stepped_to }: RunState, { to }: ClockStepped): boolean =>
  started !== null && to > stepped_to

export function stepClock(draft: Clock, { ms, to }: ClockStepped): void {
  draft.paused_ms += ms
  draft.stepped_to = to
}

/** A stopped clock, or one that has not started, needs no correction. */
export function stepOf(
  { started_at, waiting, outage }: RunState,
  { before: previousAt, after }: { readonly before: number; readonly after: number },
): ClockStepped | undefined {
  const stands = isStopped(waiting) || isPatient({ outage })
  if (started_at === null || stands || started_at >= after) return undefined
  return { type: 'clock.stepped', ms: after - Math.max(previousAt, started_at), to: after }
}
