/** A server on loopback that answers with what the test says, and keeps what it was sent. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}
export interface CannedServer {
  readonly origin: string
  readonly port: number
  readonly received: readonly Received[]
  /** TCP connections so far. */
  connections(): number
  close(): Promise<void>
}

export async function startCannedServer(
  handler: (request: Received, response: ServerResponse) => void | Promise<void>,
): Promise<CannedServer> {
  const received: Received[] = []
  let connections = 0
  const server = createServer(async (request, response) => {
    let body = ''
    request.setEncoding('utf8')
    try {
      for await (const chunk of request) body += chunk
    } catch {
      // The client has broken the connection and waits for no answer.
      return
    }
    const { method = '', url = '', headers } = request
    const one = { method, url, headers, body }
    received.push(one)
    await handler(one, response)
  })
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  const origin = `http://127.0.0.1:${port}`
  return { origin, port, received, connections: () => connections, close }
}

/** Server-sent events from named payloads. */
export const sse = (events: readonly unknown[]): string =>
  events.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('')
