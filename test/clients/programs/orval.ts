/** orval: one function an operation; the status says what an answer holds. */

import assert from 'node:assert/strict'
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
  type WebhookBody,
} from '../.generated/orval.ts'
import { FILE, type Given, NO_RUN } from '../given.ts'
import { use } from './orval-fetch.ts'

export default async function story({ receiver, webhook, ...server }: Given): Promise<void> {
  use(server)
  const run = await created({ input: '@say hello' })
  const page = await listRunEvents(run.id)
  // A stream is another answer with this status; it is only sent to who accepts it.
  assert.ok(page.status === 200 && 'next_cursor' in page.data)
  assert.equal(page.data.data.map(stopOf).at(-1), 'end_turn')
  const transcript = await getRunTranscript(run.id)
  assert.equal(transcript.status, 200)
  assert.deepEqual(
    transcript.data.data.map(({ role }) => role),
    ['user', 'assistant'],
  )

  const made = await createFanout({ tasks: [{ task: '@say a' }], join: { policy: 'any' } })
  assert.equal(made.status, 202)
  // What has a default need not be given, and stands in every answer.
  const rest: boolean = made.data.join.cancel_rest
  assert.equal(rest, true)
  const ended = await getFanout(made.data.id, { wait: 30 })
  assert.equal(ended.status, 200)
  assert.equal(ended.data.results[0]?.result, 'a')

  const missing = await getRun(NO_RUN)
  assert.equal(missing.status, 404)
  assert.equal(missing.data.code, 'not_found')
  // @ts-expect-error there is no such code
  assert.notEqual(missing.data.code === 'nonsense', true)
  const refused = await createRun({ input: '' })
  assert.equal(refused.status, 422)
  assert.equal(refused.data.errors?.[0]?.pointer, '/input')

  await files()

  await created({ input: '@say told', webhook: { url: receiver } })
  assert.equal(textOf((await webhook()) as WebhookBody), 'told')
}

async function created(input: RunInput): Promise<Run> {
  const made = await createRun(input)
  assert.equal(made.status, 202)
  const run = await getRun(made.data.id, { wait: 30 })
  assert.equal(run.status, 200)
  assert.equal(run.data.status, 'completed')
  return run.data
}

async function files(): Promise<void> {
  const put = await putFile(FILE, new Blob(['as it is']))
  assert.equal(put.status, 201)
  assert.equal(put.data.path, FILE)
  const got = await getFile(FILE)
  assert.deepEqual([got.status, got.data], [200, 'as it is'])
  assert.equal((await deleteFile(FILE)).status, 204)
  const gone = await getFile(FILE)
  assert.equal(gone.status, 404)
  assert.equal(gone.data.code, 'not_found')
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
