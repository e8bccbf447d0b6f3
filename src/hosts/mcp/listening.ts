/**
 * Counts a server's output where it arrives, on every transport: the pages of its tool list
 * together, because the client's library asks for page after page and keeps them all; and messages,
 * because a server that sends notices without end keeps the thread busy within every other limit.
 */

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { LIMITS } from '../../core/limits.ts'

/** Our own JSON-RPC code for a list that is given up. */
export const LIST_TOO_LONG = -32_901

export const LIST_TOO_LONG_TEXT =
  `the server lists more than ${LIMITS.tools_per_server} tools ` +
  `or ${LIMITS.tool_list_bytes} bytes of them`

/** Our own JSON-RPC code for a server that does not stop talking. */
export const TALKS_TOO_MUCH = -32_902

export const TALKS_TOO_MUCH_TEXT = `the server sent more than ${LIMITS.tool_messages} messages and was left`

/** The same transport; what goes beyond the bounds is answered by an error in the server's place. */
export const counting = (transport: Transport): Transport =>
  countingMessages(countingLists(transport))

function countingMessages(transport: Transport): Transport {
  const waiting = new Set<string | number>()
  let received = 0
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    received = 0
    if ('method' in message && 'id' in message) waiting.add(message.id)
    return send(message, options)
  }
  return listening(transport, (message, pass) => {
    received += 1
    if (received > LIMITS.tool_messages + 1) return
    if (received <= LIMITS.tool_messages) {
      if ('id' in message && !('method' in message)) waiting.delete(message.id as string)
      return pass(message)
    }
    const error = { code: TALKS_TOO_MUCH, message: TALKS_TOO_MUCH_TEXT }
    for (const id of waiting) pass({ jsonrpc: '2.0', id, error })
    waiting.clear()
    transport.close().catch(() => {})
  })
}

function countingLists(transport: Transport): Transport {
  const asked = new Set<unknown>()
  let bytes = 0
  let tools = 0
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    if ('method' in message && message.method === 'tools/list' && 'id' in message) {
      if (message.params?.cursor === undefined) bytes = tools = 0
      asked.add(message.id)
    }
    return send(message, options)
  }
  const judged = (message: JSONRPCMessage): JSONRPCMessage => {
    if (!('id' in message) || message.id === undefined || !asked.delete(message.id)) return message
    if (!('result' in message)) return message
    const page = (message.result as { tools?: unknown }).tools
    bytes += JSON.stringify(page ?? null).length
    tools += Array.isArray(page) ? page.length : 0
    if (bytes <= LIMITS.tool_list_bytes && tools <= LIMITS.tools_per_server) return message
    const error = { code: LIST_TOO_LONG, message: LIST_TOO_LONG_TEXT }
    return { jsonrpc: '2.0', id: message.id, error }
  }
  return listening(transport, (message, pass) => pass(judged(message)))
}

type Pass = (message: JSONRPCMessage) => void

/** Everything that arrives goes through here, for every listener. */
export function listening(
  transport: Transport,
  onMessage: (message: JSONRPCMessage, pass: Pass) => void,
): Transport {
  const inner = Object.getOwnPropertyDescriptor(transport, 'onmessage')
  let listener: Transport['onmessage']
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => (inner?.get ? inner.get.call(transport) : listener),
    set(given: Transport['onmessage']) {
      const received: Transport['onmessage'] =
        given && ((message, extra) => onMessage(message, (one) => given(one, extra)))
      if (inner?.set) inner.set.call(transport, received)
      else listener = received
    },
  })
  return transport
}
