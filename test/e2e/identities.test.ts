/** JSON Web Tokens of a trusted issuer, through a running server with an issuer on loopback. */

import { createHmac } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startNodeApi } from '../support/node-api.ts'

const AUDIENCE = 'https://agents.example'

async function startIssuer() {
  const pair = await generateKeyPair('RS256')
  const jwk = await exportJWK(pair.publicKey)
  const keys = [
    { ...jwk, kid: 'one', alg: 'RS256', use: 'sig' },
    { kty: 'oct', kid: 'shared', k: jwk.n! },
  ]
  const server = await startCannedServer(({ url }, response) => {
    const document = { issuer: server.origin, jwks_uri: `${server.origin}/keys` }
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(url === '/keys' ? { keys } : document))
  })
  cleanup.push(server.close)
  const sign = (claims: JWTPayload, { key = pair.privateKey, until = '5m' } = {}) =>
    new SignJWT({ iss: server.origin, aud: AUDIENCE, sub: 'u1', scope: '*', ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setExpirationTime(until)
      .sign(key)
  return { origin: server.origin, received: server.received, sign, publicKey: jwk.n! }
}

async function start(more: object) {
  const issuer = await startIssuer()
  const entry = { issuer: issuer.origin, audience: AUDIENCE, ...more }
  const api = await startNodeApi({ OIDC_ISSUERS: JSON.stringify([entry]) })
  const send = async (token: string, path = '/v1/runs', json?: object) => {
    const response = await fetch(`${api.url}${path}`, {
      method: json ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(json ? { body: JSON.stringify(json) } : {}),
    })
    // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
    return { status: response.status, body: (await response.json()) as any }
  }
  if ('tenant_claim' in more) {
    for (const id of ['acme', 'globex']) {
      expect((await send(api.key, '/v1/tenants', { id })).status).toBe(201)
    }
  }
  return { issuer, api, send }
}

it('a token runs an agent in the tenant that its claim names, and in no other', async () => {
  const { issuer, send } = await start({ tenant_claim: 'org' })
  const token = await issuer.sign({ org: 'acme', scope: 'runs:* openid' })
  const made = await send(token, '/v1/runs', { input: '@say hello' })
  expect(made.status).toBe(202)
  expect((await send(token, `/v1/runs/${made.body.id}`)).status).toBe(200)
  expect((await send(token, '/v1/keys')).body.code).toBe('insufficient_scope')
  const other = await issuer.sign({ org: 'globex' })
  expect((await send(other, `/v1/runs/${made.body.id}`)).status).toBe(404)
  expect(issuer.received.map(({ url }) => url)).toEqual([
    '/.well-known/openid-configuration',
    '/keys',
  ])
})

it('a token with a wrong claim, key, or algorithm is rejected with a reason', async () => {
  const { issuer, send } = await start({ tenant_claim: 'org' })
  const other = await startIssuer()
  const good = await issuer.sign({ org: 'acme' })
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = part({ iss: issuer.origin, aud: AUDIENCE, sub: 'u', exp: 4e9, org: 'acme' })
  const [head, , signature] = good.split('.')
  const signedText = `${part({ alg: 'HS256', kid: 'shared' })}.${claims}`
  const mac = createHmac('sha256', Buffer.from(issuer.publicKey, 'base64url'))
  const rejected: readonly (readonly [string, string])[] = [
    [await issuer.sign({ org: 'acme' }, { until: '-5m' }), 'it has expired'],
    [await issuer.sign({ org: 'acme', aud: 'https://other.example' }), 'claim aud'],
    [await issuer.sign({ org: 'acme', nbf: 4e9 }), 'claim nbf'],
    [await issuer.sign({ org: 'acme', sub: '' }), 'does not identify a user'],
    [await issuer.sign({ org: 'acme', sub: 'a\u202eb' }), 'does not identify a user'],
    [await issuer.sign({ org: 'acme', sub: 'a'.repeat(201) }), 'does not identify a user'],
    [await issuer.sign({ org: 'acme', cnf: { jkt: 'x' } }), 'proof of possession'],
    [await issuer.sign({}), 'does not name a tenant'],
    [await issuer.sign({ org: '../x' }), 'does not name a tenant'],
    [await issuer.sign({ org: 7 }), 'does not name a tenant'],
    [await issuer.sign({ org: 'initech' }), 'names an unknown tenant'],
    [await issuer.sign({ org: 'default' }), "names the operator's tenant"],
    [await other.sign({ org: 'acme' }), 'its issuer is not trusted'],
    [await other.sign({ org: 'acme', iss: issuer.origin }), 'its signature does not match'],
    [`${head}.${claims}.${signature}`, 'its signature does not match'],
    [`${part({ alg: 'none' })}.${claims}.x`, 'its algorithm is not accepted'],
    [`${signedText}.${mac.update(signedText).digest('base64url')}`, 'algorithm is not accepted'],
    ['a.b.c', 'it is malformed'],
    [`${part({ alg: 'none' })}.${claims}.`, 'its algorithm is not accepted'],
    [await issuer.sign({ org: 'acme', note: 'x'.repeat(9_000) }), 'it is longer than 8192 bytes'],
    [`${good}.`, 'Invalid API key.'],
  ]
  for (const [token, reason] of rejected) {
    const { status, body } = await send(token)
    expect([reason, status, body.code]).toEqual([reason, 401, 'unauthorized'])
    expect(body.detail).toContain(reason)
  }
  expect((await send(good)).status).toBe(200)
})

it.each(['rows', 'missing'])(
  'no token acts in the tenant %s, which does not exist',
  async (tenant) => {
    const { issuer, send } = await start({ tenant })
    const refused = await send(await issuer.sign({}), '/v1/runs', { input: '@say hello' })
    expect([refused.status, refused.body.detail]).toEqual([
      ...[401, expect.stringContaining('its issuer names an unknown tenant')],
    ])
  },
)

it('an issuer of the default tenant needs no row of it', async () => {
  const { issuer, send } = await start({ tenant: 'default' })
  expect((await send(await issuer.sign({}), '/v1/runs')).status).toBe(200)
})
