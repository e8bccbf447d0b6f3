/**
 * Converts rejections to A2A errors: JSON-RPC errors with A2A's reasons. A rejection about the HTTP
 * request (key, scope, rate, size, media type, unavailability) stays an HTTP problem.
 */

import type { ProblemCode, Refusal } from '../../../core/problem.ts'
import { RequestRefused } from '../../request/problem.ts'

const CODES = {
  PARSE_ERROR: -32_700,
  INVALID_REQUEST: -32_600,
  METHOD_NOT_FOUND: -32_601,
  INVALID_PARAMS: -32_602,
  TASK_NOT_FOUND: -32_001,
  TASK_NOT_CANCELABLE: -32_002,
  UNSUPPORTED_OPERATION: -32_004,
  CONTENT_TYPE_NOT_SUPPORTED: -32_005,
  VERSION_NOT_SUPPORTED: -32_009,
} as const
type Reason = keyof typeof CODES

const OF_HTTP: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  ...(['unauthorized', 'insufficient_scope', 'rate_limited', 'too_large'] as const),
  ...(['unsupported_media_type', 'malformed_request', 'internal', 'unavailable'] as const),
])

/** JSON-RPC error; `data` uses types of google.rpc, as A2A requires. */
interface RpcError {
  readonly code: number
  readonly message: string
  readonly data: readonly object[]
}

/** Error thrown when a JSON-RPC call is rejected; the route converts it to a response. */
export class RpcRefused extends Error {
  override readonly name = 'RpcRefused'
  readonly error: RpcError

  constructor(error: RpcError) {
    super(error.message)
    this.error = error
  }
}

export const rpcRefused = (reason: Reason, message: string): RpcRefused =>
  new RpcRefused({ code: CODES[reason], message, data: [info(reason, 'a2a-protocol.org')] })

export const taskNotFound = (): RpcRefused => rpcRefused('TASK_NOT_FOUND', 'Task not found.')

const info = (reason: string, domain: string) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain,
})

/** Converts an exception to its JSON-RPC error; other exceptions are rethrown. */
export function rpcErrorOf(error: unknown): RpcError {
  if (error instanceof RpcRefused) return error.error
  if (!(error instanceof RequestRefused) || OF_HTTP.has(error.refusal.code)) throw error
  const { refusal } = error
  const reasonInfo = info(refusal.code.toUpperCase(), 'strata')
  return {
    code: CODES[reasonOf(refusal.code)],
    message: refusal.detail,
    data: [...violations(refusal), reasonInfo],
  }
}

function reasonOf(code: ProblemCode): Reason {
  if (code === 'invalid_json') return 'PARSE_ERROR'
  return code === 'run_ended' ? 'UNSUPPORTED_OPERATION' : 'INVALID_PARAMS'
}

const violations = ({ errors = [] }: Refusal): object[] =>
  errors.length === 0
    ? []
    : [
        {
          '@type': 'type.googleapis.com/google.rpc.BadRequest',
          fieldViolations: errors.map(({ pointer, message }) => ({
            field: pointer.slice(1).replaceAll('/', '.'),
            description: message,
          })),
        },
      ]
