/** The official `cloudevents` package, unmodified: it reads what an endpoint and a run are sent. */

import assert from 'node:assert/strict'
import { type CloudEvent, HTTP } from 'cloudevents'
import { unwrap } from '../../../src/webhooks/index.ts'
import type { Given } from '../given.ts'

interface Data {
  readonly id: string
  readonly type: string
  readonly run_id: string | null
  readonly test?: true
}

export default async function story({ url, key, receiver, message }: Given): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  const post = async (path: string, body: object) => {
    const sent = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    const response = await fetch(`${url}${path}`, sent)
    const text = await response.text()
    assert.ok(response.ok, text)
    return JSON.parse(text)
  }
  const next = async (secret: string): Promise<CloudEvent<Data>> => {
    const { headers, body } = await message()
    assert.equal(headers['content-type'], 'application/cloudevents+json; charset=utf-8')
    const event = HTTP.toEvent<Data>({ headers, body }) as CloudEvent<Data>
    assert.ok(event.validate())
    assert.deepEqual(await unwrap(body, headers, secret), event.data)
    return event
  }
  const format = 'cloudevents'
  const webhook = { url: `${receiver}run`, format }
  const run = await post('/v1/runs', { input: '@say hello', webhook })
  const end = await next(run.webhook_secret)
  assert.deepEqual(
    [end.type, end.source, end.subject, end.id, end.data?.run_id],
    ['run.completed', 'urn:strata', run.id, end.data?.id, run.id],
  )
  const endpoint = await post('/v1/webhook-endpoints', { url: `${receiver}endpoint`, format })
  const test = await post(`/v1/webhook-endpoints/${endpoint.id}/test`, {})
  const tried = await next(endpoint.secret)
  assert.deepEqual(
    [tried.type, tried.data?.test, tried.subject],
    ['endpoint.test', true, endpoint.id],
  )
  await until(test.id)
  await post(`/v1/webhook-deliveries/${test.id}/replay`, {})
  const again = await next(endpoint.secret)
  assert.deepEqual(again.toJSON(), tried.toJSON())
  // It would hear of the runs of the next program.
  const gone = `${url}/v1/webhook-endpoints/${endpoint.id}`
  assert.ok((await fetch(gone, { method: 'DELETE', headers })).ok)

  /** What has arrived is written down a moment later. */
  async function until(id: string): Promise<void> {
    for (;;) {
      const response = await fetch(`${url}/v1/webhook-deliveries/${id}`, { headers })
      if ((await response.json()).status === 'delivered') return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
