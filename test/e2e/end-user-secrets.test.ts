/**
 * Secrets of end users through the running server: a run with a `subject` acts with the credentials
 * of that person, and with the tenant's where the person has none.
 */

import { expect, it } from 'vitest'
import { type CannedMcp, startCannedMcp } from '../support/canned-mcp.ts'
import { cleanup } from '../support/cleanup.ts'
import { HOOK_SECRET, signHook } from '../support/hook-messages.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { until } from '../support/patience.ts'
import { runToEnd, type Server, startServer } from '../support/server.ts'

const hosts = ['127.0.0.1']

async function startEcho(): Promise<CannedMcp> {
  const mcp = await startCannedMcp({
    onCall: (message, response) => {
      const sent = String(mcp.messages('tools/call').at(-1)!.headers.authorization)
      const result = { content: [{ type: 'text', text: `you sent ${sent}` }] }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
      return true
    },
  })
  cleanup.push(mcp.close)
  return mcp
}

interface Setup {
  readonly server: Server
  readonly mcp: CannedMcp
  readonly model: ModelServer
}

async function setUp(): Promise<Setup> {
  const mcp = await startEcho()
  const model = await startModelServer()
  cleanup.push(model.close)
  const server = await startServer({
    env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'key-of-the-deployment' },
  })
  await server.ask('/v1/files/base/.agents/config.toml', {
    method: 'PUT',
    body: `[mcp_servers.echo]\nurl = "${mcp.url}"\nbearer_token_env_var = "TOKEN"\n`,
  })
  return { server, mcp, model }
}

const put = (server: Server, name: string, json: object, subject?: string) =>
  server.get<{ version: number; subject: string | null }>(
    `/v1/secrets/${name}${subject === undefined ? '' : `?subject=${encodeURIComponent(subject)}`}`,
    { method: 'PUT', json },
  )

const CALL = '@call mcp__echo__act {}\n@say {last}'

it('a run acts with the secrets of its end user, then with those of the tenant', async () => {
  const { server, mcp, model } = await setUp()
  const sent = () => mcp.messages('tools/call').at(-1)?.headers.authorization
  const key = () => model.requests.at(-1)?.headers.authorization
  await put(server, 'TOKEN', { value: 'value-of-the-tenant', hosts })
  const alice = await put(server, 'TOKEN', { value: 'value-of-alice', hosts }, 'alice@desk')
  expect(alice).toMatchObject({ version: 1, subject: 'alice@desk' })
  const model_key = { value: 'sk-model-of-alice', hosts, uses: ['model'] }
  await put(server, 'OPENAI_API_KEY', model_key, 'alice@desk')
  for (const [subject, token, of] of [
    [undefined, 'value-of-the-tenant', 'key-of-the-deployment'],
    ['alice@desk', 'value-of-alice', 'sk-model-of-alice'],
    ['bob', 'value-of-the-tenant', 'key-of-the-deployment'],
    ['alice', 'value-of-the-tenant', 'key-of-the-deployment'],
  ]) {
    const run = await runToEnd(server, { input: CALL, subject })
    expect([run.status, sent(), key()]).toEqual(['completed', `Bearer ${token}`, `Bearer ${of}`])
    expect(run.output?.text).toContain('you sent Bearer [redacted]')
    expect((run as { subject?: string }).subject).toBe(subject)
  }
})

it('subagents act for the end user of their root run', async () => {
  const { server, mcp } = await setUp()
  await put(server, 'TOKEN', { value: 'value-of-the-tenant', hosts })
  await put(server, 'TOKEN', { value: 'value-of-alice', hosts }, 'alice')
  const input = `@spawn 1 ${JSON.stringify({ task: CALL })}\n@say {last}`
  const run = await runToEnd(server, { input, subject: 'alice' })
  expect(run.status).toBe('completed')
  const tokens = mcp.messages('tools/call').map(({ headers }) => headers.authorization)
  expect(tokens).toEqual(['Bearer value-of-alice'])
})

it('tasks of a fan-out, of its pages, and its closing run act for its end user', async () => {
  const { server, mcp } = await setUp()
  await put(server, 'TOKEN', { value: 'value-of-the-tenant', hosts })
  await put(server, 'TOKEN', { value: 'value-of-alice', hosts }, 'alice')
  const json = {
    ...{ subject: 'alice', tasks: [{ task: CALL }, { task: CALL }] },
    then: { input: CALL },
  }
  const start = (body: object) =>
    server.get<{ id: string }>('/v1/fanouts', { method: 'POST', json: body })
  const { id } = await start(json)
  const open = await start({ subject: 'alice', open: true })
  const page = { page: 0, tasks: [{ task: CALL }] }
  await server.get(`/v1/fanouts/${open.id}/tasks`, { method: 'POST', json: page })
  await server.get(`/v1/fanouts/${open.id}/seal`, { method: 'POST', json: { pages: 1 } })
  for (const fanout of [id, open.id])
    await until('the end of the fan-out', async () => {
      const { status } = await server.get<{ status: string }>(`/v1/fanouts/${fanout}`)
      return status === 'completed'
    })
  const tokens = mcp.messages('tools/call').map(({ headers }) => headers.authorization)
  expect(tokens).toEqual(Array(4).fill('Bearer value-of-alice'))
})

it('a secret of one end user is not sent for another, and is missing there', async () => {
  const { server, mcp } = await setUp()
  await put(server, 'TOKEN', { value: 'value-of-alice', hosts }, 'alice')
  const warnings = async (subject: string) => {
    const { id } = await runToEnd(server, { input: '@say x', subject })
    const run = await server.get<{ warnings?: { code: string }[] }>(`/v1/runs/${id}`)
    return (run.warnings ?? []).map(({ code }) => code)
  }
  expect(await warnings('alice')).toEqual([])
  expect(await warnings('bob')).toEqual(['missing_secret'])
  await runToEnd(server, { input: CALL, subject: 'bob' })
  await runToEnd(server, { input: CALL })
  for (const { headers } of mcp.messages('tools/call'))
    expect(headers.authorization).toBeUndefined()
  const names = async (query: string) => {
    const { data } = await server.get<{ data: { name: string }[] }>(`/v1/secrets${query}`)
    return data.map(({ name }) => name)
  }
  expect([await names(''), await names('?subject=alice'), await names('?subject=bob')]).toEqual([
    [],
    ['TOKEN'],
    [],
  ])
  expect((await server.ask('/v1/secrets/TOKEN')).status).toBe(404)
  const resealed = await server.get('/v1/secrets/reseal', { method: 'POST' })
  expect(resealed).toMatchObject({ resealed: 1, lost: [] })
  expect(await warnings('alice')).toEqual([])
  const path = '/v1/secrets/TOKEN?subject=alice'
  expect((await server.ask(path, { method: 'DELETE' })).status).toBe(204)
  expect(await warnings('alice')).toEqual(['missing_secret'])
})

it("an end user's secret for another host is refused, not replaced by the tenant's", async () => {
  const { server, mcp } = await setUp()
  await put(server, 'TOKEN', { value: 'value-of-the-tenant', hosts })
  await put(server, 'TOKEN', { value: 'value-of-alice', hosts: ['elsewhere.example'] }, 'alice')
  const { id } = await runToEnd(server, { input: CALL, subject: 'alice' })
  const run = await server.get<{ warnings?: { code: string }[] }>(`/v1/runs/${id}`)
  expect(run.warnings?.map(({ code }) => code)).toContain('secret_host_mismatch')
  expect(mcp.messages('tools/call')).toEqual([])
})

it('only a key can choose the end user, and the input of the run names it', async () => {
  const { server } = await setUp()
  const first = await runToEnd(server, { input: '@say x', subject: 'alice' })
  const copy = await server.get<{ request: { subject?: string } }>(`/v1/runs/${first.id}/input`)
  expect(copy.request.subject).toBe('alice')
  const { session_id } = await server.get<{ session_id: string }>(`/v1/runs/${first.id}`)
  const session = await server.get<{ id: string }>('/v1/sessions', { method: 'POST', json: {} })
  expect(session_id).not.toBe(session.id)
  const { token } = await server.get<{ token: string }>('/v1/tokens', {
    method: 'POST',
    json: { for: { session: session.id }, scopes: ['runs:write', 'runs:read'] },
  })
  const start = (json: object) =>
    server.ask('/v1/runs', {
      ...{ method: 'POST', headers: { authorization: `Bearer ${token}` } },
      json: { input: '@say x', session_id: session.id, ...json },
    })
  const refused = await start({ subject: 'bob' })
  expect([refused.status, await refused.json()]).toMatchObject([
    403,
    { code: 'insufficient_scope' },
  ])
  expect((await start({})).status).toBe(202)
})

it('runs of schedules and hooks act for the end user that a key has set', async () => {
  const { server, mcp } = await setUp()
  await put(server, 'TOKEN', { value: 'value-of-the-tenant', hosts })
  await put(server, 'TOKEN', { value: 'value-of-alice', hosts }, 'alice')
  const ended = (id: string) =>
    until('the end of the run', async () => {
      const run = await server.get<{ status: string; subject?: string }>(`/v1/runs/${id}`)
      return run.status === 'completed' && run
    })
  const schedule = { cron: '0 0 1 1 *', input: CALL, subject: 'alice' }
  const made = { method: 'PUT', json: schedule }
  expect(await server.get('/v1/schedules/night', made)).toMatchObject({ run: { subject: 'alice' } })
  const fire = async () => {
    const { run_id } = await server.get<{ run_id: string }>('/v1/schedules/night/run', {
      method: 'POST',
    })
    return (await ended(run_id)).subject
  }
  expect(await fire()).toBe('alice')
  const without = { method: 'PATCH', json: { subject: null } }
  await server.get('/v1/schedules/night', without)
  expect(await fire()).toBeUndefined()
  const tokens = mcp.messages('tools/call').map(({ headers }) => headers.authorization)
  expect(tokens).toEqual(['Bearer value-of-alice', 'Bearer value-of-the-tenant'])
  await put(server, 'TOKEN', { value: 'value-of-carol', hosts }, 'carol')
  const json = { scheme: 'github', secret: HOOK_SECRET, subject: 'carol' }
  const hook = await server.get<{ id: string }>('/v1/hooks', { method: 'POST', json })
  const receive = async (task: string) => {
    const body = JSON.stringify({ task })
    const headers = signHook('github', body, 0)
    const { run_id } = await server.get<{ run_id: string }>(`/v1/hooks/${hook.id}`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body },
    })
    return (await ended(run_id)).subject
  }
  expect(await receive('one')).toBe('carol')
  const [listed] = mcp.messages('tools/list').slice(-1)
  expect(listed?.headers.authorization).toBe('Bearer value-of-carol')
  await server.get(`/v1/hooks/${hook.id}`, { method: 'PATCH', json: { subject: null } })
  expect(await receive('two')).toBeUndefined()
})

it('runs of a session act for its end user, and another end user is refused', async () => {
  const { server, mcp } = await setUp()
  await put(server, 'TOKEN', { value: 'value-of-the-tenant', hosts })
  await put(server, 'TOKEN', { value: 'value-of-alice', hosts }, 'alice')
  const open = (json: object) =>
    server.get<{ id: string; subject: string | null }>('/v1/sessions', { method: 'POST', json })
  const session = await open({ subject: 'alice' })
  expect(session.subject).toBe('alice')
  const { token } = await server.get<{ token: string }>('/v1/tokens', {
    method: 'POST',
    json: { for: { session: session.id }, scopes: ['runs:write', 'runs:read'] },
  })
  const asked = await server.ask('/v1/runs', {
    ...{ method: 'POST', headers: { authorization: `Bearer ${token}`, prefer: 'wait=60' } },
    json: { input: CALL, session_id: session.id },
  })
  expect(await asked.json()).toMatchObject({ status: 'completed', subject: 'alice' })
  await runToEnd(server, { input: CALL, session_id: session.id, subject: 'alice' })
  const fork = await server.get<{ id: string; subject: string | null }>(
    `/v1/sessions/${session.id}/fork`,
    { method: 'POST', json: {} },
  )
  expect(fork.subject).toBe('alice')
  const first = await runToEnd(server, { input: '@say x', subject: 'alice' })
  const plain = await runToEnd(server, { input: '@say x' })
  const own = await server.get<{ session_id: string }>(`/v1/runs/${first.id}`)
  const none = await server.get<{ session_id: string }>(`/v1/runs/${plain.id}`)
  for (const [session_id, subject] of [
    [session.id, 'bob'],
    [fork.id, 'bob'],
    [own.session_id, 'bob'],
    [none.session_id, 'bob'],
  ]) {
    const json = { input: CALL, session_id, subject }
    const refused = await server.ask('/v1/runs', { method: 'POST', json })
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'conflict' }])
    const schedule = { cron: '0 0 1 1 *', ...json }
    const written = await server.ask('/v1/schedules/x', { method: 'PUT', json: schedule })
    expect(written.status).toBe(409)
  }
  const fresh = await open({})
  await runToEnd(server, { input: '@say x', session_id: fresh.id, subject: 'alice' })
  const later = await runToEnd(server, { input: CALL, session_id: fresh.id })
  expect((later as { subject?: string }).subject).toBe('alice')
  const tokens = mcp.messages('tools/call').map(({ headers }) => headers.authorization)
  expect(tokens).toEqual(Array(3).fill('Bearer value-of-alice'))
})
