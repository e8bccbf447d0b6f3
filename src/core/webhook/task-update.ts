/**
 * Encodes a run event as an A2A 1.0 push notification: a `StreamResponse` whose `statusUpdate` has
 * the task state after the event (a2a-protocol.org, section "Push Notification Payload").
 */

import { ending } from '../run/views/task-state.ts'

/** Event types that change the state of an A2A task, in addition to start and resume. */
export const TASK_EVENTS = [
  ...(['run.completed', 'run.failed', 'run.cancelled', 'run.timed_out'] as const),
  ...(['approval.requested', 'question.asked'] as const),
] as const

interface TaskEvent {
  readonly type: string
  readonly run_id: string | null
  readonly created_at: string
}
/** Payload of a task update. The payload of an event that was too large has no `data`. */
interface UpdatePayload {
  readonly id?: string
  readonly seq?: number
  readonly session_id?: string | null
  readonly data?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: string; readonly message: string }
  readonly decide_url?: string | null
}

export function taskUpdate(
  { type, run_id, created_at }: TaskEvent,
  payload: UpdatePayload,
): object {
  const [state, text] = stateOf(type, payload)
  const taskIds = { taskId: run_id, contextId: payload.session_id ?? '' }
  const metadata = { strata: { run_id, seq: payload.seq } }
  const parts = text === undefined ? [] : [{ text }]
  const message = { messageId: payload.id, role: 'ROLE_AGENT', parts, ...taskIds, metadata }
  return {
    statusUpdate: {
      ...taskIds,
      status: {
        state: `TASK_STATE_${state}`,
        timestamp: created_at,
        ...(text === undefined ? {} : { message }),
      },
      metadata,
    },
  }
}

function stateOf(
  type: string,
  { data = {}, error, decide_url }: UpdatePayload,
): readonly [string, string?] {
  if (type === 'approval.requested')
    return [
      'AUTH_REQUIRED',
      `${data.tool ?? 'A tool'} is waiting for approval; see ` +
        `${decide_url ?? 'GET /v1/approvals'}.`,
    ]
  if (type === 'question.asked') return ['INPUT_REQUIRED']
  const { stop_reason, reason = null } = data
  const failed = error ?? { code: 'unknown', message: 'See the run for the reason.' }
  return ending({ type, stop_reason, reason, error: failed })
}
