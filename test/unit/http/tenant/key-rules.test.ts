/** Addresses, limits, last use, and changes of API keys. */

import { beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../../../src/http/app.ts'
import { testWorld } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

interface Made {
  readonly id: string
  readonly key: string
}
const make = async (json: object): Promise<Made> =>
  (await api.call('POST', '/v1/keys', { json: { scopes: ['runs:read'], ...json } })).body

/** A request from an address, as the host passes it. */
async function from(key: string, address?: string, headers: Record<string, string> = {}) {
  const { app } = createApp(api.world)
  const sent = { headers: { authorization: `Bearer ${key}`, ...headers } }
  const answer = await app.request('/v1/runs', sent, { address })
  const { code } = (await answer.json()) as { code?: string }
  return [answer.status, code]
}
const YES = [200, undefined]
const NO = [403, 'address_not_allowed']

describe('a key restricted to addresses', () => {
  it('is accepted from these, in either notation of an address', async () => {
    const addresses = ['203.0.113.0/24', '2001:db8::/48', '198.51.100.7']
    const { key } = await make({ addresses })
    for (const address of [
      ...['203.0.113.9', '::ffff:203.0.113.9', '::ffff:cb00:7109', '198.51.100.7'],
      ...['2001:db8::1', '2001:0DB8:0:ffff::1%eth0'],
    ])
      expect([address, ...(await from(key, address))]).toEqual([address, ...YES])
    for (const address of [
      ...['203.0.114.1', '198.51.100.8', '2001:db8:1::1', '::1', '203.0.113', '0xcb.0.113.9'],
      ...['', undefined],
    ])
      expect([address, ...(await from(key, address))]).toEqual([address, ...NO])
  })

  it('accepts no header in place of the address of its connection [J20]', async () => {
    const { key } = await make({ addresses: ['203.0.113.9'] })
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'cf-connecting-ip'])
      expect(await from(key, '192.0.2.1', { [name]: '203.0.113.9' })).toEqual(NO)
    expect(await from(key, '203.0.113.9', { 'x-forwarded-for': '192.0.2.1' })).toEqual(YES)
  })

  it('is judged by the outermost trusted proxy where the operator configures some', async () => {
    api = await testApi({ settings: { trustedProxies: 2 } })
    const { key } = await make({ addresses: ['203.0.113.9'] })
    const forwarded = (list: string) => from(key, '10.0.0.1', { 'x-forwarded-for': list })
    expect(await forwarded('203.0.113.9, 10.0.0.2')).toEqual(YES)
    expect(await forwarded('192.0.2.1, 203.0.113.9, 10.0.0.2')).toEqual(YES)
    expect(await forwarded('203.0.113.9, 192.0.2.1, 10.0.0.2')).toEqual(NO)
    expect(await forwarded('203.0.113.9')).toEqual(NO)
    expect(await from(key, '203.0.113.9')).toEqual(NO)
  })

  it.each([
    [[]],
    [['example.com']],
    [['10.0.0.1/8']],
    [['10.0.0.0/33']],
    [['10.0.0.0/08']],
    [['010.0.0.1']],
    [['10.1']],
    [['::ffff:10.0.0.1']],
    [['2001:db8::/129']],
    [['fe80::1%eth0']],
    [['']],
    [Array.from({ length: 21 }, (_, n) => `10.0.0.${n}`)],
  ])('422 is not created with %j', async (addresses) => {
    const json = { scopes: ['runs:read'], addresses }
    const { status, body } = await api.call('POST', '/v1/keys', { json })
    expect([status, body.code]).toEqual([422, 'invalid_request'])
  })
})

describe('a change of a key', () => {
  const patch = (id: string, json: object, more: { key?: string; headers?: object } = {}) =>
    api.call('PATCH', `/v1/keys/${id}`, { json, ...more } as object)

  it('200 takes effect at once, preserves what is omitted, and removes what is null', async () => {
    const { id, key } = await make({ name: 'ci' })
    const first = await patch(id, { addresses: ['203.0.113.9'], scopes: ['runs:*'] })
    expect(first.body).toMatchObject({
      ...{ name: 'ci', scopes: ['runs:*'], addresses: ['203.0.113.9'], rate_limits: null },
    })
    expect(await from(key, '192.0.2.1')).toEqual(NO)
    const second = await patch(id, { addresses: null, name: null, scopes: ['audit:read'] })
    expect(second.body).toMatchObject({ name: null, addresses: null })
    expect(await from(key, '192.0.2.1')).toEqual([403, 'insufficient_scope'])
    const { body } = await api.call('GET', '/v1/audit')
    expect(body.data[0]).toMatchObject({ kind: 'key', action: 'update', name: id })
    expect(body.data[0].detail).toContain('audit:read')
  })

  it('412 unless the key is unchanged since it was read', async () => {
    const { id } = await make({})
    const { headers } = await api.call('GET', `/v1/keys/${id}`)
    const match = { headers: { 'if-match': headers.get('etag')! } }
    const changed = await patch(id, { name: 'a' }, match)
    expect(changed.status).toBe(200)
    expect((await patch(id, { name: 'b' }, match)).status).toBe(412)
    const again = { headers: { 'if-match': changed.headers.get('etag')! } }
    expect((await patch(id, { name: 'b' }, again)).status).toBe(200)
  })

  it('200 limits requests from then on, and null removes the limit', async () => {
    const { id, key } = await make({})
    await patch(id, { rate_limits: { requests_per_second: 1 } })
    const three = async () => [(await from(key))[0], (await from(key))[0], (await from(key))[0]]
    expect(await three()).toEqual([200, 200, 429])
    await patch(id, { rate_limits: null })
    api.world.clock.advance(1_000)
    expect(await three()).toEqual([200, 200, 200])
  })

  it('403 never grants a key more than its creator has', async () => {
    const limits = { requests_per_second: 50 }
    const expires_at = new Date(api.world.clock.now() + 3_600_000).toISOString()
    const maker = await make({ scopes: ['keys:*', 'runs:read'], rate_limits: limits, expires_at })
    const same = { expires_at, rate_limits: limits }
    const made = (json: object) =>
      api.call('POST', '/v1/keys', { json: { scopes: ['runs:read'], ...json }, key: maker.key })
    const { body } = await made({})
    expect(body).toMatchObject(same)
    for (const json of [
      { scopes: ['runs:write'] },
      { expires_at: '2999-01-01T00:00:00Z' },
      { rate_limits: { requests_per_second: 51 } },
      { rate_limits: { run_starts_per_minute: 5 } },
    ]) {
      expect([json, (await made(json)).status]).toEqual([json, 403])
      expect([json, (await patch(body.id, json, maker)).status]).toEqual([json, 403])
    }
    for (const json of [{ expires_at: null }, { rate_limits: null }])
      expect((await patch(body.id, json, maker)).status).toBe(403)
    const admin = await make({ scopes: ['*'] })
    expect((await patch(admin.id, { name: 'mine' }, maker)).status).toBe(403)
    expect((await patch(maker.id, { rate_limits: null }, maker)).status).toBe(409)
  })

  it('403 never makes a key valid from addresses outside those of its creator', async () => {
    const { key } = await make({ scopes: ['keys:*', 'runs:read'], addresses: ['203.0.113.0/24'] })
    const { app } = createApp(api.world)
    const made = async (json: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ scopes: ['runs:read'], ...json })
      const request = { method: 'POST', headers, body }
      return app.request('/v1/keys', request, { address: '203.0.113.1' })
    }
    expect((await made({ addresses: ['203.0.112.0/23'] })).status).toBe(403)
    expect((await made({ addresses: ['203.0.113.128/25'] })).status).toBe(201)
    const inherited = (await (await made({})).json()) as { addresses: string[] }
    expect(inherited.addresses).toEqual(['203.0.113.0/24'])
  })

  it('403 never raises a limit above that of the tenant', async () => {
    const rate_limits = { requests_per_second: 1_000_000 }
    const { id } = await make({})
    expect((await patch(id, { rate_limits })).status).toBe(403)
  })
})

describe('the last use of a key', () => {
  const lastUse = async (id: string) => (await api.call('GET', `/v1/keys/${id}`)).body.last_used_at
  const hour = () =>
    new Date(Math.floor(api.world.clock.now() / 3_600_000) * 3_600_000).toISOString()

  it('is known to the hour, and written at most once per hour', async () => {
    const { store } = testWorld()
    let writes = 0
    const counting: typeof store = {
      ...store,
      commit(partition, rows, head) {
        if (head?.body.includes('last_used_at')) writes += 1
        return store.commit(partition, rows, head)
      },
    }
    api = await testApi({ store: counting })
    const { id, key } = await make({})
    expect(await lastUse(id)).toBeNull()
    writes = 0
    for (let count = 0; count < 5; count += 1) await from(key)
    expect([await lastUse(id), writes]).toEqual([hour(), 1])
    api.world.clock.advance(3_600_000)
    await from(key)
    expect(await lastUse(id)).toBe(hour())
  })

  it('is independent of the request: storage that refuses the write fails nothing', async () => {
    const { store } = testWorld()
    let tries = 0
    const refusing: typeof store = {
      ...store,
      commit(partition, rows, head) {
        if (!head?.body.includes('last_used_at')) return store.commit(partition, rows, head)
        tries += 1
        return Promise.reject(new Error('the disk is full'))
      },
    }
    api = await testApi({ store: refusing })
    expect(await from(api.key)).toEqual(YES)
    expect(await from(api.key)).toEqual(YES)
    expect([tries, api.errors]).toEqual([1, []])
  })

  it('includes requests of a browser session that the key created', async () => {
    const { id, key } = await make({})
    const session = await api.call('POST', '/v1/browser-sessions', { json: { key } })
    const cookie = session.headers.get('set-cookie')!.split(';')[0]!
    const signedInAt = await lastUse(id)
    api.world.clock.advance(2 * 3_600_000)
    const headers = { authorization: '', cookie, 'sec-fetch-site': 'same-origin' }
    expect((await api.call('GET', '/v1/runs', { headers })).status).toBe(200)
    expect(await lastUse(id)).toBe(hour())
    expect(await lastUse(id)).not.toBe(signedInAt)
  })

  it('is written once per hour, however many processes serve the key', async () => {
    const { store } = api.world
    let writes = 0
    const { key } = await make({ scopes: ['runs:read'] })
    const processes = Array.from({ length: 20 }, () => {
      const own: typeof store = {
        ...store,
        async commit(partition, rows, head) {
          const result = await store.commit(partition, rows, head)
          if (head?.body.includes('last_used_at') && result === 'ok') writes += 1
          return result
        },
      }
      return createApp({ ...api.world, store: own }).app
    })
    const headers = { authorization: `Bearer ${key}` }
    const answers = await Promise.all(
      processes.map((process) => process.request('/v1/runs', { headers })),
    )
    expect(answers.map(({ status }) => status)).toEqual(processes.map(() => 200))
    expect(writes).toBe(1)
  })

  it('neither restores a revoked key nor changes its expiry', async () => {
    const { id, key } = await make({})
    await api.call('POST', `/v1/keys/${id}/rotate`, { json: { overlap_seconds: 60 } })
    await from(key)
    expect((await api.call('GET', `/v1/keys/${id}`)).body.expires_at).not.toBeNull()
    await api.call('DELETE', `/v1/keys/${id}`)
    expect((await from(key))[0]).toBe(401)
    expect((await api.call('GET', `/v1/keys/${id}`)).status).toBe(404)
  })
})

it('a key for some layers creates keys for these layers or fewer', async () => {
  const scopes = ['keys:write', 'layers:write:roles/support/']
  const { key } = await make({ scopes })
  const grant = async (scope: string) => {
    const json = { scopes: [scope] }
    const headers = { authorization: `Bearer ${key}` }
    const { status, body } = await api.call('POST', '/v1/keys', { json, headers })
    return [status, body.code]
  }
  expect(await grant('layers:write:roles/support/')).toEqual([201, undefined])
  expect(await grant('layers:write:roles/support/night/')).toEqual([201, undefined])
  const refused = ['layers:write', 'layers:*', 'layers:write:roles/', 'layers:write:roles/sales/']
  for (const scope of refused)
    expect([scope, ...(await grant(scope))]).toEqual([scope, 403, 'insufficient_scope'])
  for (const scope of ['roles', 'roles/../base/', './', '*/', '/', '', 'roles//'])
    expect([scope, ...(await grant(`layers:write:${scope}`))]).toEqual([
      scope,
      422,
      'invalid_request',
    ])
  const read = { scopes: ['layers:read:roles/support/'] }
  expect((await api.call('POST', '/v1/keys', { json: read })).status).toBe(422)
})
