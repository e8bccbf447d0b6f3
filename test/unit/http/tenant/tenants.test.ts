/** Tenants by the API: created with a key, paused, suspended, and resumed by the operator alone. */

import { beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_TENANT } from '../../../../src/engine/partition/keys.ts'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { standardHeaders } from '../../../support/hook-messages.ts'
import { type TestApi, testApi } from '../../../support/http.ts'

let api: TestApi
let operator: string
beforeEach(async () => {
  api = await testApi()
  operator = (await createKey(api.world, DEFAULT_TENANT, ['*'])).key
})

const ask = (method: string, path: string, json?: unknown, headers: Record<string, string> = {}) =>
  api.call(method, path, { key: operator, ...(json === undefined ? {} : { json }), headers })
const create = async (id: string) => {
  const { status, body } = await ask('POST', '/v1/tenants', { id })
  expect(status).toBe(201)
  const key: string = body.key.text
  return (method: string, path: string, json?: unknown) =>
    api.call(method, path, { key, ...(json === undefined ? {} : { json }) })
}

describe('a tenant', () => {
  it('is created once with a key, listed, and recorded in the audit', async () => {
    const json = { id: 'acme', name: 'Acme, Inc.' }
    const headers = { 'idempotency-key': 'create-acme' }
    const first = await ask('POST', '/v1/tenants', json, headers)
    expect(first.status).toBe(201)
    expect(first.headers.get('location')).toBe('/v1/tenants/acme')
    const { key, ...tenant } = first.body
    expect(tenant).toMatchObject({ id: 'acme', name: 'Acme, Inc.', status: 'active' })
    const again = await ask('POST', '/v1/tenants', json, headers)
    expect(again.body).toEqual({ ...tenant, key: { id: key.id, text: null } })
    expect((await ask('POST', '/v1/tenants', json)).body.code).toBe('conflict')
    expect((await ask('GET', '/v1/tenants')).body.data).toEqual([tenant])
    expect((await ask('GET', '/v1/tenants/acme')).body).toEqual(tenant)
    const keys = await api.call('GET', '/v1/keys', { key: key.text })
    expect(keys.body.data).toMatchObject([{ id: key.id, scopes: ['*'], current: true }])
    const { body: audit } = await ask('GET', '/v1/audit?kind=tenant')
    expect(audit.data).toMatchObject([{ kind: 'tenant', action: 'create', name: 'acme' }])
  })

  it('is created once by concurrent requests with one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'create-acme' }
    const create = () => ask('POST', '/v1/tenants', { id: 'acme' }, headers)
    const answers = await Promise.all(Array.from({ length: 5 }, create))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    const texts = answers.flatMap(({ body }) => body.key.text ?? [])
    expect(texts).toHaveLength(1)
    expect((await api.call('GET', '/v1/keys', { key: texts[0] })).body.data).toHaveLength(1)
  })

  it('cannot manage tenants, even with all scopes', async () => {
    const asTenant = await create('acme')
    for (const [method, path] of [
      ['GET', '/v1/tenants'],
      ['GET', '/v1/tenants/acme'],
      ['POST', '/v1/tenants/acme/pause'],
    ] as const) {
      const { status, body } = await asTenant(method, path, method === 'GET' ? undefined : {})
      expect([path, status, body.code]).toEqual([path, 403, 'insufficient_scope'])
    }
  })

  it('with an invalid or reserved ID is refused', async () => {
    for (const id of ['', 'A', 'x', '../up', 'a/b', '_', 'a'.repeat(32), '1st', 'ünique', 7]) {
      expect([id, (await ask('POST', '/v1/tenants', { id })).status]).toEqual([id, 422])
    }
    expect((await ask('POST', '/v1/tenants', { id: 'blank', name: ' ' })).status).toBe(422)
    for (const id of ['default', 'rows', 'expiring']) {
      expect((await ask('POST', '/v1/tenants', { id })).body.code).toBe('conflict')
    }
    for (const id of ['none', '..%2Facme', '%00']) {
      expect([404, 400]).toContain((await ask('GET', `/v1/tenants/${id}`)).status)
    }
    expect((await ask('POST', '/v1/tenants/none/pause')).status).toBe(404)
  })
})

describe('a suspended tenant', () => {
  it('reads, and is refused everything else until it is resumed', async () => {
    const asTenant = await create('acme')
    const run = (await asTenant('POST', '/v1/runs', { input: '@say done' })).body
    const { body } = await ask('POST', '/v1/tenants/acme/suspend', {})
    expect(body.status).toBe('suspended')
    const refused = await asTenant('POST', '/v1/runs', { input: '@say more' })
    expect([refused.status, refused.body.code]).toEqual([403, 'tenant_suspended'])
    expect((await asTenant('POST', '/v1/keys', { scopes: ['*'] })).status).toBe(403)
    await api.settle()
    const parked = await asTenant('GET', `/v1/runs/${run.id}`)
    expect(parked.body).toMatchObject({ status: 'waiting', waiting_on: 'tenant' })
    expect((await asTenant('GET', '/v1/runs')).body.data).toMatchObject([{ waiting_on: 'tenant' }])
    expect((await ask('POST', '/v1/tenants/acme/resume')).body.status).toBe('active')
    await api.settle()
    const { body: ended } = await asTenant('GET', `/v1/runs/${run.id}`)
    expect([ended.status, ended.waiting_on, ended.output.text]).toEqual(['completed', null, 'done'])
    const { body: audit } = await ask('GET', '/v1/audit?kind=tenant')
    expect(audit.data.map(({ action }: { action: string }) => action)).toEqual([
      ...['resume', 'suspend', 'create'],
    ])
    await ask('POST', '/v1/tenants/acme/pause')
    const { data } = (await ask('GET', '/v1/audit?kind=tenant&action=pause')).body
    expect(data).toMatchObject([{ action: 'pause', name: 'acme' }])
  })

  it('is refused by MCP, whose tools also write', async () => {
    const asTenant = await create('acme')
    const agent = '---\nname: clerk\ndescription: A clerk.\n---\nHelp.'
    const put = { name: 'agents_put', arguments: { agent_name: 'clerk', agent_md: agent } }
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: put }
    await ask('POST', '/v1/tenants/acme/suspend', {})
    const refused = await asTenant('POST', '/mcp', call)
    expect([refused.status, refused.body.error.message]).toEqual([
      ...[403, expect.stringContaining('suspended the tenant')],
    ])
    expect((await asTenant('GET', '/v1/agents')).body.data).toEqual([])
    await ask('POST', '/v1/tenants/acme/resume')
    expect((await asTenant('POST', '/mcp', call)).status).toBe(200)
    expect((await asTenant('GET', '/v1/agents')).body.data).toMatchObject([{ name: 'clerk' }])
  })

  it('ends its runs and fan-outs when the operator asks for it', async () => {
    const asTenant = await create('acme')
    const run = (await asTenant('POST', '/v1/runs', { input: '@say done' })).body
    const tasks = [{ task: '@say one' }]
    const fanout = (await asTenant('POST', '/v1/fanouts', { tasks })).body
    const { body } = await ask('POST', '/v1/tenants/acme/suspend', { running: 'cancel' })
    expect(body.cancelling).toBe(true)
    await api.settle()
    expect((await ask('GET', '/v1/tenants/acme')).body).toMatchObject({ cancelling: false })
    const status = async (path: string) => (await asTenant('GET', path)).body.status
    expect(await status(`/v1/runs/${run.id}`)).toBe('cancelled')
    expect(await status(`/v1/fanouts/${fanout.id}`)).toBe('cancelled')
    const { data } = (await asTenant('GET', '/v1/audit?kind=run')).body
    expect(data).toMatchObject([{ action: 'cancel', name: run.id }])
  })
})

it('a message to a hook of a suspended tenant is refused, and accepted again later', async () => {
  const asTenant = await create('acme')
  const { id, secret } = (await asTenant('POST', '/v1/hooks', { scheme: 'standard' })).body
  const send = (message: string) => {
    const body = '{"type":"a.b"}'
    const at = Math.floor(api.world.clock.now() / 1_000)
    const headers = standardHeaders(secret, body, { id: message, at })
    return api.call('POST', `/v1/hooks/${id}`, { key: null, body, headers })
  }
  expect((await send('msg_1')).status).toBe(202)
  await ask('POST', '/v1/tenants/acme/suspend', {})
  const refused = await send('msg_2')
  expect([refused.status, refused.body.code]).toEqual([403, 'tenant_suspended'])
  await ask('POST', '/v1/tenants/acme/resume')
  expect((await send('msg_2')).status).toBe(202)
})

describe('a paused tenant', () => {
  it('accepts runs, which begin after its resumption', async () => {
    const asTenant = await create('acme')
    await ask('POST', '/v1/tenants/acme/pause')
    const created = await asTenant('POST', '/v1/runs', { input: '@say later' })
    expect([created.status, created.body.waiting_on]).toEqual([202, 'tenant'])
    await api.settle()
    const path = `/v1/runs/${created.body.id}`
    expect((await asTenant('GET', path)).body.started_at).toBe(null)
    expect((await asTenant('POST', `${path}/cancel`)).body.status).toBe('cancelled')
    const second = (await asTenant('POST', '/v1/runs', { input: '@say later' })).body.id
    await ask('POST', '/v1/tenants/acme/resume')
    await api.settle()
    expect((await asTenant('GET', `/v1/runs/${second}`)).body.status).toBe('completed')
  })

  it('may be the default tenant in a single process, and is never suspended', async () => {
    expect((await ask('POST', '/v1/tenants/default/suspend', {})).status).toBe(409)
    expect((await ask('POST', '/v1/tenants/default/pause')).body.status).toBe('paused')
    const run = (await ask('POST', '/v1/runs', { input: '@say done' })).body
    await api.settle()
    expect((await ask('GET', `/v1/runs/${run.id}`)).body.waiting_on).toBe('tenant')
    await ask('POST', '/v1/tenants/default/resume')
    await api.settle()
    expect((await ask('GET', `/v1/runs/${run.id}`)).body.status).toBe('completed')
  })

  it('cannot be the default tenant where several processes share the store', async () => {
    api = await testApi({ settings: { singleProcess: false } })
    operator = (await createKey(api.world, DEFAULT_TENANT, ['*'])).key
    const { status, body } = await ask('POST', '/v1/tenants/default/pause')
    expect([status, body.code]).toEqual([409, 'conflict'])
    expect(body.detail).toContain('/v1/runs/cancel')
  })
})
