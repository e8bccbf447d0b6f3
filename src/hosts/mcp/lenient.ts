/**
 * Adapts results of MCP servers before the client's library reads them. The library's schemas
 * reject a complete list because of one invalid tool, and a complete result because of one invalid
 * part. The library gets an acceptable form, and this folder reads the original lists and results
 * (`tool-list.ts`, `result.ts`).
 */

import {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client'
import { isMap, list } from '../../core/tools/schema-values.ts'
import { type Outcome, ok } from '../../lib/outcome.ts'
import { BARE_RESULT, mendsOf, withoutMends } from './envelope.ts'
import { listening } from './listening.ts'
import { UNREADABLE } from './our-errors.ts'
import { readPage, walkOf } from './tool-list.ts'

/** Name of the member of a `tools/call` result that contains the raw result. */
const AS_SENT = 'strata/as_sent'
const AS_READ = 'strata/as_read'

type Shape = (result: Readonly<Record<string, unknown>>) => Outcome<object, string>

/** Wraps a transport; responses are converted to a form that the library accepts. */
export function lenient(transport: Transport): Transport {
  const shapes = new Map<string | number, Shape>()
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    if (!('method' in message) || !('id' in message)) return send(message, options)
    const { sent, shape } = shaping(message)
    if (shape) shapes.set(message.id, shape)
    return send(sent, options)
  }
  return listening(transport, (message, pass) => {
    if (!('id' in message) || 'method' in message || message.id === undefined) return pass(message)
    const id = shapes.has(message.id) ? message.id : Number(message.id)
    const shape = shapes.get(id)
    shapes.delete(id)
    if (!shape || !('result' in message) || !isMap(message.result)) return pass(message)
    const outcome = shape(message.result)
    if (outcome.ok) return pass({ ...message, result: outcome.value as typeof message.result })
    pass({ jsonrpc: '2.0', id, error: { code: UNREADABLE, message: outcome.error } })
  })
}

type Sent = Extract<JSONRPCMessage, { readonly method: string }>

function shaping(message: Sent): { readonly sent: Sent; readonly shape?: Shape } {
  switch (message.method) {
    case 'initialize':
      return { sent: message, shape: mendedInitialize }
    case 'tools/call':
      return { sent: message, shape: acceptedResult }
    case 'tools/list': {
      const { walk, params } = walkOf(message.params)
      const sent = { ...message, ...(params ? { params } : {}) } as Sent
      return {
        sent,
        shape: (result) => readPage(walk, sent.params?.cursor, bare(result), mendsOf(result)),
      }
    }
    default:
      return { sent: message }
  }
}

/** Returns a result as its server sent it, even if the sent result was not an object. */
const bare = (result: Readonly<Record<string, unknown>>): unknown =>
  BARE_RESULT in result ? result[BARE_RESULT] : withoutMends(result)

/**
 * Returns a result in a form that the library accepts; questions sent instead of a result are left
 * to the library.
 */
const acceptedResult: Shape = (result) =>
  ok({
    ...(result.resultType === 'input_required' ? result : { resultType: 'complete' }),
    content: [],
    [AS_SENT]: bare(result),
    [AS_READ]: mendsOf(result),
  })

/** Returns a tool call's result as its server sent it, with descriptions of its JSON repairs. */
export function asSent(result: object): {
  readonly sent: unknown
  readonly mends: readonly string[]
} {
  const { [AS_SENT]: sent = result, [AS_READ]: mends } = result as Record<string, unknown>
  return { sent, mends: list(mends).filter((mend) => typeof mend === 'string') }
}

/**
 * Keeps only the protocol revision, and whether the server has tools; a server that declares no
 * capabilities is asked for tools.
 */
const mendedInitialize: Shape = ({ protocolVersion, capabilities, serverInfo }) => {
  const { name, version } = isMap(serverInfo) ? serverInfo : {}
  const says = isMap(capabilities) && Object.keys(capabilities).length > 0
  const offers = says ? capabilities : { tools: {} }
  const isOffered = offers.tools !== undefined && offers.tools !== false
  const tools = isMap(offers.tools) ? listChangedIn(offers.tools) : {}
  return ok({
    protocolVersion: textOr(protocolVersion, DEFAULT_NEGOTIATED_PROTOCOL_VERSION),
    capabilities: isOffered ? { tools } : {},
    serverInfo: { name: textOr(name, 'server'), version: textOr(version, '0') },
  })
}

const textOr = (value: unknown, otherwise: string): string =>
  typeof value === 'string' ? value : otherwise

const listChangedIn = ({ listChanged }: Readonly<Record<string, unknown>>): object =>
  typeof listChanged === 'boolean' ? { listChanged } : {}
