/** An SQS on this machine, in this process; its package is installed when it is first asked for. */

import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SQSClient } from '@aws-sdk/client-sqs'
import { installed } from '../install.ts'
import { CREDENTIALS, type Local } from './local.ts'

interface Received {
  readonly Messages?: readonly { readonly ReceiptHandle: string }[]
}

/** What is used of fauxqs and its Fastify app; its types are not there before it is installed. */
interface Fauxqs {
  buildApp(options: { logger: boolean; host: string }): {
    readonly server: Server
    addHook(name: 'onSend', hook: Hook): void
    inject(request: Injected): Promise<unknown>
    listen(at: { port: number; host: string }): Promise<string>
    close(): Promise<void>
  }
}
type Hook = (request: Polled, reply: unknown, payload: unknown) => Promise<void>
interface Polled {
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
  readonly raw: IncomingMessage
}
interface Injected {
  readonly method: 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string
}

export async function startSqs(): Promise<Local> {
  const entry = join(installed(import.meta.dirname), 'fauxqs/dist/app.js')
  const { buildApp } = (await import(pathToFileURL(entry).href)) as Fauxqs
  const app = buildApp({ logger: false, host: '127.0.0.1' })
  // Who has died or hung up while it polled gets nothing: AWS notices, this server would hide the
  // messages that it gives to nobody for as long as they were to be hidden.
  app.addHook('onSend', async (request, _reply, payload) => {
    const isPoll = request.headers['x-amz-target'] === 'AmazonSQS.ReceiveMessage'
    if (!isPoll || !request.raw.socket.destroyed) return
    const { QueueUrl } = request.body as { QueueUrl: string }
    for (const { ReceiptHandle } of (JSON.parse(String(payload)) as Received).Messages ?? []) {
      await app.inject({
        method: 'POST',
        url: '/',
        headers: {
          'content-type': 'application/x-amz-json-1.0',
          'x-amz-target': 'AmazonSQS.ChangeMessageVisibility',
        },
        payload: JSON.stringify({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }),
      })
    }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => app.close() }
}

/** A client of the local server. */
export const sqsClient = (url: string): SQSClient =>
  new SQSClient({ endpoint: url, region: 'us-east-1', credentials: CREDENTIALS })
