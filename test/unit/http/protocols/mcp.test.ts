import { beforeEach, describe, expect, it } from 'vitest'
import { MEMORY_OPERATIONS } from '../../../../src/core/manage/memory.ts'
import { OPERATIONS } from '../../../../src/core/manage/operations.ts'
import { SCHEDULE_OPERATIONS } from '../../../../src/core/manage/schedules.ts'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { createApp } from '../../../../src/http/app.ts'
import { RUN_TOOLS } from '../../../../src/http/protocols/mcp/run-tools.ts'
import { type TestApi, testApi } from '../../../support/api.ts'
import { TENANT } from '../../../support/drive.ts'
import { skill } from '../../../support/layers.ts'
import { mcpCall as call, mcpClient } from '../../../support/mcp-client.ts'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

const connect = (key: string, mode?: 'auto' | 'legacy') => mcpClient(api, key, mode)

describe('POST /mcp', () => {
  for (const mode of ['auto', 'legacy'] as const) {
    it(`lists every operation with its parameters (${mode} revision)`, async () => {
      const client = await connect(api.key, mode)
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual([
        ...Object.keys(OPERATIONS),
        ...Object.keys(MEMORY_OPERATIONS),
        ...Object.keys(SCHEDULE_OPERATIONS),
        ...Object.keys(RUN_TOOLS),
      ])
      const create = tools.find(({ name }) => name === 'runs_create')
      expect(create?.inputSchema).toMatchObject({
        required: ['input'],
        properties: { idempotency_key: {}, wait: { maximum: 60 }, webhook: {}, limits: {} },
      })
      // As models' providers want names of parameters.
      for (const { inputSchema } of tools)
        for (const name of Object.keys(inputSchema.properties ?? {}))
          expect(name).toMatch(/^[A-Za-z0-9_.-]{1,64}$/)
      const put = tools.find(({ name }) => name === 'mcp_put_server')
      expect(Object.keys(put?.inputSchema.properties ?? {})).toEqual(
        expect.arrayContaining(['role', 'repo_dir', 'http_headers', 'startup_timeout_sec', 'url']),
      )
      expect(put?.annotations).toMatchObject({ readOnlyHint: false })
    })
  }

  it('memory behaves the same over MCP and REST, under the memory scopes', async () => {
    const client = await connect(api.key)
    const content = '- the zebra is called Otto'
    const written = await call(client, 'memory_write', { path: 'shared/n.md', content })
    expect(written).toMatchObject({ success: true, is_error: false, added: 1 })
    const { body } = await api.call('GET /v1/memory/search?query=zebra')
    const found = await call(client, 'memory_search', { query: 'zebra' })
    expect(found).toEqual({ ...body, success: true, is_error: false })
    const read = await call(client, 'memory_get', { path: 'shared/n.md' })
    expect(read).toMatchObject((await api.call('GET /v1/memory/shared/n.md')).body)
    const outside = await call(client, 'memory_get', { path: '../secret.md' })
    expect(outside).toMatchObject({ success: false, code: 'invalid_key', is_error: true })
    const { key } = await createKey(api.world, TENANT, ['layers:*', 'memory:read'])
    const reader = await connect(key)
    const refused = await reader.callTool({ name: 'memory_write', arguments: { content: 'x' } })
    expect(JSON.stringify(refused)).toContain('lacks the scope memory:write')
  })

  it('schedules behave the same over MCP and REST, under the schedule scopes', async () => {
    const client = await connect(api.key)
    const same = { success: true, is_error: false }
    const digest = { cron: '0 2 * * *', timezone: 'Europe/Berlin', input: '@say {{slot.date}}' }
    const made = await call(client, 'schedules_put', { name: 'digest', ...digest })
    const { body } = await api.call('GET /v1/schedules/digest')
    expect(made).toEqual({ ...body, ...same })
    expect(body).toMatchObject({ status: 'active', created_by_run_id: null })
    const { status } = await api.call('PUT /v1/schedules/digest', digest)
    expect(status).toBe(200)
    expect(await call(client, 'schedules_get', { name: 'digest' })).toEqual(made)
    await api.call('PUT /v1/schedules/other', { every: '1h', input: '@say x' })
    const first = await call(client, 'schedules_list', { limit: 1 })
    expect(first.has_more).toBe(true)
    const second = await call(client, 'schedules_list', { limit: 1, cursor: first.next_cursor })
    const all = (await api.call('GET /v1/schedules')).body
    expect([...first.data, ...second.data]).toEqual(all.data)
    expect(await call(client, 'schedules_list')).toEqual({ ...all, ...same })
    const odd = await call(client, 'schedules_list', { cursor: 'nonsense' })
    expect(odd).toMatchObject({ is_error: true, code: 'invalid_cursor' })
    const paused = await call(client, 'schedules_pause', { name: 'digest', reason: 'holiday' })
    expect(paused).toMatchObject({ status: 'paused', pause: { detail: 'holiday' } })
    const resumed = await call(client, 'schedules_resume', { name: 'digest' })
    expect(resumed).toEqual({ ...(await api.call('GET /v1/schedules/digest')).body, ...same })
    const { run_id, ...fired } = await call(client, 'schedules_run', { name: 'digest' })
    expect(fired).toEqual({ ...same, status: 'started' })
    expect((await api.call(`GET /v1/runs/${run_id}`)).status).toBe(200)
    const gone = await call(client, 'schedules_delete', { name: 'digest' })
    expect(gone).toEqual({ ...same, name: 'digest', deleted: true })
    expect((await api.call('GET /v1/schedules/digest')).status).toBe(404)
    const missing = await call(client, 'schedules_get', { name: 'No such' })
    expect(missing).toMatchObject({ is_error: true, code: 'not_found' })
    const { body: audit } = await api.call('GET /v1/audit')
    const did = audit.data.filter(({ kind, name }: Record<string, string>) => {
      return kind === 'schedule' && name === 'digest'
    })
    expect(did.map(({ action }: { action: string }) => action).toSorted()).toEqual([
      'create',
      'delete',
      'pause',
      'resume',
      'run',
    ])
    expect(new Set(did.map(({ by }: { by: string }) => by)).size).toBe(1)
    expect(new Set(did.map(({ via }: { via: string }) => via))).toEqual(new Set(['mcp']))
  })

  it('schedules need their own scopes, and no operation accepts or returns a secret', async () => {
    const { key } = await createKey(api.world, TENANT, ['layers:*', 'schedules:read'])
    const reader = await connect(key)
    expect(await call(reader, 'schedules_list')).toMatchObject({ success: true, data: [] })
    const refused = await reader.callTool({ name: 'schedules_delete', arguments: { name: 'x' } })
    expect(JSON.stringify(refused)).toContain('lacks the scope schedules:write')
    const client = await connect(api.key)
    const hour = { name: 'hour', every: '1h', input: '@say x' }
    const webhook = { url: 'https://one.example/hook', secret: `whsec_${'a'.repeat(44)}` }
    const literal = await call(client, 'schedules_put', { ...hour, webhook })
    expect(literal).toMatchObject({ is_error: true, errors: [{ pointer: '/webhook/secret' }] })
    const made = await call(client, 'schedules_put', { ...hour, webhook: { url: webhook.url } })
    expect(made).toMatchObject({ success: true, run: { webhook: { url: webhook.url } } })
    expect(JSON.stringify(made)).not.toContain('whsec_')
  })

  it('a subagent cannot be spawned outside a run, and the error says so [MC-05]', async () => {
    const client = await connect(api.key)
    for (const name of ['sessions_spawn', 'Task', 'subagents', 'file_read']) {
      const result = await client.callTool({ name, arguments: { task: 'x', action: 'list' } })
      expect(result.isError).toBe(true)
      expect(JSON.stringify(result.content)).toContain('only the model of a run')
    }
    expect((await api.call('GET /v1/runs')).body.data).toEqual([])
  })

  it('an unknown parameter is reported with its pointer', async () => {
    const client = await connect(api.key)
    const refused = await call(client, 'skills_list', { colour: 'red', role: 7 })
    expect(refused.is_error).toBe(true)
    const pointers = refused.errors.map(({ pointer }: { pointer: string }) => pointer)
    expect(pointers.toSorted()).toEqual(['/colour', '/role'])
  })

  it("responses match those of REST and of the model's tools", async () => {
    const client = await connect(api.key)
    const skill_md = skill('how', 'deploy')
    const made = await call(client, 'skills_put', { skill_name: 'deploy', skill_md })
    expect(made).toMatchObject({ is_error: false, success: true, created: true, reloaded: true })
    const { body } = await api.call('GET /v1/skills/deploy')
    const got = await call(client, 'skills_get', { skill_name: 'deploy' })
    expect(got.skill).toEqual(body)
    const server = { name: 'x', url: 'https://x.example/mcp', headers: { A: 'canary' } }
    expect(await call(client, 'mcp_put_server', server)).toMatchObject({ success: true })
    const { servers } = await call(client, 'mcp_list')
    expect(servers).toEqual((await api.call('GET /v1/mcp-servers')).body.data)
    expect(JSON.stringify(servers)).not.toContain('canary')
  })

  it('a refusal is a result with isError, and so is an unknown parameter', async () => {
    const client = await connect(api.key)
    const missing = await call(client, 'skills_get', { skill_name: 'none' })
    expect(missing).toMatchObject({ is_error: true, success: false, code: 'not_found' })
    const odd = await call(client, 'skills_list', { nope: 1 })
    expect(odd).toMatchObject({ is_error: true, code: 'invalid_request' })
  })

  it('a read-only key cannot write', async () => {
    const { key } = await createKey(api.world, TENANT, ['layers:read'])
    const client = await connect(key)
    expect(await call(client, 'skills_list')).toMatchObject({ success: true })
    const result = await client.callTool({ name: 'skills_delete', arguments: { skill_name: 'x' } })
    expect([result.isError, JSON.stringify(result.content)]).toEqual([
      true,
      expect.stringContaining('insufficient_scope'),
    ])
  })

  it('a key with write access to some layers writes only to those', async () => {
    const scopes = ['layers:read', 'layers:write:roles/support/']
    const client = await connect((await createKey(api.world, TENANT, scopes)).key)
    const agent_md = '---\nname: none\ndescription: x\n---\nx'
    const write = (where: object) =>
      call(client, 'agents_put', { agent_name: 'none', agent_md, ...where })
    expect(await write({})).toMatchObject({ is_error: true, code: 'insufficient_scope' })
    expect(await write({ role: 'support' })).toMatchObject({ success: true })
  })

  it("a request without a key or from another site's page gets a JSON-RPC error", async () => {
    const { app } = createApp(api.world)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const send = (headers: Record<string, string>) =>
      app.request('/mcp', { method: 'POST', body, headers })
    const bare = await send({ 'content-type': 'application/json' })
    expect([bare.status, bare.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(await bare.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32_600 }, id: null })
    const authorization = `Bearer ${api.key}`
    const evil = await send({ authorization, origin: 'https://evil.example' })
    expect(evil.status).toBe(403)
    expect(await evil.json()).toMatchObject({ jsonrpc: '2.0', id: null })
  })
})

it('400 a batch of ten thousand messages is refused before any of them is read [J17]', async () => {
  const { app } = createApp(api.world)
  const batch = Array.from({ length: 10_000 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/list',
  }))
  const response = await app.request('/mcp', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${api.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(batch),
  })
  expect(response.status).toBe(400)
  const { error } = (await response.json()) as { error: { message: string } }
  expect(error.message).toContain('at most 100')
})

describe('an MCP client', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const post = (accept: string | undefined, message: object = list) =>
    createApp(api.world).app.request('/mcp', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api.key}`,
        'content-type': 'application/json',
        ...(accept === undefined ? {} : { accept }),
      },
      body: JSON.stringify(message),
    })

  it.each([
    ['anything', '*/*'],
    ['anything, by saying nothing', undefined],
    ['anything, by an empty header', ''],
    ['one of many', 'text/html, application/xhtml+xml, */*;q=0.8'],
    ['events', 'text/event-stream'],
    ['both', 'application/json, text/event-stream'],
  ])('that accepts %s is answered with events [200]', async (_, accept) => {
    const answer = await post(accept)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect(await answer.text()).toContain('"runs_create"')
  })

  it.each(['application/json', 'application/json; charset=utf-8', 'application/*'])(
    'that accepts only %s is answered in that type [200]',
    async (accept) => {
      const answer = await post(accept)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
      expect(await answer.json()).toMatchObject({ id: 1, result: { tools: expect.any(Array) } })
    },
  )

  it.each([
    ['tools/list', null],
    ['tools/list', { cursor: null, _meta: null }],
    ['tools/call', { name: 'runs_list', arguments: null, surprise: 1 }],
  ])('may send null for an absent value: %s %j', async (method, params) => {
    const answer = await post('application/json', { jsonrpc: '2.0', id: 1, method, params })
    expect(await answer.json()).toMatchObject({ id: 1, result: expect.any(Object) })
  })

  it('that accepts neither is refused [406]', async () => {
    expect((await post('text/html')).status).toBe(406)
  })
})
