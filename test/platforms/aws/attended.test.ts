/**
 * A request that waits on Lambda: the function that takes it also moves the run's first pass, so
 * nothing has to consume the queues for a plain run. Without the wait the wake goes by SQS.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { newKey } from '../../../src/engine/tenant/api-keys.ts'
import { newPlace } from '../../support/aws/all.ts'
import { type LocalLambda, startLambda } from '../../support/aws/lambda.ts'
import { sqsClient } from '../../support/aws/sqs.ts'
import { type Client, clientOf, type RunShown } from '../../support/launch.ts'
import { type ModelServer, startModelServer } from '../../support/model-server.ts'

let model: ModelServer
let lambda: LocalLambda
let client: Client

beforeAll(async () => {
  model = await startModelServer()
  const urls = inject('aws')
  const place = await newPlace(urls)
  const { key } = newKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  const env = {
    ...place.env,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'none',
    STRATA_MODEL: 'openai/scripted',
    ALLOW_LOOPBACK: 'true',
    STRATA_ADMIN_KEY: key,
  }
  Object.assign(process.env, place.env)
  const sqs = sqsClient(urls.sqs)
  lambda = await startLambda(env, sqs, place.queues, { consumes: false })
  client = clientOf(lambda.url, key)
  return async () => sqs.destroy()
})
afterAll(async () => {
  await lambda.stop()
  await model.close()
})

const ask = (input: string, headers: Readonly<Record<string, string>>) =>
  client.ask('/v1/runs', { method: 'POST', json: { input }, headers })

it('a plain run ends in the invocation that accepted it', async () => {
  const answer = await ask('@say hello', { prefer: 'wait=20' })
  const run = (await answer.json()) as RunShown
  expect([answer.status, run.status, run.output?.text]).toEqual([200, 'completed', 'hello'])
})

it('a run is streamed to its end, with live text', async () => {
  const answer = await ask('@slow 300\n@say hello', { accept: 'text/event-stream' })
  const text = await answer.text()
  expect(text).toContain('event: assistant.delta')
  expect(text).toContain('event: run.completed')
})

it('an invocation continues after its caller has the answer, so that no effect is cut off', async () => {
  const answer = await ask('@slow 2500\n@say late', { prefer: 'wait=1' })
  const run = (await answer.json()) as RunShown
  expect([answer.status, run.ended_at]).toEqual([202, null])
  await sleep(4_000)
  expect(await client.get<RunShown>(`/v1/runs/${run.id}`)).toMatchObject({ status: 'completed' })
})

it('runs without a waiting caller, and passes after the first, are left to the queue', async () => {
  const plain = (await (await ask('@say hello', {})).json()) as RunShown
  const parent = await ask('@spawn 2 {"task":"@say part {i}"}\n@await\n@say all {results}', {
    prefer: 'wait=2',
  })
  const { id, status } = (await parent.json()) as RunShown
  expect(status).toBe('waiting')
  expect(await client.get<RunShown>(`/v1/runs/${plain.id}`)).toMatchObject({ status: 'queued' })
  const { data } = await client.get<{ data: readonly RunShown[] }>(`/v1/runs/${id}/children`)
  expect(data.map((child) => child.status)).toEqual(['queued', 'queued'])
})
