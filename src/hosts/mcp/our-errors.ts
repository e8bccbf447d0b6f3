/**
 * JSON-RPC errors that this client reports on behalf of a server, because the library passes on
 * only JSON-RPC errors. A server error that uses one of these codes gets another code.
 */

import type { JSONRPCMessage } from '@modelcontextprotocol/client'

type Id = string | number

/** Error code: a response stream ended without the response. */
export const STREAM_ENDED = -32_900
/** Error code: a tool list is unreadable. */
export const UNREADABLE = -32_901
/** Error code: a server sends messages without end. */
export const TALKS_TOO_MUCH = -32_902
/** Error code: a message exceeded a size limit. */
const TOO_LARGE = -32_903
/** Error code: a response names an endpoint, as in the 2024 transport. */
export const OLDER_TRANSPORT = -32_904
/** Error code: the process of a local server exited. */
const EXITED = -32_905

const ALL: ReadonlySet<number> = new Set([
  STREAM_ENDED,
  UNREADABLE,
  TALKS_TOO_MUCH,
  TOO_LARGE,
  OLDER_TRANSPORT,
  EXITED,
])

/** Error codes whose message is a sentence written by this client. */
const WITH_WORDS: ReadonlySet<number> = new Set([UNREADABLE, TOO_LARGE, OLDER_TRANSPORT, EXITED])

export const hasOurWords = (code: number): boolean => WITH_WORDS.has(code)

export const isOurCode = (code: number): boolean => ALL.has(code)

export const tooLarge = (id: Id, message: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: TOO_LARGE, message },
})

/** Error that a transport reports when the process of its local server exits unexpectedly. */
export class ServerExited extends Error {
  override readonly name = 'ServerExited'
}

export const exited = (id: Id, { message }: ServerExited): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: EXITED, message },
})

/** Advice to the user for a response that names an endpoint. */
export const OLDER_TEXT =
  'the server responds like a server with the older transport; set type = "sse" and the ' +
  'URL of its stream'
