/** API keys by the API: what each may do, until when, and that none outgrows its maker. */

import { beforeEach, describe, expect, it } from 'vitest'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { type TestApi, testApi } from '../../../support/http.ts'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

const make = async (json: object) => (await api.call('POST', '/v1/keys', { json })).body
const withKey = (key: string, method: string, path: string, json?: object) =>
  api.call(method, path, { headers: { authorization: `Bearer ${key}` }, ...(json && { json }) })
/** So many turns of the event loop as a stream needs for one step. */
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
const pass = (ms: number) => api.world.clock.advance(ms)

describe('a key', () => {
  it('is created with scopes, shown once, listed without its text, and recorded in the audit', async () => {
    const { status, body, headers } = await api.call('POST', '/v1/keys', {
      json: { name: 'The desk', scopes: ['runs:*'] },
    })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`/v1/keys/${body.id}`)
    expect(body.key).toMatch(new RegExp(`^strata_${body.id}_`))
    const { key, ...shown } = body
    const { body: list } = await api.call('GET', '/v1/keys')
    expect(list.data[0]).toEqual(shown)
    expect(JSON.stringify(list)).not.toContain(key.split('_')[2])
    expect((await api.call('GET', `/v1/keys/${body.id}`)).body).toEqual(shown)
    expect((await withKey(key, 'GET', '/v1/runs')).status).toBe(200)
    expect((await withKey(key, 'GET', '/v1/policy')).body.code).toBe('insufficient_scope')
    const { body: audit } = await api.call('GET', '/v1/audit')
    expect(audit.data[0]).toMatchObject({
      ...{ kind: 'key', action: 'create', name: body.id, detail: 'runs:*' },
    })
  })

  it('grants nothing that its creator does not have [H12]', async () => {
    const { key } = await make({ scopes: ['keys:write', 'runs:read'] })
    for (const scopes of [['*'], ['runs:*'], ['runs:write'], ['runs:read', 'layers:read']]) {
      const { status, body } = await withKey(key, 'POST', '/v1/keys', { scopes })
      expect([status, body.code]).toEqual([403, 'insufficient_scope'])
      expect(body.detail).toContain('your key lacks')
    }
    expect((await withKey(key, 'POST', '/v1/keys', { scopes: ['runs:read'] })).status).toBe(201)
    const all = await api.call('GET', '/v1/keys')
    const [admin] = all.body.data.filter(({ scopes }: { scopes: string[] }) => scopes[0] === '*')
    expect((await withKey(key, 'POST', `/v1/keys/${admin.id}/rotate`)).status).toBe(403)
    const { key: blind } = await make({ scopes: ['keys:read'] })
    expect((await withKey(blind, 'POST', '/v1/keys', { scopes: ['keys:read'] })).status).toBe(403)
  })

  it('that is revoked ends its open streams at their next check, within five seconds [C15]', async () => {
    const { key, id } = await make({ scopes: ['runs:read'] })
    const run = (await api.call('POST', '/v1/runs', { json: { input: '@say later' } })).body.id
    const stream = (own: string) => {
      const headers = { accept: 'text/event-stream', authorization: `Bearer ${own}` }
      return api.call('GET', `/v1/runs/${run}/events`, { headers })
    }
    const ends: string[] = []
    const [revoked, other] = [stream(key), stream(api.key)]
    void revoked.then(() => ends.push('revoked'))
    void other.then(() => ends.push('other'))
    const look = async () => {
      await turns()
      pass(5_000)
      await turns()
    }
    await look()
    expect(ends).toEqual([])
    expect((await api.call('DELETE', `/v1/keys/${id}`)).status).toBe(204)
    await look()
    expect(ends).toEqual(['revoked'])
    expect((await revoked).text).toMatch(/: unauthorized: the credential was revoked/)
    expect((await stream(key)).status).toBe(401)
    await api.settle()
    const { text } = await other
    expect(text).toContain('run.completed')
    expect(text).not.toContain('unauthorized')
  })

  it('that has expired is refused, and listed as expired', async () => {
    const expires_at = new Date(api.world.clock.now() + 60_000).toISOString()
    const { key, id } = await make({ scopes: ['runs:read'], expires_at })
    expect((await withKey(key, 'GET', '/v1/runs')).status).toBe(200)
    pass(60_001)
    expect((await withKey(key, 'GET', '/v1/runs')).status).toBe(401)
    expect((await api.call('GET', `/v1/keys/${id}`)).body).toMatchObject({ expired: true })
    const late = await api.call('POST', `/v1/keys/${id}/rotate`)
    expect([late.status, late.body.code]).toEqual([409, 'conflict'])
  })

  it('that is revoked is refused at once and no longer listed [D15]', async () => {
    const { key, id } = await make({ scopes: ['runs:read'] })
    expect((await withKey(key, 'GET', '/v1/runs')).status).toBe(200)
    expect((await api.call('DELETE', `/v1/keys/${id}`)).status).toBe(204)
    expect((await withKey(key, 'GET', '/v1/runs')).status).toBe(401)
    expect((await api.call('GET', `/v1/keys/${id}`)).status).toBe(404)
    expect((await api.call('DELETE', `/v1/keys/${id}`)).status).toBe(404)
  })

  it('is replaced by one with the same rights, and stays valid beside it for a while', async () => {
    const first = await make({ name: 'ci', scopes: ['runs:read'] })
    const { status, body } = await api.call('POST', `/v1/keys/${first.id}/rotate`, {
      json: { overlap_seconds: 600 },
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: 'ci', scopes: ['runs:read'], expires_at: null })
    const both = async () => [
      (await withKey(first.key, 'GET', '/v1/runs')).status,
      (await withKey(body.key, 'GET', '/v1/runs')).status,
    ]
    expect(await both()).toEqual([200, 200])
    pass(600_001)
    expect(await both()).toEqual([401, 200])
  })

  it('does not revoke itself', async () => {
    const { key, id } = await make({ scopes: ['*'] })
    const { status, body } = await withKey(key, 'DELETE', `/v1/keys/${id}`)
    expect([status, body.code]).toEqual([409, 'conflict'])
    expect((await withKey(key, 'GET', `/v1/keys/${id}`)).body).toMatchObject({ current: true })
  })

  it('of another tenant is not found', async () => {
    const { id } = await make({ scopes: ['*'] })
    const foreign = await createKey(api.world, 'stranger', ['*'])
    const nobody = '0'.repeat(16)
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const) {
      const theirs = await withKey(foreign.key, method, `/v1/keys/${id}${path}`)
      const none = await withKey(foreign.key, method, `/v1/keys/${nobody}${path}`)
      expect(theirs.status).toBe(404)
      expect({ ...theirs.body, request_id: '', instance: '' }).toEqual({
        ...{ ...none.body, request_id: '', instance: '' },
      })
    }
    expect((await withKey(foreign.key, 'GET', '/v1/keys')).body.data).toHaveLength(1)
  })
})

it('a repeated request creates one key and does not show it twice', async () => {
  const headers = { 'idempotency-key': 'a-key-of-the-caller' }
  const ask = () => api.call('POST', '/v1/keys', { json: { scopes: ['runs:read'] }, headers })
  const [first, again] = [await ask(), await ask()]
  expect(again.status).toBe(201)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(again.body).toEqual({ ...first.body, key: null })
  const rotate = () => api.call('POST', `/v1/keys/${first.body.id}/rotate`, { headers })
  const [next, same] = [await rotate(), await rotate()]
  expect(same.body).toEqual({ ...next.body, key: null })
  expect(next.body.id).not.toBe(first.body.id)
  expect((await withKey(next.body.key, 'GET', '/v1/runs')).status).toBe(200)
})

it('concurrent requests with one Idempotency-Key create one key and show it once', async () => {
  const headers = { 'idempotency-key': 'a-key-of-the-caller' }
  const ask = () => api.call('POST', '/v1/keys', { json: { scopes: ['runs:read'] }, headers })
  const answers = await Promise.all(Array.from({ length: 5 }, ask))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect(answers.filter(({ body }) => body.key !== null)).toHaveLength(1)
})

it('a request repeated with a less privileged key grants nothing, even after the first key is gone', async () => {
  const headers = { 'idempotency-key': 'a-key-of-the-caller' }
  const json = { scopes: ['*'] }
  const { body } = await api.call('POST', '/v1/keys', { json, headers })
  await api.call('DELETE', `/v1/keys/${body.id}`)
  const { key } = await make({ scopes: ['keys:write'] })
  const again = await api.call('POST', '/v1/keys', {
    json,
    headers: { ...headers, authorization: `Bearer ${key}` },
  })
  expect([again.status, again.body.code]).toEqual([403, 'insufficient_scope'])
})

it('refuses an invalid request', async () => {
  for (const json of [
    {},
    { scopes: [] },
    { scopes: ['everything'] },
    { scopes: ['runs:*'], expires_at: 'tomorrow' },
    { scopes: ['runs:*'], expires_at: '2001-01-01T00:00:00Z' },
    { scopes: ['runs:*'], tenant: 'other' },
    { scopes: ['runs:*'], name: '' },
  ]) {
    const { status, body } = await api.call('POST', '/v1/keys', { json })
    expect([status, body.code]).toEqual([422, 'invalid_request'])
  }
  const { id } = await make({ scopes: ['runs:read'] })
  const long = { json: { overlap_seconds: 604_801 } }
  expect((await api.call('POST', `/v1/keys/${id}/rotate`, long)).status).toBe(422)
})

it('a tenant has at most a hundred keys, and revoked ones free their slots', async () => {
  const made = []
  for (;;) {
    const { status, body } = await api.call('POST', '/v1/keys', { json: { scopes: ['runs:read'] } })
    if (status !== 201) {
      expect([status, body.code]).toEqual([429, 'rate_limited'])
      break
    }
    made.push(body.id)
  }
  expect(made.length).toBeGreaterThan(90)
  await api.call('DELETE', `/v1/keys/${made[0]}`)
  expect((await api.call('POST', '/v1/keys', { json: { scopes: ['runs:read'] } })).status).toBe(201)
})
