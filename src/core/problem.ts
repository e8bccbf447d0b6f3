/**
 * Problem types of rejected requests, sent as `application/problem+json` (RFC 9457). Codes are part
 * of the contract; titles and details may change.
 */

export const PROBLEMS = {
  malformed_request: [400, 'Malformed HTTP request'],
  invalid_json: [400, 'Invalid JSON'],
  invalid_key: [400, 'Invalid key or path'],
  invalid_cursor: [400, 'Invalid cursor'],
  invalid_query: [400, 'Invalid query parameter'],
  invalid_header: [400, 'Invalid header'],
  event_ahead: [400, 'Event not reached yet'],
  unauthorized: [401, 'Unauthorized'],
  invalid_signature: [401, 'Invalid signature'],
  insufficient_scope: [403, 'Insufficient scope'],
  cross_site: [403, 'Cross-site request'],
  insecure_connection: [403, 'Insecure connection'],
  address_not_allowed: [403, 'Address not allowed'],
  tenant_suspended: [403, 'Tenant suspended'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  request_timeout: [408, 'Request timeout'],
  conflict: [409, 'Conflict'],
  case_conflict: [409, 'Key differs only in case'],
  args_changed: [409, 'Arguments changed'],
  session_busy: [409, 'Session is busy'],
  run_ended: [409, 'Run has ended'],
  gone: [410, 'Gone'],
  precondition_failed: [412, 'Precondition failed'],
  too_large: [413, 'Payload too large'],
  unsupported_media_type: [415, 'Unsupported media type'],
  misdirected_request: [421, 'Misdirected request'],
  hook_loop: [422, 'Webhook loop'],
  idempotency_mismatch: [422, 'Idempotency key reused with a different request'],
  invalid_request: [422, 'Invalid request'],
  unknown_agent: [422, 'Unknown agent'],
  agent_unavailable: [422, 'Agent unavailable'],
  skill_unavailable: [422, 'Skill unavailable'],
  unknown_repo: [422, 'Unknown repository'],
  role_layer_invalid: [422, 'Invalid role layer'],
  unknown_mcp_config: [422, 'Unknown MCP configuration'],
  invalid_config: [422, 'Invalid configuration'],
  tool_unavailable: [422, 'Tools unavailable'],
  strict: [422, 'Rejected by strict mode'],
  model_not_configured: [422, 'Model not configured'],
  price_unknown: [422, 'Price unknown'],
  blocked_url: [422, 'URL blocked'],
  precondition_required: [428, 'Precondition required'],
  quota_exceeded: [429, 'Quota exceeded'],
  rate_limited: [429, 'Too many requests'],
  headers_too_large: [431, 'Request header fields too large'],
  internal: [500, 'Internal error'],
  unavailable: [503, 'Service unavailable'],
} as const satisfies Record<string, readonly [number, string]>

export type ProblemCode = keyof typeof PROBLEMS

/** Invalid part of a request: a JSON pointer (RFC 6901) to it, and a message. */
export interface ProblemPlace {
  readonly pointer: string
  readonly message: string
}

/** Rejection of a request: thrown in `http`, returned in all other modules. */
export interface Refusal {
  readonly code: ProblemCode
  readonly detail: string
  readonly errors?: readonly ProblemPlace[] | undefined
  /** Additional members of the problem document, such as `available`. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined
}

export const refusal = (
  code: ProblemCode,
  detail: string,
  more: Pick<Refusal, 'errors' | 'extra'> = {},
): Refusal => ({ code, detail, ...more })
