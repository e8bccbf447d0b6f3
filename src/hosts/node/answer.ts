/**
 * Reduces a request of Node's HTTP client to a single outcome: a response or an error. Without this
 * module, the client reports nothing if a server changes the protocol, and reads interim responses
 * forever.
 */

import type { ClientRequest, IncomingMessage } from 'node:http'
import { OutboundRefused } from '../outbound/fetch.ts'

/** Maximum number of interim responses (1xx) per request; a normal server sends one or two. */
const INTERIM = 16

/**
 * Calls `failed` with an error or `answered` with the response, exactly once. An exception thrown
 * by `answered` is also a failure, and closes the connection.
 */
export function answerOrEnd(
  request: ClientRequest,
  failed: (error: Error) => void,
  onResponse: (message: IncomingMessage) => void,
): void {
  let interim = 0
  let over = false
  const fail = (error: Error): void => {
    if (over) return
    over = true
    failed(error)
  }
  request.on('information', () => {
    interim += 1
    if (interim > INTERIM) request.destroy(new OutboundRefused('the host does not respond'))
  })
  request.once('upgrade', (_, socket) => {
    socket.destroy()
    fail(new OutboundRefused('the host switched protocols instead of responding'))
  })
  request.once('response', (message) => {
    if (over) return void message.destroy()
    try {
      const { statusCode = 0 } = message
      if (statusCode < 200 || statusCode > 599)
        throw new OutboundRefused('the response has an invalid status')
      onResponse(message)
      over = true
    } catch (error) {
      message.destroy()
      fail(error as Error)
    }
  })
  // Later errors of the request belong to the response and must not end the process.
  request.on('error', fail)
  request.once('close', () => {
    // An error costs more than the rest of this function, and most requests need none.
    if (!over) fail(new Error('the connection was closed before the response'))
  })
}
