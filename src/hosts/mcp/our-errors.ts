/**
 * JSON-RPC errors of ours that stand in a server's place, with sentences of ours: the client's
 * library hands an error on only as one. A server that uses such a code is given another.
 */

import type { JSONRPCMessage } from '@modelcontextprotocol/client'

type Id = string | number

/** The stream of an answer ended without the answer. */
export const STREAM_ENDED = -32_900
/** A list is none. */
export const UNREADABLE = -32_901
/** A server does not stop talking. */
export const TALKS_TOO_MUCH = -32_902
/** A message exceeds a limit. */
const TOO_LARGE = -32_903
/** An answer names an endpoint, as the transport of 2024 does. */
export const OLDER_TRANSPORT = -32_904
/** The program of a local server ended. */
const EXITED = -32_905

const ALL: ReadonlySet<number> = new Set([
  STREAM_ENDED,
  UNREADABLE,
  TALKS_TOO_MUCH,
  TOO_LARGE,
  OLDER_TRANSPORT,
  EXITED,
])

/** Errors whose message is a sentence of ours. */
const WITH_WORDS: ReadonlySet<number> = new Set([UNREADABLE, TOO_LARGE, OLDER_TRANSPORT, EXITED])

export const hasOurWords = (code: number): boolean => WITH_WORDS.has(code)

export const isOurCode = (code: number): boolean => ALL.has(code)

export const tooLarge = (id: Id, message: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: TOO_LARGE, message },
})

/** A transport reports it when the program of its server ends by itself. */
export class ServerExited extends Error {
  override readonly name = 'ServerExited'
}

export const exited = (id: Id, { message }: ServerExited): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: EXITED, message },
})

/** The cure of an answer that names an endpoint. */
export const OLDER_TEXT =
  'the server responds like one of the older transport: set type = "sse" and the URL of ' +
  'its stream'
