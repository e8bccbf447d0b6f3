/** Keys of OpenID Connect issuers: loading, rotation, and outages, on simulated clocks. */

import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Issuer, JWT_ALGORITHMS } from '../../../../src/core/issuer.ts'
import { DEFAULT_TENANT } from '../../../../src/engine/partition/keys.ts'
import { createTenant } from '../../../../src/engine/tenants/manage.ts'
import { fail, ok } from '../../../../src/lib/outcome.ts'
import type { Web } from '../../../../src/ports/world.ts'
import { TENANT } from '../../../support/drive.ts'
import { testApi } from '../../../support/http.ts'

/** Lets a stream take its next steps. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

const URL_OF = 'https://login.example'
const AUDIENCE = 'https://agents.example'
const pairs = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')])

afterEach(() => void vi.useRealTimers())

async function issuing(more: Partial<Issuer> = {}) {
  const provider = { current: 0, isAway: false, requests: 0, document: { issuer: URL_OF } }
  const web: Web = {
    check: () => undefined,
    async send({ url }) {
      provider.requests += 1
      if (provider.isAway) return fail('the connection was refused')
      const keys = [
        { ...(await exportJWK(pairs[provider.current]!.publicKey)), kid: `${provider.current}` },
      ]
      const document = { ...provider.document, jwks_uri: `${URL_OF}/keys` }
      const body = JSON.stringify(url.endsWith('/keys') ? { keys } : document)
      return ok({ status: 200, headers: {}, body })
    },
  }
  const issuer: Issuer = {
    ...{ issuer: URL_OF, audience: [AUDIENCE], tenant: TENANT, scope_claim: 'scope' },
    ...{ subject_claim: 'sub', algorithms: JWT_ALGORITHMS },
    ...more,
  }
  const api = await testApi({ web, settings: { issuers: [issuer] } })
  const operator = { world: api.world, tenant: DEFAULT_TENANT, by: 'operator' }
  await createTenant(operator, { id: TENANT }, undefined)
  const { clock } = api.world
  const setTime = () => vi.useFakeTimers({ toFake: ['Date'], now: clock.now() })
  setTime()
  const sign = (by: number, claims: Record<string, unknown> = {}, seconds = 86_400) =>
    new SignJWT({ iss: URL_OF, aud: AUDIENCE, sub: 'u1', scope: 'runs:read', ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: `${by}` })
      .setExpirationTime(Math.floor(clock.now() / 1_000) + seconds)
      .sign(pairs[by]!.privateKey)
  const status = async (token: string): Promise<number> =>
    (await api.call('GET', '/v1/runs', { key: token })).status
  const pass = (ms: number): void => {
    clock.advance(ms)
    setTime()
  }
  return { api, provider, sign, status, pass }
}

describe('keys of an issuer', () => {
  it('are loaded again for an unknown key, at most every 30 seconds', async () => {
    const { provider, sign, status, pass } = await issuing()
    expect(await status(await sign(0))).toBe(200)
    provider.current = 1
    expect(await status(await sign(1))).toBe(401)
    expect(provider.requests).toBe(2)
    pass(31_000)
    expect(await status(await sign(1))).toBe(200)
    expect(provider.requests).toBe(3)
    for (let attempt = 0; attempt < 20; attempt += 1) expect(await status(await sign(0))).toBe(401)
    expect(provider.requests).toBe(3)
  })

  it('stay valid for an hour of an outage; the next key set replaces them', async () => {
    const { provider, sign, status, pass } = await issuing()
    expect(await status(await sign(0))).toBe(200)
    provider.isAway = true
    pass(1_800_000)
    expect(await status(await sign(0))).toBe(200)
    pass(1_900_000)
    const requests = provider.requests
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await status(await sign(0))).toBe(503)
    expect(provider.requests - requests).toBe(1)
    provider.isAway = false
    pass(11_000)
    expect(await status(await sign(0))).toBe(200)
  })

  it('are not loaded from a configuration that names another issuer', async () => {
    const { api, provider, sign } = await issuing()
    provider.document.issuer = 'https://other.example'
    const away = await api.call('GET', '/v1/runs', { key: await sign(0) })
    expect([away.status, away.body.detail]).toEqual([503, expect.stringContaining('identity')])
  })
})

describe('rights of a token', () => {
  it('are its scopes, at most those of the issuer', async () => {
    const { api, sign } = await issuing({ scopes: ['runs:read', 'keys:read'], scope_claim: 'a.b' })
    const key = await sign(0, { a: { b: ['*', 'openid'] } })
    const statusOf = async (path: string) => (await api.call('GET', path, { key })).status
    expect([await statusOf('/v1/runs'), await statusOf('/v1/keys')]).toEqual([200, 200])
    const { status, body } = await api.call('GET', '/v1/audit', { key })
    expect([status, body.detail]).toEqual([403, 'The token lacks the scope audit:read.'])
  })

  it('end where only an API key can create a credential', async () => {
    const { api, sign } = await issuing()
    const key = await sign(0, { scope: '*' })
    const json = { for: { tenant: true }, scopes: ['runs:read'] }
    for (const path of ['/v1/tokens', '/v1/sign-in-links']) {
      const { status, body } = await api.call('POST', path, {
        key,
        json: path === '/v1/tokens' ? json : {},
      })
      expect([path, status, body.code]).toEqual([path, 403, 'insufficient_scope'])
    }
    const signIn = await api.call('POST', '/v1/browser-sessions', { json: { key }, key: null })
    expect([signIn.status, signIn.headers.get('set-cookie')]).toEqual([422, null])
  })

  it('end on open streams too', async () => {
    const { api, sign, pass } = await issuing()
    const run = await api.call('POST', '/v1/runs', { json: { input: '@say later' } })
    const authorization = `Bearer ${await sign(0, {}, 10)}`
    const headers = { accept: 'text/event-stream', authorization }
    const stream = api.call('GET', `/v1/runs/${run.body.id}/events`, { headers })
    await turns()
    for (let check = 0; check < 8; check += 1) {
      await turns()
      pass(5_000)
    }
    expect((await stream).text).toContain(': unauthorized: the credential')
  })

  it('record the user in the audit log under one name', async () => {
    const { api, sign } = await issuing()
    const key = await sign(0, { scope: 'keys:* runs:read' })
    const made = await api.call('POST', '/v1/keys', { key, json: { scopes: ['runs:read'] } })
    expect(made.status).toBe(201)
    const { body } = await api.call('GET', `/v1/audit?kind=key&name=${made.body.id}`)
    const [{ by, credential }] = body.data
    expect(by).toMatch(/^sub_[0-9a-f]{24}$/)
    expect(credential).toEqual({ type: 'identity', id: by, issuer: URL_OF, subject: 'u1' })
  })

  it('let a run act for their user only', async () => {
    const { api, sign } = await issuing()
    const key = await sign(0, { scope: 'runs:*' })
    const create = (more: object) =>
      api.call('POST', '/v1/runs', { key, json: { input: '@say done', ...more } })
    expect([(await create({})).body.subject, (await create({ subject: 'u1' })).status]).toEqual([
      ...['u1', 202],
    ])
    expect((await create({ subject: 'u2' })).body.code).toBe('insufficient_scope')
  })

  it('let a fan-out act for their user only', async () => {
    const { api, sign } = await issuing()
    const key = await sign(0, { scope: 'runs:*' })
    const create = (more: object) =>
      api.call('POST', '/v1/fanouts', { key, json: { tasks: [{ task: '@say done' }], ...more } })
    expect((await create({ subject: 'u2' })).body.code).toBe('insufficient_scope')
    const { id } = (await create({})).body
    await api.settle()
    const tasks = await api.call('GET', `/v1/fanouts/${id}/tasks`, { key })
    const run = await api.call('GET', `/v1/runs/${tasks.body.data[0].run_id}`, { key })
    expect(run.body.subject).toBe('u1')
  })
})

describe('a user of an issuer', () => {
  it('is the end user of the schedules and hooks that it writes, and can name no other', async () => {
    const { api, sign } = await issuing()
    const scope = 'schedules:write schedules:read hooks:write hooks:read'
    const [alice, bob] = [
      await sign(0, { sub: 'alice', scope }),
      await sign(0, { sub: 'bob', scope }),
    ]
    const schedule = { cron: '0 0 1 1 *', input: '@say x' }
    const write = (key: string, method: string, path: string, json: object) =>
      api.call(method, path, { key, json })
    const made = await write(alice, 'PUT', '/v1/schedules/night', schedule)
    expect(made.body.run.subject).toBe('alice')
    const named = await write(bob, 'PUT', '/v1/schedules/day', { ...schedule, subject: 'alice' })
    expect([named.status, named.body.code]).toEqual([403, 'insufficient_scope'])
    for (const json of [{ input: '@say y' }, { subject: null }]) {
      const patched = await write(bob, 'PATCH', '/v1/schedules/night', json)
      expect(patched.body.run.subject).toBe('bob')
      await write(alice, 'PUT', '/v1/schedules/night', schedule)
    }
    const hook = { scheme: 'standard', template: '{{$}}' }
    const created = await write(alice, 'POST', '/v1/hooks', hook)
    expect(created.body.run.subject).toBe('alice')
    const edited = await write(bob, 'PATCH', `/v1/hooks/${created.body.id}`, { template: 'x' })
    expect(edited.body.run.subject).toBe('bob')
  })
})
