/** openapi-typescript with openapi-fetch: types of the paths, and one function a method. */

import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import type { components, paths } from '../.generated/openapi-typescript.ts'
import { FILE, type Given, NO_RUN } from '../given.ts'

type Schemas = components['schemas']
type Media = `application/${string}`
type Api = ReturnType<typeof createClient<paths, Media>>

export default async function story({ url, key, receiver, webhook }: Given): Promise<void> {
  const options = { baseUrl: url, headers: { authorization: `Bearer ${key}` } }
  // Events come as a page or as a stream: without `text/…` in its type, this client has pages.
  const api = createClient<paths, Media>(options)
  const run = await created(api, { input: '@say hello' })
  const page = await api.GET('/v1/runs/{id}/events', { params: { path: { id: run.id } } })
  assert.equal(page.data?.data.map(stopOf).at(-1), 'end_turn')
  const transcript = await api.GET('/v1/runs/{id}/transcript', { params: { path: { id: run.id } } })
  assert.deepEqual(
    transcript.data?.data.map(({ role }) => role),
    ['user', 'assistant'],
  )

  const made = await api.POST('/v1/fanouts', {
    body: { tasks: [{ task: '@say a' }], join: { policy: 'any' } },
  })
  assert.ok(made.data)
  // What has a default need not be given, and stands in every answer.
  const rest: boolean = made.data.join.cancel_rest
  assert.equal(rest, true)
  const ended = await api.GET('/v1/fanouts/{id}', {
    params: { path: { id: made.data.id }, query: { wait: 30 } },
  })
  assert.equal(ended.data?.results[0]?.result, 'a')

  const missing = await api.GET('/v1/runs/{id}', { params: { path: { id: NO_RUN } } })
  assert.equal(missing.error?.code, 'not_found')
  // @ts-expect-error there is no such code
  assert.notEqual(missing.error?.code === 'nonsense', true)
  const refused = await api.POST('/v1/runs', { body: { input: '' } })
  assert.equal(refused.error?.errors?.[0]?.pointer, '/input')

  await files(api)

  await created(api, { input: '@say told', webhook: { url: receiver } })
  assert.equal(textOf((await webhook()) as Schemas['WebhookBody']), 'told')
}

async function created(api: Api, body: Schemas['RunInput']): Promise<Schemas['Run']> {
  const { data, response } = await api.POST('/v1/runs', { body })
  assert.equal(response.status, 202)
  const id = data?.id ?? ''
  const run = await api.GET('/v1/runs/{id}', { params: { path: { id }, query: { wait: 30 } } })
  assert.equal(run.data?.status, 'completed')
  return run.data
}

async function files(api: Api): Promise<void> {
  const params = { path: { path: FILE } }
  const text = 'as it is'
  const put = await api.PUT('/v1/files/{path}', {
    params,
    body: text,
    bodySerializer: (body) => body as string,
    headers: { 'content-type': 'application/octet-stream' },
  })
  assert.deepEqual([put.response.status, put.data?.path], [201, FILE])
  const got = await api.GET('/v1/files/{path}', { params, parseAs: 'text' })
  assert.equal(got.data, text)
  assert.equal((await api.DELETE('/v1/files/{path}', { params })).response.status, 204)
  const gone = await api.GET('/v1/files/{path}', { params, parseAs: 'text' })
  assert.equal(gone.error?.code, 'not_found')
}

const stopOf = (event: Schemas['Event']): string | undefined =>
  event.type === 'run.completed' ? event.data.stop_reason : undefined

function textOf(body: Schemas['WebhookBody']): string | undefined {
  switch (body.type) {
    case 'run.completed':
      return body.data.output?.text
    case 'endpoint.disabled':
      return body.data.data.reason
    default:
      return undefined
  }
}
