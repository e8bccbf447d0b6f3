/** @hey-api/openapi-ts: one function an operation, and streams. */

import assert from 'node:assert/strict'
import { client } from '../.generated/hey-api/client.gen.ts'
import {
  createFanout,
  createRun,
  deleteFile,
  type Event,
  getFanout,
  getFile,
  getRun,
  getRunTranscript,
  listRunEvents,
  putFile,
  type Run,
  type RunInput,
  type RunStreamData,
  type WebhookBody,
} from '../.generated/hey-api/index.ts'
import { FILE, type Given, NO_RUN } from '../given.ts'

export default async function story({ url, key, receiver, webhook }: Given): Promise<void> {
  client.setConfig({ baseUrl: url, auth: key })
  const run = await created({ input: '@say hello' })
  const path = { id: run.id }
  const page = await listRunEvents({ path })
  assert.equal(page.data?.data.map(stopOf).at(-1), 'end_turn')
  const transcript = await getRunTranscript({ path })
  assert.deepEqual(
    transcript.data?.data.map(({ role }) => role),
    ['user', 'assistant'],
  )
  await streamed(run)

  const made = await createFanout({
    body: { tasks: [{ task: '@say a' }], join: { policy: 'any' } },
  })
  assert.ok(made.data)
  // What has a default need not be given, and stands in every answer.
  const rest: boolean = made.data.join.cancel_rest
  assert.equal(rest, true)
  const ended = await getFanout({ path: { id: made.data.id }, query: { wait: 30 } })
  assert.equal(ended.data?.results[0]?.result, 'a')

  const missing = await getRun({ path: { id: NO_RUN } })
  assert.equal(missing.error?.code, 'not_found')
  // @ts-expect-error there is no such code
  assert.notEqual(missing.error?.code === 'nonsense', true)
  const refused = await createRun({ body: { input: '' } })
  assert.equal(refused.error?.errors?.[0]?.pointer, '/input')

  await files()

  await created({ input: '@say told', webhook: { url: receiver } })
  assert.equal(textOf((await webhook()) as WebhookBody), 'told')
}

async function created(body: RunInput): Promise<Run> {
  const { data, response } = await createRun({ body })
  assert.equal(response?.status, 202)
  const run = await getRun({ path: { id: data?.id ?? '' }, query: { wait: 30 } })
  assert.equal(run.data?.status, 'completed')
  return run.data
}

/** The data of each event is what the contract names for the stream. */
async function streamed({ id }: Run): Promise<void> {
  const { stream } = await client.sse.get<RunStreamData>({
    url: '/v1/runs/{id}/events',
    path: { id },
    headers: { accept: 'text/event-stream' },
    sseMaxRetryAttempts: 1,
    security: [{ scheme: 'bearer', type: 'http' }],
  })
  const types: string[] = []
  for await (const event of stream as AsyncIterable<RunStreamData>) {
    if ('type' in event) types.push(event.type)
  }
  assert.deepEqual([types[0], types.at(-1)], ['run.created', 'run.completed'])
}

async function files(): Promise<void> {
  const path = { path: FILE }
  const body = new Blob(['as it is'])
  const put = await putFile({ path, body })
  assert.deepEqual([put.response?.status, put.data?.path], [201, FILE])
  const got = await getFile({ path, parseAs: 'text' })
  assert.equal(got.data, 'as it is')
  assert.equal((await deleteFile({ path })).response?.status, 204)
  const gone = await getFile({ path, parseAs: 'text' })
  assert.equal(gone.error?.code, 'not_found')
}

const stopOf = (event: Event): string | undefined =>
  event.type === 'run.completed' ? event.data.stop_reason : undefined

function textOf(body: WebhookBody): string | undefined {
  switch (body.type) {
    case 'run.completed':
      return body.data.output?.text
    case 'endpoint.disabled':
      return body.data.data.reason
    default:
      return undefined
  }
}
