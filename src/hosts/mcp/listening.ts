/**
 * Everything that a server says, where it arrives on every transport: messages are counted, because
 * a server that sends notices without end keeps the thread busy within every other limit.
 */

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { LIMITS } from '../../core/limits.ts'
import { oversizedIn } from '../outbound/response-limit.ts'
import { exited, ServerExited, TALKS_TOO_MUCH, tooLarge } from './our-errors.ts'

export const TALKS_TOO_MUCH_TEXT = `the server sent more than ${LIMITS.tool_messages} messages and was disconnected`

/** Ids of the requests of a transport that have no answer yet. */
export type Waiting = Set<string | number>

/** The same transport; what goes beyond a bound is answered by an error in the server's place. */
export function counting(transport: Transport, waiting: Waiting): Transport {
  let received = 0
  transport.onerror = (error) => {
    const oversized = oversizedIn(error)
    if (oversized) for (const id of waiting) transport.onmessage?.(tooLarge(id, oversized.message))
    if (error instanceof ServerExited) {
      for (const id of waiting) transport.onmessage?.(exited(id, error))
    }
  }
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
    set(handler: Transport['onmessage']) {
      const received: Transport['onmessage'] =
        handler && ((message, extra) => onMessage(message, (passed) => handler(passed, extra)))
      if (inner?.set) inner.set.call(transport, received)
      else listener = received
    },
  })
  return transport
}
