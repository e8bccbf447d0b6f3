/** OAuth at MCP servers through a running server: a link, its answer, refresh, refusal, forgetting. */

import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { ask, putFile, runToEnd } from '../support/node-client.ts'
import { type OAuthServer, startGuardedMcp, startOAuthServer } from '../support/oauth-server.ts'
import { eventually } from '../support/patience.ts'
import { BASE_CONFIG } from '../support/resolved.ts'

const AT = '/v1/mcp-servers/x/authorization'
const CALL = '@call mcp__x__act {}\n@then\n@say {last}'

/** A server `x` whose table holds these further lines. */
async function world(lines = '', env: Readonly<Record<string, string>> = {}, options = {}) {
  const oauth = await startOAuthServer()
  const mcp = await startGuardedMcp(oauth, options)
  const api = await startNodeApi(env)
  await putFile(api, BASE_CONFIG, `[mcp_servers.x]\nurl = "${mcp.url}"\n${lines}\n`)
  return { oauth, mcp, api }
}

/** As a person's browser does it: the link, and back to us without a key. */
async function open(link: string): Promise<{ readonly status: number; readonly text: string }> {
  const consented = await fetch(link, { redirect: 'manual' })
  expect(consented.status).toBe(302)
  const answer = await fetch(consented.headers.get('location') ?? '')
  return { status: answer.status, text: await answer.text() }
}
const linkOf = async (api: NodeApi): Promise<string> => {
  const { status, body, text } = await ask(api, 'POST', AT)
  expect(status, text).toBe(200)
  return body.url
}
const stateOf = async (api: NodeApi) =>
  (await ask(api, 'GET', '/v1/mcp-servers/x')).body.authorization
const actionsOf = async (api: NodeApi): Promise<string[]> =>
  (await ask(api, 'GET', '/v1/audit')).body.data
    .filter(({ kind }: { kind: string }) => kind === 'authorization')
    .map(({ action }: { action: string }) => action)

/** Everything that a deployment keeps or shows: no token may stand there. */
function expectNoToken(
  { access, refreshes }: OAuthServer,
  issued: readonly string[],
  api: NodeApi,
) {
  const tokens = [...issued, ...access.keys(), ...refreshes.keys()]
  expect(tokens.length).toBeGreaterThan(0)
  const files = readdirSync(api.folder, { recursive: true, withFileTypes: true })
  for (const file of files.filter((one) => one.isFile())) {
    const text = readFileSync(join(file.parentPath, file.name), 'latin1')
    for (const token of tokens) expect(text.includes(token), file.name).toBe(false)
  }
  for (const token of tokens) expect(api.told.join('\n')).not.toContain(token)
}

describe('a server that requires authorization', () => {
  it('is missing until a person opens the link; the run reports it and continues', async () => {
    const { api, oauth, mcp } = await world()
    expect(await stateOf(api)).toBeUndefined()
    const before = await runToEnd(api, { input: CALL })
    expect(before.status).toBe('completed')
    expect(before.output.text).toMatch(/unknown_tool.*authorize it first.*\/authorization/)
    expect(before.warnings).toMatchObject([{ code: 'authorization_required' }])
    const { body } = await ask(api, 'GET', `/v1/runs/${before.id}/config`)
    expect(body.missing_servers).toMatchObject([{ name: 'x', code: 'authorization_required' }])
    expect(mcp.messages('tools/call')).toEqual([])

    const link = await linkOf(api)
    const query = new URL(link).searchParams
    expect(query.get('scope')).toBe('read write')
    expect(query.get('resource')).toBe(mcp.url)
    expect(query.get('redirect_uri')).toBe(`${api.url}/v1/oauth/callback`)
    expect(await stateOf(api)).toEqual({ state: 'required', expires_at: null })
    const opened = await open(link)
    expect(opened).toMatchObject({ status: 200, text: expect.stringContaining('x is authorized') })

    const after = await runToEnd(api, { input: CALL })
    expect(after).toMatchObject({ status: 'completed', output: { text: 'done' } })
    const { state, expires_at } = await stateOf(api)
    expect(state).toBe('authorized')
    expect(Date.parse(expires_at) - Date.parse(after.ended_at)).toBeGreaterThan(3_000_000)
    expect(await actionsOf(api)).toEqual(['authorize'])
    expectNoToken(oauth, [], api)
  })

  it('of an end user is used by runs for this user, and the authorization of the tenant by others', async () => {
    const { api, mcp } = await world()
    const tokensSent = () => mcp.messages('tools/call').map(({ headers }) => headers.authorization)
    const authorize = async (query = '') => {
      const { status, body, text } = await ask(api, 'POST', `${AT}${query}`)
      expect(status, text).toBe(200)
      expect((await open(body.url)).status).toBe(200)
    }
    await authorize('?subject=alice')
    const without = await runToEnd(api, { input: CALL })
    expect(without.warnings).toMatchObject([{ code: 'authorization_required' }])
    await runToEnd(api, { input: CALL, subject: 'bob' })
    expect(tokensSent()).toEqual([])
    await runToEnd(api, { input: CALL, subject: 'alice' })
    await authorize()
    await runToEnd(api, { input: CALL })
    // A link that was not opened does not replace the authorization of the tenant.
    expect((await ask(api, 'POST', `${AT}?subject=bob`)).status).toBe(200)
    await runToEnd(api, { input: CALL, subject: 'bob' })
    await runToEnd(api, { input: CALL, subject: 'alice' })
    const [first, ofTenant, ofBob, ofAlice] = tokensSent()
    expect([first === ofTenant, ofBob === ofTenant, ofAlice === first]).toEqual([false, true, true])
    // Also the link that bob has not opened.
    const resealed = await ask(api, 'POST', '/v1/secrets/reseal')
    expect(resealed.body).toMatchObject({ resealed: 3, lost: [] })
    const forgotten = await ask(api, 'DELETE', `${AT}?subject=alice`)
    expect(forgotten.body).toMatchObject({ forgotten: true, revoked: true })
    // The server has ended all tokens, so that of the tenant is renewed.
    await runToEnd(api, { input: CALL, subject: 'alice' })
    await runToEnd(api, { input: CALL })
    const [last, renewed] = tokensSent().slice(-2)
    expect([last === renewed, last === first]).toEqual([true, false])
    const { data } = (await ask(api, 'GET', '/v1/audit?kind=authorization')).body
    const details = data.map(({ detail }: { detail?: string }) => detail)
    expect(details).toEqual(['subject: alice', undefined, 'subject: alice'])
  })

  it('accepts each link once, and only the newest one', async () => {
    const { api, oauth } = await world()
    const first = await linkOf(api)
    const second = await linkOf(api)
    expect(await open(first)).toMatchObject({ status: 400 })
    const consented = await fetch(second, { redirect: 'manual' })
    const back = consented.headers.get('location') ?? ''
    const answers = await Promise.all([fetch(back), fetch(back)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await fetch(back)).status).toBe(400)
    expect(oauth.tokenRequests()).toHaveLength(1)
    expect(oauth.paths().filter((path) => path === '/register')).toHaveLength(1)
  })

  it('refuses a forged or altered state without any outgoing request', async () => {
    const { api, oauth } = await world()
    const state = new URL(await linkOf(api)).searchParams.get('state') ?? ''
    const asked = oauth.paths().length
    const forged = [
      '',
      'x',
      `${state}A`,
      state.slice(0, -2),
      `v1.${state.slice(5)}`,
      state.repeat(9),
    ]
    for (const one of forged) {
      const url = `${api.url}/v1/oauth/callback?code=c&state=${encodeURIComponent(one)}`
      const answer = await fetch(url)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        400,
        'application/problem+json',
      ])
    }
    expect((await fetch(`${api.url}/v1/oauth/callback`)).status).toBe(400)
    expect(oauth.paths()).toHaveLength(asked)
    expect((await fetch(`${api.url}/v1/oauth/callback`, { method: 'POST' })).status).toBe(401)
    // The true one counts still.
    expect(oauth.tokenRequests()).toEqual([])
  })

  it("shows a person's refusal on the page, in the view, and in the audit, and the run continues", async () => {
    const { api, oauth, mcp } = await world()
    oauth.behaviour.consent = false
    const { status, text } = await open(await linkOf(api))
    expect([status, text]).toEqual([400, expect.stringContaining('access_denied')])
    expect(await stateOf(api)).toMatchObject({ state: 'refused' })
    expect(await actionsOf(api)).toEqual(['refuse'])
    const run = await runToEnd(api, { input: CALL })
    expect(run).toMatchObject({ status: 'completed' })
    expect(run.output.text).toContain('authorize it first')
    expect(mcp.messages('initialize')).toEqual([])
    oauth.behaviour.consent = true
    await open(await linkOf(api))
    expect(await runToEnd(api, { input: CALL })).toMatchObject({ output: { text: 'done' } })
  })

  it('keeps its authorization when a link is never answered', async () => {
    const { api, oauth } = await world()
    oauth.behaviour.expires_in = 1
    await open(await linkOf(api))
    oauth.behaviour.expires_in = 3_600
    // Reached by another name it registers another client.
    const elsewhere = { ...api, url: api.url.replace('127.0.0.1', 'localhost') }
    await linkOf(elsewhere)
    expect(oauth.paths().filter((path) => path === '/register')).toHaveLength(2)
    expect(await runToEnd(api, { input: CALL })).toMatchObject({ output: { text: 'done' } })
    const clients = oauth.tokenRequests().map((form) => form.get('client_id'))
    expect(new Set(clients).size).toBe(1)
    expect(await stateOf(api)).toMatchObject({ state: 'authorized' })
  })

  it('can be authorized from the command line', async () => {
    const { api } = await world()
    const strata = (...args: string[]) =>
      promisify(execFile)(process.execPath, ['src/cli/strata.ts', 'authorize', ...args], {
        env: { STRATA_URL: api.url, STRATA_API_KEY: api.key },
      })
    const { stdout, stderr } = await strata('x')
    expect(stderr).toMatch(/^Open the link before \S+; it can be used only once\.\n$/)
    expect((await open(stdout.trim())).status).toBe(200)
    expect(await runToEnd(api, { input: CALL })).toMatchObject({ output: { text: 'done' } })
    expect((await strata('x', '--forget')).stdout).toBe(
      'forgotten, and revoked at the authorization server\n',
    )
    expect((await strata('x', '--forget')).stdout).toBe('no authorization found\n')
    await expect(strata('y', '--layer', 'base/')).rejects.toMatchObject({ code: 1 })
  })

  it('refuses another issuer, an invalid code, and a server without PKCE [U32]', async () => {
    const { api, oauth } = await world()
    const consented = await fetch(await linkOf(api), { redirect: 'manual' })
    const mixed = new URL(consented.headers.get('location') ?? '')
    mixed.searchParams.set('iss', 'https://other.example')
    expect((await fetch(mixed)).status).toBe(400)
    expect(oauth.tokenRequests()).toEqual([])
    oauth.behaviour.tokenError = 'invalid_grant'
    const refused = await open(await linkOf(api))
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('invalid_grant') })
    expect(refused.text).not.toContain('No: x')
    oauth.behaviour.tokenError = undefined
    oauth.behaviour.pkce = false
    expect((await ask(api, 'POST', AT)).status).toBe(422)
    oauth.behaviour.pkce = true
    oauth.behaviour.issuer = 'https://evil.example'
    expect((await ask(api, 'POST', AT)).status).toBe(422)
  })
})

describe('hostile metadata', () => {
  const PRIVATE = 'https://10.0.0.7/token'
  const refusals: readonly (readonly [name: string, members: object, why: string])[] = [
    [
      'a page that is a script',
      { authorization_endpoint: 'javascript:alert(1)' },
      'must start with',
    ],
    ['a page that is data', { authorization_endpoint: 'data:text/html,x' }, 'must start with'],
    [
      'a page without TLS',
      { authorization_endpoint: 'http://a.example/x' },
      'must start with https',
    ],
    ['a page with a user', { authorization_endpoint: 'https://a@b.example/' }, 'a user name'],
    ['a page with a fragment', { authorization_endpoint: 'https://a.example/#x' }, 'a fragment'],
    ['tokens of a private address', { token_endpoint: PRIVATE }, 'not an IP address'],
    ['tokens of an address in hex', { token_endpoint: 'https://0x7f.1/' }, 'the address 127.0.0.1'],
    ['tokens of a private name', { token_endpoint: 'https://vault.internal/t' }, 'not public'],
    ['tokens of a cloud', { token_endpoint: 'http://169.254.169.254/latest' }, 'must start with'],
    ['clients of a private name', { registration_endpoint: 'https://x.corp/r' }, 'not public'],
    ['an end that is no text', { revocation_endpoint: 7 }, 'not a string'],
    ['another issuer', { issuer: 'https://evil.example' }, 'its issuer does not match'],
    ['no codes', { response_types_supported: ['token'] }, 'does not issue authorization codes'],
    ['no PKCE', { code_challenge_methods_supported: ['plain'] }, 'does not support PKCE'],
  ]
  it.each(refusals)('with %s is refused before any request', async (_, members, why) => {
    const { api, oauth } = await world()
    oauth.behaviour.metadata = members as Record<string, unknown>
    const { status, body } = await ask(api, 'POST', AT)
    expect([status, body.detail]).toEqual([422, expect.stringContaining(why)])
    expect(body.detail).toContain('the authorization server is rejected')
    const asked = oauth.paths().filter((path) => !path.startsWith('/.well-known/'))
    expect(asked).toEqual([])
  })

  it.each([
    ['http://169.254.169.254/'],
    ['https://user:pass@a.example'],
    ['https://localhost.internal'],
    ['file:///etc/passwd'],
    [7],
  ])('with the authorization server %s is refused, without a fallback', async (server) => {
    const { api, oauth } = await world()
    oauth.behaviour.servers = [server]
    const { status, body } = await ask(api, 'POST', AT)
    const why = expect.stringContaining('is rejected because of its authorization_servers')
    expect([status, body.detail]).toEqual([422, why])
    expect(oauth.paths()).toEqual([])
  })

  it('of client credentials receives no secret, and the run reports the reason', async () => {
    const table = 'grant = "client_credentials", client_id = "machine", client_secret_env_var = "S"'
    const secret = { S: 'machine-secret-of-some-length', STRATA_SECRETS: 'S@127.0.0.1' }
    const { api, oauth } = await world(`oauth = {${table}}`, secret)
    oauth.behaviour.metadata = { token_endpoint: 'https://vault.internal/t' }
    const { warnings } = await runToEnd(api, { input: '@say x' })
    expect(warnings).toMatchObject([
      { code: 'authorization_failed', message: expect.stringContaining('the host is not public') },
    ])
    expect(oauth.tokenRequests()).toEqual([])
  })
})

describe('a token', () => {
  it('that has expired is renewed once for all callers, and rotates', async () => {
    const { api, oauth } = await world()
    oauth.behaviour.expires_in = 1
    await open(await linkOf(api))
    const issued = [...oauth.access.keys(), ...oauth.refreshes.keys()]
    oauth.behaviour.expires_in = 3_600
    const runs = await Promise.all([1, 2, 3, 4].map(() => runToEnd(api, { input: CALL })))
    for (const run of runs) expect(run.output.text).toBe('done')
    const grants = oauth.tokenRequests().map((form) => form.get('grant_type'))
    expect(grants).toEqual(['authorization_code', 'refresh_token'])
    expect(await stateOf(api)).toMatchObject({ state: 'authorized' })
    expectNoToken(oauth, issued, api)
  })

  it('that the server refuses early is renewed, and the call is made', async () => {
    const { api, oauth } = await world()
    await open(await linkOf(api))
    await runToEnd(api, { input: CALL })
    oauth.expireAll()
    expect(await runToEnd(api, { input: CALL })).toMatchObject({ output: { text: 'done' } })
    expect(oauth.tokenRequests()).toHaveLength(2)
  })

  it('that cannot be renewed makes the server unavailable, with the reason in the audit', async () => {
    const { api, oauth } = await world()
    oauth.behaviour.expires_in = 1
    await open(await linkOf(api))
    oauth.behaviour.tokenError = 'invalid_grant'
    const run = await runToEnd(api, { input: CALL })
    expect(run.output.text).toContain('authorize it first')
    expect(await stateOf(api)).toMatchObject({ state: 'expired' })
    expect(await actionsOf(api)).toEqual(['refresh_failed', 'authorize'])
    // Nobody asks again before a person has.
    await runToEnd(api, { input: CALL })
    expect(oauth.tokenRequests()).toHaveLength(2)
  })

  it('survives a failure of the authorization server', async () => {
    const { api, oauth } = await world()
    oauth.behaviour.expires_in = 1
    await open(await linkOf(api))
    oauth.behaviour.tokenError = 503
    const run = await runToEnd(api, { input: CALL })
    expect(run.output.text).toMatch(/unknown_tool.*the authorization server/)
    expect(run.warnings).toMatchObject([{ code: 'authorization_failed' }])
    oauth.behaviour.tokenError = undefined
    oauth.behaviour.expires_in = 3_600
    expect(await runToEnd(api, { input: CALL })).toMatchObject({ output: { text: 'done' } })
  })

  it('without renewal expires', async () => {
    const { api, oauth } = await world()
    oauth.behaviour.expires_in = 1
    oauth.behaviour.refreshTokens = false
    await open(await linkOf(api))
    await eventually(async () => expect(await stateOf(api)).toMatchObject({ state: 'expired' }))
    const run = await runToEnd(api, { input: CALL })
    expect(run.output.text).toContain('authorize it first')
  })

  it('that an answer contains is hidden', async () => {
    let token = ''
    const { api, oauth } = await world(
      '',
      {},
      {
        onCall(message: { id?: unknown }, response: import('node:http').ServerResponse) {
          const content = [{ type: 'text', text: `you are ${token}` }]
          response.writeHead(200, { 'content-type': 'application/json' })
          response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { content } }))
          return true
        },
      },
    )
    await open(await linkOf(api))
    token = [...oauth.access.keys()][0]!
    const run = await runToEnd(api, { input: CALL })
    expect(run.output.text).toBe('you are [redacted]')
    expectNoToken(oauth, [], api)
  })

  it('is deleted here and revoked at the authorization server', async () => {
    const { api, oauth, mcp } = await world()
    await open(await linkOf(api))
    await runToEnd(api, { input: CALL })
    const forgotten = await ask(api, 'DELETE', AT)
    expect(forgotten).toMatchObject({ status: 200, body: { forgotten: true, revoked: true } })
    expect(oauth.access.size).toBe(0)
    expect(await stateOf(api)).toBeUndefined()
    expect((await ask(api, 'DELETE', AT)).body).toMatchObject({ forgotten: false, revoked: false })
    const calls = mcp.messages('tools/call').length
    const run = await runToEnd(api, { input: CALL })
    expect(run.output.text).toContain('authorize it first')
    expect(mcp.messages('tools/call')).toHaveLength(calls)
    expect(await actionsOf(api)).toEqual(['forget', 'authorize'])
  })
})

describe('a configuration', () => {
  const MACHINE = (more = '') =>
    `[mcp_servers.x.oauth]\ngrant = "client_credentials"\nclient_id = "machine"\nclient_secret_env_var = "S"\nscopes = ["read"]\n${more}`
  const SECRET = { S: 'machine-secret-of-some-length', STRATA_SECRETS: 'S@127.0.0.1' }

  it('of client credentials requires no person', async () => {
    const { api, oauth } = await world(MACHINE(), SECRET)
    expect(await stateOf(api)).toEqual({ state: 'required', expires_at: null })
    expect(await runToEnd(api, { input: CALL })).toMatchObject({ output: { text: 'done' } })
    const [form, ...more] = oauth.tokenRequests()
    expect([form?.get('grant_type'), form?.get('scope')]).toEqual(['client_credentials', 'read'])
    expect(more).toEqual([])
    expect(await stateOf(api)).toMatchObject({ state: 'authorized' })
    oauth.expireAll()
    expect(await runToEnd(api, { input: CALL })).toMatchObject({ output: { text: 'done' } })
    expect((await ask(api, 'POST', AT)).status).toBe(422)
    expectNoToken(oauth, [SECRET.S], api)
  })

  it.each([
    ['is wrong', { S: 'another-secret-of-length', STRATA_SECRETS: 'S' }, 'invalid_client'],
    ['is bound elsewhere', { S: SECRET.S, STRATA_SECRETS: 'S@id.example' }, 'is not sent to'],
    ['is not set', { STRATA_SECRETS: 'S' }, 'secret S'],
  ])('whose client secret %s makes the server unavailable', async (_, env, why) => {
    const { api, mcp } = await world(MACHINE(), env)
    const run = await runToEnd(api, { input: CALL })
    expect(run.status).toBe('completed')
    expect(run.output.text).toContain('unknown_tool')
    const { body } = await ask(api, 'POST', '/v1/mcp-servers/x/test')
    expect(body.error).toContain(why)
    expect(mcp.messages('initialize')).toEqual([])
  })

  it('names a client, scopes, and an issuer, and another issuer is refused', async () => {
    const { api, oauth } = await world()
    const put = (oauth: object) => ask(api, 'PATCH', '/v1/mcp-servers/x', { oauth })
    const table = { clientId: 'known', scope: 'a b', callbackPort: 8_080, issuer: oauth.origin }
    const written = await put(table)
    expect(written.status, written.text).toBe(200)
    expect(written.body.server.oauth).toMatchObject({ client_id: 'known', scopes: ['a', 'b'] })
    const link = new URL(await linkOf(api))
    expect(link.searchParams.get('client_id')).toBe('known')
    expect(link.searchParams.get('scope')).toBe('a b')
    await open(link.href)
    expect(await runToEnd(api, { input: CALL })).toMatchObject({ output: { text: 'done' } })
    await put({ issuer: 'https://other.example' })
    expect(await ask(api, 'POST', AT)).toMatchObject({ status: 422 })
  })

  it.each([
    ['a literal secret', { client_id: 'a', client_secret: 'x' }],
    ['an unknown grant', { grant: 'password' }],
    ['a secret without a client', { client_secret_env_var: 'S' }],
    ['credentials without a secret', { grant: 'client_credentials', client_id: 'a' }],
    ['a scope of two words', { scopes: ['a b'] }],
    ['no table', 'yes'],
  ])('with %s is refused', async (_, oauth) => {
    const { api } = await world()
    expect((await ask(api, 'PATCH', '/v1/mcp-servers/x', { oauth })).status).toBe(422)
  })

  it('with an additional bearer is refused, and a local program has no OAuth', async () => {
    const { api } = await world()
    const both = { oauth: {}, bearer_token_env_var: 'T' }
    expect((await ask(api, 'PATCH', '/v1/mcp-servers/x', both)).status).toBe(422)
    await putFile(api, BASE_CONFIG, '[mcp_servers.x]\ncommand = "true"\n')
    expect((await ask(api, 'POST', AT)).status).toBe(422)
    expect((await ask(api, 'POST', '/v1/mcp-servers/no/authorization')).status).toBe(404)
  })

  it('of the deployment sets the address to which browsers return', async () => {
    const { api } = await world('', { STRATA_PUBLIC_URL: 'https://agents.example' })
    const { redirect_uri } = (await ask(api, 'POST', AT)).body
    expect(redirect_uri).toBe('https://agents.example/v1/oauth/callback')
  })
})
