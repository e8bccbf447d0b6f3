/** Keys of an identity provider: found, kept, exchanged, and used on while it is away. */

import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { memoryClock } from '../../src/hosts/memory/clock.ts'
import { fail, ok } from '../../src/lib/outcome.ts'
import type { Web } from '../../src/ports/world.ts'
import { testApi } from '../support/http.ts'

const issuer = 'https://login.example'
const audience = 'https://agents.example'
const pairs = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')])

async function world() {
  const clock = memoryClock()
  const provider = { current: 0, isAway: false, asked: 0 }
  const keysNow = async () => ({
    keys: [
      { ...(await exportJWK(pairs[provider.current]!.publicKey)), kid: `${provider.current}` },
    ],
  })
  const web: Web = {
    check: () => undefined,
    async send({ url }) {
      provider.asked += 1
      if (provider.isAway) return fail('it does not answer')
      const found = { issuer, jwks_uri: `${issuer}/keys` }
      const body = JSON.stringify(url.endsWith('/keys') ? await keysNow() : found)
      return ok({ status: 200, headers: {}, body })
    },
  }
  const settings = { identity: { issuer, audience, scopeClaim: 'scope' } }
  const api = await testApi({ clock, web, settings })
  const sign = (by: number, sub = 'u1'): Promise<string> =>
    new SignJWT({ iss: issuer, aud: audience, sub, scope: 'runs:read' })
      .setProtectedHeader({ alg: 'ES256', kid: `${by}` })
      .setExpirationTime(Math.floor(clock.now() / 1_000) + 86_400)
      .sign(pairs[by]!.privateKey)
  const status = async (token: string): Promise<number> =>
    (await api.call('GET', '/v1/runs', { key: token })).status
  return { api, clock, provider, sign, status }
}

describe('the keys of an identity provider', () => {
  it('are asked for again when a token names one that is not known, twice a minute at most', async () => {
    const { clock, provider, sign, status } = await world()
    expect(await status(await sign(0))).toBe(200)
    provider.current = 1
    expect(await status(await sign(1))).toBe(401)
    expect(provider.asked).toBe(2)
    clock.advance(31_000)
    expect(await status(await sign(1))).toBe(200)
    expect(provider.asked).toBe(4)
    for (let time = 0; time < 20; time += 1) await status(await sign(0, `u${time}`))
    expect(provider.asked).toBe(4)
  })

  it('count for an hour while it is away, and then nothing does; it is asked again', async () => {
    const { clock, provider, sign, status } = await world()
    expect(await status(await sign(0))).toBe(200)
    provider.isAway = true
    clock.advance(1_800_000)
    expect(await status(await sign(0))).toBe(200)
    clock.advance(3_600_000)
    expect(await status(await sign(0))).toBe(503)
    provider.isAway = false
    expect(await status(await sign(0))).toBe(200)
  })
})

it('403 a token of it signs no browser in, and makes no link for one', async () => {
  const { api, sign } = await world()
  const key = await sign(0)
  for (const path of ['/v1/browser-sessions', '/v1/browser-sessions/links']) {
    const { status, body, headers } = await api.call('POST', path, { key })
    expect([path, status, body.code]).toEqual([path, 403, 'insufficient_scope'])
    expect(body.detail).toContain('a token of an identity provider')
    expect(headers.get('set-cookie')).toBeNull()
  }
})
