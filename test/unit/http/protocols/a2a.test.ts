/** A2A 1.0: what the official client's program does not show. */

import { describe, expect, it } from 'vitest'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { type TestApi, testApi } from '../../../support/http.ts'

const NO_RUN = 'run_00000000000000000000000000'
const VERSION = { 'a2a-version': '1.0' }

const message = (text: string, more: object = {}) => ({
  message: { messageId: `m-${text}`, role: 'ROLE_USER', parts: [{ text }], ...more },
})
const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 7, method, params })
const GENERAL = '/v1/a2a/general'

const post = (api: TestApi, json: unknown, path = GENERAL, headers: object = VERSION) =>
  api.call('POST', path, { json, headers: headers as Record<string, string> })

/** The result; fails with the error. */
async function call(api: TestApi, method: string, params: object, path = GENERAL) {
  const { status, body } = await post(api, rpc(method, params), path)
  expect([status, body.error, body.id]).toEqual([200, undefined, 7])
  return body.result
}
async function refused(api: TestApi, method: string, params: object, path = GENERAL) {
  const { status, body } = await post(api, rpc(method, params), path)
  expect([status, body.result]).toEqual([200, undefined])
  return [body.error.code, body.error.data.at(-1).reason]
}
/** A task that was begun, and moved until it rests. */
async function begun(api: TestApi, text: string, more: object = {}): Promise<string> {
  const params = { ...message(text), configuration: { returnImmediately: true, ...more } }
  const { task } = await call(api, 'SendMessage', params)
  await api.settle()
  return task.id
}

async function write(api: TestApi, path: string, text: string): Promise<void> {
  const { status } = await api.call('PUT', `/v1/files/${path}`, {
    body: text,
    headers: { 'content-type': 'text/markdown' },
  })
  expect(status).toBe(201)
}

describe('an A2A agent card', () => {
  it('without a key reveals nothing of a tenant, and with a key lists agents that are not internal', async () => {
    const api = await testApi()
    const agent = (id: string, visibility: string) =>
      `---\nname: ${id}\ndescription: Does ${id}\nvisibility: ${visibility}\n---\nYou.\n`
    await write(api, 'base/.agents/agents/seen.md', agent('seen', 'listed'))
    await write(api, 'base/.agents/agents/hidden.md', agent('hidden', 'internal'))
    const open = await api.call('GET', '/.well-known/agent-card.json', { key: null })
    expect(open.status).toBe(200)
    expect(open.text).not.toContain('seen')
    const { body } = await api.call('GET', '/v1/a2a')
    const names = body.data.map(({ name }: { name: string }) => name)
    expect(names).toContain('seen')
    expect(names).not.toContain('hidden')
    const path = (id: string) => `/v1/a2a/${id}/.well-known/agent-card.json`
    expect((await api.call('GET', path('seen'))).body.skills[0].id).toBe('seen')
    expect((await api.call('GET', path('hidden'))).status).toBe(404)
    expect((await api.call('GET', path('seen'), { key: null })).status).toBe(401)
    for (const id of ['hidden', 'nobody'])
      expect(await refused(api, 'SendMessage', message('x'), `/v1/a2a/${id}`)).toEqual([
        -32_602,
        'INVALID_PARAMS',
      ])
  })
})

describe('an A2A call', () => {
  it.each([
    ['no JSON', '{', -32_700],
    ['a batch', '[]', -32_600],
    ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"GetTask"}', -32_600],
    ['no id', '{"jsonrpc":"2.0","method":"GetTask"}', -32_600],
    ['no method', '{"jsonrpc":"2.0","id":1}', -32_600],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"toString"}', -32_601],
    ['no parameters', '{"jsonrpc":"2.0","id":1,"method":"GetTask"}', -32_602],
    ['a list of parameters', '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":[]}', -32_600],
  ])('200 with a JSON-RPC error for %s', async (_, body, code) => {
    const api = await testApi()
    const headers = { 'content-type': 'application/json', ...VERSION }
    const answer = await api.call('POST', GENERAL, { body, headers })
    expect([answer.status, answer.body.error.code]).toEqual([200, code])
  })

  it.each([
    ['no version, which means 0.3', {}],
    ['an older version', { 'a2a-version': '0.3' }],
    ['nonsense', { 'a2a-version': 'one' }],
  ])('200 with VERSION_NOT_SUPPORTED for %s', async (_, headers) => {
    const { body } = await post(await testApi(), rpc('GetTask', { id: NO_RUN }), GENERAL, headers)
    expect(body.error.code).toBe(-32_009)
  })

  it('401, 403, and 413 are problems, as on every other endpoint', async () => {
    const api = await testApi()
    const { key } = await createKey(api.world, 'default', ['runs:read'])
    const { key: none } = await createKey(api.world, 'default', ['files:read'])
    const as = async (json: object, authorization: string) =>
      (await post(api, json, GENERAL, { ...VERSION, authorization })).body.code
    const send = rpc('SendMessage', message('x'))
    expect(await as(send, 'Bearer no')).toBe('unauthorized')
    expect(await as(send, `Bearer ${none}`)).toBe('insufficient_scope')
    expect(await as(send, `Bearer ${key}`)).toBe('insufficient_scope')
    expect(await as(rpc('SendStreamingMessage', message('x')), `Bearer ${key}`)).toBe(
      'insufficient_scope',
    )
    const { body } = await post(api, rpc('SendMessage', message('x'.repeat(300_000))))
    expect(body.code).toBe('too_large')
  })

  it.each([
    ['another role', message('x', { role: 'ROLE_AGENT' })],
    ['no parts', message('x', { parts: [] })],
    ['a part that is two', message('x', { parts: [{ text: 'x', url: 'https://x.example' }] })],
    ['a blank text', message(' ')],
    ['a tenant', { ...message('x'), tenant: 'other' }],
    ['references', message('x', { referenceTaskIds: [NO_RUN] })],
    ['an unknown context', message('x', { contextId: 'ses_00000000000000000000000000' })],
    ['a push without a secret', push({})],
    ['a push whose secret is none', push({ token: 'abc' })],
    ['a push with credentials', push({ token: SECRET(), authentication: { scheme: 'Bearer' } })],
    ['a push to this machine', push({ token: SECRET(), url: 'ftp://x.example/' })],
  ])('refuses a message with %s', async (_, params) => {
    const api = await testApi()
    expect((await refused(api, 'SendMessage', params))[0]).toBe(-32_602)
    expect((await api.call('GET', '/v1/runs')).body.data).toEqual([])
  })

  it('reports an unknown task and a task of another tenant or agent as not found', async () => {
    const api = await testApi()
    const id = await begun(api, '@say hello')
    const none = [-32_001, 'TASK_NOT_FOUND']
    for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask']) {
      for (const other of [NO_RUN, 'x', '../x'])
        expect(await refused(api, method, { id: other })).toEqual(none)
      expect(await refused(api, method, { id }, '/v1/a2a/explore')).toEqual(none)
    }
    const { key } = await createKey(api.world, 'stranger', ['*'])
    const authorization = { ...VERSION, authorization: `Bearer ${key}` }
    const foreign = await post(api, rpc('GetTask', { id }), GENERAL, authorization)
    const unknown = await post(api, rpc('GetTask', { id: NO_RUN }), GENERAL, authorization)
    expect(foreign.body).toEqual(unknown.body)
    expect(await refused(api, 'SendMessage', message('x', { taskId: NO_RUN }))).toEqual(none)
  })
})

function push(config: object) {
  const taskPushNotificationConfig = { url: 'https://x.example/hook', ...config }
  return { ...message('x'), configuration: { taskPushNotificationConfig } }
}
function SECRET(): string {
  return `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`
}

describe('an A2A message', () => {
  it('that is retried returns the same task, and is refused with a different text', async () => {
    const api = await testApi()
    const id = await begun(api, '@say hello')
    expect(await begun(api, '@say hello')).toBe(id)
    const other = message('other', { messageId: 'm-@say hello' })
    expect(await refused(api, 'SendMessage', other)).toEqual([-32_602, 'IDEMPOTENCY_MISMATCH'])
  })

  it('to a live task carries no metadata and keeps its context, and is refused after the end', async () => {
    const api = await testApi()
    const taskId = await begun(api, '@call ask_user {"question":"Which?"}\n@say {last}')
    const found = await call(api, 'GetTask', { id: taskId })
    expect(found.status).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { parts: [{ text: 'Which?' }] },
    })
    const more = message('blue', { taskId, metadata: { a: 'b' } })
    expect((await refused(api, 'SendMessage', more))[0]).toBe(-32_602)
    const elsewhere = message('blue', { taskId, contextId: 'ses_00000000000000000000000000' })
    expect((await refused(api, 'SendMessage', elsewhere))[0]).toBe(-32_602)
    const params = { ...message('blue', { taskId }), configuration: { returnImmediately: true } }
    await call(api, 'SendMessage', params)
    await api.settle()
    const done = await call(api, 'GetTask', { id: taskId })
    expect(done.status.state).toBe('TASK_STATE_COMPLETED')
    expect(done.history.map(({ role }: { role: string }) => role)).toEqual([
      'ROLE_USER',
      'ROLE_AGENT',
      'ROLE_USER',
    ])
    // Sent again it is what it was.
    expect((await call(api, 'SendMessage', params)).task.id).toBe(taskId)
    const late = message('more', { taskId })
    expect(await refused(api, 'SendMessage', late)).toEqual([-32_004, 'UNSUPPORTED_OPERATION'])
  })
})

describe('an A2A task', () => {
  it('delivers data through events that name the run and the position in its log', async () => {
    const api = await testApi()
    const id = await begun(api, '@text Looking.\n@call file_list {}\n@then\n@say the end')
    const task = await call(api, 'GetTask', { id })
    expect(task.artifacts.map(({ artifactId }: { artifactId: string }) => artifactId)).toEqual([
      'text-0',
      'text-1',
    ])
    const headers = { ...VERSION, 'last-event-id': '1' }
    const { text } = await post(api, rpc('SubscribeToTask', { id }), GENERAL, headers)
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq))
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    const { body } = await api.call('GET', `/v1/runs/${id}/events`)
    const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
    for (const { result } of events.slice(1)) {
      const update = result.statusUpdate ?? result.artifactUpdate
      const { run_id, seq } = update.metadata.strata
      expect(run_id).toBe(id)
      expect(body.data.map((event: { seq: number }) => event.seq)).toContain(seq)
    }
    // From each place on: the rest, and nothing twice.
    for (const [index, seq] of ids.slice(0, -1).entries()) {
      const from = { ...VERSION, 'last-event-id': String(seq) }
      const rest = await post(api, rpc('SubscribeToTask', { id }), GENERAL, from)
      const later = [...rest.text.matchAll(/^id: (\d+)$/gm)].map(([, one]) => Number(one))
      expect(later).toEqual([seq, ...ids.slice(index + 1).filter((one) => one > seq)])
    }
    for (const last of ['0', 'x', '999', String(body.data.length)]) {
      const bad = await post(api, rpc('SubscribeToTask', { id }), GENERAL, {
        ...VERSION,
        'last-event-id': last,
      })
      expect(bad.body.error.code).toBeLessThan(0)
    }
  })

  it('is listed with those of its agent, by page and by state', async () => {
    const api = await testApi()
    const ids = [await begun(api, '@say one'), await begun(api, '@fail 400')]
    const of = async (params: object) => {
      const { tasks } = await call(api, 'ListTasks', params)
      return tasks.map(({ id }: { id: string }) => id)
    }
    expect((await of({})).sort()).toEqual([...ids].sort())
    expect(await of({ status: 'TASK_STATE_COMPLETED' })).toEqual([ids[0]])
    expect(await of({ status: 'TASK_STATE_FAILED' })).toEqual([ids[1]])
    const { tasks, nextPageToken } = await call(api, 'ListTasks', { pageSize: 1 })
    expect(tasks[0].artifacts).toBeUndefined()
    expect(await of({ pageSize: 1, pageToken: nextPageToken })).not.toEqual([tasks[0].id])
    expect((await refused(api, 'ListTasks', { pageToken: 'x' }))[0]).toBe(-32_602)
    expect((await refused(api, 'ListTasks', { status: 'done' }))[0]).toBe(-32_602)
    const [newest] = (await call(api, 'ListTasks', { status: 'TASK_STATE_FAILED' })).tasks
    expect(await of({ statusTimestampAfter: newest.status.timestamp })).toContain(ids[1])
    expect(await of({ statusTimestampAfter: '2999-01-01T00:00:00Z' })).toEqual([])
    expect((await refused(api, 'ListTasks', { statusTimestampAfter: 'now' }))[0]).toBe(-32_602)
    const { tasks: none } = await call(api, 'ListTasks', {}, '/v1/a2a/explore')
    expect(none).toEqual([])
  })
})
