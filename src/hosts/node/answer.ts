/**
 * The single outcome of a request of Node's HTTP client: an answer, or an error. By itself the
 * client reports nothing at all when a server changes the protocol, and reads interim answers for
 * ever.
 */

import type { ClientRequest, IncomingMessage } from 'node:http'
import { OutboundRefused } from '../outbound/fetch.ts'

/** Interim answers (1xx) before the answer: an honest server sends one or two. */
const INTERIM = 16

/**
 * `failed` is called once, with why there is no answer, or `answered` with the one there is; what
 * that throws is a failure too, and the connection is closed.
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
        throw new OutboundRefused('the response has no valid status')
      onResponse(message)
      over = true
    } catch (error) {
      message.destroy()
      fail(error as Error)
    }
  })
  // Later ones are the answer's own, and must not end the process.
  request.on('error', fail)
  request.once('close', () => fail(new Error('the connection was closed before the response')))
}
