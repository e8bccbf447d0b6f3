/**
 * JSON-RPC errors that this client reports on behalf of a server; the library passes on only
 * JSON-RPC errors. A server error with one of these codes gets another code.
 */

import type { JSONRPCMessage } from '@modelcontextprotocol/client'

type Id = string | number

/** A response stream ended without the response. */
export const STREAM_ENDED = -32_900
/** A tool list is unreadable. */
export const UNREADABLE = -32_901
/** A server sends messages without end. */
export const TALKS_TOO_MUCH = -32_902
/** A message exceeded a size limit. */
const TOO_LARGE = -32_903
/** A response names an endpoint, as the 2024 transport does. */
export const OLDER_TRANSPORT = -32_904
/** The process of a local server exited. */
const EXITED = -32_905

const ALL: ReadonlySet<number> = new Set([
  STREAM_ENDED,
  UNREADABLE,
  TALKS_TOO_MUCH,
  TOO_LARGE,
  OLDER_TRANSPORT,
  EXITED,
])

/** Errors whose message is a sentence written by this client. */
const WITH_WORDS: ReadonlySet<number> = new Set([UNREADABLE, TOO_LARGE, OLDER_TRANSPORT, EXITED])

export const hasOurWords = (code: number): boolean => WITH_WORDS.has(code)

export const isOurCode = (code: number): boolean => ALL.has(code)

export const tooLarge = (id: Id, message: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: TOO_LARGE, message },
})

/** Reported by a transport when the server process exits unexpectedly. */
export class ServerExited extends Error {
  override readonly name = 'ServerExited'
}

export const exited = (id: Id, { message }: ServerExited): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: EXITED, message },
})

/** Advice for a response that names an endpoint. */
export const OLDER_TEXT =
  'the server responds like a server with the older transport; set type = "sse" and the ' +
  'URL of its stream'
