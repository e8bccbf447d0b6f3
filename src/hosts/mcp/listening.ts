/**
 * Handles every message of a server on every transport. Messages are counted, because an endless
 * stream of notices would block the thread within all other limits.
 */

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { LIMITS } from '../../core/limits.ts'
import { oversizedIn } from '../outbound/response-limit.ts'
import { exited, ServerExited, TALKS_TOO_MUCH, tooLarge } from './our-errors.ts'

export const TALKS_TOO_MUCH_TEXT =
  `the server sent more than ${LIMITS.tool_messages} messages or ` +
  `${LIMITS.tool_server_requests} requests and was disconnected`

/** IDs of a transport's requests that are still pending. */
export type Waiting = Set<string | number>

/** Wraps a transport and counts messages; beyond a limit, a message becomes an error. */
export function counting(transport: Transport, waiting: Waiting): Transport {
  let received = 0
  let requests = 0
  let isClosed = false
  transport.onerror = (error) => {
    const oversized = oversizedIn(error)
    if (oversized) for (const id of waiting) transport.onmessage?.(tooLarge(id, oversized.message))
    if (error instanceof ServerExited) {
      for (const id of waiting) transport.onmessage?.(exited(id, error))
    }
  }
  const send = transport.send.bind(transport)
  transport.send = async (message, options) => {
    const id = 'method' in message && 'id' in message ? message.id : undefined
    // Answers to the server's requests start no new count, or it could ask without end.
    if (id !== undefined) {
      received = 0
      requests = 0
      waiting.add(id)
    }
    try {
      await send(message, options)
    } catch (error) {
      if (id === undefined || !(error instanceof ServerExited)) throw error
      // The exit may have been reported before the request was sent.
      if (waiting.has(id)) transport.onmessage?.(exited(id, error))
    }
  }
  return listening(transport, (message, pass) => {
    if (isClosed) return
    received += 1
    if ('method' in message && 'id' in message) requests += 1
    if (received <= LIMITS.tool_messages && requests <= LIMITS.tool_server_requests) {
      if ('id' in message && !('method' in message)) waiting.delete(message.id as string)
      return pass(message)
    }
    const error = { code: TALKS_TOO_MUCH, message: TALKS_TOO_MUCH_TEXT }
    for (const id of waiting) pass({ jsonrpc: '2.0', id, error })
    waiting.clear()
    isClosed = true
    transport.close().catch(() => {})
  })
}

type Pass = (message: JSONRPCMessage) => void

/** Wraps a transport and passes every incoming message to all listeners. */
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
