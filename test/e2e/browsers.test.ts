/** Pages in browsers: which origins may read answers, by which names the server answers at all. */

import { request as ask } from 'node:http'
import { expect, it } from 'vitest'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'

const APP = 'https://app.example.com'

interface Sent {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}
interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** By Node's own client, which sends any Host and any Origin. */
function send(api: NodeApi, { method = 'GET', path = '/v1/runs', headers = {} }: Sent) {
  const key = { authorization: `Bearer ${api.key}` }
  return new Promise<Got>((resolve, reject) => {
    const sent = ask(new URL(path, api.url), { method, headers: { ...key, ...headers } }, (got) => {
      let body = ''
      got.setEncoding('utf8')
      got.on('data', (chunk: string) => {
        body += chunk
      })
      got.on('end', () => resolve({ status: got.statusCode ?? 0, headers: got.headers, body }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

const preflight = (origin: string): Sent => ({
  method: 'OPTIONS',
  headers: {
    origin,
    authorization: '',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  },
})
const ALLOW = 'access-control-allow-origin'

it('a page of another origin reads nothing until its origin is listed [J22]', async () => {
  const api = await startNodeApi()
  const got = await send(api, { headers: { origin: APP } })
  expect([got.status, got.headers[ALLOW]]).toEqual([200, undefined])
  expect((await send(api, preflight(APP))).headers[ALLOW]).toBeUndefined()
})

it('preflights and responses allow a listed origin and no other', async () => {
  const api = await startNodeApi({ STRATA_CORS_ORIGINS: `${APP}, http://localhost:5173` })
  const asked = await send(api, preflight(APP))
  expect(asked.status).toBe(204)
  expect(asked.headers).toMatchObject({
    [ALLOW]: APP,
    'access-control-max-age': '600',
    'access-control-allow-headers': 'authorization,content-type',
  })
  expect(asked.headers).not.toHaveProperty('access-control-allow-credentials')
  const got = await send(api, { headers: { origin: APP } })
  expect([got.status, got.headers[ALLOW]]).toEqual([200, APP])
  expect(got.headers['access-control-expose-headers']).toContain('X-Request-Id')
  const refused = await send(api, { path: '/v1/runs/no', headers: { origin: APP } })
  expect([refused.status, refused.headers[ALLOW]]).toEqual([404, APP])
  for (const other of [
    'null',
    'https://app.example.com.evil.example',
    'https://evil.app.example.com',
    'https://app.example.com:8443',
    'http://app.example.com',
    'https://APP.example.com/',
  ]) {
    expect((await send(api, { headers: { origin: other } })).headers[ALLOW]).toBeUndefined()
    expect((await send(api, preflight(other))).headers[ALLOW]).toBeUndefined()
  }
  expect((await send(api, {})).headers.vary).toContain('Origin')
})

it("a tenant's policy can narrow the list but not widen it", async () => {
  const api = await startNodeApi({ STRATA_CORS_ORIGINS: `${APP} https://two.example` })
  const put = (cors_origins: readonly string[]) =>
    fetch(`${api.url}/v1/policy`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${api.key}`,
        'content-type': 'application/json',
        'if-none-match': '*',
      },
      body: JSON.stringify({ cors_origins }),
    })
  expect((await put(['https://two.example', 'https://three.example'])).ok).toBe(true)
  const from = async (origin: string) => (await send(api, { headers: { origin } })).headers[ALLOW]
  expect(await from(APP)).toBeUndefined()
  expect(await from('https://two.example')).toBe('https://two.example')
  expect(await from('https://three.example')).toBeUndefined()
})

it('a setting that is not an exact origin is refused at start-up', async () => {
  for (const wrong of ['*', 'https://*.example.com', 'app.example.com', 'https://a.example/x']) {
    await expect(startNodeApi({ STRATA_CORS_ORIGINS: wrong })).rejects.toThrow(
      'STRATA_CORS_ORIGINS',
    )
  }
  await expect(startNodeApi({ STRATA_HOSTS: 'https://a.example' })).rejects.toThrow('STRATA_HOSTS')
})

it('a foreign Host is refused and not echoed, except for probes', async () => {
  const api = await startNodeApi({ STRATA_PUBLIC_URL: 'https://agents.example.com' })
  const { port } = new URL(api.url)
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    'localhost.evil.example',
    '0.0.0.0',
  ]) {
    const got = await send(api, { headers: { host } })
    expect([host, got.status]).toEqual([host, 421])
    expect(JSON.parse(got.body).code).toBe('misdirected_request')
    expect(`${got.body}${JSON.stringify(got.headers)}`).not.toContain('evil')
    for (const path of ['/.well-known/agent-card.json', '/docs', '/mcp']) {
      expect((await send(api, { path, headers: { host } })).status).toBe(421)
    }
    for (const path of ['/healthz', '/readyz']) {
      expect((await send(api, { path, headers: { host } })).status).toBe(200)
    }
  }
  for (const host of ['localhost', `localhost:${port}`, '127.0.0.1:1', '[::1]:80', 'a.localhost']) {
    expect((await send(api, { headers: { host } })).status).toBe(200)
  }
  expect((await send(api, { headers: { host: 'agents.example.com' } })).status).toBe(200)
  const card = await send(api, { path: '/.well-known/agent-card.json' })
  expect(card.body).toContain('https://agents.example.com')
})

it('STRATA_HOSTS names are accepted with any port, or only with the port they name', async () => {
  const api = await startNodeApi({ STRATA_HOSTS: 'strata, lan.example:8443' })
  const status = async (host: string) => (await send(api, { headers: { host } })).status
  expect(await status('strata:8787')).toBe(200)
  expect(await status('STRATA')).toBe(200)
  expect(await status('lan.example:8443')).toBe(200)
  expect(await status('lan.example')).toBe(421)
})

it('every response has the headers that restrict browsers', async () => {
  const api = await startNodeApi({ STRATA_PUBLIC_URL: 'https://agents.example.com' })
  const common = {
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'strict-transport-security': expect.stringContaining('max-age='),
  }
  for (const path of ['/v1/runs', '/v1/no', '/healthz', '/docs', '/llms.txt', '/mcp', '/nowhere']) {
    const { headers } = await send(api, { path })
    expect(headers).toMatchObject(common)
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  }
  const local = await startNodeApi()
  expect((await send(local, {})).headers).not.toHaveProperty('strict-transport-security')
})
