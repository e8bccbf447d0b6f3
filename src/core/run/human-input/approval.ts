/**
 * Approval of one call by a person. The call is shown with a hash of its arguments, the run parks
 * once nothing else of the step is open, and the first decision wins (protocol rule 29).
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

/** The ID starts with that of the run, so that the run is found without a list. */
function approvalId(runId: string, { step, index, pauses = [] }: Call): string {
  const round = pauses.length === 0 ? [] : [pauses.length]
  return derivedId('apr', runId, step, index, ...round).replace(
    '_',
    `_${runId.slice('run_'.length)}`,
  )
}

/** The run that asks, by what an approval is called. */
export const askingRun = (id: string): string => `run_${id.slice(RUN_AT, RUN_AT + RUN_LENGTH)}`

/** A body by reference is named by the digest of its text. */
export const argsHash = (body: Body): string => (isRef(body) ? body.digest : sha256(body))

/** True when no approval is required, or when it was given. */
export const mayProceed = (call: Call): boolean =>
  askOf(call) === undefined || askedOf(call)?.decision?.decision === 'approve'

/** Open, and nothing happens to it before a person (or time) has decided. */
export const awaitsDecision = (call: Call): boolean =>
  call.result === null && askOf(call) !== undefined && (askedOf(call)?.decision ?? null) === null

/** Decided, and what follows has not happened yet; an approved question waits for its turn. */
export function isDecided(call: Call): boolean {
  const { mode, result, child } = call
  const decision = askedOf(call)?.decision ?? null
  if (result !== null || child !== null || decision === null) return false
  const waitsOn = mode === 'question' || mode === 'caller'
  return !(waitsOn && decision.decision === 'approve')
}

/** The model sees the arguments that it wrote; these are the ones that are performed. */
export const effectiveArguments = (call: Call): Body =>
  call.asked?.decision?.arguments ?? call.arguments

/** From the root to the run itself. */
export const pathOf = (state: RunState): readonly PathNode[] => {
  const { id, agent, label, ancestors = [] } = state.spec!
  return [...ancestors, { run_id: id, agent: state.started?.agent ?? agent, label }]
}

/** Requests that are due and decisions that time has taken. */
export function followApprovals(state: RunState, calls: readonly Call[], now: number): RunFact[] {
  const open = calls.filter(awaitsDecision)
  const expired = open.filter((call) => now >= (askedOf(call)?.expires_at ?? Number.MAX_VALUE))
  const openCount = open.filter((call) => askedOf(call) !== null).length
  // A person is not shown more than can be read; the next follow as these are decided.
  const room = Math.max(0, LIMITS.open_approvals_per_run - openCount)
  const fresh = open.filter((call) => askedOf(call) === null).slice(0, room)
  return [
    ...expired.map((call) => expiry(state, call)),
    ...fresh.map((call) => requested(state, call, now)),
  ]
}

function requested(state: RunState, call: Call, now: number): RunFact {
  const { expires_seconds } = state.spec?.approvals ?? APPROVALS_DEFAULT
  // In the middle of a call the arguments are those that it was begun with.
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

/** The model's answer for a call that was not approved. */
export function rejection(decision: Pick<ApprovalDecided, 'reason'>): string {
  const suffix = decision.reason?.trim() ? `: ${decision.reason.trim()}` : ''
  return `Tool execution rejected by user${suffix}`
}

/** All pending results are from subagents that wait for people or a model. */
export function allWait(state: RunState): boolean {
  const live = liveChildren(state)
  return live.length > 0 && live.every(({ child }) => child?.waits != null)
}

/** So long the caller's own tools are waited for, from the beginning of that wait (ms). */
export const callerWait = (state: RunState): number =>
  (state.spec?.approvals ?? APPROVALS_DEFAULT).expires_seconds * 1_000

/** When the waiting for a person, or for subagents that wait, ends by itself; ms since 1970. */
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
      // The subagent's own time comes first; this is the check of its outcome.
      deadlines.push(call.child.waits.until + CHILD_GRACE_MS)
    }
  }
  return deadlines.length === 0 ? null : Math.min(...deadlines)
}

const CHILD_GRACE_MS = 60_000
