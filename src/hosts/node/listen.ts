/**
 * The HTTP door on Node. The app gets each request together with its target as it was sent; what is
 * no request at all (the parser gives up, the target cannot be read) is answered by a problem too.
 */

import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { refusal } from '../../core/problem.ts'
import { PROBLEM_TYPE, problemDocument } from '../../http/problem.ts'
import type { App } from '../../http/route.ts'
import { random } from '../../lib/id.ts'
import { systemClock } from '../web/clock.ts'

export interface Listening {
  readonly url: string
  /** Breaks open connections and frees the port. */
  close(): Promise<void>
}

/** Rejects when the address cannot be had. */
export async function listen(
  app: App,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const answer = getRequestListener(
    (request, env) => app.fetch(request, { target: env.incoming.url ?? '' }),
    { hostname: host, errorHandler: (error) => unreadable((error as Error).message) },
  )
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    socket.end(asText(malformed('The bytes on the connection are no request.')))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const name = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${name}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function malformed(detail: string): string {
  const place = { instance: '', request_id: random('req', systemClock.random(17)) }
  return JSON.stringify(problemDocument(refusal('malformed_request', detail), place))
}

const unreadable = (why: string): Response =>
  new Response(malformed(`${why}.`), { status: 400, headers: { 'content-type': PROBLEM_TYPE } })

const asText = (body: string): string =>
  [
    'HTTP/1.1 400 Bad Request',
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
