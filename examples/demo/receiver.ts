/**
 * A webhook receiver as a user would write one: it verifies the signature over the raw bytes with
 * the `standardwebhooks` package, remembers each `webhook-id`, and answers 204.
 */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

interface Delivered {
  readonly id: string
  readonly body: { readonly type: string; readonly data: { readonly run_id: string } }
}

export interface Receiver {
  readonly url: string
  /** The first delivery whose signature is right. */
  readonly verified: Promise<Delivered>
  /** The secret comes with the 202; deliveries that are faster wait for it. */
  setSecret(secret: string): void
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const secret = Promise.withResolvers<string>()
  const verified = Promise.withResolvers<Delivered>()
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const header = (name: string) => String(request.headers[name] ?? '')
    const headers = {
      'webhook-id': header('webhook-id'),
      'webhook-timestamp': header('webhook-timestamp'),
      'webhook-signature': header('webhook-signature'),
    }
    try {
      const raw = Buffer.concat(chunks).toString()
      const body = new Webhook(await secret.promise).verify(raw, headers) as Delivered['body']
      verified.resolve({ id: headers['webhook-id'], body })
      response.writeHead(204).end()
    } catch {
      response.writeHead(401).end()
    }
  }
  const server = createServer((request, response) => void receive(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    verified: verified.promise,
    setSecret: secret.resolve,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
