/**
 * Every refusal of a request, answered as `application/problem+json` (RFC 9457). The codes are the
 * contract; sentences may improve.
 */

export const PROBLEMS = {
  malformed_request: [400, 'The request is not well-formed HTTP'],
  invalid_json: [400, 'The body is not valid JSON'],
  invalid_key: [400, 'The key or path is not allowed'],
  invalid_cursor: [400, 'The cursor is not one of ours'],
  invalid_query: [400, 'A query parameter is not allowed'],
  invalid_header: [400, 'A header is not allowed'],
  event_ahead: [400, 'The stream has not come that far'],
  unauthorized: [401, 'A valid API key is needed'],
  invalid_signature: [401, 'The signature is not valid'],
  insufficient_scope: [403, 'The API key does not allow this'],
  cross_site: [403, 'A page of another site made the request'],
  insecure_connection: [403, 'The connection is not encrypted'],
  address_not_allowed: [403, 'The API key is not accepted from this address'],
  not_found: [404, 'There is no such thing'],
  method_not_allowed: [405, 'The method is not allowed here'],
  request_timeout: [408, 'The request did not arrive in time'],
  conflict: [409, 'The thing is not as you expect it'],
  case_conflict: [409, 'A key that differs only in case exists'],
  args_changed: [409, 'The arguments are not the ones that were shown'],
  session_busy: [409, 'The session has a run already'],
  run_ended: [409, 'The run has ended'],
  gone: [410, 'The thing is no longer there'],
  precondition_failed: [412, 'The thing has changed since you read it'],
  too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'Only application/json in UTF-8 is understood'],
  misdirected_request: [421, 'The host is not one of this deployment'],
  hook_loop: [422, 'The message has come through too many hooks'],
  idempotency_mismatch: [422, 'The key was used with another body'],
  invalid_request: [422, 'The request is understood and not allowed'],
  unknown_agent: [422, 'There is no such agent'],
  agent_unavailable: [422, 'The agent cannot be used'],
  skill_unavailable: [422, 'The skill cannot be used'],
  unknown_repo: [422, 'There is no such repository prefix'],
  role_layer_invalid: [422, 'The role has no layer of its own'],
  unknown_mcp_config: [422, 'There is no such MCP configuration'],
  invalid_config: [422, 'The configuration is not valid'],
  tool_unavailable: [422, 'None of the tools is available here'],
  strict: [422, 'Strict mode refuses the warnings'],
  model_not_configured: [422, 'No model is configured'],
  price_unknown: [422, 'A budget of dollars needs the price of the model'],
  blocked_url: [422, 'The URL is not allowed'],
  precondition_required: [428, 'A condition is required'],
  rate_limited: [429, 'Too many requests'],
  headers_too_large: [431, 'The headers are too large'],
  internal: [500, 'Something went wrong here'],
  unavailable: [503, 'Not possible at the moment'],
} as const satisfies Record<string, readonly [number, string]>

export type ProblemCode = keyof typeof PROBLEMS

/** One place in the request that is wrong: a JSON pointer (RFC 6901) and a sentence. */
export interface ProblemPlace {
  readonly pointer: string
  readonly message: string
}

/** A refusal on its way to the caller: thrown in `http`, returned everywhere else. */
export interface Refusal {
  readonly code: ProblemCode
  readonly detail: string
  readonly errors?: readonly ProblemPlace[] | undefined
  /** More members of the problem document, e.g. `available`. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined
}

export const refusal = (
  code: ProblemCode,
  detail: string,
  more: Pick<Refusal, 'errors' | 'extra'> = {},
): Refusal => ({ code, detail, ...more })
