/**
 * `oidc-provider`, a certified OpenID Connect provider, as a trusted issuer: its client obtains access
 * tokens by the client-credentials flow and uses the API with them, also after the provider's keys change.
 */

import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import type { Given } from '../given.ts'

const API = 'https://agents.example'
const CLIENT = { client_id: 'robot', client_secret: 'a-secret-of-the-robot-client' }

/** Serves a provider with a new signing key. */
function provider(issuer: string, kid: string) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'ES256' }
  const resource = {
    scope: 'runs:read runs:write keys:read',
    audience: API,
    accessTokenFormat: 'jwt' as const,
    accessTokenTTL: 300,
    jwt: { sign: { alg: 'ES256' as const } },
  }
  return new Provider(issuer, {
    clients: [
      {
        ...CLIENT,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
        scope: resource.scope,
      },
    ],
    scopes: resource.scope.split(' '),
    jwks: { keys: [key] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: { enabled: true, getResourceServerInfo: () => resource },
    },
    extraTokenClaims: () => ({ org: 'acme' }),
  }).callback()
}

export default async function story({ url, key, issuer }: Given): Promise<void> {
  let callback = provider(issuer, 'first')
  const server = createServer((request, response) => callback(request, response))
  await new Promise<void>((resolve) => server.listen(Number(new URL(issuer).port), resolve))
  try {
    const token = async (scope: string): Promise<string> => {
      const body = new URLSearchParams({ grant_type: 'client_credentials', resource: API, scope })
      const { client_id, client_secret } = CLIENT
      const authorization = `Basic ${btoa(`${client_id}:${client_secret}`)}`
      const response = await fetch(`${issuer}/token`, {
        ...{ method: 'POST', headers: { authorization }, body },
      })
      const answer = (await response.json()) as { readonly access_token: string }
      assert.equal(response.status, 200, JSON.stringify(answer))
      return answer.access_token
    }
    const call = async (bearer: string, path: string, json?: object) => {
      const response = await fetch(`${url}${path}`, {
        method: json ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        ...(json ? { body: JSON.stringify(json) } : {}),
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    assert.equal((await call(key, '/v1/tenants', { id: 'acme' })).status, 201)
    const writer = await token('runs:read runs:write')
    const run = await call(writer, '/v1/runs', { input: '@say hello' })
    assert.equal(run.status, 202, JSON.stringify(run.body))
    assert.equal((await call(writer, `/v1/runs/${run.body.id}`)).status, 200)
    assert.equal((await call(writer, '/v1/keys')).body.code, 'insufficient_scope')
    assert.equal((await call(await token('keys:read'), '/v1/keys')).status, 200)
    callback = provider(issuer, 'second')
    const later = await call(await token('runs:read'), '/v1/runs')
    assert.equal(later.status, 401, 'keys are loaded at most every 30 s')
    assert.equal(later.body.detail, 'Invalid JSON Web Token: its issuer has no such key.')
    assert.equal((await call(`${writer}x`, '/v1/runs')).status, 401)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}
