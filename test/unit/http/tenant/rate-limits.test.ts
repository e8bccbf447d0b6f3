/** Rate limits of keys and tenants, by the API on one process. */

import { describe, expect, it } from 'vitest'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { TENANT } from '../../../support/drive.ts'
import { testApi } from '../../../support/http.ts'

const limits = { requests_per_second: 10, run_starts_per_minute: 60, body_bytes_per_second: 1_000 }
const rateLimits = { key: limits, tenant: { ...limits, requests_per_second: 15 } }

async function limited(rates = rateLimits) {
  const api = await testApi({ settings: { rateLimits: rates } })
  const read = (key = api.key) => api.call('GET', '/v1/runs', { key })
  const statuses = async (count: number, key = api.key) => {
    const all = []
    for (let index = 0; index < count; index += 1) all.push((await read(key)).status)
    return all
  }
  const keyOf = async (tenant: string) => (await createKey(api.world, tenant, ['*'])).key
  return { api, read, statuses, keyOf }
}
const times = (count: number, status: number) => Array(count).fill(status)

describe('the request rate limit', () => {
  it('200 reports what remains for the key and for its tenant', async () => {
    const { read } = await limited()
    const { headers } = await read()
    expect(headers.get('ratelimit')).toBe('"key-requests";r=19;t=1, "tenant-requests";r=29;t=1')
    expect(headers.get('ratelimit-policy')).toBe(
      '"key-requests";q=20;w=2, "key-run-starts";q=60;w=60, ' +
        '"key-bytes";q=10000;qu="content-bytes";w=10, ' +
        '"tenant-requests";q=30;w=2, "tenant-run-starts";q=60;w=60, ' +
        '"tenant-bytes";q=10000;qu="content-bytes";w=10',
    )
  })

  it('429 after a burst, with an accurate Retry-After', async () => {
    const { api, read, statuses } = await limited()
    expect(await statuses(20)).toEqual(times(20, 200))
    const { status, body, headers } = await read()
    expect([status, body.code]).toEqual([429, 'rate_limited'])
    expect(headers.get('retry-after')).toBe('1')
    expect(headers.get('ratelimit')).toContain('"key-requests";r=0;t=2')
    api.world.clock.advance(1_000)
    expect(await statuses(11)).toEqual([...times(10, 200), 429])
  })

  it('a slow limit reports the time until the next token', async () => {
    const { api, read } = await limited()
    const made = await api.call('POST', '/v1/keys', {
      json: { scopes: ['runs:*'], rate_limits: { run_starts_per_minute: 2 } },
    })
    const start = () =>
      api.call('POST', '/v1/runs', { json: { input: '@say hi' }, key: made.body.key })
    expect([(await start()).status, (await start()).status]).toEqual([202, 202])
    const refused = await start()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
    expect((await read(made.body.key)).status).toBe(200)
    api.world.clock.advance(30_000)
    expect((await start()).status).toBe(202)
  })

  it('429 applies to all keys of a tenant together, and never to another tenant [H19]', async () => {
    const { statuses, keyOf } = await limited()
    const [second, third, other] = [await keyOf(TENANT), await keyOf(TENANT), await keyOf('b')]
    expect(await statuses(20)).toEqual(times(20, 200))
    expect(await statuses(12, second)).toEqual([...times(10, 200), 429, 429])
    expect(await statuses(1, third)).toEqual([429])
    expect(await statuses(20, other)).toEqual(times(20, 200))
  })

  it('a refused request uses up nothing', async () => {
    const { api, statuses } = await limited()
    await statuses(60)
    api.world.clock.advance(2_000)
    expect(await statuses(20)).toEqual(times(20, 200))
  })

  it('429 a sudden flood does not block another key', async () => {
    const { read, keyOf } = await limited({
      key: limits,
      tenant: { ...limits, requests_per_second: 1_000 },
    })
    const other = await keyOf(TENANT)
    const flood = Promise.all(Array.from({ length: 500 }, () => read()))
    expect((await read(other)).status).toBe(200)
    const refused = (await flood).filter(({ status }) => status === 429)
    expect(refused).toHaveLength(480)
  })
})

describe('the run start limit', () => {
  const fanout = (count: number) => ({
    tasks: Array.from({ length: count }, () => ({ task: '@say hi' })),
  })

  it('429 applies to each task of a fan-out', async () => {
    const { api } = await limited()
    const start = (count: number) => api.call('POST', '/v1/fanouts', { json: fanout(count) })
    const first = await start(100)
    expect(first.status).toBe(202)
    expect(first.headers.get('ratelimit')).toContain('"key-run-starts";r=0')
    const refused = await start(1)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '41'])
  })

  it.each([
    ['/v1/runs', { input: '@say hi' }],
    ['/v1/responses', { input: '@say hi' }],
    ['/v1/chat/completions', { model: 'agent/base', messages: [{ role: 'user', content: 'hi' }] }],
    ['/v1/runs/run_00000000000000000000000000/retry', {}],
    ['/v1/schedules/none/run', undefined],
  ])('429 applies to %s', async (path, json) => {
    const { api } = await limited({ ...rateLimits, key: { ...limits, run_starts_per_minute: 1 } })
    await api.call('POST', '/v1/fanouts', { json: fanout(2) })
    const { status, body } = await api.call('POST', path, json && { json })
    expect([status, body.code]).toEqual([429, 'rate_limited'])
  })
})

describe('the body size limit', () => {
  it('429 applies before a body is read, even after earlier chunked bodies', async () => {
    const { api } = await limited()
    const put = (body: string, more: object = {}) =>
      api.call('PUT', '/v1/files/base/a.md', {
        body,
        headers: { 'content-type': 'application/octet-stream', ...more },
      })
    const text = 'x'.repeat(12_000)
    expect((await put(text, { 'content-length': '12000' })).status).toBe(201)
    const refused = await put('y', { 'content-length': '1' })
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    api.world.clock.advance(3_000)
    expect((await put(text, { 'transfer-encoding': 'chunked' })).status).toBe(200)
    expect((await put('y', { 'content-length': '1' })).status).toBe(429)
  })
})
