/**
 * Maps MCP requests to API requests: each MCP request calls the operation's route with the caller's
 * key. Schemas, scopes, problems, and idempotency are therefore those of the REST API.
 */

import type { Context } from 'hono'
import { decodeStrict } from '../../../lib/bytes.ts'
import { fail, type Outcome, ok } from '../../../lib/outcome.ts'
import { Unavailable } from '../../../lib/unavailable.ts'
import type { Api, Env } from '../../request/route.ts'

export interface ApiRequest {
  readonly method: string
  /** Request path without a query; parameters in the path are percent-encoded. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>> | undefined
  readonly body?: object | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
}
export type Ask = (request: ApiRequest) => Promise<Response>

export type Members = Readonly<Record<string, unknown>>
/** Problem document, of which MCP shows `code` and `detail`. */
export interface Problem extends Members {
  readonly status: number
  readonly code: string
  readonly detail: string
}

/** Returns a function that sends API requests as the caller of this MCP request. */
export function askerOf({ app }: Api, c: Context<Env>): Ask {
  const authorization = c.req.header('authorization') ?? ''
  const forwarded = c.req.header('x-forwarded-for')
  const traceparent = c.req.header('traceparent')
  return async ({ method, path, query = {}, body, headers = {}, signal }) => {
    const search = new URLSearchParams(query).toString()
    const target = search === '' ? path : `${path}?${search}`
    const sent = body === undefined ? {} : { 'content-type': 'application/json' }
    const request = new Request(new URL(target, c.req.url), {
      method,
      headers: {
        authorization,
        ...(traceparent ? { traceparent } : {}),
        ...(forwarded ? { 'x-forwarded-for': forwarded } : {}),
        ...sent,
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
    return app.fetch(request, { ...c.env, target, via: 'mcp' })
  }
}

/** Parses a JSON response; a problem document becomes the failure. */
export async function answerOf(response: Response): Promise<Outcome<Members, Problem>> {
  if (!response.ok) return fail((await response.json()) as Problem)
  if (response.status === 204) return ok({})
  const replayed = response.headers.has('idempotency-replayed')
  const read = (await response.json()) as Members
  return ok(replayed ? { ...read, idempotency_replayed: true } : read)
}

export interface FileRead {
  /** Response body as text; undefined if the body is not UTF-8. */
  readonly text: string | undefined
  readonly bytes: Uint8Array
}

export async function fileOf(response: Response): Promise<Outcome<FileRead, Problem>> {
  if (!response.ok) return fail((await response.json()) as Problem)
  const bytes = new Uint8Array(await response.arrayBuffer())
  return ok({ bytes, text: decodeStrict(bytes) })
}

const INVALID_PARAMS = -32_602
const INTERNAL_ERROR = -32_603
export const METHOD_NOT_FOUND = -32_601

/** JSON-RPC error, which reports failures of methods other than tool calls. */
export class McpError extends Error {
  override readonly name = 'McpError'
  readonly code: number
  readonly data: Members | undefined

  constructor(code: number, message: string, data?: Members) {
    super(message)
    this.code = code
    this.data = data
  }
}

/**
 * Returns the successful response; throws a problem as a JSON-RPC error with the same code and
 * text.
 */
export function grantedBy<T>(answer: Outcome<T, Problem>): T {
  if (answer.ok) return answer.value
  const { status, detail, code, errors, request_id } = answer.error
  const data = { code, request_id, ...(errors === undefined ? {} : { errors }) }
  throw new McpError(status < 500 ? INVALID_PARAMS : INTERNAL_ERROR, detail, data)
}

/**
 * Returns the error that a client receives for an exception: a rejection unchanged, otherwise a
 * sentence with the request ID. The operator finds the exception in the log by its request ID.
 */
export function shownError(
  error: unknown,
  { onError }: Pick<Api, 'onError'>,
  requestId: string,
): McpError {
  if (error instanceof McpError) return error
  onError(error, requestId)
  const isTemporary = error instanceof Unavailable
  const message = isTemporary
    ? error.detail
    : `An internal error occurred; its request ID is ${requestId}.`
  const code = isTemporary ? 'unavailable' : 'internal'
  return new McpError(INTERNAL_ERROR, message, { code, request_id: requestId })
}

export const invalid = (code: string, message: string): McpError =>
  new McpError(INVALID_PARAMS, message, { code })
