/**
 * Whether a failed tool call may have been executed. Sentences are ours: an error of the transport
 * may quote a header or the body of an answer.
 */

import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import type { ToolFailure } from '../../ports/world.ts'
import { oversizedIn } from '../outbound/bounded.ts'
import { Ended } from '../outbound/deadline.ts'
import { causes, codeOf, refusedIn } from '../outbound/fetch.ts'
import { noted, pagesIn } from './elicitation.ts'
import {
  LIST_TOO_LONG,
  LIST_TOO_LONG_TEXT,
  TALKS_TOO_MUCH,
  TALKS_TOO_MUCH_TEXT,
} from './listing.ts'

/** The outcome of a call that brought no result. */
export type CallTrouble =
  /** The server's own answer; the model should read it. */
  | { readonly type: 'answer'; readonly text: string }
  /** The server no longer knows our session, so it has not executed the call. */
  | { readonly type: 'session'; readonly failure: ToolFailure }
  | { readonly type: 'failure'; readonly failure: ToolFailure }

/** Our own JSON-RPC code for an answer's stream that ended without the answer. */
export const STREAM_ENDED = -32_900
const BROKEN = 'the connection broke before the result came'

/** Statuses with which a server refuses a request before doing anything. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 406, 413, 415, 429])
/** The connection was never made. */
const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

export function callTrouble(error: unknown, seconds: number): CallTrouble {
  const refused = refusedIn(error)
  if (refused) return failed('unsent', refused.message)
  const oversized = oversizedIn(error)
  if (oversized) return failed('unknown', oversized.message)
  if (error instanceof ProtocolError && error.code === STREAM_ENDED) {
    return failed('unknown', BROKEN)
  }
  if (error instanceof ProtocolError && error.code === TALKS_TOO_MUCH) {
    return failed('unknown', TALKS_TOO_MUCH_TEXT)
  }
  if (error instanceof ProtocolError) {
    const said = { text: error.message, is_error: true }
    return { type: 'answer', text: noted(said, pagesIn(error.data)).text }
  }
  const status = error instanceof SdkHttpError ? error.status : undefined
  if (status !== undefined) {
    const failure: ToolFailure = {
      code: REFUSALS.has(status) ? 'unsent' : 'unknown',
      message: `the server answered with status ${status}`,
    }
    return { type: status === 404 ? 'session' : 'failure', failure }
  }
  if (error instanceof SdkError) {
    switch (error.code) {
      case SdkErrorCode.RequestTimeout:
        return failed('timeout', `no result within ${seconds} seconds`)
      case SdkErrorCode.NotConnected:
        return failed('unsent', 'the server is not connected')
      case SdkErrorCode.UnsupportedResultType:
        return { type: 'answer', text: 'The server asked for more input, which is not offered.' }
      case SdkErrorCode.InvalidResult:
        return failed('unknown', 'the server answered with a result that is not valid')
    }
  }
  const late = causes(error).some((one) => one instanceof Ended)
  if (late) return failed('timeout', `no result within ${seconds} seconds`)
  if (NEVER_CONNECTED.has(codeOf(error))) return failed('unsent', 'the server cannot be reached')
  return failed('unknown', BROKEN)
}

const failed = (code: ToolFailure['code'], message: string): CallTrouble => ({
  type: 'failure',
  failure: { code, message },
})

/** Why no connection or no list came about, for people and for the model. */
export function connectTrouble(error: unknown, seconds: number): string {
  const refused = refusedIn(error) ?? oversizedIn(error)
  if (refused) return refused.message
  for (const one of causes(error)) {
    const sentence = answerTrouble(one, seconds)
    if (sentence !== undefined) return sentence
  }
  const code = codeOf(error)
  if (code === 'ENOENT') return 'the command was not found'
  if (NEVER_CONNECTED.has(code)) return 'the server cannot be reached'
  if (/CERT|TLS|SSL|ALTNAME/.test(code)) return 'the host has no valid certificate'
  if (code.startsWith('Z_')) return 'the answer of the server cannot be unpacked'
  if (code === SdkErrorCode.EraNegotiationFailed || BROKEN_CODES.has(code)) return BROKE
  return 'the server could not be started'
}

const BROKE = 'the server broke the connection before it answered'
const BROKEN_CODES: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  SdkErrorCode.ConnectionClosed,
])

/** The meaning of one error of the client's library for the answer, without its words. */
function answerTrouble(error: unknown, seconds: number): string | undefined {
  if (error instanceof SdkHttpError) {
    const { status, code } = error
    if (code === SdkErrorCode.ClientHttpUnexpectedContent) return NO_MESSAGES
    if (status === 401 || status === 403) return `the server refused the credentials (${status})`
    return `the server answered with status ${status}`
  }
  if (error instanceof ProtocolError) {
    if (error.code === LIST_TOO_LONG) return LIST_TOO_LONG_TEXT
    if (error.code === TALKS_TOO_MUCH) return TALKS_TOO_MUCH_TEXT
    return error.code === STREAM_ENDED ? BROKE : `the server answered with an error (${error.code})`
  }
  if (error instanceof Ended) return error.code === 'aborted' ? error.message : late(seconds)
  if (error instanceof SdkError) {
    switch (error.code) {
      case SdkErrorCode.RequestTimeout:
        return late(seconds)
      case SdkErrorCode.ClientHttpUnexpectedContent:
        return NO_MESSAGES
      case SdkErrorCode.ListPaginationExceeded:
        return 'the tool list of the server does not end'
      case SdkErrorCode.InvalidResult:
        return invalidResult(error.message)
    }
  }
  // Parsers throw their own kinds; their texts quote what they have met.
  const name = error instanceof Error ? error.name : ''
  if (name === 'SyntaxError' || name.endsWith('ZodError'))
    return 'its answer is not a JSON-RPC message'
  if (error instanceof Error && /protocol version is not supported/i.test(error.message)) {
    return 'the server speaks a protocol revision that is not known here'
  }
  return undefined
}

/** The place of an error in a list is reported; its content is not. */
function invalidResult(message: string): string {
  if (!message.includes('tools/list')) return 'the server answered with a result that is not valid'
  const [, index, field] = /"path":\s*\[\s*"tools",\s*(\d+),\s*"([A-Za-z]+)"/.exec(message) ?? []
  if (index === undefined) return 'what the server lists as its tools is not a valid list'
  return `the server lists a tool, number ${Number(index) + 1}, whose ${field} is not valid`
}

const late = (seconds: number): string => `the server did not start within ${seconds} seconds`
const NO_MESSAGES = 'the server answers neither with JSON nor with an event stream'
