/** Bodies of webhooks in the format that their receiver has chosen. */

import { beforeEach, expect, it } from 'vitest'
import { CloudEvent } from '../../../../src/http/schemas/events/cloud-event.ts'
import { unwrap } from '../../../../src/webhooks/index.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { type Receivers, receivers } from '../../../support/receivers.ts'
import { verifyWebhook } from '../../../support/verify-webhook.ts'

const URL = 'https://one.example/hook'
const OTHER = 'https://two.example/hook'
const format = 'cloudevents'
const TYPE = 'application/cloudevents+json; charset=utf-8'
let api: TestApi
let web: Receivers
beforeEach(async () => {
  web = receivers()
  api = await testApi({ web })
})
const run = async (json: object) => {
  const { body } = await api.call('POST', '/v1/runs', { json })
  await api.settle()
  return body
}

/** Both that check the signature say the same, and the message is a CloudEvent. */
async function opened(url: string, secret: string) {
  const got = web.at(url).at(-1)!
  const { body, headers, json } = got
  const now = api.world.clock.now()
  expect(verifyWebhook(secret, got, now)).toEqual(json)
  expect(headers['content-type']).toBe(TYPE)
  CloudEvent.parse(json)
  expect(await unwrap(body, headers, secret, { now })).toEqual(json.data)
  return json
}

it("a run's webhook is a CloudEvent when requested, and signed as sent", async () => {
  const made = await run({ input: '@say hello', webhook: { url: URL, format } })
  const event = await opened(URL, made.webhook_secret)
  const { body } = await api.call('GET', `/v1/runs/${made.id}/events`)
  const last = body.data.at(-1)
  expect(event).toMatchObject({
    specversion: '1.0',
    id: last.id,
    source: 'urn:strata',
    type: 'run.completed',
    subject: made.id,
    time: last.created_at,
    datacontenttype: 'application/json',
    data: { ...last, output: { text: 'hello' } },
  })
  const plain = await run({ input: '@say hello', webhook: { url: OTHER } })
  const [sent] = web.at(OTHER)
  expect(sent!.headers['content-type']).toBe('application/json')
  expect(Object.keys(sent!.json)).toEqual(['type', 'timestamp', 'data'])
  expect(Object.keys(sent!.json.data)).toEqual(Object.keys(event.data))
  const { body: deliveries } = await api.call('GET', '/v1/webhook-deliveries')
  const formats = deliveries.data.map((one: { run_id: string; format: string }) => [
    one.run_id,
    one.format,
  ])
  expect(Object.fromEntries(formats)).toEqual({ [made.id]: format, [plain.id]: 'standard' })
})

it('fan-outs and events too large for a message keep the format', async () => {
  const tasks = [{ task: '@say a' }, { task: '@say b' }]
  const webhook = { url: URL, format }
  const { body } = await api.call('POST', '/v1/fanouts', { json: { tasks, webhook } })
  await api.settle()
  const types = web.at(URL).map(({ json }) => [json.type, json.subject])
  expect(types).toContainEqual(['fanout.completed', body.id])
  await opened(URL, body.webhook_secret)
  const long = await run({
    input: `@say ${'word '.repeat(20_000)}`,
    webhook: { url: OTHER, format },
  })
  const { data } = await opened(OTHER, long.webhook_secret)
  expect(data).toMatchObject({ output: { truncated: true } })
  expect(web.at(OTHER).at(-1)!.body.length).toBeLessThan(20_480)
})

it("an endpoint's format applies to events, tests, and replays, and a change to later events", async () => {
  const made = await api.call('POST', '/v1/webhook-endpoints', { json: { url: URL, format } })
  const { id, secret } = made.body
  expect([made.status, made.body.format]).toEqual([201, format])
  await run({ input: '@say hello' })
  expect(await opened(URL, secret)).toMatchObject({ type: 'run.completed' })
  const tried = await api.call('POST', `/v1/webhook-endpoints/${id}/test`, { json: {} })
  expect(tried.body).toMatchObject({ format })
  await api.settle()
  const test = await opened(URL, secret)
  expect(test).toMatchObject({ type: 'endpoint.test', subject: id, data: { test: true } })
  const json = { format: 'standard' }
  const changed = await api.call('PATCH', `/v1/webhook-endpoints/${id}`, { json })
  expect(changed.body.format).toBe('standard')
  await api.call('POST', `/v1/webhook-deliveries/${tried.body.id}/replay`, { json: {} })
  await api.settle()
  expect(await opened(URL, secret)).toEqual(test)
  await run({ input: '@say hello' })
  expect(web.at(URL).at(-1)!.json).toMatchObject({
    type: 'run.completed',
    timestamp: expect.any(String),
  })
  const untouched = await api.call('PATCH', `/v1/webhook-endpoints/${id}`, { json: { format } })
  const kept = await api.call('PATCH', `/v1/webhook-endpoints/${id}`, {
    json: { events: ['run.*'] },
  })
  expect([untouched.body.format, kept.body.format]).toEqual([format, format])
  const session = await api.call('POST', '/v1/webhook-endpoints', {
    json: { url: OTHER, format, events: ['session.*'] },
  })
  const { body } = await api.call('POST', '/v1/sessions', { json: {} })
  await api.settle()
  const created = await opened(OTHER, session.body.secret)
  expect(created).toMatchObject({ type: 'session.created', subject: body.id })
})

it("a schedule's webhook keeps its format for each run", async () => {
  const json = { every: '1h', input: '@say x', webhook: { url: URL, format } }
  const { body } = await api.call('PUT', '/v1/schedules/hourly', { json })
  expect(body.run.webhook).toEqual({ url: URL, format })
  await api.call('POST', '/v1/schedules/hourly/run', { json: {} })
  await api.settle()
  expect(await opened(URL, body.webhook_secret)).toMatchObject({ type: 'run.completed' })
})

it('422 for an unknown format, with its pointer', async () => {
  for (const odd of ['CloudEvents', 'cloudevents-binary', '', 1, {}]) {
    const run = { input: '@say x', webhook: { url: URL, format: odd } }
    const tasks = [{ task: '@say x' }]
    for (const [path, json, pointer] of [
      ['/v1/runs', run, '/webhook/format'],
      ['/v1/fanouts', { tasks, webhook: run.webhook }, '/webhook/format'],
      ['/v1/webhook-endpoints', run.webhook, '/format'],
    ] as const) {
      const { status, body } = await api.call('POST', path, { json })
      expect([path, status, body.errors?.[0]?.pointer]).toEqual([path, 422, pointer])
    }
  }
  expect(web.got).toEqual([])
})
