/**
 * Describes why a request to an MCP server failed, in one sentence. The sentence contains no
 * external text, because a transport error may quote a header or a response body. Also determines
 * whether a failed tool call may have been executed.
 */

import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
} from '@modelcontextprotocol/client'
import type { ServerEntry } from '../../core/config/types.ts'
import { isMap } from '../../core/tools/schema-values.ts'
import {
  AUTHORIZATION_REQUIRED,
  authorizationRequired,
  type ToolFailure,
} from '../../ports/world.ts'
import { Ended } from '../outbound/deadline.ts'
import { causes, codeOf, refusedIn, tlsTrouble } from '../outbound/fetch.ts'
import { UNKNOWN_HOST } from '../outbound/guard.ts'
import { oversizedIn } from '../outbound/response-limit.ts'
import { pagesIn, withQuestions } from './elicitation.ts'
import { TALKS_TOO_MUCH_TEXT } from './listening.ts'
import { looseJson } from './loose-json.ts'
import {
  hasOurWords,
  isOurCode,
  OLDER_TRANSPORT,
  STREAM_ENDED,
  TALKS_TOO_MUCH,
} from './our-errors.ts'
import { shownData } from './result.ts'

/** Outcome of a tool call that returned no result. */
export type CallTrouble =
  /** Error response of the server for the model to read. */
  | { readonly type: 'answer'; readonly text: string }
  /** The server no longer knows the session, so it did not execute the call. */
  | { readonly type: 'session'; readonly failure: ToolFailure }
  | { readonly type: 'failure'; readonly failure: ToolFailure }

/** HTTP statuses with which a server rejects a request without executing it. */
const REFUSALS: ReadonlySet<number> = new Set([
  ...[307, 308, 400, 401, 403, 404, 405, 406, 410, 413, 415, 422, 429],
])
/** Error codes for connections that were never established. */
const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** Operation that timed out, and its time limit. */
interface Wait {
  readonly what: 'start' | 'list' | 'result'
  readonly seconds: number
}

export function callTrouble(error: unknown, seconds: number): CallTrouble {
  const failure = {
    code: failureCode(error),
    message: reasonOf(error, { what: 'result', seconds }),
  }
  if (isForgottenSession(error)) return { type: 'session', failure: { ...failure, code: 'unsent' } }
  if (error instanceof ProtocolError && !isOurCode(error.code)) {
    return { type: 'answer', text: errorWords(error) }
  }
  const answer = answerOf(error)
  const rpc = answer && rpcErrorIn(answer.text)
  if (!rpc) return { type: 'failure', failure }
  const text = `${failure.message}: ${errorWords(rpc.error)}`
  // An error from a proxy looks the same and does not reveal whether the server executed the call.
  if (!rpc.isMessage) return { type: 'failure', failure: { ...failure, message: text } }
  return { type: 'answer', text }
}

interface RpcError {
  readonly code?: unknown
  readonly message?: unknown
  readonly data?: unknown
}

/** Returns the server's error message, and the error's data if useful for a model. */
function errorWords({ code, message, data }: RpcError): string {
  const number = typeof code === 'number' ? ` (${code})` : ''
  const words = typeof message === 'string' ? message.trim() : ''
  const text = words === '' ? `the server returned an error without a message${number}` : words
  const pages = pagesIn(data)
  if (pages.length > 0) return withQuestions({ text, is_error: true }, pages).text
  return data == null ? text : `${text}\n[data] ${shownData(data)}`
}

/** Returns the JSON-RPC error in the body of a response with an HTTP error status. */
function rpcErrorIn(body: string): { error: RpcError; isMessage: boolean } | undefined {
  const [value] = looseJson(body).values
  if (!isMap(value) || !isMap(value.error)) return undefined
  return { error: value.error, isMessage: value.jsonrpc !== undefined }
}

function failureCode(error: unknown): ToolFailure['code'] {
  if (refusedIn(error) || error instanceof InsufficientScopeError) return 'unsent'
  if (oversizedIn(error)) return 'unknown'
  const { status } = answerOf(error) ?? {}
  if (status !== undefined) return REFUSALS.has(status) ? 'unsent' : 'unknown'
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return 'timeout'
  if (error instanceof SdkError && error.code === SdkErrorCode.NotConnected) return 'unsent'
  if (causes(error).some((cause) => cause instanceof Ended)) return 'timeout'
  return NEVER_CONNECTED.has(codeOf(error)) ? 'unsent' : 'unknown'
}

/**
 * Reports whether the server no longer knows the request's session and so has not executed the
 * request. The protocol requires status 404; many servers report this as text.
 */
export function isForgottenSession(error: unknown): boolean {
  const answer = answerOf(error)
  if (answer) {
    return answer.status === 404 || (SAID_WITH.has(answer.status) && saysForgotten(answer.text))
  }
  return error instanceof ProtocolError && SAID_BY.has(error.code) && saysForgotten(error.message)
}

/** HTTP statuses with which an older server, which only streams by GET, rejects a message. */
const NO_POST: ReadonlySet<number> = new Set([400, 404, 405])

/** Reports whether the server rejects messages at its URL, or names another endpoint for them. */
export const refusesMessages = (error: unknown): boolean =>
  causes(error).some((it) => NO_POST.has(answerOf(it)?.status ?? 0) || isOlderTransport(it))

const isOlderTransport = (error: unknown): boolean =>
  error instanceof ProtocolError && error.code === OLDER_TRANSPORT

const silent = new WeakSet<object>()

/** Marks an error of a connection whose first message was answered with an empty stream. */
export function markSilent(error: unknown): void {
  if (typeof error === 'object' && error !== null) silent.add(error)
}

interface HttpAnswer {
  readonly status: number
  readonly text: string
}

/** Returns the HTTP response in a transport error; each transport has its own error type. */
function answerOf(error: unknown): HttpAnswer | undefined {
  if (error instanceof SdkHttpError) {
    const { status, data } = error
    return { status, text: typeof data.text === 'string' ? data.text : '' }
  }
  if (error instanceof SseError && error.code !== undefined) {
    return { status: error.code, text: '' }
  }
  const [, status, text = ''] = (error instanceof Error && POSTED.exec(error.message)) || []
  return status === undefined ? undefined : { status: Number(status), text }
}

const POSTED = /^Error POSTing to endpoint \(HTTP (\d{3})\): (.*)$/s

const SAID_WITH: ReadonlySet<number> = new Set([400, 410, 422])
/** JSON-RPC error codes that transports use; tools use other codes. */
const SAID_BY: ReadonlySet<number> = new Set([-32_000, -32_001, -32_600])
const SAID_IN = 2_000
const LOST_WORDS = [
  ...['not found', 'unknown', 'invalid', 'expired', 'missing', 'required', 'terminated', 'closed'],
  ...[
    'ended',
    'stale',
    'mismatch(?:ed)?',
    'unrecognized',
    'incorrect',
    'wrong',
    'inactive',
    'gone',
  ],
  ...['revoked', 'destroyed', 'deleted', 'evicted', 'lost', 'timed out', 'unavailable'],
].join('|')
const NOT_THERE =
  '(?:exist|valid|recogni[sz]ed|active|initiali[sz]ed|match|known|be found|available)'
const FORGOTTEN = new RegExp(
  [
    `\\bsessions?\\b.{0,80}\\b(?:${LOST_WORDS}|no longer|(?:not|cannot) ${NOT_THERE})`,
    `\\b(?:no|not|${LOST_WORDS}|bad|without|unable to|failed to|different)\\b.{0,40}\\bsessions?\\b`,
    '\\bserver (?:is )?not (?:yet )?initialized',
  ].join('|'),
  'is',
)

/** Reports whether the text reports an unknown session, such as `SESSION_NOT_FOUND`. */
const saysForgotten = (text: string): boolean =>
  FORGOTTEN.test(
    text
      .slice(0, SAID_IN)
      .replace(/([a-z])(?=[A-Z])/g, '$1 ')
      .replace(/[_-]/g, ' ')
      .replace(/n['’]t\b/g, ' not'),
  )

/** Matches phrases with which servers report an unknown tool, in an error or a result. */
const UNKNOWN = /unknown tool|no such tool|tool\b.{0,200}\b(?:not found|does not exist)/is
const UNKNOWN_IN = 500

export const saysNoTool = (text: string): boolean => UNKNOWN.test(text.slice(0, UNKNOWN_IN))

/** Describes a failure reason for this server entry; several entries can share a connection. */
export const describeReason = (server: ServerEntry, reason: string): string =>
  reason === AUTHORIZATION_REQUIRED ? authorizationRequired(server) : reason

/** Returns one sentence that explains the error. */
export function reasonOf(error: unknown, wait: Wait): string {
  const refusal = refusedIn(error) ?? oversizedIn(error)
  if (refusal) return refusal.message
  for (const cause of causes(error)) {
    const sentence = answerTrouble(cause, wait)
    if (sentence !== undefined) return sentence + (silent.has(cause as object) ? SILENT : '')
  }
  const code = codeOf(error)
  if (code === 'ENOENT') return 'command not found'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return UNKNOWN_HOST
  if (NEVER_CONNECTED.has(code)) return 'the server is unreachable'
  const tls = tlsTrouble(code)
  if (tls !== undefined) return tls
  if (code.startsWith('Z_')) return "the server's response cannot be decompressed"
  if (wait.what === 'result') return BROKE_RESULT
  if (code === SdkErrorCode.EraNegotiationFailed || BROKEN_CODES.has(code)) return BROKE
  return 'the server could not be started'
}

const SILENT =
  ': its response to a message started but never ended; if it supports only the older ' +
  'transport, set type = "sse" and the URL of its stream'
const BROKE = 'the server closed the connection before it responded'
const BROKE_RESULT = 'the connection was lost before the result arrived'
const BROKEN_CODES: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  SdkErrorCode.ConnectionClosed,
])

/** Returns the meaning of an error of the client's library, without the text of the error. */
function answerTrouble(error: unknown, wait: Wait): string | undefined {
  if (error instanceof InsufficientScopeError) return statusTrouble({ status: 403, text: '' })
  if (error instanceof SdkHttpError && error.code === SdkErrorCode.ClientHttpUnexpectedContent) {
    return NO_MESSAGES
  }
  const answer = answerOf(error)
  if (answer) return statusTrouble(answer)
  if (error instanceof ProtocolError) {
    // Messages with this program's error codes are safe to show; server text is never trusted.
    if (hasOurWords(error.code)) return error.message
    if (error.code === TALKS_TOO_MUCH) return TALKS_TOO_MUCH_TEXT
    if (error.code !== STREAM_ENDED) return `the server returned an error (${error.code})`
    return wait.what === 'result' ? BROKE_RESULT : BROKE
  }
  if (error instanceof Ended) return error.code === 'aborted' ? error.message : late(wait)
  if (error instanceof SdkError) {
    switch (error.code) {
      case SdkErrorCode.RequestTimeout:
        return late(wait)
      case SdkErrorCode.NotConnected:
        return 'the server is not connected'
      case SdkErrorCode.ClientHttpUnexpectedContent:
        return NO_MESSAGES
      case SdkErrorCode.InvalidResult:
        return 'the server returned an invalid result'
    }
  }
  // Parsers throw various types of errors, whose messages quote the parsed input.
  const name = error instanceof Error ? error.name : ''
  if (name === 'SyntaxError' || name.endsWith('ZodError'))
    return 'its response is not a JSON-RPC message'
  if (error instanceof Error && /protocol version is not supported/i.test(error.message)) {
    return 'the server uses an unsupported protocol revision'
  }
  return undefined
}

function statusTrouble({ status }: HttpAnswer): string {
  if (status === 401 || status === 403) return `the server rejected the credentials (${status})`
  const isRedirect = status >= 300 && status < 400
  return `the server responded with status ${status}${isRedirect ? NOT_FOLLOWED : ''}`
}

const NOT_FOLLOWED = ', a redirect, which is not followed'
const NO_MESSAGES = "the server's response is neither JSON nor an event stream"

function late({ what: phase, seconds }: Wait): string {
  const time = `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  if (phase === 'start') return `the server did not start within ${time}`
  return `no ${phase === 'list' ? 'tool list' : 'result'} within ${time}`
}
