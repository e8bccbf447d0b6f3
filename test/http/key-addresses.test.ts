/** Keys of certain addresses, and when a key was last used. */

import { beforeEach, describe, expect, it } from 'vitest'
import { testWorld } from '../support/drive.ts'
import { type TestApi, testApi } from '../support/http.ts'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

interface Made {
  readonly id: string
  readonly key: string
}
const made = async (allowed_addresses: string[], scopes = ['runs:read']): Promise<Made> =>
  (await api.call('POST', '/v1/keys', { json: { scopes, allowed_addresses } })).body
const from = async (key: string, address?: string, headers = {}) => {
  const sent = address === undefined ? {} : { address }
  const { status, body } = await api.call('GET', '/v1/runs', { key, headers, ...sent })
  return [status, body.code]
}
const YES = [200, undefined]
const NO = [403, 'address_not_allowed']

describe('a key of certain addresses', () => {
  it('counts from these, in either way that an address is written', async () => {
    const { key } = await made(['203.0.113.0/24', '2001:db8::/48', '198.51.100.7'])
    for (const address of [
      '203.0.113.9',
      '::ffff:203.0.113.9',
      '::ffff:cb00:7109',
      '198.51.100.7',
      '2001:db8::1',
      '2001:0DB8:0:ffff::1%eth0',
    ])
      expect([address, ...(await from(key, address))]).toEqual([address, ...YES])
    for (const address of [
      '203.0.114.1',
      '198.51.100.8',
      '2001:db8:1::1',
      '::1',
      '203.0.113',
      '0xcb.0.113.9',
      '',
      undefined,
    ])
      expect([address, ...(await from(key, address))]).toEqual([address, ...NO])
  })

  it('is unknown with a wrong secret, from wherever, and says nothing of addresses', async () => {
    const { key } = await made(['203.0.113.9'])
    const wrong = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
    for (const address of ['203.0.113.9', '203.0.113.10'])
      expect(await from(wrong, address)).toEqual([401, 'unauthorized'])
    const { body } = await api.call('GET', '/v1/runs', { key, address: '192.0.2.77' })
    expect(JSON.stringify(body)).not.toMatch(/192\.0\.2|203\.0\.113/)
  })

  it('is refused by MCP too', async () => {
    const { key } = await made(['203.0.113.9'], ['*'])
    const list = (address: string) =>
      api.call('POST', '/mcp', {
        ...{ key, address, json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
        headers: { accept: 'application/json, text/event-stream' },
      })
    expect((await list('203.0.113.9')).status).toBe(200)
    const { status, text } = await list('203.0.113.10')
    expect([status, text.includes('address_not_allowed')]).toEqual([403, true])
    // What MCP asks of the routes comes from where its request came from.
    const runs = await api.call('POST', '/mcp', {
      ...{ key, address: '203.0.113.9' },
      headers: { accept: 'application/json, text/event-stream' },
      json: {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'runs_get', arguments: { run_id: 'run_0' } },
      },
    })
    expect(runs.text).toContain('not_found')
  })

  it('J20 takes no header for the address of its connection', async () => {
    const { key } = await made(['203.0.113.9'])
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'cf-connecting-ip'])
      expect(await from(key, '192.0.2.1', { [name]: '203.0.113.9' })).toEqual(NO)
    expect(await from(key, '203.0.113.9', { 'x-forwarded-for': '192.0.2.1' })).toEqual(YES)
    const { body } = await api.call('GET', '/v1/audit')
    expect(JSON.stringify(body)).not.toContain('192.0.2.1')
  })

  it('makes none that counts elsewhere', async () => {
    const { key, id } = await made(['203.0.113.0/24'], ['keys:*', 'runs:read'])
    const make = (json: object) =>
      api.call('POST', '/v1/keys', {
        ...{ key, address: '203.0.113.1', json: { scopes: ['runs:read'], ...json } },
      })
    for (const allowed_addresses of [['203.0.112.0/23'], ['203.0.113.1', '192.0.2.1'], ['::/0']]) {
      const { status, body } = await make({ allowed_addresses })
      expect([status, body.code]).toEqual([403, 'insufficient_scope'])
    }
    expect((await make({ allowed_addresses: ['203.0.113.128/25'] })).status).toBe(201)
    expect((await make({})).body.allowed_addresses).toEqual(['203.0.113.0/24'])
    const rotate = (one: string) =>
      api.call('POST', `/v1/keys/${one}/rotate`, { key, address: '203.0.113.1' })
    expect((await rotate(id)).body.allowed_addresses).toEqual(['203.0.113.0/24'])
    const free = await api.call('POST', '/v1/keys', { json: { scopes: ['runs:read'] } })
    expect((await rotate(free.body.id)).status).toBe(403)
  })

  it('is made of addresses alone', async () => {
    for (const allowed_addresses of [
      [],
      ['example.com'],
      ['10.0.0.1/8'],
      ['10.0.0.0/33'],
      ['10.0.0.0/08'],
      ['010.0.0.1'],
      ['10.1'],
      ['::ffff:10.0.0.1'],
      ['2001:db8::/129'],
      ['2001:db8::1/64'],
      ['fe80::1%eth0'],
      [''],
      Array.from({ length: 21 }, (_, n) => `10.0.0.${n}`),
    ]) {
      const json = { scopes: ['runs:read'], allowed_addresses }
      const { status, body } = await api.call('POST', '/v1/keys', { json })
      expect([allowed_addresses, status, body.code]).toEqual([
        ...[allowed_addresses, 422, 'invalid_request'],
      ])
    }
  })
})

it('J20 behind proxies of the operator the outermost one says where a request comes from', async () => {
  api = await testApi({ settings: { trustedProxies: 2 } })
  const { key } = await made(['203.0.113.9'])
  const forwarded = (list: string) => from(key, '10.0.0.1', { 'x-forwarded-for': list })
  expect(await forwarded('203.0.113.9, 10.0.0.2')).toEqual(YES)
  expect(await forwarded('192.0.2.1, 203.0.113.9, 10.0.0.2')).toEqual(YES)
  // The sender's own claim stands further to the left.
  expect(await forwarded('203.0.113.9, 192.0.2.1, 10.0.0.2')).toEqual(NO)
  // It came around a proxy.
  expect(await forwarded('203.0.113.9')).toEqual(NO)
  expect(await from(key, '203.0.113.9')).toEqual(NO)
})

describe('the last use of a key', () => {
  const lastUse = async (id: string) => (await api.call('GET', `/v1/keys/${id}`)).body.last_used_at
  const minute = () => new Date(Math.floor(api.world.clock.now() / 60_000) * 60_000).toISOString()

  it('is known to the minute, and written once an hour', async () => {
    const { id, key } = (await api.call('POST', '/v1/keys', { json: { scopes: ['runs:read'] } }))
      .body
    expect(await lastUse(id)).toBeNull()
    const first = minute()
    await from(key)
    expect(await lastUse(id)).toBe(first)
    api.world.clock.advance(3_000_000)
    await from(key)
    expect(await lastUse(id)).toBe(first)
    api.world.clock.advance(600_001)
    const second = minute()
    await from(key)
    expect(await lastUse(id)).toBe(second)
    const { body: list } = await api.call('GET', '/v1/keys')
    expect(list.data.find((one: Made) => one.id === id).last_used_at).toBe(second)
  })

  it('neither brings back a key that was revoked nor moves its end', async () => {
    const { id, key } = (await api.call('POST', '/v1/keys', { json: { scopes: ['runs:read'] } }))
      .body
    const next = await api.call('POST', `/v1/keys/${id}/rotate`, { json: { overlap_seconds: 60 } })
    await from(key)
    const { body } = await api.call('GET', `/v1/keys/${id}`)
    expect(body.expires_at).not.toBeNull()
    expect(body.last_used_at).not.toBeNull()
    await from(next.body.key)
    await api.call('DELETE', `/v1/keys/${next.body.id}`)
    await from(next.body.key)
    expect((await api.call('GET', `/v1/keys/${next.body.id}`)).status).toBe(404)
  })

  it('is no part of a request: storage that refuses it fails nothing', async () => {
    const { store } = testWorld()
    let tries = 0
    const refusing: typeof store = {
      ...store,
      commit(partition, writes, head) {
        if (!head?.body.includes('last_used_at')) return store.commit(partition, writes, head)
        tries += 1
        return Promise.reject(new Error('the disk is full'))
      },
    }
    api = await testApi({ store: refusing })
    expect(await from(api.key)).toEqual(YES)
    await Promise.resolve()
    expect([tries, api.errors]).toEqual([1, []])
  })
})
