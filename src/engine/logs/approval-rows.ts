/**
 * Approval rows. Each is in its run's partition, written in the commit that requests, decides, or
 * ends the approval, and listed by tenant. The list therefore never contradicts the log
 * (PROTOCOL.md rule 29).
 */

import { preview } from '../../core/message.ts'
import { shownArguments } from '../../core/redaction.ts'
import { effectiveArguments, pathOf } from '../../core/run/human-input/approval.ts'
import { approvalsOf } from '../../core/run/human-input/pause.ts'
import type { PathNode } from '../../core/run/log/approval-facts.ts'
import type { LoggedFact, RunFact } from '../../core/run/log/facts.ts'
import type { Call, RunState } from '../../core/run/state/state.ts'
import { isTerminal } from '../../core/run/state/state.ts'
import { cut } from '../../lib/bytes.ts'
import { describeHidden, hiddenIn, jsonVisible } from '../../lib/invisible-characters.ts'
import { iso } from '../../lib/time.ts'
import type { Write } from '../../ports/world.ts'
import { APPROVAL_ROWS, approvalsList } from '../partition/keys.ts'
import { stored } from '../partition/stored.ts'

type ApprovalStatus = 'pending' | 'approved' | 'denied' | 'expired' | 'closed'

/** Approval as lists show it. The arguments may be shortened. */
export interface ApprovalView {
  readonly id: string
  readonly object: 'approval'
  readonly status: ApprovalStatus
  readonly run_id: string
  readonly root_run_id: string
  /** Runs on the path from the root to the run that requests approval. */
  readonly path: readonly PathNode[]
  readonly call: string
  readonly tool: string
  readonly arguments: string
  readonly args_hash: string
  /** Invisible characters found in the arguments, where they are shown as JSON escapes. */
  readonly hidden?: string
  readonly reason: string
  readonly requested_at: string
  readonly expires_at: string
  readonly decision: {
    readonly decision: 'approve' | 'deny' | 'expired'
    readonly by: string | null
    readonly reason: string | null
    readonly arguments: string | null
    readonly decided_at: string
  } | null
}

export const approvalOf = (body: string): ApprovalView =>
  stored<ApprovalView>('an approval', body, { id: 'string', status: 'string' })

const SHOWN_BYTES = 2_048
const STATUS = { approve: 'approved', deny: 'denied', expired: 'expired' } as const

/** Returns the approval rows that these facts change; `state` already includes the facts. */
export function approvalRows(
  tenant: string,
  state: RunState,
  facts: readonly LoggedFact<RunFact>[],
): Write[] {
  const changedCalls = new Map<string, Call>()
  for (const { fact } of facts) {
    const asks = fact.type === 'approval.requested' || fact.type === 'approval.decided'
    if (asks) changedCalls.set(fact.id, state.calls.get(fact.call)!)
  }
  // The end of the run closes open approvals in the same commit.
  if (facts.length > 0 && isTerminal(state)) {
    for (const call of state.calls.values()) {
      for (const { asked: approval } of approvalsOf(call)) {
        if (approval.decision === null) changedCalls.set(approval.id, call)
      }
    }
  }
  return [...changedCalls].map(([id, call]) => approvalRow(tenant, state, { id, call }))
}

function approvalRow(tenant: string, state: RunState, of: ApprovalRef): Write {
  const view = approvalView(state, of, (body) => cut(preview(body), SHOWN_BYTES))
  const key = `${APPROVAL_ROWS}${view.id}`
  const under = approvalsList(tenant, view.status === 'pending' ? 'pending' : 'decided')
  const listing = { under, at: `${view.requested_at} ${view.id}` }
  return { op: 'put', key, body: JSON.stringify(view), expect: 'any', listed: listing }
}

/** Reference to the approval of a tool call. */
interface ApprovalRef {
  readonly id: string
  readonly call: Call
}

export function approvalView(
  state: RunState,
  { id, call }: ApprovalRef,
  text: (body: Call['arguments']) => string,
): ApprovalView {
  const { asked: approval, reason } = approvalsOf(call).find((entry) => entry.asked.id === id)!
  const { args_hash, requested_at, expires_at, decision } = approval
  // A call that requested approval while running already has its approved arguments.
  const argumentsBody = call.asked?.id === id ? call.arguments : effectiveArguments(call)
  const spec = state.spec!
  const open = isTerminal(state) ? 'closed' : 'pending'
  return {
    id,
    object: 'approval',
    status: decision ? STATUS[decision.decision] : open,
    run_id: spec.id,
    root_run_id: spec.root_run_id,
    path: pathOf(state),
    call: call.id,
    tool: call.tool,
    ...shownCall(call.tool, text(argumentsBody)),
    args_hash,
    reason,
    requested_at: iso(requested_at),
    expires_at: iso(expires_at),
    decision: decision && {
      decision: decision.decision,
      by: decision.by,
      reason: decision.reason,
      arguments:
        decision.arguments === null
          ? null
          : shownCall(call.tool, text(decision.arguments)).arguments,
      decided_at: iso(decision.at),
    },
  }
}

/** Formats a call's JSON arguments with invisible characters escaped. */
function shownCall(tool: string, json: string): Pick<ApprovalView, 'arguments' | 'hidden'> {
  const visibleJson = shownArguments(tool, json)
  const hidden = hiddenIn(valuesOf(visibleJson))
  const hiddenNote = hidden === undefined ? {} : { hidden: describeHidden(hidden) }
  return { arguments: jsonVisible(visibleJson), ...hiddenNote }
}

/** Decodes the escapes that the model wrote in JSON arguments. */
const valuesOf = (json: string): string =>
  json.replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
