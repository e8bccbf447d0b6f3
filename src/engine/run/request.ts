/** Run request, in the same shape for every endpoint. */

import type { LayerSelection } from '../../core/config/types.ts'
import type { ToolSpec } from '../../core/message.ts'
import type { ModelSettings } from '../../core/model-settings.ts'
import type { ApprovalSettings } from '../../core/run/log/approval-facts.ts'
import type { Join } from '../../core/run/log/facts.ts'
import type { OnBusy } from '../../core/session/session.ts'
import type { Formatted } from '../../core/webhook/format.ts'

/** Media part of a message, with exactly one of `data` (Base64), `key`, and `url`. */
export interface MediaPart {
  readonly type: 'image' | 'file'
  readonly data?: string | undefined
  readonly key?: string | undefined
  readonly url?: string | undefined
  readonly name?: string | undefined
  /**
   * Path of the part in a third-party payload. Such a part must not be text. If it is unreadable,
   * it is mentioned in the message instead of being rejected.
   */
  readonly outside?: string
}
export type InputPart = { readonly type: 'text'; readonly text: string } | MediaPart
export type Content = string | readonly InputPart[]

/** Input of a run: a string, the parts of one message, or a previous conversation. */
export type RunInput = Content | readonly InputMessage[]
export interface InputMessage {
  readonly role: 'user' | 'assistant'
  readonly content: Content
}

export interface RunRequest extends LayerSelection {
  readonly session_id?: string | undefined
  readonly on_busy?: OnBusy | undefined
  readonly input: RunInput
  readonly agent?: string | undefined
  readonly label?: string | undefined
  readonly context?: string | undefined
  /** Text appended to the agent's system prompt. */
  readonly instructions?: string | undefined
  /** Tools that the caller performs (`caller-tools.ts`). */
  readonly caller_tools?: readonly ToolSpec[] | undefined
  readonly model?: string | undefined
  readonly model_settings?: ModelSettings | undefined
  readonly tools?: readonly string[] | undefined
  readonly disallowed_tools?: readonly string[] | undefined
  readonly join?: Join | undefined
  readonly limits?: LimitsRequest | undefined
  readonly webhook?: WebhookRequest | undefined
  readonly approvals?: ApprovalSettings | undefined
  readonly output_schema?: Readonly<Record<string, unknown>> | undefined
  readonly output_schema_required?: boolean | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /** Start time in RFC 3339. The run does no work before this time. */
  readonly start_at?: string | undefined
  /** Maximum time until the run must start, in seconds. */
  readonly expires_in?: number | undefined
  readonly priority?: number | undefined
}

export interface LimitsRequest {
  readonly max_steps?: number | undefined
  readonly timeout_seconds?: number | undefined
  readonly model_patience_seconds?: number | undefined
  readonly max_children?: number | undefined
  readonly max_tokens?: number | undefined
  readonly max_model_calls?: number | undefined
  readonly max_cost_usd?: number | undefined
}

export interface WebhookRequest extends Formatted {
  readonly url: string
  readonly secret?: string | undefined
  readonly events?: readonly string[] | undefined
}
