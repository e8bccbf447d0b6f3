/**
 * Approval of a single call by a person. The call is shown with a hash of its arguments. The run
 * parks when no other call of the step can proceed. The first decision counts (PROTOCOL.md rule
 * 29).
 */

import { sha256 } from '../../../lib/digest.ts'
import { derivedId } from '../../../lib/id.ts'
import { LIMITS } from '../../limits.ts'
import type { Body } from '../../message.ts'
import { isRef } from '../../message.ts'
import type { ApprovalDecided, ApprovalSettings, PathNode } from '../log/approval-facts.ts'
import type { RunFact } from '../log/facts.ts'
import type { Call, RunState } from '../state/state.ts'
import { isStopped, liveChildren } from '../state/state.ts'
import { askedOf, askOf, pauseOf, questionOf } from './pause.ts'

const APPROVALS_DEFAULT: ApprovalSettings = {
  expires_seconds: LIMITS.approval_seconds_default,
  on_expiry: 'deny',
  unattended: false,
}

const RUN_AT = 'apr_'.length
const RUN_LENGTH = 26

/**
 * Returns an approval ID that starts with the run's ID, so that the run can be found without an
 * index.
 */
function approvalId(runId: string, { step, index, pauses = [] }: Call): string {
  const round = pauses.length === 0 ? [] : [pauses.length]
  return derivedId('apr', runId, step, index, ...round).replace(
    '_',
    `_${runId.slice('run_'.length)}`,
  )
}

/** Returns the ID of the run that requested an approval, derived from the approval's ID. */
export const askingRun = (id: string): string => `run_${id.slice(RUN_AT, RUN_AT + RUN_LENGTH)}`

/**
 * Returns the hash of a call's arguments; for a body stored by reference, the digest of its text.
 */
export const argsHash = (body: Body): string => (isRef(body) ? body.digest : sha256(body))

/** Whether the call requires no approval, or its approval was granted. */
export const mayProceed = (call: Call): boolean =>
  askOf(call) === undefined || askedOf(call)?.decision?.decision === 'approve'

/** Whether the call is open and waits until a person decides or the approval expires. */
export const awaitsDecision = (call: Call): boolean =>
  call.result === null && askOf(call) !== undefined && (askedOf(call)?.decision ?? null) === null

/**
 * Whether the call is decided but not yet processed; an approved question or caller function still
 * waits for its result.
 */
export function isDecided(call: Call): boolean {
  const { mode, result, child } = call
  const decision = askedOf(call)?.decision ?? null
  if (result !== null || child !== null || decision === null) return false
  const waitsOn = mode === 'question' || mode === 'caller'
  return !(waitsOn && decision.decision === 'approve')
}

/**
 * Returns the arguments with which a call is executed; the model still sees the arguments that it
 * wrote.
 */
export const effectiveArguments = (call: Call): Body =>
  call.asked?.decision?.arguments ?? call.arguments

/** Returns the path of runs from the root to this run. */
export const pathOf = (state: RunState): readonly PathNode[] => {
  const { id, agent, label, ancestors = [] } = state.spec!
  return [...ancestors, { run_id: id, agent: state.started?.agent ?? agent, label }]
}

/** Returns the approval requests that are due, and the decisions caused by expiry. */
export function followApprovals(state: RunState, calls: readonly Call[], now: number): RunFact[] {
  const open = calls.filter(awaitsDecision)
  const expired = open.filter((call) => now >= (askedOf(call)?.expires_at ?? Number.MAX_VALUE))
  const openCount = open.filter((call) => askedOf(call) !== null).length
  // Limits open approvals to what a person can review; further requests follow as open ones are
  // decided.
  const room = Math.max(0, LIMITS.open_approvals_per_run - openCount)
  const fresh = open.filter((call) => askedOf(call) === null).slice(0, room)
  return [
    ...expired.map((call) => expiry(state, call)),
    ...fresh.map((call) => requested(state, call, now)),
  ]
}

function requested(state: RunState, call: Call, now: number): RunFact {
  const { expires_seconds } = state.spec?.approvals ?? APPROVALS_DEFAULT
  // A paused call keeps the arguments with which it was started.
  const callArguments = pauseOf(call) ? effectiveArguments(call) : call.arguments
  return {
    type: 'approval.requested',
    id: approvalId(state.spec!.id, call),
    call: call.id,
    tool: call.tool,
    arguments: callArguments,
    args_hash: argsHash(callArguments),
    reason: askOf(call) ?? '',
    expires_at: now + expires_seconds * 1000,
    path: pathOf(state),
  }
}

function expiry(state: RunState, call: Call): RunFact {
  const { on_expiry } = state.spec?.approvals ?? APPROVALS_DEFAULT
  const decision = on_expiry === 'approve' ? 'approve' : 'expired'
  const reason = 'it expired without a decision'
  return {
    type: 'approval.decided',
    id: askedOf(call)!.id,
    call: call.id,
    decision,
    by: null,
    reason,
  }
}

/** Returns the tool result of a call that was not approved. */
export function rejection(decision: Pick<ApprovalDecided, 'reason'>): string {
  const suffix = decision.reason?.trim() ? `: ${decision.reason.trim()}` : ''
  return `Tool execution rejected by user${suffix}`
}

/** Whether all pending results are those of subagents that wait for people or a model. */
export function allWait(state: RunState): boolean {
  const live = liveChildren(state)
  return live.length > 0 && live.every(({ child }) => child?.waits != null)
}

/**
 * Returns the maximum time in milliseconds that a run waits for the caller's tools, measured from
 * the start of the wait.
 */
export const callerWait = (state: RunState): number =>
  (state.spec?.approvals ?? APPROVALS_DEFAULT).expires_seconds * 1_000

/**
 * Returns the time at which the wait for a person, or for waiting subagents, expires, in
 * milliseconds since 1970.
 */
export function personUntil(state: RunState, now: number): number | null {
  const deadlines: number[] = []
  for (const call of state.calls.values()) {
    const approval = askedOf(call)
    if (awaitsDecision(call) && approval) deadlines.push(approval.expires_at)
    const question = questionOf(call)
    if (call.result === null && question?.outcome === null) deadlines.push(question.expires_at)
    if (call.mode === 'caller' && call.result === null && mayProceed(call)) {
      deadlines.push((isStopped(state.waiting) ? state.waiting.since : now) + callerWait(state))
    }
    if (call.child?.announce === null && call.child.waits?.until != null) {
      // The subagent's own deadline comes first; this deadline covers a missing notice from the
      // subagent.
      deadlines.push(call.child.waits.until + CHILD_GRACE_MS)
    }
  }
  return deadlines.length === 0 ? null : Math.min(...deadlines)
}

const CHILD_GRACE_MS = 60_000
