/** Tokens of an identity provider as a second way in, by a real server and a provider on loopback. */

import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startServer } from '../support/server.ts'

const AUDIENCE = 'https://agents.example'

/** Discovery, keys, and whoever signs with them. */
async function provider() {
  let asked = 0
  const keys = [await generateKeyPair('RS256')]
  const named = new Map(keys.map((pair) => [pair, 'first']))
  const server = await startCannedServer((request, response) => {
    asked += 1
    void (async () => {
      const { pathname } = new URL(request.url!, server.origin)
      const jwks = async () => ({
        keys: await Promise.all(
          keys.map(async (pair) => ({
            ...(await exportJWK(pair.publicKey)),
            ...{ kid: named.get(pair), alg: 'RS256', use: 'sig' },
          })),
        ),
      })
      const found = { issuer: server.origin, jwks_uri: `${server.origin}/keys` }
      const body = pathname === '/keys' ? await jwks() : found
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    })()
  })
  cleanup.push(server.close)
  const sign = (
    claims: JWTPayload,
    more: { pair?: (typeof keys)[number]; until?: string } = {},
  ) => {
    const pair = more.pair ?? keys.at(-1)!
    const kid = named.get(pair)!
    const token = new SignJWT({ iss: server.origin, aud: AUDIENCE, sub: 'u1', ...claims })
    return token
      .setProtectedHeader({ alg: 'RS256', kid })
      .setExpirationTime(more.until ?? '5m')
      .sign(pair.privateKey)
  }
  return { origin: server.origin, sign, asked: () => asked }
}

async function opened(env: Record<string, string> = {}) {
  const issuer = await provider()
  const server = await startServer({
    env: { OIDC_ISSUER: issuer.origin, OIDC_AUDIENCE: AUDIENCE, ...env },
  })
  const get = async (token: string, path = '/v1/runs') => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${server.url}${path}`, { headers })
    const body = (await answer.json()) as { code?: string; detail?: string }
    return { status: answer.status, ...body }
  }
  return { issuer, server, get }
}

describe('a token of the identity provider', () => {
  it('counts with its scopes, and with no others; the provider is asked once', async () => {
    const { issuer, get } = await opened()
    const reader = await issuer.sign({ scope: 'openid runs:read made-up' })
    for (let time = 0; time < 5; time += 1) expect((await get(reader)).status).toBe(200)
    expect(await get(reader, '/v1/keys')).toMatchObject({ status: 403, code: 'insufficient_scope' })
    const nobody = await issuer.sign({})
    expect(await get(nobody)).toMatchObject({ status: 403, code: 'insufficient_scope' })
    expect(issuer.asked()).toBe(2)
  })

  it('401 expired, for others, by another key, changed, unsigned, of another issuer', async () => {
    const { issuer, get } = await opened()
    const other = await provider()
    const good = await issuer.sign({ scope: '*' })
    const [head, , signature] = good.split('.')
    const claims = Buffer.from(
      JSON.stringify({ iss: issuer.origin, aud: AUDIENCE, sub: 'u2', exp: 4e9, scope: '*' }),
    ).toString('base64url')
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    const wrong = [
      await issuer.sign({ scope: '*' }, { until: '-5m' }),
      await issuer.sign({ scope: '*', aud: 'https://other.example' }),
      await other.sign({ scope: '*', iss: issuer.origin }),
      await other.sign({ scope: '*' }),
      `${head}.${claims}.${signature}`,
      `${none}.${claims}.`,
      `${none}.${claims}.x`,
    ]
    for (const token of wrong) expect(await get(token)).toMatchObject({ status: 401 })
    expect((await get(good)).status).toBe(200)
  })

  it('names the tenant by its claim; one that is no name is refused', async () => {
    const { issuer, server, get } = await opened({ OIDC_TENANT_CLAIM: 'org' })
    const acme = await issuer.sign({ scope: 'sessions:*', org: 'acme' })
    const headers = { authorization: `Bearer ${acme}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: '{}' }
    const made = (await (await fetch(`${server.url}/v1/sessions`, init)).json()) as { id: string }
    expect((await get(acme, `/v1/sessions/${made.id}`)).status).toBe(200)
    const other = await issuer.sign({ scope: 'sessions:*', org: 'other' })
    expect((await get(other, `/v1/sessions/${made.id}`)).status).toBe(404)
    for (const org of [undefined, '', '_', '../x', 'a/b', 7]) {
      const token = await issuer.sign({ scope: '*', ...(org === undefined ? {} : { org }) })
      expect([org, (await get(token)).status]).toEqual([org, 401])
    }
  })

  it('hands nothing on: no short-lived token, whose key could end it', async () => {
    const { issuer, server } = await opened()
    const token = await issuer.sign({ scope: '*' })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ for: `run_${'0'.repeat(26)}`, actions: ['read'] })
    const answer = await fetch(`${server.url}/v1/tokens`, { method: 'POST', headers, body })
    expect(answer.status).toBe(403)
  })
})
