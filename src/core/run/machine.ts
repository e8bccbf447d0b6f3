/** State machine of a run. It combines the six functions, and decides when the next pass is due. */

import type { Machine } from '../machine.ts'
import { accepts } from './decide/accepts.ts'
import { decide } from './decide/decide.ts'
import type { Effect } from './decide/pending-effects.ts'
import { pendingEffects } from './decide/pending-effects.ts'
import { evolve } from './evolve.ts'
import { personUntil } from './human-input/approval.ts'
import type { LoggedFact, RunFact } from './log/facts.ts'
import { joinDeadline } from './prompt/waiting-spawns.ts'
import { barrierDeadline } from './state/barrier.ts'
import { expiresAt, startsAt } from './state/begin.ts'
import type { RunState } from './state/state.ts'
import { deadline, INITIAL, isTerminal } from './state/state.ts'

/**
 * Maximum time in milliseconds until the next pass over a run with pending effects (PROTOCOL.md
 * rule 9).
 */
export const RECHECK_MS = 60_000

function wakeAt(state: RunState, now: number): number | undefined {
  if (state.spec === null) return undefined
  if (state.busy > 0 || pendingEffects(state, now).length > 0) return now + RECHECK_MS
  if (isTerminal(state)) return undefined
  // An observer leaves effects that need the lease to the next worker, and that worker's wake may
  // be lost.
  const soon = decide(state, now).length > 0 ? now + RECHECK_MS : undefined
  const retry = state.waiting?.on === 'model' ? state.waiting.until : null
  const joins = [barrierDeadline(state), joinDeadline(state)]
  const begins = [startsAt(state, now), expiresAt(state)]
  const times = [soon, deadline(state), retry, ...joins, ...begins, personUntil(state, now)]
  const due = times.filter((time): time is number => time !== null && time !== undefined)
  return due.length > 0 ? Math.min(...due) : now + RECHECK_MS
}

export const runMachine: Machine<RunState, LoggedFact<RunFact>, Effect, RunFact> = {
  initial: INITIAL,
  evolve,
  decide,
  pendingEffects,
  accepts,
  wakeAt,
}
