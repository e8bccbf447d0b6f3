/** Secrets by the API: put, never shown again, bound to hosts, found before the deployment's. */

import { beforeEach, describe, expect, it } from 'vitest'
import { createKey } from '../../src/engine/tenant/api-keys.ts'
import { tenantSecrets } from '../../src/engine/tenant/secrets.ts'
import { memorySecrets } from '../../src/hosts/memory/secrets.ts'
import type { Store } from '../../src/ports/world.ts'
import { TENANT } from '../support/drive.ts'
import { type TestApi, testApi } from '../support/http.ts'

const VALUE = 'kq7-93jd-canary-of-the-desk'
let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

const put = (name: string, json: object, headers = {}) =>
  api.call('PUT', `/v1/secrets/${name}`, { json, headers })
const BOUND = { value: VALUE, hosts: ['mcp.shop.example'] }
const SERVER = { use: 'server', place: 'mcp.shop.example' } as const

describe('a secret', () => {
  it('is put, listed and looked at, without its value anywhere', async () => {
    const { status, body, headers } = await put('SHOP_TOKEN', BOUND)
    expect(status).toBe(201)
    expect(headers.get('location')).toBe('/v1/secrets/SHOP_TOKEN')
    expect(headers.get('etag')).toBe('"1"')
    const { warnings, ...shown } = body
    expect(warnings).toEqual([])
    expect(shown).toMatchObject({
      ...{ name: 'SHOP_TOKEN', version: 1, hosts: ['mcp.shop.example'], any_host: false },
      uses: ['server'],
    })
    const list = await api.call('GET', '/v1/secrets')
    const one = await api.call('GET', '/v1/secrets/SHOP_TOKEN')
    expect(list.body.data).toEqual([shown])
    expect(one.body).toEqual(shown)
    const audit = await api.call('GET', '/v1/audit')
    expect(audit.body.data.map(({ kind, action, name }: Entry) => [kind, action, name])).toEqual(
      expect.arrayContaining([
        ['secret', 'create', 'SHOP_TOKEN'],
        ['secret', 'read', 'SHOP_TOKEN'],
        ['secret', 'read', '*'],
      ]),
    )
    for (const { text } of [list, one, audit]) expect(text).not.toContain('canary')
    expect(JSON.stringify(body)).not.toContain('canary')
    const rows = await api.world.store.read(`${TENANT}/secrets/tenant`)
    expect(rows.map(({ body: row }) => row).join()).not.toContain('canary')
  })

  it('is replaced by a later put, which drops its value, under the etag that was read', async () => {
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

  it('that is deleted and made again has a version that nobody has seen', async () => {
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

  it('needs a host, or the word that it needs none', async () => {
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
      { value: 'é'.repeat(4_097), hosts: ['a.example'] },
      { ...BOUND, uses: [] },
      { ...BOUND, uses: ['shell'] },
      { ...BOUND, tenant: 'other' },
    ]) {
      const { status, body } = await put('A', json)
      expect([status, body.code]).toEqual([422, 'invalid_request'])
      expect(body.errors[0].pointer).toMatch(/^\/?/)
    }
    const { body } = await put('A', { value: VALUE, any_host: true })
    expect(body).toMatchObject({ hosts: [], any_host: true })
    expect(body.warnings[0]).toContain('any host')
    expect(
      (await put('B', { value: 'é'.repeat(4_096), hosts: ['A.example.'] })).body.hosts,
    ).toEqual(['a.example'])
  })

  it('says at its put that a short value is not hidden', async () => {
    const { body } = await put('PIN', { ...BOUND, value: '1234567' })
    expect(body.warnings[0]).toContain('fewer than 8 characters')
  })

  it('is named like a variable', async () => {
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

  it('of another tenant is not there', async () => {
    await put('A', BOUND)
    const { key } = await createKey(api.world, 'stranger', ['*'])
    expect((await api.call('GET', '/v1/secrets', { key })).body.data).toEqual([])
    expect((await api.call('GET', '/v1/secrets/A', { key })).status).toBe(404)
    expect((await api.call('DELETE', '/v1/secrets/A', { key })).status).toBe(404)
    expect(await api.world.secrets.get('stranger', 'A')).toBeUndefined()
    // A row that is moved to another tenant, or to another name, does not open.
    const rows = await api.world.store.read(`${TENANT}/secrets/tenant`, 'b')
    const { body } = rows.find((row) => row.key === 's/A')!
    const moved = { op: 'put', key: 's/A', body, expect: 'any' } as const
    await api.world.store.commit('thief/secrets/tenant', [moved])
    expect(await api.world.secrets.get('thief', 'A')).toBeUndefined()
  })

  it('needs scopes of its own, which no other family has', async () => {
    const { key } = await createKey(api.world, TENANT, ['layers:*', 'keys:*', 'policy:*', 'runs:*'])
    const reader = await createKey(api.world, TENANT, ['secrets:read'])
    expect((await api.call('GET', '/v1/secrets', { key })).status).toBe(403)
    expect((await api.call('PUT', '/v1/secrets/A', { key, json: BOUND })).status).toBe(403)
    const { key: read } = reader
    expect((await api.call('GET', '/v1/secrets', { key: read })).status).toBe(200)
    expect((await api.call('PUT', '/v1/secrets/A', { key: read, json: BOUND })).status).toBe(403)
    expect((await api.call('DELETE', '/v1/secrets/A', { key: read })).status).toBe(403)
  })
})

interface Entry {
  readonly kind: string
  readonly action: string
  readonly name: string
}

it('at most a hundred secrets, and 256 KiB of them together', async () => {
  const large = { value: 'x'.repeat(8_192), hosts: ['a.example'] }
  for (let index = 0; index < 32; index += 1) {
    expect((await put(`LARGE_${index}`, large)).status).toBe(201)
  }
  expect((await put('MORE', BOUND)).status).toBe(429)
  expect((await put('LARGE_0', BOUND)).status).toBe(200)
  for (let index = 1; index < 32; index += 1) await put(`LARGE_${index}`, BOUND)
  for (let index = 32; index < 100; index += 1) {
    expect((await put(`LARGE_${index}`, BOUND)).status).toBe(201)
  }
  const { status, body } = await put('MORE', BOUND)
  expect([status, body.code]).toEqual([429, 'rate_limited'])
  expect((await put('LARGE_99', BOUND)).status).toBe(200)
})

it('puts that meet lose nothing, and each has a version of its own', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => put(`M${index % 4}`, BOUND)),
  )
  const versions = answers.map(({ body }) => body.version)
  expect(new Set(versions).size).toBe(8)
  expect((await api.call('GET', '/v1/secrets')).body.data).toHaveLength(4)
})

describe('the port', () => {
  beforeEach(async () => {
    const secrets = memorySecrets({ [TENANT]: { LISTED: 'of the deployment', BOTH: 'listed too' } })
    api = await testApi({ secrets })
  })

  it("finds the tenant's own secret first, then the deployment's, for its tenant alone", async () => {
    const { secrets } = api.world
    expect(await secrets.get(TENANT, 'BOTH', SERVER)).toBe('listed too')
    await put('BOTH', BOUND)
    expect(await secrets.get(TENANT, 'BOTH', SERVER)).toBe(VALUE)
    expect(await secrets.get(TENANT, 'LISTED', SERVER)).toBe('of the deployment')
    expect(await secrets.names(TENANT)).toEqual(new Set(['LISTED', 'BOTH']))
    expect(await secrets.bindings(TENANT)).toEqual(new Map([['BOTH', ['mcp.shop.example']]]))
    expect(await secrets.get('stranger', 'LISTED', SERVER)).toBeUndefined()
    await api.call('DELETE', '/v1/secrets/BOTH')
    expect(await secrets.get(TENANT, 'BOTH', SERVER)).toBe('listed too')
  })

  it('gives a secret only to its hosts and for its uses, and never another in its place', async () => {
    const { secrets } = api.world
    await put('BOTH', { ...BOUND, uses: ['server'] })
    const elsewhere = { ...SERVER, place: 'evil.example' }
    expect(await secrets.get(TENANT, 'BOTH', elsewhere)).toBeUndefined()
    expect(await secrets.get(TENANT, 'BOTH', SERVER)).toBe(VALUE)
  })

  it('reads the store once in thirty seconds', async () => {
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
      clock.advance(5_000)
    }
    expect(reads).toBe(1)
    clock.advance(30_001)
    await secrets.names('t')
    expect(reads).toBe(2)
  })
})

it('T15: a server elsewhere is not given a secret that is bound', async () => {
  await put('SHOP_TOKEN', BOUND)
  const server = (url: string) => ({ url, bearer_token_env_var: 'SHOP_TOKEN' })
  const write = (url: string) => api.call('PUT', '/v1/mcp-servers/shop', { json: server(url) })
  const wrong = await write('https://evil.example/mcp')
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('SHOP_TOKEN is bound to mcp.shop.example')
  expect((await write('https://mcp.shop.example/mcp')).status).toBeLessThan(300)
})
