/** A program that has the server inside it: a run with a webhook, whose event is verified. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { newApiKey, type StrataServer, startServer } from 'strata'
import { createClient } from 'strata/client'
import { unwrap, WebhookError, type WebhookEvent } from 'strata/webhooks'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const { promise, resolve } = Promise.withResolvers<WebhookEvent>()
const receiver = createServer(async (request, response) => {
  const body = await text(request)
  const headers = request.headers as Record<string, string>
  const forged = await unwrap(`${body} `, headers, secret).catch((error: unknown) => error)
  if (!(forged instanceof WebhookError)) throw new Error('a forged webhook was taken')
  resolve(await unwrap(body, headers, secret))
  response.writeHead(204).end()
})
await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`

const key = newApiKey()
const server: StrataServer = await startServer({
  settings: {
    PORT: '0',
    DATA_DIR: 'embedded',
    ALLOW_LOOPBACK: 'true',
    STRATA_ADMIN_KEY: key,
    OPENAI_BASE_URL: process.argv[2],
    STRATA_MODEL: 'openai/scripted',
  },
})
const strata = createClient({ url: server.url, apiKey: key })
await strata.runs.create({
  input: '@say From the package.',
  webhook: { url: target, secret, events: ['run.completed'] },
})
const event = await promise
if (event.type !== 'run.completed') throw new Error(`a webhook ${event.type} came`)
const used: number | undefined = event.usage?.input_tokens
console.log(JSON.stringify({ type: event.type, text: event.output?.text, used }))
await server.close()
receiver.close()
