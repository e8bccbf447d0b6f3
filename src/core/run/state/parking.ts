/** Parks and resumes a run, and ends its waits for subagents. */

import type { BarrierReleased, RunWaiting } from '../log/facts.ts'
import { change, type Draft } from './draft.ts'
import { isPatient } from './outage.ts'
import type { Waiting } from './state.ts'
import { currentCalls, isHeld, isStopped, spawnCalls } from './state.ts'

/** Restarts the run's clock if people or subagents had stopped it. */
export function goesOn(draft: Draft, at: number): void {
  if (!isStopped(draft.waiting)) return
  draft.paused_ms += at - draft.waiting.since
  notifyParent(draft)
}

function notifyParent(draft: Draft): void {
  if (draft.spec?.parent) draft.outbox = { ...draft.outbox, notice: draft.seq }
}

/** Ends the wait for subagents. A parked run keeps its reason until it resumes. */
export function joinOver(draft: Draft): void {
  if (draft.status !== 'waiting' && !currentCalls(draft).some(isHeld)) draft.joining_since = null
}

export function released(draft: Draft, fact: BarrierReleased): void {
  // While calls of a step are open, only these calls are released. Their results state the outcome.
  const within = !isAtRest(draft)
  for (const id of fact.missing) {
    change(draft, id, (call) => ({
      ...call,
      child: call.child && { ...call.child, given_up: true },
    }))
    if (!within) draft.pending_input.push({ kind: 'missing', call: id, late: false })
  }
  if (draft.spec?.join.cancel_rest && fact.missing.length > 0) {
    draft.outbox = { ...draft.outbox, cancel: [...draft.outbox.cancel, ...fact.missing] }
  }
  if (within) return
  draft.barrier_reason = fact.reason
  draft.barrier_since = null
  draft.barrier_open = true
  draft.cohort_from = spawnCalls(draft).length
}

export function waiting(draft: Draft, fact: RunWaiting, at: number): void {
  draft.status = 'waiting'
  draft.waiting = waitingOf(fact, at)
  if (isStopped(draft.waiting)) notifyParent(draft)
  // The wait's deadline does not change when messages interrupt the wait. A wait for subagents'
  // approvals counts as a wait for subagents, with wall time running.
  if (fact.on === 'subagents' || isStopped(draft.waiting)) {
    if (isAtRest(draft)) draft.barrier_since ??= at
    else if (currentCalls(draft).some(isHeld)) draft.joining_since ??= at
  }
  if (fact.on === 'model') failed(draft, fact, at)
}

function failed(draft: Draft, fact: RunWaiting, at: number): void {
  const { attempt = draft.attempts + 1, gives_up_at, since = at } = fact
  draft.attempts = attempt
  draft.outage = {
    since: draft.outage?.since ?? Math.min(since, at),
    ...(gives_up_at === undefined ? {} : { gives_up_at }),
    error: fact.error ?? { code: 'model_unavailable', message: '' },
    isReported: draft.outage?.isReported ?? false,
  }
}

/** Ends a model outage after an answer, and restarts the run's clock if it was stopped. */
export function modelAnswers(draft: Draft, at: number): void {
  const { outage } = draft
  draft.attempts = 0
  if (!outage) return
  if (isPatient(draft)) draft.paused_ms += Math.max(0, at - outage.since)
  draft.outage = null
  if (outage.isReported) notifyParent(draft)
}

/** Records that the log contains `model.unavailable`, and notifies the parent of the outage. */
export function outageTold(draft: Draft): void {
  if (draft.outage) draft.outage = { ...draft.outage, isReported: true }
  notifyParent(draft)
}

const isAtRest = (draft: Draft): boolean =>
  currentCalls(draft).every((call) => call.result !== null)

function waitingOf({ on, until, stopped }: RunWaiting, at: number): Waiting {
  if (on === 'approval' || on === 'input' || on === 'function') return { on, since: at }
  if (on === 'subagents' && stopped) return { on, since: at }
  return on === 'model' ? { on, until } : { on }
}
