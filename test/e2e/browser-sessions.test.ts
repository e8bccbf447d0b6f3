/** Browsers that sign in: the cookie, what it takes to use it, and how a session ends. */

import { request as ask } from 'node:http'
import { expect, it } from 'vitest'
import { cleanup } from '../support/cleanup.ts'
import { launchServer } from '../support/launch.ts'
import { startNodeApi } from '../support/node-api.ts'

/** Any server with its admin key. */
interface Api {
  readonly url: string
  readonly key: string
}

interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
  readonly body: any
}

/** By Node's own client, which sends any header that a browser would set itself. */
function send(
  api: Api,
  method: string,
  path: string,
  { json, headers = {} }: { json?: unknown; headers?: Readonly<Record<string, string>> } = {},
): Promise<Got> {
  const body = json === undefined ? undefined : JSON.stringify(json)
  const type: Record<string, string> =
    body === undefined ? {} : { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = ask(
      new URL(path, api.url),
      { method, headers: { ...type, ...headers } },
      (got) => {
        let text = ''
        got.setEncoding('utf8')
        got.on('data', (chunk: string) => {
          text += chunk
        })
        got.on('end', () => {
          const { statusCode: status = 0 } = got
          resolve({
            status,
            headers: got.headers,
            body: text === '' ? undefined : JSON.parse(text),
          })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

const SIGN_IN = '/v1/browser-sessions'
const withKey = (api: Api, key = api.key) => ({ authorization: `Bearer ${key}` })

/** The cookie of a session, `name=secret`, and the session. */
async function signedIn(api: Api, credential: object): Promise<{ cookie: string; got: Got }> {
  const got = await send(api, 'POST', SIGN_IN, { json: credential })
  const [set = ''] = (got.headers['set-cookie'] as string[] | undefined) ?? []
  return { cookie: set.split(';')[0] ?? '', got }
}

/** As a page of the deployment sends it. */
const ownPage = (api: Api, cookie: string) => ({
  cookie,
  'sec-fetch-site': 'same-origin',
  'strata-console': '1',
  origin: api.url,
})

async function linkToken(api: Api, json: object = {}): Promise<string> {
  const { body } = await send(api, 'POST', '/v1/sign-in-links', { json, headers: withKey(api) })
  expect(body.url).toMatch(new RegExp(`^${api.url}/console/sign-in#t=strata_sign_in_`))
  return body.url.split('#t=')[1]
}

it('a key is exchanged for a cookie of that port, which scripts cannot read', async () => {
  const api = await startNodeApi()
  const { cookie, got } = await signedIn(api, { key: api.key })
  expect(got.status).toBe(201)
  expect(got.body).toMatchObject({ object: 'browser_session', scopes: ['*'], current: true })
  const port = new URL(api.url).port
  expect(got.headers['set-cookie']).toEqual([
    expect.stringMatching(
      new RegExp(
        `^strata-${port}=strata_browser_\\w+; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict$`,
      ),
    ),
  ])
  expect(got.headers['cache-control']).toBe('no-store')
  expect(JSON.stringify(got.body)).not.toContain(cookie.split('=')[1])
  const headers = ownPage(api, cookie)
  expect((await send(api, 'GET', '/v1/runs', { headers })).status).toBe(200)
  expect((await send(api, 'GET', `${SIGN_IN}/current`, { headers })).body).toEqual(got.body)
  const run = await send(api, 'POST', '/v1/runs', { json: { input: '@say hi' }, headers })
  expect(run.status).toBe(202)
  expect((await send(api, 'GET', SIGN_IN, { headers })).body.data).toEqual([got.body])
})

it('a link signs in once, with its scopes, until it expires', async () => {
  const api = await startNodeApi()
  const token = await linkToken(api, { scopes: ['runs:read'], expires_in: 60 })
  const { cookie, got } = await signedIn(api, { token })
  expect(got.body.scopes).toEqual(['runs:read'])
  const headers = ownPage(api, cookie)
  expect((await send(api, 'GET', '/v1/runs', { headers })).status).toBe(200)
  expect((await send(api, 'GET', '/v1/policy', { headers })).body.code).toBe('insufficient_scope')
  expect((await signedIn(api, { token })).got.status).toBe(401)
  const again = await send(api, 'POST', '/v1/sign-in-links', { headers })
  expect(again.body.code).toBe('insufficient_scope')
})

it('exactly one of many concurrent uses of a link signs in', async () => {
  const api = await startNodeApi()
  const token = await linkToken(api)
  const all = await Promise.all(Array.from({ length: 15 }, () => signedIn(api, { token })))
  const statuses = all.map(({ got }) => got.status).sort()
  expect(statuses).toEqual([201, ...Array.from({ length: 14 }, () => 401)])
})

it('all wrong credentials get the same answer, at most twenty times a minute', async () => {
  const api = await startNodeApi()
  const token = await linkToken(api)
  const wrong = [
    { key: 'strata_no' },
    { key: api.key.slice(0, -1) + (api.key.endsWith('0') ? '1' : '0') },
    { key: token },
    { token: api.key },
    { token: `${token}x` },
  ]
  const answers = await Promise.all(wrong.map((json) => send(api, 'POST', SIGN_IN, { json })))
  for (const { status, body, headers } of answers) {
    expect([status, body.code, body.detail]).toEqual([401, 'unauthorized', answers[0]!.body.detail])
    expect(headers['set-cookie']).toBeUndefined()
  }
  for (let count = wrong.length; count < 20; count += 1)
    expect((await send(api, 'POST', SIGN_IN, { json: wrong[0] })).status).toBe(401)
  const { status, headers } = await send(api, 'POST', SIGN_IN, { json: { key: api.key } })
  expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true])
})

it('a cookie is accepted only from pages of this deployment', async () => {
  const api = await startNodeApi()
  const { cookie } = await signedIn(api, { key: api.key })
  const own = ownPage(api, cookie)
  const { origin: _, ...withoutOrigin } = own
  const { 'strata-console': __, ...withoutHeader } = own
  const { 'sec-fetch-site': ___, ...withoutSite } = own
  const port = Number(new URL(api.url).port)
  const changes: readonly Readonly<Record<string, string>>[] = [
    withoutOrigin,
    withoutHeader,
    withoutSite,
    ...['same-site', 'cross-site', 'none'].map((site) => ({ ...own, 'sec-fetch-site': site })),
    ...[
      'null',
      'https://evil.example',
      `http://127.0.0.1:${port + 1}`,
      `http://127.0.0.1.evil.example:${port}`,
      `http://evil.127.0.0.1:${port}`,
      `https://127.0.0.1:${port}`,
      `${api.url}.evil.example`,
    ].map((origin) => ({ ...own, origin })),
  ]
  for (const headers of changes) {
    const { status, body } = await send(api, 'POST', '/v1/runs', { json: { input: 'x' }, headers })
    expect([status, body.code, headers]).toEqual([403, 'cross_site', headers])
  }
  const form = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
  expect((await send(api, 'POST', '/v1/runs', { headers: form })).status).toBe(403)
  const reading = { cookie, 'sec-fetch-site': 'same-site' }
  expect((await send(api, 'GET', '/v1/runs', { headers: reading })).body.code).toBe('cross_site')
  const twice = { ...own, cookie: `${cookie}; ${cookie}` }
  expect((await send(api, 'GET', '/v1/runs', { headers: twice })).body.code).toBe('invalid_header')
  expect((await send(api, 'GET', '/metrics', { headers: own })).status).toBe(401)
  const keyed = { ...own, ...withKey(api, 'strata_no') }
  expect((await send(api, 'GET', '/v1/runs', { headers: keyed })).status).toBe(401)
})

it('a page of another site cannot sign a browser in', async () => {
  const api = await startNodeApi()
  const json = { key: api.key }
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]) {
    const { status, body } = await send(api, 'POST', SIGN_IN, { json, headers })
    expect([status, body.code]).toEqual([403, 'cross_site'])
  }
})

it('an unencrypted public connection gets no cookie, and a TLS connection gets a bound one', async () => {
  const STRATA_PUBLIC_URL = 'https://strata.example.com'
  const api = await startNodeApi({ STRATA_PUBLIC_URL, STRATA_HOSTS: 'plain.example.com' })
  const json = { key: api.key }
  const open = await send(api, 'POST', SIGN_IN, { json, headers: { host: 'plain.example.com' } })
  expect([open.status, open.body.code]).toEqual([403, 'insecure_connection'])
  const host = 'strata.example.com'
  const got = await send(api, 'POST', SIGN_IN, { json, headers: { host } })
  const [set = ''] = got.headers['set-cookie'] as string[]
  expect(set).toMatch(/^__Host-strata=\w+; .*; Secure$/)
  const headers = {
    ...ownPage(api, set.split(';')[0] ?? ''),
    ...{ host, origin: STRATA_PUBLIC_URL },
  }
  const { status } = await send(api, 'POST', '/v1/runs', { json: { input: '@say hi' }, headers })
  expect(status).toBe(202)
})

it('a session ends on sign-out, on revocation, and with its key', async () => {
  const api = await startNodeApi()
  const { body: key } = await send(api, 'POST', '/v1/keys', {
    json: { name: 'desk', scopes: ['runs:read'] },
    headers: withKey(api),
  })
  const one = await signedIn(api, { key: key.key })
  const two = await signedIn(api, { key: key.key })
  const three = await signedIn(api, { key: key.key })
  expect(one.got.body).toMatchObject({ key_id: key.id, key_name: 'desk', scopes: ['runs:read'] })
  const statusOf = async (cookie: string) =>
    (await send(api, 'GET', '/v1/runs', { headers: ownPage(api, cookie) })).status
  const other = `${SIGN_IN}/${two.got.body.id}`
  const headers = ownPage(api, one.cookie)
  expect((await send(api, 'DELETE', other, { headers })).status).toBe(403)
  const out = await send(api, 'DELETE', `${SIGN_IN}/current`, { headers })
  expect([out.status, out.headers['set-cookie']]).toEqual([
    204,
    [expect.stringMatching(/^strata-\d+=; Max-Age=0; /)],
  ])
  expect(await statusOf(one.cookie)).toBe(401)
  expect((await send(api, 'DELETE', other, { headers: withKey(api) })).status).toBe(204)
  expect(await statusOf(two.cookie)).toBe(401)
  expect(await statusOf(three.cookie)).toBe(200)
  await send(api, 'DELETE', `/v1/keys/${key.id}`, { headers: withKey(api) })
  expect(await statusOf(three.cookie)).toBe(401)
  const { body } = await send(api, 'GET', '/v1/audit', { headers: withKey(api) })
  const kinds = body.data.map(({ kind, action }: Record<string, string>) => `${kind} ${action}`)
  expect(kinds.slice(0, 6)).toEqual([
    ...['key delete', 'browser_session delete', 'browser_session delete'],
    ...['browser_session create', 'browser_session create', 'browser_session create'],
  ])
})

it('a session survives a server restart, and the log contains neither its secret nor its token', async () => {
  const first = await launchServer({ open: cleanup })
  const token = await linkToken(first)
  const { cookie } = await signedIn(first, { token })
  await signedIn(first, { token })
  await first.process.line(/"path":"\/v1\/browser-sessions","status":401/)
  await first.process.stop('SIGKILL')
  const second = await launchServer({ open: cleanup, before: first })
  // The port is another one, and with it the name of the cookie.
  const [, secret = ''] = cookie.split('=')
  const headers = ownPage(second, `strata-${new URL(second.url).port}=${secret}`)
  expect((await send(second, 'GET', '/v1/runs', { headers })).status).toBe(200)
  for (const text of [secret, token]) expect(first.process.output()).not.toContain(text)
})
