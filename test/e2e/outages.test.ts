/** An outage of a model through the running server: what endpoints, clients, and a retry see of it. */

import { expect, it } from 'vitest'
import { sse, startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startNodeApi } from '../support/node-api.ts'
import { ask, eventsOf } from '../support/node-client.ts'
import { until } from '../support/patience.ts'

const ANSWER = sse([
  { choices: [{ index: 0, delta: { content: 'at last' }, finish_reason: 'stop' }] },
])

it('an outage is reported to endpoints once, waited out, and ended by a retry', async () => {
  let isDown = true
  const vendor = await startCannedServer((_, response) => {
    if (isDown) {
      response.writeHead(503, { 'content-type': 'application/json' })
      return void response.end('{"error":{"message":"maintenance"}}')
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`${ANSWER}data: [DONE]\n\n`)
  })
  cleanup.push(vendor.close)
  const events: { readonly type: string; readonly data: { readonly data: object } }[] = []
  const receiver = await startCannedServer(({ body }, response) => {
    events.push(JSON.parse(body))
    response.writeHead(204).end()
  })
  cleanup.push(receiver.close)
  const provider = {
    kind: 'openai-compatible',
    base_url: `${vendor.origin}/v1`,
    key: 'sk-none-123',
  }
  const api = await startNodeApi({
    STRATA_PROVIDERS: JSON.stringify({ providers: { a: provider }, default: 'a/one' }),
    STRATA_MODEL: '',
    MODEL_PATIENCE_SECONDS: '',
  })
  const endpoint = { url: `${receiver.origin}/hook`, events: ['model.*'] }
  expect((await ask(api, 'POST', '/v1/webhook-endpoints', endpoint)).status).toBe(201)
  const { id } = (await ask(api, 'POST', '/v1/runs', { input: 'hi' })).body
  const look = async () => (await ask(api, 'GET', `/v1/runs/${id}`)).body

  const waiting = await until('a third attempt', async () => {
    const run = await look()
    return run.outage?.attempts >= 3 && run.waiting_on === 'model' && run
  })
  expect(waiting).toMatchObject({
    status: 'waiting',
    outage: {
      error: { code: 'model_unavailable', message: expect.stringContaining('maintenance') },
    },
  })
  const { since, gives_up_at } = waiting.outage
  expect(Date.parse(gives_up_at) - Date.parse(since)).toBe(3_600_000)
  isDown = false
  const retried = await ask(api, 'POST', `/v1/runs/${id}/retry`)
  expect([retried.status, retried.body.retried]).toEqual([200, [id]])
  const run = await until('the end', async () => {
    const now = await look()
    return now.status === 'completed' && now
  })
  expect(run.output.text).toBe('at last')
  expect(run.usage.model_calls).toBe(1)

  await until('both events', async () => events.length >= 2)
  expect(events.map(({ type }) => type).sort()).toEqual(['model.recovered', 'model.unavailable'])
  const log = (await eventsOf(api, id)).map(({ type }) => type)
  expect(log.filter((type: string) => type.startsWith('model.'))).toEqual([
    'model.unavailable',
    'model.recovered',
  ])
})
