/** Fan-out request, in the same shape for every endpoint. */

import type { Content, LimitsRequest, RunRequest } from '../run/request.ts'

/** Names of the run request members that a task may also have. */
type TaskPart =
  | 'agent'
  | 'label'
  | 'context'
  | 'role'
  | 'repo_dir'
  | 'tools'
  | 'disallowed_tools'
  | 'model'
  | 'model_settings'
  | 'output_schema'
  | 'output_schema_required'
  | 'metadata'

export interface TaskRequest
  extends Pick<RunRequest, TaskPart>,
    Pick<LimitsRequest, 'timeout_seconds' | 'model_patience_seconds'> {
  readonly task: Content
}

/** Names of the run request members that a fan-out may also have. */
type FanoutPart =
  | 'label'
  | 'metadata'
  | 'subject'
  | 'join'
  | 'webhook'
  | 'approvals'
  | 'strict'
  | 'on_duplicate'
  | 'start_at'
  | 'expires_in'
  | 'priority'

export interface FanoutRequest extends Pick<RunRequest, FanoutPart> {
  readonly tasks?: readonly TaskRequest[] | undefined
  /** Whether the fan-out is open: its tasks arrive by page. */
  readonly open?: boolean | undefined
  /** Limits that all children of the fan-out share. */
  readonly limits?:
    | Pick<LimitsRequest, 'max_tokens' | 'max_model_calls' | 'max_cost_usd'>
    | undefined
  readonly then?: { readonly agent?: string | undefined; readonly input: Content } | undefined
}
