/**
 * Whether a tool call that failed may have been executed. Sentences are ours: an error of the
 * transport may quote a header or the body of an answer.
 */

import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import type { ToolFailure } from '../../ports/world.ts'
import { codeOf, refusedIn } from './fetch.ts'

/** What a call came to when it brought no result. */
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
  if (error instanceof ProtocolError && error.code === STREAM_ENDED) {
    return failed('unknown', BROKEN)
  }
  if (error instanceof ProtocolError) return { type: 'answer', text: error.message }
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
  if (NEVER_CONNECTED.has(codeOf(error))) return failed('unsent', 'the server cannot be reached')
  return failed('unknown', BROKEN)
}

const failed = (code: ToolFailure['code'], message: string): CallTrouble => ({
  type: 'failure',
  failure: { code, message },
})

/** Why no connection came about, for people and for the model. */
export function connectTrouble(error: unknown, seconds: number): string {
  const refused = refusedIn(error)
  if (refused) return refused.message
  if (error instanceof SdkHttpError) {
    const { status } = error
    if (status === 401 || status === 403) return `the server refused the credentials (${status})`
    return `the server answered with status ${status}`
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return `the server did not start within ${seconds} seconds`
  }
  const code = codeOf(error)
  if (code === 'ENOENT') return 'the command was not found'
  if (NEVER_CONNECTED.has(code)) return 'the server cannot be reached'
  return 'the server could not be started'
}
