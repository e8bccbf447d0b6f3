/** Secrets by the API: written, never shown, bound to hosts and uses, resolved before others. */

import { beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { tenantSecrets } from '../../../../src/engine/tenant/secrets.ts'
import { memorySecrets } from '../../../../src/hosts/memory/secrets.ts'
import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import type { Store } from '../../../../src/ports/world.ts'
import { TENANT } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'

const VALUE = 'kq7-93jd-canary-of-the-desk'
let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

const put = (name: string, json: object, headers = {}) =>
  api.call('PUT', `/v1/secrets/${name}`, { json, headers })
const BOUND = { value: VALUE, hosts: ['mcp.shop.example'] }
const MCP = { use: 'mcp', place: 'mcp.shop.example' } as const

interface Entry {
  readonly kind: string
  readonly action: string
  readonly name: string
}

describe('a secret', () => {
  it('is written, listed, and read without its value in any response, row, or audit entry', async () => {
    const { status, body, headers } = await put('SHOP_TOKEN', BOUND)
    expect(status).toBe(201)
    expect(headers.get('location')).toBe('/v1/secrets/SHOP_TOKEN')
    expect(headers.get('etag')).toBe('"1"')
    const { warnings, ...shown } = body
    expect(warnings).toEqual([])
    expect(shown).toMatchObject({
      ...{ name: 'SHOP_TOKEN', version: 1, hosts: ['mcp.shop.example'], any_host: false },
      uses: ['mcp'],
    })
    const list = await api.call('GET', '/v1/secrets')
    const one = await api.call('GET', '/v1/secrets/SHOP_TOKEN')
    expect(list.body.data).toEqual([shown])
    expect(one.body).toEqual(shown)
    const audit = await api.call('GET', '/v1/audit?kind=secret')
    expect(audit.body.data.map(({ action, name }: Entry) => `${action} ${name}`).sort()).toEqual([
      'create SHOP_TOKEN',
      'read *',
      'read SHOP_TOKEN',
    ])
    for (const { text } of [list, one, audit]) expect(text).not.toContain('canary')
    expect(JSON.stringify(body)).not.toContain('canary')
    const rows = await api.world.store.read(`${TENANT}/secrets/tenant`)
    expect(rows.length).toBeGreaterThan(1)
  })

  it('is replaced under the ETag that was read', async () => {
    await put('A', BOUND)
    expect((await put('A', BOUND, { 'if-none-match': '*' })).status).toBe(412)
    expect((await put('A', BOUND, { 'if-match': '"7"' })).status).toBe(412)
    const next = { ...BOUND, value: 'the value of another day' }
    const { status, body } = await put('A', next, { 'if-match': '"1"' })
    expect([status, body.version]).toEqual([200, 2])
    expect((await put('A', BOUND, { 'if-match': '"1"' })).status).toBe(412)
    expect(await api.world.secrets.get(TENANT, 'A')).toBe(next.value)
    const rows = await api.world.store.read(`${TENANT}/secrets/tenant`)
    expect(rows.filter(({ key }) => key.startsWith('s/'))).toHaveLength(1)
  })

  it('that is deleted and created again has a version that was never used', async () => {
    await put('A', BOUND)
    const stale = await api.call('DELETE', '/v1/secrets/A', { headers: { 'if-match': '"9"' } })
    expect(stale.status).toBe(412)
    expect((await api.call('DELETE', '/v1/secrets/A')).status).toBe(204)
    expect((await api.call('DELETE', '/v1/secrets/A')).status).toBe(404)
    expect((await api.call('GET', '/v1/secrets/A')).status).toBe(404)
    expect(await api.world.secrets.get(TENANT, 'A')).toBeUndefined()
    expect((await put('A', BOUND)).body.version).toBe(3)
    expect((await put('A', BOUND, { 'if-match': '"1"' })).status).toBe(412)
  })

  it('requires a host, or the explicit permission of every host', async () => {
    for (const json of [
      { value: VALUE },
      { value: VALUE, hosts: [] },
      { value: VALUE, any_host: false },
      { value: VALUE, hosts: ['a.example'], any_host: true },
      { value: VALUE, hosts: ['https://a.example/'] },
      { value: VALUE, hosts: ['a.example:443'] },
      { value: VALUE, hosts: ['*'] },
      { value: VALUE, hosts: ['me@a.example'] },
      { value: '', hosts: ['a.example'] },
      { value: 'é'.repeat(LIMITS.secret_bytes / 2 + 1), hosts: ['a.example'] },
      { ...BOUND, uses: [] },
      { ...BOUND, uses: ['shell'] },
      { ...BOUND, tenant: 'other' },
    ]) {
      const { status, body } = await put('A', json)
      expect([status, body.code]).toEqual([422, 'invalid_request'])
      expect(body.errors[0].message).not.toBe('')
    }
    const { body } = await put('A', { value: VALUE, any_host: true })
    expect(body).toMatchObject({ hosts: [], any_host: true })
    expect(body.warnings[0]).toContain('any host')
    const longest = { value: 'é'.repeat(LIMITS.secret_bytes / 2), hosts: ['A.example.'] }
    expect((await put('B', longest)).body.hosts).toEqual(['a.example'])
  })

  it('is never repeated by a refusal', async () => {
    for (const text of [
      `{"value":"${VALUE}","hosts":["a.example"]`,
      `{"value":"${VALUE}","value":"${VALUE}","hosts":["a.example"]}`,
      `${VALUE}`,
      JSON.stringify({ value: [VALUE], hosts: ['a.example'] }),
      JSON.stringify({ value: VALUE, hosts: [`https://${VALUE}`] }),
      JSON.stringify({ value: VALUE, hosts: ['a.example'], uses: [VALUE] }),
    ]) {
      const headers = { 'content-type': 'application/json' }
      const refused = await api.call('PUT', '/v1/secrets/A', { body: text, headers })
      expect(refused.status).toBeGreaterThanOrEqual(400)
      expect(refused.text).not.toContain('canary')
    }
    expect(api.errors).toEqual([])
  })

  it('gets a warning for a short value and for a key that no provider has', async () => {
    const { body } = await put('PIN', { ...BOUND, value: '1234567' })
    expect(body.warnings[0]).toContain('fewer than 8 characters')
    const key = await put('NOT_A_KEY', { ...BOUND, uses: ['model'] })
    expect(key.body.warnings[0]).toContain('No key for the use `model` has this name')
  })

  it('is named like an environment variable', async () => {
    for (const name of ['1A', 'A-B', 'A.B', 'A%20B', 'A'.repeat(129)]) {
      for (const [method, json] of [['PUT', BOUND], ['GET'], ['DELETE']] as const) {
        const { status, body } = await api.call(method, `/v1/secrets/${name}`, json && { json })
        expect([status, body.code]).toEqual([400, 'invalid_key'])
      }
    }
    expect((await put('constructor', BOUND)).status).toBe(201)
    expect((await put('__proto__', BOUND)).status).toBe(201)
    expect((await api.call('GET', '/v1/secrets')).body.data).toHaveLength(2)
  })

  it('of another tenant does not exist, even if its row is copied', async () => {
    await put('A', BOUND)
    const { key } = await createKey(api.world, 'stranger', ['*'])
    expect((await api.call('GET', '/v1/secrets', { key })).body.data).toEqual([])
    expect((await api.call('GET', '/v1/secrets/A', { key })).status).toBe(404)
    expect((await api.call('DELETE', '/v1/secrets/A', { key })).status).toBe(404)
    expect(await api.world.secrets.get('stranger', 'A')).toBeUndefined()
    const rows = await api.world.store.read(`${TENANT}/secrets/tenant`, 'b')
    const { body } = rows.find((row) => row.key === 's/A')!
    const moved = { op: 'put', key: 's/A', body, expect: 'any' } as const
    await api.world.store.commit('thief/secrets/tenant', [moved])
    expect(await api.world.secrets.get('thief', 'A')).toBeUndefined()
  })

  it('requires scopes that no other family includes, and that no token can have', async () => {
    const { key } = await createKey(api.world, TENANT, ['layers:*', 'keys:*', 'policy:*', 'runs:*'])
    const reader = await createKey(api.world, TENANT, ['secrets:read'])
    expect((await api.call('GET', '/v1/secrets', { key })).status).toBe(403)
    expect((await api.call('PUT', '/v1/secrets/A', { key, json: BOUND })).status).toBe(403)
    const { key: read } = reader
    expect((await api.call('GET', '/v1/secrets', { key: read })).status).toBe(200)
    expect((await api.call('PUT', '/v1/secrets/A', { key: read, json: BOUND })).status).toBe(403)
    expect((await api.call('DELETE', '/v1/secrets/A', { key: read })).status).toBe(403)
    const json = { tenant: true, scopes: ['secrets:read'] }
    expect((await api.call('POST', '/v1/tokens', { json })).status).toBe(422)
  })

  it('is listed in pages by name', async () => {
    for (const name of ['C', 'A', 'B']) await put(name, BOUND)
    const first = await api.call('GET', '/v1/secrets?limit=2')
    const names = ({ body }: typeof first) => body.data.map(({ name }: Entry) => name)
    expect([names(first), first.body.has_more]).toEqual([['A', 'B'], true])
    const cursor = encodeURIComponent(first.body.next_cursor)
    const last = await api.call('GET', `/v1/secrets?limit=2&cursor=${cursor}`)
    expect([names(last), last.body.has_more]).toEqual([['C'], false])
  })
})

describe('secrets of a tenant', () => {
  it('are limited in number and in bytes, and replacing one is always possible', async () => {
    const { secrets, secret_bytes, secrets_bytes } = LIMITS
    const large = { value: 'x'.repeat(secret_bytes), hosts: ['a.example'] }
    const fitting = secrets_bytes / secret_bytes
    for (let index = 0; index < fitting; index += 1) await put(`S_${index}`, large)
    expect((await put('MORE', BOUND)).status).toBe(429)
    expect((await put('S_0', BOUND)).status).toBe(200)
    for (let index = 1; index < fitting; index += 1) await put(`S_${index}`, BOUND)
    for (let index = fitting; index < secrets; index += 1) {
      expect((await put(`S_${index}`, BOUND)).status).toBe(201)
    }
    const { status, body } = await put('MORE', BOUND)
    expect([status, body.code]).toEqual([429, 'rate_limited'])
    expect((await put(`S_${secrets - 1}`, BOUND)).status).toBe(200)
  })

  it('lose no concurrent write, and each write has its own version', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => put(`M${index % 4}`, BOUND)),
    )
    const versions = answers.map(({ body }) => body.version)
    expect(new Set(versions).size).toBe(8)
    expect((await api.call('GET', '/v1/secrets')).body.data).toHaveLength(4)
  })
})

describe('the port with secrets of tenants', () => {
  beforeEach(async () => {
    const secrets = memorySecrets({ [TENANT]: { LISTED: 'of the deployment', BOTH: 'listed too' } })
    api = await testApi({ secrets })
  })

  it("resolves the tenant's secret before the deployment's, only for that tenant", async () => {
    const { secrets } = api.world
    expect(await secrets.get(TENANT, 'BOTH', MCP)).toBe('listed too')
    await put('BOTH', BOUND)
    expect(await secrets.get(TENANT, 'BOTH', MCP)).toBe(VALUE)
    expect(await secrets.get(TENANT, 'LISTED', MCP)).toBe('of the deployment')
    expect(await secrets.names(TENANT)).toEqual(new Set(['LISTED', 'BOTH']))
    expect(await secrets.tenantNames!(TENANT)).toEqual(new Set(['BOTH']))
    expect(await secrets.bindings(TENANT)).toEqual(new Map([['BOTH', ['mcp.shop.example']]]))
    expect(await secrets.get('stranger', 'LISTED', MCP)).toBeUndefined()
    await api.call('DELETE', '/v1/secrets/BOTH')
    expect(await secrets.get(TENANT, 'BOTH', MCP)).toBe('listed too')
  })

  it('returns a secret only for its hosts and uses, and never another in its place', async () => {
    const { secrets } = api.world
    await put('BOTH', { ...BOUND, uses: ['model'] })
    const model = { use: 'model', place: 'mcp.shop.example' } as const
    expect(await secrets.get(TENANT, 'BOTH', model)).toBe(VALUE)
    expect(await secrets.get(TENANT, 'BOTH', { ...model, place: 'evil.example' })).toBeUndefined()
    expect(await secrets.get(TENANT, 'BOTH', MCP)).toBeUndefined()
    expect((await secrets.names(TENANT, 'mcp')).has('BOTH')).toBe(false)
  })

  it('reads the store once in each cache period', async () => {
    const { clock, store: bare } = api.world
    let reads = 0
    const store: Store = {
      ...bare,
      read(partition, after) {
        reads += 1
        return bare.read(partition, after)
      },
    }
    const secrets = tenantSecrets(memorySecrets(), { store, clock })
    for (let round = 0; round < 5; round += 1) {
      await secrets.names('t')
      await Promise.all([secrets.bindings('t'), secrets.get('t', 'A'), secrets.get('t', 'B')])
      clock.advance((LIMITS.secret_cache_seconds * 1_000) / 5 - 1)
    }
    expect(reads).toBe(1)
    clock.advance(LIMITS.secret_cache_seconds * 1_000 + 1)
    await secrets.names('t')
    expect(reads).toBe(2)
  })
})

it('runs of a tenant without secrets read them from the store at most once in a cache period', async () => {
  const bare = memoryStore()
  const partitions: string[] = []
  const store: Store = {
    ...bare,
    read(partition, after) {
      partitions.push(partition)
      return bare.read(partition, after)
    },
  }
  api = await testApi({ store })
  for (let index = 0; index < 3; index += 1) {
    expect((await api.call('POST', '/v1/runs', { json: { input: '@say x' } })).status).toBe(202)
    await api.settle()
  }
  expect(partitions.filter((partition) => partition.includes('/secrets/'))).toHaveLength(1)
})

it('a server at another host does not get a bound secret', async () => {
  await put('SHOP_TOKEN', BOUND)
  const server = (url: string) => ({ url, bearer_token_env_var: 'SHOP_TOKEN' })
  const write = (url: string) => api.call('PUT', '/v1/mcp-servers/shop', { json: server(url) })
  const wrong = await write('https://evil.example/mcp')
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('SHOP_TOKEN is bound to mcp.shop.example')
  expect((await write('https://mcp.shop.example/mcp')).status).toBeLessThan(300)
})
