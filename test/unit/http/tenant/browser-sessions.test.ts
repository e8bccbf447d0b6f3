/** Browser sessions by the API: what ends their open streams, and what a tenant may have of them. */

import { beforeEach, expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { createSignInLink } from '../../../../src/engine/tenant/sign-in-links.ts'
import { TENANT } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

/** So many turns of the event loop as a stream needs for one step. */
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
const look = async (): Promise<void> => {
  await turns()
  await api.world.clock.advance(LIMITS.key_cache_seconds * 1_000)
  await turns()
}
const signIn = async (key = api.key) => {
  const json = { key }
  const { status, body, headers } = await api.call('POST', '/v1/browser-sessions', { json })
  return { status, body, cookie: headers.get('set-cookie')?.split(';')[0] ?? '' }
}
const withCookie = (cookie: string) => ({
  authorization: '',
  cookie,
  'sec-fetch-site': 'same-origin',
})

it('an open stream ends within seconds of sign-out, and at the end of the session', async () => {
  const run = (await api.call('POST', '/v1/runs', { json: { input: '@say later' } })).body.id
  const { cookie, body } = await signIn()
  const headers = { ...withCookie(cookie), accept: 'text/event-stream' }
  let ended = false
  const stream = api.call('GET', `/v1/runs/${run}/events`, { headers })
  void stream.then(() => {
    ended = true
  })
  await look()
  expect(ended).toBe(false)
  await api.call('DELETE', `/v1/browser-sessions/${body.id}`)
  await look()
  expect(ended).toBe(true)
  expect((await stream).text).toContain(': unauthorized')

  const late = await signIn()
  const read = () => api.call('GET', '/v1/runs', { headers: withCookie(late.cookie) })
  expect((await read()).status).toBe(200)
  await api.world.clock.advance(LIMITS.browser_session_seconds * 1_000)
  expect((await read()).body.code).toBe('unauthorized')
  expect((await api.call('GET', '/v1/browser-sessions')).body.data).toEqual([])
})

it('a browser session has the rights of its key, and at most those of its link', async () => {
  const json = { scopes: ['runs:read', 'keys:read'] }
  const { key } = (await api.call('POST', '/v1/keys', { json })).body
  const headers = { authorization: `Bearer ${key}` }
  const wider = { headers, json: { scopes: ['runs:*'] } }
  const refused = await api.call('POST', '/v1/sign-in-links', wider)
  expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope'])
  const link = await api.call('POST', '/v1/sign-in-links', { headers, json: { expires_in: 10 } })
  const [, token] = link.body.url.split('#t=')
  const made = await api.call('POST', '/v1/browser-sessions', { json: { token } })
  expect(made.body.scopes).toEqual(json.scopes)
  const late = await api.call('POST', '/v1/sign-in-links', { headers, json: { expires_in: 10 } })
  await api.world.clock.advance(10_000)
  const body = { token: late.body.url.split('#t=')[1] }
  expect((await api.call('POST', '/v1/browser-sessions', { json: body })).status).toBe(401)
})

it('a tenant has at most fifty browser sessions at once', async () => {
  for (let count = 0; count < LIMITS.browser_sessions; count += 1)
    expect((await signIn()).status).toBe(201)
  const { status, body } = await signIn()
  expect([status, body.code]).toEqual([429, 'rate_limited'])
})

it('a sign-in is accepted only from the addresses of its key', async () => {
  const json = { scopes: ['runs:read'], addresses: ['192.0.2.0/24'] }
  const bound = (await api.call('POST', '/v1/keys', { json })).body
  const { status, body, cookie } = await signIn(bound.key)
  expect([status, body.code, cookie]).toEqual([403, 'address_not_allowed', ''])
  const by = { tenant: TENANT, by: bound.id, scopes: json.scopes }
  const link = await createSignInLink({ world: api.world, ...by }, {})
  const token = link.ok ? link.value.token : ''
  const exchange = () => api.call('POST', '/v1/browser-sessions', { json: { token } })
  // What is refused leaves the link as it was.
  for (const _ of [1, 2]) expect((await exchange()).body.code).toBe('address_not_allowed')
  await api.call('PATCH', `/v1/keys/${bound.id}`, { json: { addresses: null } })
  expect([(await exchange()).status, (await exchange()).status]).toEqual([201, 401])
})

it('a token created by a browser session ends with it', async () => {
  const { cookie, body } = await signIn()
  await api.world.clock.advance((LIMITS.browser_session_seconds - 300) * 1_000)
  const headers = {
    ...withCookie(cookie),
    'strata-console': '1',
    origin: 'http://localhost',
  }
  const json = { for: { tenant: true }, scopes: ['runs:read'], expires_in: 3_600 }
  const made = await api.call('POST', '/v1/tokens', { headers, json })
  expect([made.status, made.body.expires_at]).toEqual([201, body.expires_at])
})

it('a sign-in without a credential is refused with what it requires', async () => {
  const { status, body } = await api.call('POST', '/v1/browser-sessions', { json: {} })
  expect([status, body.code]).toEqual([422, 'invalid_request'])
  expect(JSON.stringify(body)).toContain('Must be either `token`')
})
