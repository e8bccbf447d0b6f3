/** The sign-in of the console: a cookie in place of a key, for pages of this deployment alone. */

import { beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import { LIMITS } from '../../src/core/limits.ts'
import { browserSessionPartition, keyPartition } from '../../src/engine/partition/keys.ts'
import { createKey } from '../../src/engine/tenant/api-keys.ts'
import { memoryClock } from '../../src/hosts/memory/clock.ts'
import type { MemoryOverrides } from '../../src/hosts/memory/world.ts'
import { createApp } from '../../src/http/app.ts'
import { TENANT } from '../support/drive.ts'
import { type Answer, type TestApi, testApi } from '../support/http.ts'

const HERE = 'http://localhost'
const CONSOLE = { 'x-strata-console': '1' }
const PATH = '/v1/browser-sessions'
const HOURS_12 = 43_200_000

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

const cookieOf = ({ headers }: Answer): string =>
  (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
const signIn = async (key = api.key, given: object = {}) => {
  const answer = await api.call('POST', PATH, { key, ...given })
  expect(answer.status, answer.text).toBe(201)
  return { cookie: cookieOf(answer), session: answer.body, answer }
}
/** As the console asks: by the cookie, without a key. */
const ask = (cookie: string, method: string, path: string, more: object = {}, json?: unknown) =>
  api.call(method, path, {
    key: null,
    headers: { cookie, ...CONSOLE, ...more },
    ...(json === undefined ? {} : { json }),
  })
const made = async (json: object) => (await api.call('POST', '/v1/keys', { json })).body
const linkOf = async (key = api.key): Promise<string> => {
  const { status, body, text } = await api.call('POST', `${PATH}/links`, { key })
  expect(status, text).toBe(201)
  return body.token
}
const byLink = (link: unknown, headers = {}) =>
  api.call('POST', PATH, { key: null, json: { link }, headers })
const auditOf = async (kind: string) => (await api.call('GET', `/v1/audit?kind=${kind}`)).body.data

describe('a browser', () => {
  it('201 is signed in by a key, whose secret is in the cookie alone', async () => {
    const { answer, session, cookie } = await signIn()
    const now = api.world.clock.now()
    expect(session).toEqual({
      id: expect.stringMatching(/^brs_[0-9a-z]{26}$/),
      object: 'browser_session',
      tenant: TENANT,
      key_id: api.key.split('_')[1],
      scopes: ['*'],
      created_at: new Date(now).toISOString(),
      expires_at: new Date(now + HOURS_12).toISOString(),
    })
    expect(answer.headers.get('set-cookie')).toBe(
      `${cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=43200`,
    )
    expect(answer.text).not.toContain(cookie.split('_').at(-2))
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const current = await ask(cookie, 'GET', `${PATH}/current`)
    expect([current.status, current.body]).toEqual([200, session])
    expect(current.text).not.toContain(cookie.split('_').at(-2))
  })

  it('has every route under /v1 by it, and no other door', async () => {
    const { cookie } = await signIn()
    const run = await ask(cookie, 'POST', '/v1/runs', {}, { input: '@say x' })
    expect(run.status).toBe(202)
    expect((await ask(cookie, 'GET', `/v1/runs/${run.body.id}`)).status).toBe(200)
    expect((await ask(cookie, 'GET', '/metrics')).status).toBe(401)
    expect((await ask(cookie, 'POST', '/mcp', {}, {})).status).toBe(401)
  })

  it('has the scopes of its key, and no more', async () => {
    const { key } = await made({ scopes: ['runs:read'] })
    const { cookie, session } = await signIn(key)
    expect(session.scopes).toEqual(['runs:read'])
    expect((await ask(cookie, 'GET', '/v1/runs')).status).toBe(200)
    const { status, body } = await ask(cookie, 'GET', '/v1/policy')
    expect([status, body.code]).toEqual([403, 'insufficient_scope'])
    for (const [method, path] of [
      ['GET', PATH],
      ['DELETE', `${PATH}/${session.id}`],
    ] as const)
      expect((await ask(cookie, method, path)).body.code).toBe('insufficient_scope')
  })

  it('counts where its key does: by prefixes, addresses and rates', async () => {
    const scopes = ['layers:write:roles/support/', 'layers:read:roles/support/']
    const narrow = await made({ scopes, allowed_addresses: ['203.0.113.0/24'] })
    const [address, elsewhere] = ['203.0.113.9', '198.51.100.7']
    const refused = await api.call('POST', PATH, { key: narrow.key, address: elsewhere })
    expect(refused.body.code).toBe('address_not_allowed')
    const { cookie } = await signIn(narrow.key, { address })
    const put = (path: string, from: string) =>
      api.call('PUT', `/v1/files/${path}`, {
        ...{ key: null, address: from, body: 'Hello.' },
        headers: { cookie, ...CONSOLE, 'content-type': 'text/plain' },
      })
    expect((await put('roles/support/a.txt', address)).status).toBe(201)
    expect((await put('base/a.txt', address)).body.code).toBe('insufficient_scope')
    expect((await put('roles/support/a.txt', elsewhere)).body.code).toBe('address_not_allowed')
    api = await testApi({ clock: memoryClock(), settings: { keyRequests: 1 } })
    const busy = await signIn()
    for (let count = 0; count < 9; count += 1)
      expect((await ask(busy.cookie, 'GET', '/v1/runs')).status).toBe(200)
    expect((await ask(busy.cookie, 'GET', '/v1/runs')).body.code).toBe('rate_limited')
    expect((await api.call('GET', '/v1/runs')).body.code).toBe('rate_limited')
  })

  it('with a key beside the cookie: the key counts, whatever the cookie says', async () => {
    const lesser = await made({ scopes: ['runs:read'] })
    const { cookie } = await signIn()
    const both = (path: string, key = lesser.key) =>
      api.call('GET', path, { key, headers: { cookie, origin: 'https://evil.example' } })
    expect((await both('/v1/runs')).status).toBe(200)
    expect((await both('/v1/policy')).body.code).toBe('insufficient_scope')
    expect((await both('/v1/runs', 'wrong')).status).toBe(401)
    // It is the key's request, which has no session.
    expect((await both(`${PATH}/current`)).status).toBe(404)
  })

  it('404 a key has no session of its own', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await api.call(method, `${PATH}/current`)
      expect([method, status, body.code]).toEqual([method, 404, 'not_found'])
    }
  })
})

describe('two deployments on one host', () => {
  it('have a cookie each by their ports, and one jar holds both', async () => {
    const { app } = createApp(api.world)
    const at = (port: number, method: string, path: string, headers: object) =>
      app.request(`${HERE}:${port}${path}`, { method, headers: { ...CONSOLE, ...headers } })
    const jar: string[] = []
    for (const port of [4001, 4002]) {
      const authorization = `Bearer ${api.key}`
      const signed = await at(port, 'POST', PATH, { authorization })
      expect(signed.headers.get('set-cookie')).toMatch(
        new RegExp(
          `^strata_session_${port}=strata_browser_\\w+; HttpOnly; SameSite=Strict; Path=/; Max-Age=`,
        ),
      )
      jar.push((signed.headers.get('set-cookie') ?? '').split(';')[0] ?? '')
    }
    const [first = '', second = ''] = jar
    const cookie = jar.join('; ')
    const current = async (port: number, given: string) => {
      const answer = await at(port, 'GET', `${PATH}/current`, { cookie: given })
      return ((await answer.json()) as { id?: string }).id
    }
    const ids = [await current(4001, cookie), await current(4002, cookie)]
    expect(ids).toEqual([await current(4001, first), await current(4002, second)])
    expect(new Set(ids).size).toBe(2)
    expect(await current(4002, first)).toBeUndefined()
    const out = await at(4001, 'DELETE', `${PATH}/current`, { cookie })
    expect(out.headers.get('set-cookie')).toMatch(/^strata_session_4001=; .*Max-Age=0/)
    expect(await current(4002, cookie)).toBe(ids[1])
  })
})

describe('403 cross_site: a request with a cookie', () => {
  const send = async (headers: Record<string, string>, method = 'GET') => {
    const { cookie } = await signIn()
    const { status, body } = await api.call(method, '/v1/runs', {
      ...{ key: null, headers: { cookie, ...headers } },
      ...(method === 'POST' ? { json: { input: '@say x' } } : {}),
    })
    return [status, body.code]
  }
  const NO = [403, 'cross_site']

  it('needs the header of the console, on reads too', async () => {
    for (const method of ['GET', 'POST']) {
      expect(await send({}, method)).toEqual(NO)
      expect(await send({ 'x-strata-console': 'true' }, method)).toEqual(NO)
      expect(await send({ origin: HERE, 'sec-fetch-site': 'same-origin' }, method)).toEqual(NO)
    }
    expect(await send(CONSOLE)).toEqual([200, undefined])
    expect(await send(CONSOLE, 'POST')).toEqual([202, undefined])
  })

  it('comes from the same origin, where the browser says from where', async () => {
    for (const site of ['cross-site', 'same-site', 'none', ''])
      expect([site, await send({ ...CONSOLE, 'sec-fetch-site': site })]).toEqual([site, NO])
    const own = { ...CONSOLE, 'sec-fetch-site': 'same-origin', origin: HERE }
    expect(await send(own, 'POST')).toEqual([202, undefined])
  })

  it('has our own Origin, exactly, where one is sent', async () => {
    for (const origin of [
      ...['https://evil.example', 'null', 'https://localhost', `${HERE}:8787`, `${HERE}/`],
      ...['http://localhost.evil.example', 'HTTP://LOCALHOST', ''],
    ])
      expect([origin, await send({ ...CONSOLE, origin }, 'POST')]).toEqual([origin, NO])
  })

  it('also of an origin whose pages may read answers: they send a key', async () => {
    const origin = 'https://app.example.com'
    api = await testApi({ settings: { corsOrigins: [origin] } })
    expect(await send({ ...CONSOLE, origin }, 'POST')).toEqual(NO)
    const { headers } = await api.call('GET', '/v1/runs', { headers: { origin } })
    expect(headers.get('access-control-allow-origin')).toBe(origin)
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(headers.get('access-control-expose-headers')).not.toMatch(/set-cookie/i)
  })

  it('400 with two of them, and 401 with one that is none, in the same words', async () => {
    const { cookie } = await signIn()
    expect((await ask(`${cookie}; ${cookie}`, 'GET', '/v1/runs')).body.code).toBe('invalid_header')
    const unknown = cookie.replace(/_[0-9a-z]{6}$/, '_000000')
    const words = []
    for (const one of [unknown, 'strata_session=', 'strata_session', `strata_session=${api.key}`]) {
      const { status, body } = await ask(one, 'GET', '/v1/runs')
      expect([one, status]).toEqual([one, 401])
      words.push(body.detail)
    }
    expect(new Set(words.slice(0, 2)).size).toBe(1)
    expect((await ask(`a=b; ${cookie};c`, 'GET', '/v1/runs')).status).toBe(200)
    expect((await ask('other=1', 'GET', '/v1/runs')).status).toBe(401)
  })
})

describe('the cookie is Secure, and the Origin https', () => {
  const https = { 'x-forwarded-proto': 'https' }
  const with_ = async (settings: MemoryOverrides['settings'], headers: Record<string, string>) => {
    api = await testApi(settings ? { settings } : {})
    const { answer, cookie } = await signIn(api.key, { headers })
    const origin = 'https://localhost'
    const { status } = await ask(cookie, 'GET', '/v1/runs', { ...headers, origin })
    return [answer.headers.get('set-cookie')?.endsWith('; Secure'), status]
  }
  it('by proxies that the operator trusts, or by the address that he gives', async () => {
    expect(await with_(undefined, https)).toEqual([false, 403])
    expect(await with_({ trustedProxies: 1 }, https)).toEqual([true, 200])
    expect(await with_({ trustedProxies: 1 }, {})).toEqual([false, 403])
    expect(await with_({ trustedProxies: 1 }, { 'x-forwarded-proto': 'https, http' })).toEqual([
      ...[false, 403],
    ])
    expect(await with_({ publicUrl: 'https://localhost' }, {})).toEqual([true, 200])
  })
})

describe('a session is over', () => {
  const status = async (cookie: string) => (await ask(cookie, 'GET', '/v1/runs')).status

  it('after twelve hours, and no later than its key', async () => {
    const { cookie } = await signIn()
    api.world.clock.advance(HOURS_12 - 1)
    expect(await status(cookie)).toBe(200)
    api.world.clock.advance(1)
    expect(await status(cookie)).toBe(401)
    const expires_at = new Date(api.world.clock.now() + 60_000).toISOString()
    const short = await signIn((await made({ scopes: ['runs:read'], expires_at })).key)
    expect(short.session.expires_at).toBe(expires_at)
    api.world.clock.advance(60_000)
    expect(await status(short.cookie)).toBe(401)
  })

  it('with its key at once, and elsewhere within 30 seconds', async () => {
    const [here, there] = [await made({ scopes: ['*'] }), await made({ scopes: ['*'] })]
    const [mine, other] = [await signIn(here.key), await signIn(there.key)]
    expect([await status(mine.cookie), await status(other.cookie)]).toEqual([200, 200])
    expect((await api.call('DELETE', `/v1/keys/${here.id}`)).status).toBe(204)
    expect(await status(mine.cookie)).toBe(401)
    await api.world.store.drop(keyPartition(there.id))
    api.world.clock.advance(30_000)
    expect(await status(other.cookie)).toBe(401)
    expect((await api.call('GET', PATH)).body.data).toEqual([])
  })

  it('when it signs out, which empties the cookie', async () => {
    const { cookie } = await signIn()
    const out = await ask(cookie, 'DELETE', `${PATH}/current`)
    expect([out.status, out.headers.get('set-cookie')]).toEqual([
      ...[204, 'strata_session=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0'],
    ])
    expect(await status(cookie)).toBe(401)
  })

  it('when it is revoked, here at once and elsewhere within 30 seconds', async () => {
    const [one, two] = [await signIn(), await signIn()]
    const listed = await api.call('GET', PATH)
    expect(listed.body.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      [one.session.id, two.session.id].toSorted(),
    )
    expect(listed.text).not.toContain('hash')
    expect((await api.call('DELETE', `${PATH}/${one.session.id}`)).status).toBe(204)
    expect(await status(one.cookie)).toBe(401)
    expect((await api.call('DELETE', `${PATH}/${one.session.id}`)).status).toBe(404)
    expect(await status(two.cookie)).toBe(200)
    await api.world.store.drop(browserSessionPartition(two.session.id))
    api.world.clock.advance(30_000)
    expect(await status(two.cookie)).toBe(401)
  })

  it('and a stream of it ends, and says why', async () => {
    const { world } = api
    const { app } = createApp(world)
    const { cookie, session } = await signIn()
    const run = await ask(cookie, 'POST', '/v1/runs', {}, { input: '@say x' })
    const headers = { cookie, ...CONSOLE, accept: 'text/event-stream' }
    const { status, body } = await app.request(`/v1/runs/${run.body.id}/events`, { headers })
    expect(status).toBe(200)
    const text = new Response(body).text()
    await world.store.drop(browserSessionPartition(session.id))
    let over = false
    void text.then(() => (over = true))
    for (let second = 0; second < 60 && !over; second += 1) {
      world.clock.advance(1_000)
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    }
    expect(over).toBe(true)
    expect(await text).toMatch(/: closed: the session of the browser was revoked\n\n$/)
  })

  it('of another tenant is neither seen nor revoked', async () => {
    const { session, cookie } = await signIn()
    const { key } = await createKey(api.world, 'stranger', ['*'])
    expect((await api.call('GET', PATH, { key })).body.data).toEqual([])
    expect((await api.call('DELETE', `${PATH}/${session.id}`, { key })).status).toBe(404)
    expect(await status(cookie)).toBe(200)
  })
})

describe('tokens', () => {
  it('403 are not exchanged, and make no link', async () => {
    const { body: run } = await api.call('POST', '/v1/runs', { json: { input: '@say x' } })
    const json = { for: run.id, actions: ['read'] }
    const { token } = (await api.call('POST', '/v1/tokens', { json })).body
    for (const path of [PATH, `${PATH}/links`]) {
      const { status, body } = await api.call('POST', path, { key: token })
      expect([path, status, body.code]).toEqual([path, 403, 'insufficient_scope'])
      expect(body.detail).toContain('The token allows to read')
    }
  })
})

describe('a link', () => {
  it('201 signs one browser in, with the rights of the key that made it', async () => {
    const lesser = await made({ scopes: ['runs:read'] })
    const link = await linkOf(lesser.key)
    const answer = await byLink(link)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ key_id: lesser.id, scopes: ['runs:read'] })
    expect((await ask(cookieOf(answer), 'GET', '/v1/runs')).status).toBe(200)
  })

  it('401 that is wrong, used or over: the same words', async () => {
    const [used, late, orphan] = [await linkOf(), await linkOf(), await made({ scopes: ['*'] })]
    const lost = await linkOf(orphan.key)
    expect((await byLink(used)).status).toBe(201)
    expect((await api.call('DELETE', `/v1/keys/${orphan.id}`)).status).toBe(204)
    const answers = []
    const wrong = `strata_link_${'0'.repeat(26)}_${'0'.repeat(52)}_000000`
    for (const link of [used, lost, wrong, '', 'x', api.key]) answers.push(await byLink(link))
    api.world.clock.advance(600_000)
    answers.push(await byLink(late))
    const words = answers.map(({ status, body: { request_id: _, ...body }, headers }) => {
      expect(headers.get('set-cookie')).toBeNull()
      return JSON.stringify({ status, body })
    })
    expect(new Set(words).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  })

  it('of twenty uses at once one counts', async () => {
    const link = await linkOf()
    const all = await Promise.all(Array.from({ length: 20 }, () => byLink(link)))
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(401)])
    expect((await api.call('GET', PATH)).body.data).toHaveLength(1)
  })

  it('403 is not for pages of others, and it is not used up by them', async () => {
    const link = await linkOf()
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      expect((await byLink(link, headers)).body.code).toBe('cross_site')
    expect((await byLink(link, { origin: HERE, 'sec-fetch-site': 'same-origin' })).status).toBe(201)
  })

  it('403 counts where its key does, and is not used up elsewhere', async () => {
    const { key } = await made({ scopes: ['*'], allowed_addresses: ['203.0.113.9'] })
    const address = '203.0.113.9'
    const { body } = await api.call('POST', `${PATH}/links`, { key, address })
    const use = (from: string) =>
      api.call('POST', PATH, { key: null, json: { link: body.token }, address: from })
    expect((await use('198.51.100.7')).body.code).toBe('address_not_allowed')
    expect((await use(address)).status).toBe(201)
  })

  it('403 is not made by a browser that is signed in: it would never be over', async () => {
    const { cookie } = await signIn()
    const { status, body } = await ask(cookie, 'POST', `${PATH}/links`)
    expect([status, body.code]).toEqual([403, 'insufficient_scope'])
    // Nor does its cookie sign in anew: a cookie is no key.
    expect((await ask(cookie, 'POST', PATH, {}, {})).status).toBe(401)
  })

  it('422 beside a key, 401 without either', async () => {
    const both = await api.call('POST', PATH, { json: { link: await linkOf() } })
    expect([both.status, both.body.code]).toEqual([422, 'invalid_request'])
    expect((await api.call('POST', PATH, { key: null })).status).toBe(401)
    expect((await api.call('POST', PATH, { key: 'wrong', json: {} })).status).toBe(401)
    expect((await api.call('POST', PATH, { json: { tenant: 'x' } })).status).toBe(422)
  })
})

describe('limits', () => {
  it('429 of a key: so many browsers, whose places are free when they end', async () => {
    const all = []
    for (let count = 0; count < LIMITS.browser_sessions; count += 1) all.push(await signIn())
    const full = await api.call('POST', PATH)
    expect([full.status, full.body.code]).toEqual([429, 'rate_limited'])
    // Another key has places of its own.
    await signIn((await made({ scopes: ['*'] })).key)
    expect((await ask(all[0]!.cookie, 'DELETE', `${PATH}/current`)).status).toBe(204)
    await signIn()
    expect((await api.call('POST', PATH)).status).toBe(429)
    api.world.clock.advance(HOURS_12)
    await signIn()
    expect((await api.call('GET', PATH)).body.data).toHaveLength(1)
  })

  it('429 of a key: so many links within ten minutes', async () => {
    for (let count = 0; count < LIMITS.sign_in_links; count += 1) await linkOf()
    expect((await api.call('POST', `${PATH}/links`)).body.code).toBe('rate_limited')
    api.world.clock.advance(600_000)
    await linkOf()
  })
})

it('the audit has sign-ins, sign-outs and revocations, by which key, and no secret', async () => {
  const link = await linkOf()
  const one = cookieOf(await byLink(link))
  api.world.clock.advance(1)
  const two = await signIn()
  api.world.clock.advance(1)
  await ask(one, 'DELETE', `${PATH}/current`)
  api.world.clock.advance(1)
  await api.call('DELETE', `${PATH}/${two.session.id}`)
  const entries = await auditOf('browser_session')
  const by = api.key.split('_')[1]
  expect(entries).toMatchObject([
    { action: 'delete', detail: 'revoked', name: two.session.id, by },
    { action: 'delete', detail: 'signed out', by },
    { action: 'create', detail: 'signed in by the key', name: two.session.id, by, after: by },
    { action: 'create', detail: expect.stringMatching(/by the link lnk_/), by },
  ])
  const links = await auditOf('sign_in_link')
  expect(links).toMatchObject([{ action: 'create', by }])
  const secrets = [link, one, two.cookie].map((text) => text.split('_').at(-2)!)
  for (const secret of secrets) expect(JSON.stringify([entries, links])).not.toContain(secret)
})

it('the log names the session and holds neither its secret nor that of a link', async () => {
  const seen: unknown[] = []
  const { app } = createApp(api.world, { onRequest: (request) => seen.push(request) })
  const link = await linkOf()
  const json = { 'content-type': 'application/json' }
  const body = JSON.stringify({ link })
  const signed = await app.request(PATH, { method: 'POST', headers: json, body })
  const [cookie = ''] = (signed.headers.get('set-cookie') ?? '').split(';')
  await app.request('/v1/runs', { headers: { cookie, ...CONSOLE } })
  const { id } = (await signed.json()) as { id: string }
  expect(seen[1]).toMatchObject({ browser_session_id: id, key_id: api.key.split('_')[1] })
  for (const text of [link, cookie])
    expect(JSON.stringify(seen)).not.toContain(text.split('_').at(-2))
})

describe('the client', () => {
  it('by the cookie sends no key, the header of the console, and asks its own origin', async () => {
    const { app } = createApp(api.world)
    let cookie = ''
    const sent: { url: string; init: RequestInit }[] = []
    const send = async (url: string | URL | Request, init: RequestInit = {}) => {
      sent.push({ url: String(url), init })
      // The browser's part.
      const headers = new Headers(init.headers)
      if (init.credentials === 'same-origin' && cookie !== '') headers.set('cookie', cookie)
      const response = await app.request(String(url), { ...init, headers })
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
      return response
    }
    const page = createClient({ auth: 'cookie', fetch: send as typeof fetch })
    const session = await page.browserSessions.create({ link: await linkOf() })
    expect(await page.browserSessions.current()).toEqual(session)
    const run = await page.runs.create({ input: '@say hello' })
    await api.settle()
    const types = []
    for await (const event of page.runs.stream(run.id)) types.push(event.type)
    expect(types).toContain('run.completed')
    await page.browserSessions.signOut()
    await expect(page.browserSessions.current()).rejects.toMatchObject({ code: 'unauthorized' })
    for (const { url, init } of sent) {
      expect(url).toMatch(/^\/v1\//)
      expect(init).toMatchObject({ credentials: 'same-origin', headers: CONSOLE })
      expect(Object.keys(init.headers ?? {})).not.toContain('authorization')
    }
  })

  it('takes a key or the cookie, not both', () => {
    expect(() => createClient({ auth: 'cookie', apiKey: 'x' })).toThrow('not both')
  })
})
