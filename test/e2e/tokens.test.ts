/** Tokens of POST /v1/tokens on a running server: what each reaches, and how it ends. */

import { expect, it } from 'vitest'
import { createKey } from '../../src/engine/tenant/api-keys.ts'
import { cleanup } from '../support/cleanup.ts'
import { startModelServer } from '../support/model-server.ts'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { type Asked, ask, runToEnd } from '../support/node-client.ts'
import { until } from '../support/patience.ts'
import { startServer } from '../support/server.ts'

const SSE = { accept: 'text/event-stream' }
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const by = (api: NodeApi, token: string) => (method: string, path: string, json?: object) =>
  ask(api, method, path, json, bearer(token))

async function tokenFor(
  api: NodeApi,
  subject: object,
  scopes: readonly string[],
  more: object = {},
): Promise<string> {
  const made = await ask(api, 'POST', '/v1/tokens', { for: subject, scopes, ...more })
  if (made.status !== 201) throw new Error(made.text)
  return made.body.token
}
const answer = ({ status, body }: Asked) => [status, body?.code]
const OK = [200, undefined]
const HIDDEN = [404, 'not_found']
const REFUSED = [403, 'insufficient_scope']
const INVALID = [401, 'unauthorized']

/** What an answer says apart from the request that it answers. */
const told = ({ status, text }: Asked) => [
  status,
  text.replace(/(?:run|ses|fan|apr|req)_[0-9a-z]+/g, 'ID'),
]

const CHILD = `@spawn 1 ${JSON.stringify({ task: '@say child' })}\n@await\n@say done`
const pending = (api: NodeApi, id: string) =>
  until('an approval', async () => {
    const { data } = (await ask(api, 'GET', '/v1/approvals')).body
    return data.find(({ root_run_id }: { root_run_id: string }) => root_run_id === id)
  })

async function askingRun(api: NodeApi) {
  await ask(api, 'PUT', '/v1/policy', { approvals: { file_write: 'ask' } }, { 'if-match': '"0"' })
  const input = '@call file_write {"path":"a.txt","content":"x"}\n@say written'
  const run = (await ask(api, 'POST', '/v1/runs', { input })).body
  return { run, approval: await pending(api, run.id) }
}

it('a token for a run reaches that run and its subagents, and nothing beside or above', async () => {
  const api = await startNodeApi()
  const [mine, other] = [
    await runToEnd(api, { input: CHILD }),
    await runToEnd(api, { input: CHILD }),
  ]
  const [child] = (await ask(api, 'GET', `/v1/runs/${mine.id}/children`)).body.data
  const [cousin] = (await ask(api, 'GET', `/v1/runs/${other.id}/children`)).body.data
  const asToken = by(api, await tokenFor(api, { run: mine.id }, ['runs:read']))
  for (const id of [mine.id, child.id])
    for (const part of ['', '/events', '/tree', '/children', '/transcript', '/config'])
      expect([part, ...answer(await asToken('GET', `/v1/runs/${id}${part}`))]).toEqual([
        part,
        ...OK,
      ])
  const nobody = `run_${'0'.repeat(26)}`
  for (const part of ['', '/events', '/tree', '/children', '/transcript', '/config']) {
    const missing = told(await asToken('GET', `/v1/runs/${nobody}${part}`))
    expect(missing).toEqual(told(await ask(api, 'GET', `/v1/runs/${nobody}${part}`)))
    for (const id of [other.id, cousin.id])
      expect(told(await asToken('GET', `/v1/runs/${id}${part}`))).toEqual(missing)
  }
  const listed = (await asToken('GET', '/v1/runs')).body.data
  expect(listed.map(({ id }: { id: string }) => id)).toEqual([mine.id])
  const ofChild = by(api, await tokenFor(api, { run: child.id }, ['runs:read']))
  expect(answer(await ofChild('GET', `/v1/runs/${child.id}`))).toEqual(OK)
  expect(answer(await ofChild('GET', `/v1/runs/${mine.id}`))).toEqual(HIDDEN)
  expect(answer(await asToken('POST', `/v1/runs/${mine.id}/cancel`, {}))).toEqual(REFUSED)
  expect(answer(await asToken('POST', '/v1/runs', { input: '@say x' }))).toEqual(REFUSED)
  expect(answer(await asToken('GET', `/v1/sessions/${mine.session_id}`))).toEqual(REFUSED)
})

it('a token for a session starts and lists runs only in that session', async () => {
  const api = await startNodeApi()
  const mine = await runToEnd(api, { input: '@say one' })
  const other = await runToEnd(api, { input: '@say two' })
  const scopes = ['runs:read', 'runs:write', 'sessions:read', 'sessions:write', 'approvals:read']
  const asToken = by(api, await tokenFor(api, { session: mine.session_id }, scopes))
  const next = { input: CHILD, session_id: mine.session_id }
  const begun = await asToken('POST', '/v1/runs', next)
  expect(begun.status).toBe(202)
  await until('the end', async () => {
    const run = (await asToken('GET', `/v1/runs/${begun.body.id}?wait=5`)).body
    return run.status === 'completed'
  })
  const [child] = (await asToken('GET', `/v1/runs/${begun.body.id}/children`)).body.data
  expect(answer(await asToken('GET', `/v1/runs/${child.id}`))).toEqual(OK)
  const listed = (await asToken('GET', '/v1/runs')).body.data
  expect(listed.map(({ id }: { id: string }) => id)).toEqual([begun.body.id, mine.id])
  const elsewhere = await asToken('GET', `/v1/runs?session_id=${other.session_id}`)
  expect(elsewhere.body.data).toEqual([])
  expect((await asToken('GET', '/v1/sessions')).body.data).toHaveLength(1)
  const outside = { input: '@say x', session_id: other.session_id }
  expect(answer(await asToken('POST', '/v1/runs', outside))).toEqual(HIDDEN)
  expect(answer(await asToken('POST', '/v1/runs', { input: '@say x' }))).toEqual(REFUSED)
  for (const part of ['', '/messages', '/runs', '/export'])
    expect(answer(await asToken('GET', `/v1/sessions/${other.session_id}${part}`))).toEqual(HIDDEN)
  expect(answer(await asToken('DELETE', `/v1/sessions/${mine.session_id}`))).toEqual(REFUSED)
  expect(answer(await asToken('POST', `/v1/sessions/${mine.session_id}/fork`, {}))).toEqual(REFUSED)
})

it('a token for a fan-out reaches the runs of its tasks and everything below them', async () => {
  const api = await startNodeApi({ MAX_DEPTH: '2' })
  const tasks = [{ task: CHILD }]
  const make = async () => {
    const { id } = (await ask(api, 'POST', '/v1/fanouts', { tasks })).body
    const ended = await until('the end', async () => {
      const { body } = await ask(api, 'GET', `/v1/fanouts/${id}?wait=5`)
      return body.ended_at !== null && body
    })
    const run = ended.results[0].run_id as string
    const below = (await ask(api, 'GET', `/v1/runs/${run}/children`)).body.data[0].id as string
    return { id: id as string, run, below }
  }
  const [mine, other] = [await make(), await make()]
  const asToken = by(api, await tokenFor(api, { fanout: mine.id }, ['runs:read']))
  for (const path of [`/v1/fanouts/${mine.id}`, `/v1/fanouts/${mine.id}/tasks`])
    expect(answer(await asToken('GET', path))).toEqual(OK)
  for (const id of [mine.run, mine.below])
    expect(answer(await asToken('GET', `/v1/runs/${id}`))).toEqual(OK)
  for (const path of [`/v1/fanouts/${other.id}`, `/v1/fanouts/${other.id}/events`])
    expect(answer(await asToken('GET', path))).toEqual(HIDDEN)
  for (const id of [other.run, other.below])
    expect(answer(await asToken('GET', `/v1/runs/${id}`))).toEqual(HIDDEN)
  expect((await asToken('GET', '/v1/fanouts')).body.data).toMatchObject([{ id: mine.id }])
})

it('a token for an approval reads and decides it, and the audit names the token', async () => {
  const api = await startNodeApi()
  const { run, approval } = await askingRun(api)
  const other = (await ask(api, 'POST', '/v1/runs', { input: '@say done' })).body
  const scopes = ['approvals:read', 'approvals:write']
  const made = await ask(api, 'POST', '/v1/tokens', { for: { approval: approval.id }, scopes })
  const asToken = by(api, made.body.token)
  expect((await asToken('GET', '/v1/approvals')).body.data).toMatchObject([{ id: approval.id }])
  expect(answer(await asToken('GET', `/v1/runs/${run.id}`))).toEqual(REFUSED)
  expect(answer(await asToken('GET', `/v1/approvals/apr_${'0'.repeat(52)}`))).toEqual(HIDDEN)
  const ofOther = by(api, await tokenFor(api, { run: other.id }, ['runs:read', ...scopes]))
  expect((await ofOther('GET', '/v1/approvals')).body.data).toEqual([])
  expect(answer(await ofOther('GET', `/v1/approvals/${approval.id}`))).toEqual(HIDDEN)
  const decision = `/v1/approvals/${approval.id}/decision`
  expect(answer(await ofOther('POST', decision, { decision: 'approve' }))).toEqual(HIDDEN)
  const ofRun = by(api, await tokenFor(api, { run: run.id }, scopes))
  expect((await ofRun('GET', '/v1/approvals')).body.data).toMatchObject([{ id: approval.id }])
  expect(answer(await asToken('POST', decision, { decision: 'approve' }))).toEqual(OK)
  const { data } = (await ask(api, 'GET', '/v1/audit')).body
  const entry = data.find(({ kind }: { kind: string }) => kind === 'approval')
  expect(entry).toMatchObject({ action: 'approve', by: made.body.id })
  const making = data.find(({ kind }: { kind: string }) => kind === 'token')
  expect(making).toMatchObject({ action: 'create' })
})

it('a token never allows more than its key currently does, and ends with the key', async () => {
  const api = await startNodeApi()
  const run = await runToEnd(api, { input: '@say x' })
  const key = await ask(api, 'POST', '/v1/keys', { scopes: ['runs:read'] })
  const make = (json: object) => by(api, key.body.key)('POST', '/v1/tokens', json)
  const wide = await make({ for: { run: run.id }, scopes: ['runs:read', 'runs:write'] })
  expect(answer(wide)).toEqual(REFUSED)
  expect(wide.body.detail).toContain('runs:write')
  const made = await make({ for: { run: run.id }, scopes: ['runs:read'] })
  expect(made.status).toBe(201)
  expect(made.headers.get('cache-control')).toBe('no-store')
  const asToken = by(api, made.body.token)
  expect(answer(await asToken('GET', `/v1/runs/${run.id}`))).toEqual(OK)
  for (const json of [{ for: { run: run.id }, scopes: ['runs:read'] }])
    expect(answer(await asToken('POST', '/v1/tokens', json))).toEqual(REFUSED)
  expect(answer(await asToken('POST', '/v1/keys', { scopes: ['runs:read'] }))).toEqual(REFUSED)
  await ask(api, 'DELETE', `/v1/keys/${key.body.id}`)
  expect(answer(await asToken('GET', `/v1/runs/${run.id}`))).toEqual(INVALID)
})

it('forged, truncated, mixed, and foreign tokens are refused identically', async () => {
  const api = await startNodeApi()
  const elsewhere = await startNodeApi()
  const run = await runToEnd(api, { input: '@say x' })
  const token = await tokenFor(api, { run: run.id }, ['runs:read'])
  const theirs = await runToEnd(elsewhere, { input: '@say x' })
  const foreign = await tokenFor(elsewhere, { run: theirs.id }, ['runs:read'])
  const forged = [13, 20, 60, token.length - 1].map((at) => {
    const changed = token[at] === 'A' ? 'B' : 'A'
    return token.slice(0, at) + changed + token.slice(at + 1)
  })
  const refused = [...forged, token.slice(0, -3), `${token}A`, 'strata_token_', foreign]
  const path = `/v1/runs/${run.id}`
  const [first] = forged
  const expected = told(await by(api, first!)('GET', path))
  expect(expected[0]).toBe(401)
  for (const text of refused) expect(told(await by(api, text)('GET', path))).toEqual(expected)
})

it('a key of another tenant creates no token for the same IDs', async () => {
  const api = await startNodeApi()
  const run = await runToEnd(api, { input: '@say x' })
  const { key } = await createKey(api.host.world, 'stranger', ['*'])
  for (const subject of [{ run: run.id }, { session: run.session_id }]) {
    const made = await by(api, key)('POST', '/v1/tokens', { for: subject, scopes: ['runs:read'] })
    expect(answer(made)).toEqual(HIDDEN)
  }
  const tenant = { for: { tenant: true }, scopes: ['runs:read'] }
  const { token } = (await by(api, key)('POST', '/v1/tokens', tenant)).body
  expect(answer(await by(api, token)('GET', `/v1/runs/${run.id}`))).toEqual(HIDDEN)
  expect((await by(api, token)('GET', '/v1/runs')).body.data).toEqual([])
})

it('an invalid token request is refused with a pointer to the error', async () => {
  const api = await startNodeApi()
  const run = await runToEnd(api, { input: '@say x' })
  const good = { for: { run: run.id }, scopes: ['runs:read'] }
  for (const [change, pointer] of [
    [{ expires_in: 59 }, '/expires_in'],
    [{ expires_in: 86_401 }, '/expires_in'],
    [{ scopes: [] }, '/scopes'],
    [{ scopes: ['runs:*'] }, '/scopes/0'],
    [{ scopes: ['runs:read', 'keys:read'] }, '/scopes/1'],
    [{ for: { tenant: true }, scopes: ['runs:write'] }, '/scopes/0'],
    [{ for: { approval: 'x' }, scopes: ['runs:read'] }, '/scopes/0'],
    [{ for: { run: run.id, session: run.session_id } }, '/for'],
    [{ for: { tenant: false } }, '/for'],
    [{ for: {} }, '/for'],
  ] as const) {
    const { status, body } = await ask(api, 'POST', '/v1/tokens', { ...good, ...change })
    const places = body.errors?.map((error: { pointer: string }) => error.pointer)
    expect([change, status, body.code]).toEqual([change, 422, 'invalid_request'])
    expect(places.join(' ')).toContain(pointer)
  }
  const unknown = { ...good, for: { run: `run_${'0'.repeat(26)}` } }
  expect(answer(await ask(api, 'POST', '/v1/tokens', unknown))).toEqual(HIDDEN)
})

it('?token= is accepted only for streams and downloads, and appears in no log or answer', async () => {
  const model = await startModelServer()
  cleanup.push(model.close)
  const server = await startServer({ env: { OPENAI_BASE_URL: model.url } })
  const post = (path: string, json: object) =>
    server.get<{ id: string; token: string; session_id: string }>(path, { method: 'POST', json })
  const run = await post('/v1/runs', { input: '@say x' })
  const scopes = ['runs:read', 'sessions:read']
  const { token } = await post('/v1/tokens', { for: { session: run.session_id }, scopes })
  const bare = async (path: string, headers = {}, method = 'GET') => {
    const response = await fetch(`${server.url}${path}`, { method, headers })
    return { status: response.status, text: await response.text() }
  }
  const events = `/v1/runs/${run.id}/events?token=${token}`
  const stream = await bare(events, SSE)
  expect([stream.status, stream.text.includes('run.completed')]).toEqual([200, true])
  expect((await bare(`/v1/sessions/${run.session_id}/export?token=${token}`)).status).toBe(200)
  const refused = [
    await bare(events),
    await bare(`/v1/runs/${run.id}?token=${token}`),
    await bare(`/v1/runs?token=${token}`),
    await bare(`/v1/runs?%74oken=${token}`),
    await bare(`/v1/runs/${run.id}/cancel?token=${token}`, SSE, 'POST'),
    await bare(`${events}&token=${token}`, SSE),
    await bare(events, { ...SSE, ...bearer(token) }),
    await bare(`/v1/runs/${run.id}/events?token=${server.key}`, SSE),
  ]
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 401))
  const secret = token.slice('strata_token_'.length)
  for (const { text } of refused) {
    expect(text).toContain('token')
    expect(text).not.toContain(secret)
    expect(text).not.toContain(server.key)
  }
  await until('the log', () => server.process.output().split('"event":"request"').length > 8)
  expect(server.process.output()).not.toContain(secret)
})

it('a token for the session of an AG-UI thread adds turns to that thread only', async () => {
  const api = await startNodeApi()
  const turn = (threadId: string, text: string, token: string) => {
    const messages = [{ id: text, role: 'user', content: text }]
    const json = { threadId, runId: text, messages, tools: [], context: [], state: {} }
    return by(api, token)('POST', '/v1/ag-ui/general', { ...json, forwardedProps: {} })
  }
  expect((await turn('mine', '@say one', api.key)).status).toBe(200)
  const { data } = (await ask(api, 'GET', '/v1/sessions')).body
  const token = await tokenFor(api, { session: data[0].id }, ['runs:read', 'runs:write'])
  const second = await turn('mine', '@say two', token)
  expect([second.status, second.text.includes('RUN_FINISHED')]).toEqual([200, true])
  expect(answer(await turn('other', '@say three', token))).toEqual(HIDDEN)
  expect((await ask(api, 'GET', '/v1/sessions')).body.data).toHaveLength(1)
  const ofRun = await tokenFor(api, { run: (await ask(api, 'GET', '/v1/runs')).body.data[0].id }, [
    'runs:write',
  ])
  expect(answer(await turn('mine', '@say four', ofRun))).toEqual(REFUSED)
})
