/** API keys, tokens, links, and browser sessions on every host. */

import { expect } from 'vitest'
import { type Client, createRun, untilEnd } from '../support/launch.ts'
import { until } from '../support/patience.ts'
import { eventually } from './store/kit.ts'

interface Key {
  readonly id: string
  readonly key: string
  readonly scopes: readonly string[]
}

/** Signs a browser in by a link; its cookie comes back and goes out as the platform carries it. */
export async function signsBrowsersIn(client: Client): Promise<void> {
  const { url } = await client.get<{ url: string }>('/v1/sign-in-links', { method: 'POST' })
  const [, token] = url.split('#t=')
  const signIn = () => client.ask('/v1/browser-sessions', { method: 'POST', json: { token } })
  const made = await signIn()
  expect(made.status).toBe(201)
  expect((await signIn()).status).toBe(401)
  const [set = '', ...more] = made.headers.getSetCookie()
  expect(more).toEqual([])
  expect(set).toMatch(/^(?:__Host-strata|strata-\d+)=strata_browser_/)
  const cookie = `theme=dark; ${set.split(';')[0]}`
  const current = (method: string) =>
    fetch(`${client.url}/v1/browser-sessions/current`, {
      method,
      headers: {
        cookie,
        'sec-fetch-site': 'same-origin',
        'strata-console': '1',
        origin: new URL(url).origin,
      },
    })
  const shown = await current('GET')
  expect([shown.status, await shown.json()]).toMatchObject([200, { current: true, scopes: ['*'] }])
  const out = await current('DELETE')
  expect([out.status, out.headers.getSetCookie()[0]]).toEqual([
    204,
    expect.stringContaining('Max-Age=0'),
  ])
  // Another process may know it for some seconds more.
  await eventually(async () => expect((await current('GET')).status).toBe(401))
}

/** A token reaches its run alone, and ends with its key. */
export async function narrowsByTokens(client: Client): Promise<void> {
  const start = () => createRun(client, { input: '@say hi' })
  const [own, other] = [await start(), await start()]
  const json = { scopes: ['runs:read'] }
  const key = await client.get<Key>('/v1/keys', { method: 'POST', json })
  const by = (text: string, path: string, init: RequestInit & { json?: unknown } = {}) =>
    client.ask(path, { ...init, headers: { authorization: `Bearer ${text}` } })
  const made = await by(key.key, '/v1/tokens', {
    method: 'POST',
    json: { for: { run: own.id }, scopes: ['runs:read'] },
  })
  expect(made.status).toBe(201)
  const { token } = (await made.json()) as { token: string }
  expect((await by(token, `/v1/runs/${own.id}`)).status).toBe(200)
  expect((await by(token, `/v1/runs/${other.id}`)).status).toBe(404)
  expect((await by(token, `/v1/runs/${own.id}/cancel`, { method: 'POST' })).status).toBe(403)
  const events = await fetch(`${client.url}/v1/runs/${own.id}/events?token=${token}`, {
    headers: { accept: 'text/event-stream' },
  })
  expect(await events.text()).toContain('run.completed')
  expect((await client.ask(`/v1/keys/${key.id}`, { method: 'DELETE' })).status).toBe(204)
  // Another process may know the key for some seconds more.
  await eventually(async () => expect((await by(token, `/v1/runs/${own.id}`)).status).toBe(401))
}

interface Asked {
  readonly id: string
  readonly run_id: string
  readonly args_hash: string
}

/** The approval that a run waits for. */
export async function approvalOf(client: Client, run: string): Promise<Asked> {
  return until(`${run} asks`, async () => {
    const { data } = await client.get<{ data: Asked[] }>('/v1/approvals')
    return data.find(({ run_id }) => run_id === run)
  })
}

/** A person approves by a link, without a key; opening it changes nothing. The policy asks. */
export async function decidesByLinks(client: Client): Promise<void> {
  const input = '@call file_write {"path":"a.txt","content":"by a link"}\n@say {last}'
  const { id } = await createRun(client, { input })
  const asked = await approvalOf(client, id)
  const json = { for: { approval: asked.id } }
  const { url } = await client.get<{ url: string }>('/v1/access-links', { method: 'POST', json })
  const page = `${client.url}${new URL(url).pathname}`
  const look = async () => {
    const response = await fetch(page, { headers: { accept: 'text/html' } })
    expect(response.headers.get('content-security-policy')).toContain("form-action 'self'")
    return response.text()
  }
  expect(await look()).toContain('file_write is waiting for a decision')
  expect(await look()).toContain('<form method="post">')
  const body = new URLSearchParams({ decision: 'approve', args_hash: asked.args_hash })
  const decided = await fetch(page, { method: 'POST', body, redirect: 'manual' })
  expect([decided.status, decided.headers.get('location')]).toEqual([303, new URL(url).pathname])
  expect(await look()).toContain('file_write was approved')
  expect(await untilEnd(client, id)).toMatchObject({ status: 'completed' })
  expect((await fetch(page.slice(0, -4), { headers: { accept: 'text/html' } })).status).toBe(401)
}

/** A key of two requests a second meets its limit; another key does not. */
export async function limitsRates(client: Client): Promise<void> {
  const json = { scopes: ['runs:read'], rate_limits: { requests_per_second: 2 } }
  const slow = await client.get<Key>('/v1/keys', { method: 'POST', json })
  const ask = () => client.ask('/v1/runs', { headers: { authorization: `Bearer ${slow.key}` } })
  const answers = await Promise.all(Array.from({ length: 40 }, ask))
  const statuses = new Set(answers.map(({ status }) => status))
  expect([...statuses].sort()).toEqual([200, 429])
  const refused = answers.find(({ status }) => status === 429)
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(refused?.headers.get('ratelimit')).toMatch(/"key-requests";r=0;t=\d/)
  // Another process hands out what it may by itself.
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(20)
  const other = await client.ask('/v1/limits')
  expect([other.status, other.headers.get('ratelimit')]).toMatchObject([
    200,
    expect.stringMatching(/"key-requests";r=[1-9]/),
  ])
  const path = `/v1/keys/${slow.id}`
  const elsewhere = { method: 'PATCH', json: { rate_limits: null, addresses: ['192.0.2.0/24'] } }
  expect((await client.ask(path, elsewhere)).status).toBe(200)
  // Another process may know the key as it was for some seconds more.
  await eventually(async () => {
    const response = await ask()
    expect([response.status, await response.json()]).toMatchObject([
      403,
      { code: 'address_not_allowed' },
    ])
  })
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
  // Another process may know it for some seconds more.
  await eventually(async () => expect(await statusBy(next, '/v1/runs')).toBe(401))
}
