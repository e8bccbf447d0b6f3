/** A request for a fan-out, in the same shape from every door. */

import type { ApprovalSettings } from '../../core/run/approval-facts.ts'
import type { Join } from '../../core/run/facts.ts'
import type { WebhookRequest } from '../run/request.ts'

export interface TaskRequest {
  readonly task: string
  readonly agent?: string | undefined
  readonly label?: string | undefined
  readonly context?: string | undefined
  readonly role?: string | undefined
  readonly repo_dir?: string | undefined
  readonly tools?: readonly string[] | undefined
  readonly disallowed_tools?: readonly string[] | undefined
  readonly model?: string | undefined
  readonly timeout_seconds?: number | undefined
  readonly output_schema?: Readonly<Record<string, unknown>> | undefined
  readonly output_schema_required?: boolean | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

export interface FanoutRequest {
  readonly tasks?: readonly TaskRequest[] | undefined
  /** Tasks come by pages. */
  readonly open?: boolean | undefined
  readonly label?: string | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
  readonly limits?: FanoutLimits | undefined
  readonly join?: Join | undefined
  readonly then?: { readonly agent?: string | undefined; readonly input: string } | undefined
  readonly webhook?: WebhookRequest | undefined
  readonly approvals?: ApprovalSettings | undefined
  readonly strict?: boolean | undefined
  readonly on_duplicate?: 'shadow' | 'reject' | undefined
}

/** The amount that all children together may spend. */
interface FanoutLimits {
  readonly max_tokens?: number | undefined
  readonly max_model_calls?: number | undefined
}
