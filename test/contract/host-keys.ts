/** API keys on every host: made, listed, replaced, revoked; of some addresses alone. */

import { expect } from 'vitest'
import type { Client } from '../support/launch.ts'
import { eventually } from './store/kit.ts'

interface Key {
  readonly id: string
  readonly key: string
  readonly scopes: readonly string[]
}

export async function managesKeys(client: Client): Promise<void> {
  const json = { name: 'ci', scopes: ['runs:read'] }
  const made = await client.get<Key>('/v1/keys', { method: 'POST', json })
  const statusBy = async ({ key }: Key, path: string): Promise<number> =>
    (await client.ask(path, { headers: { authorization: `Bearer ${key}` } })).status
  expect(await statusBy(made, '/v1/runs')).toBe(200)
  expect(await statusBy(made, '/v1/policy')).toBe(403)
  const next = await client.get<Key>(`/v1/keys/${made.id}/rotate`, { method: 'POST' })
  expect(next.scopes).toEqual(made.scopes)
  expect(await statusBy(made, '/v1/runs')).toBe(200)
  await eventually(async () => {
    const { data } = await client.get<{ data: Key[] }>('/v1/keys')
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining([made.id, next.id]))
  })
  expect((await client.ask(`/v1/keys/${next.id}`, { method: 'DELETE' })).status).toBe(204)
  // Another process may know it for half a minute more.
  await eventually(async () => expect(await statusBy(next, '/v1/runs')).toBe(401))
}

/** A key that expires makes none that counts longer. */
export async function endsWithItsMaker(client: Client): Promise<void> {
  const scopes = ['keys:write']
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const maker = await client.get<Key>('/v1/keys', { method: 'POST', json: { scopes, expires_at } })
  const make = async (json: object) => {
    const headers = { authorization: `Bearer ${maker.key}` }
    const answer = await client.ask('/v1/keys', { method: 'POST', json, headers })
    const body = (await answer.json()) as { readonly expires_at?: string; readonly code?: string }
    return [answer.status, body.expires_at ?? body.code]
  }
  expect(await make({ scopes })).toEqual([201, expires_at])
  const later = new Date(Date.now() + 7_200_000).toISOString()
  expect(await make({ scopes, expires_at: later })).toEqual([403, 'insufficient_scope'])
}

/** The host knows where a connection comes from, and no header changes it. */
export async function knowsAddresses(client: Client): Promise<void> {
  const keyFor = (...allowed_addresses: string[]) =>
    client.get<Key>('/v1/keys', {
      ...{ method: 'POST', json: { scopes: ['runs:read'], allowed_addresses } },
    })
  const [here, elsewhere] = [await keyFor('127.0.0.0/8', '::1'), await keyFor('203.0.113.0/24')]
  const answerTo = async ({ key }: Key, forwarded: string) => {
    // In place of Cloudflare's edge, which replaces this one; elsewhere it is a word like any other.
    const edge = { 'cf-connecting-ip': '127.0.0.1' }
    const claims = { 'x-forwarded-for': forwarded, 'x-real-ip': forwarded, forwarded }
    const authorization = `Bearer ${key}`
    const answer = await client.ask('/v1/runs', { headers: { authorization, ...edge, ...claims } })
    const { code } = (await answer.json()) as { readonly code?: string }
    return [answer.status, code]
  }
  expect(await answerTo(here, '203.0.113.7')).toEqual([200, undefined])
  expect(await answerTo(elsewhere, '203.0.113.7')).toEqual([403, 'address_not_allowed'])
}

/** A token is checked by any process of the deployment: it is stored nowhere. */
export async function handsOnTokens(client: Client): Promise<void> {
  const post = { method: 'POST' }
  const run = (input: string) =>
    client.get<{ id: string }>('/v1/runs', { ...post, json: { input } })
  const [mine, other] = [await run('@say mine'), await run('@say other')]
  const maker = await client.get<Key>('/v1/keys', { ...post, json: { scopes: ['*'] } })
  const made = await client.ask('/v1/tokens', {
    ...{ ...post, json: { for: mine.id, actions: ['read', 'stream'] } },
    headers: { authorization: `Bearer ${maker.key}` },
  })
  expect(made.status).toBe(201)
  const { token } = (await made.json()) as { readonly token: string }
  const answer = (path: string, more = {}) =>
    client.ask(path, { headers: { authorization: `Bearer ${token}`, ...more } })
  const events = await answer(`/v1/runs/${mine.id}/events`, { accept: 'text/event-stream' })
  expect(await events.text()).toContain('event: run.completed')
  const statusOf = async (path: string): Promise<number> => (await answer(path)).status
  expect(await statusOf(`/v1/runs/${mine.id}`)).toBe(200)
  expect(await statusOf(`/v1/runs/${other.id}`)).toBe(404)
  expect(await statusOf('/v1/runs')).toBe(403)
  expect((await client.ask(`/v1/keys/${maker.id}`, { method: 'DELETE' })).status).toBe(204)
  await eventually(async () => expect(await statusOf(`/v1/runs/${mine.id}`)).toBe(401))
}

/** A cookie is checked by any process, and so is a link: of its uses at once one counts. */
export async function signsBrowsersIn(client: Client): Promise<void> {
  const path = '/v1/browser-sessions'
  const made = await client.get<Key>('/v1/keys', {
    ...{ method: 'POST', json: { scopes: ['runs:read'] } },
  })
  const authorization = `Bearer ${made.key}`
  const link = async (): Promise<string> => {
    const answer = await client.ask(`${path}/links`, { method: 'POST', headers: { authorization } })
    expect(answer.status).toBe(201)
    return ((await answer.json()) as { readonly token: string }).token
  }
  const bare = (at: string, init: RequestInit) => fetch(`${client.url}${at}`, init)
  const signIn = async (token: string): Promise<Response> => {
    const headers = { 'content-type': 'application/json' }
    return bare(path, { method: 'POST', headers, body: JSON.stringify({ link: token }) })
  }
  const token = await link()
  const answers = await Promise.all(Array.from({ length: 5 }, () => signIn(token)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401, 401, 401, 401])
  const signed = answers.find(({ status }) => status === 201)!
  const [cookie = '', ...rules] = signed.headers.getSetCookie().join().split('; ')
  expect(rules).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Path=/']))
  const statusOf = async (at: string, headers = {}, method = 'GET'): Promise<number> => {
    const sent = { cookie, 'x-strata-console': '1', ...headers }
    return (await bare(at, { method, headers: sent })).status
  }
  expect(await statusOf('/v1/runs')).toBe(200)
  expect(await statusOf('/v1/policy')).toBe(403)
  expect(await statusOf('/v1/runs', { 'x-strata-console': '' })).toBe(403)
  expect(await statusOf('/v1/runs', { origin: 'https://evil.example' })).toBe(403)
  const { id } = (await signed.json()) as { readonly id: string }
  await eventually(async () => {
    const { data } = await client.get<{ data: { id: string }[] }>(path)
    expect(data.map((one) => one.id)).toContain(id)
  })
  expect(await statusOf(`${path}/current`, {}, 'DELETE')).toBe(204)
  await eventually(async () => expect(await statusOf('/v1/runs')).toBe(401))
  const again = await signIn(await link())
  const [other = ''] = again.headers.getSetCookie().join().split('; ')
  expect(await statusOf('/v1/runs', { cookie: other })).toBe(200)
  expect((await client.ask(`/v1/keys/${made.id}`, { method: 'DELETE' })).status).toBe(204)
  await eventually(async () => expect(await statusOf('/v1/runs', { cookie: other })).toBe(401))
}

/** Every host starts with `CORS_ORIGINS` of this page alone. */
export const PAGE = 'https://app.example.com'

export async function answersPages({ ask }: Client): Promise<void> {
  const allowed = async (origin: string, method: string) => {
    const headers = { origin, 'access-control-request-method': 'GET' }
    const answer = await ask('/v1/runs', { method, headers })
    return [answer.ok, answer.headers.get('access-control-allow-origin')]
  }
  for (const method of ['GET', 'OPTIONS']) expect(await allowed(PAGE, method)).toEqual([true, PAGE])
  const [, other] = await allowed('https://evil.example', 'GET')
  expect(other).toBeNull()
  expect(await allowed('https://evil.example', 'OPTIONS')).toEqual([false, null])
}
