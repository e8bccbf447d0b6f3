/**
 * Obtains access tokens for a Google service account (RFC 7523): a signed assertion is exchanged
 * for a token, which is cached until shortly before it expires. Uses Web Crypto, so the module
 * works on every platform.
 */

import { base64url } from '../../lib/bytes.ts'
import type { ProviderConfig } from './providers.ts'

const TOKEN_URL = 'https://oauth2.googleapis.com/token'
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const LIFE_SECONDS = 3_600
/**
 * Time before its expiry at which a token is renewed, in milliseconds; a model call may take
 * minutes.
 */
const EARLY_MS = 300_000
const WAIT_MS = 30_000

type Account = NonNullable<ProviderConfig['service_account']>

/** Returns a function that yields a shared token until it expires. Failures are not cached. */
export function googleToken(account: Account, connect: typeof fetch): () => Promise<string> {
  let cached: { readonly token: string; readonly until: number } | undefined
  return async () => {
    const now = Date.now()
    if (cached && cached.until > now) return cached.token
    const token = await exchange(account, connect, Math.floor(now / 1_000))
    cached = { token, until: now + LIFE_SECONDS * 1_000 - EARLY_MS }
    return token
  }
}

async function exchange(account: Account, connect: typeof fetch, seconds: number): Promise<string> {
  const assertion = await statement(account, seconds)
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  const response = await connect(TOKEN_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type, assertion }).toString(),
    redirect: 'manual',
    signal: AbortSignal.timeout(WAIT_MS),
  })
  const answer = (await response.json().catch(() => ({}))) as { access_token?: unknown }
  if (response.ok && typeof answer.access_token === 'string') return answer.access_token
  // Reported like a rejected key, because Google's message may quote the assertion.
  const error = new Error(
    `Google responded with ${response.status} to the token request of the service account`,
  )
  throw Object.assign(error, { statusCode: response.status === 400 ? 401 : response.status })
}

async function statement(account: Account, seconds: number): Promise<string> {
  const { client_email, private_key, private_key_id } = account
  const head = { alg: 'RS256', typ: 'JWT', ...(private_key_id ? { kid: private_key_id } : {}) }
  const times = { iat: seconds, exp: seconds + LIFE_SECONDS }
  const payload = { iss: client_email, scope: SCOPE, aud: TOKEN_URL, ...times }
  const encoder = new TextEncoder()
  const part = (value: object) => base64url(encoder.encode(JSON.stringify(value)))
  const input = `${part(head)}.${part(payload)}`
  const pem = private_key.replace(/-----[^-]+-----/g, '').replace(/\s|\\n/g, '')
  const bytes = Uint8Array.from(atob(pem), (character) => character.charCodeAt(0))
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('pkcs8', bytes, algorithm, false, ['sign'])
  const signature = await crypto.subtle.sign(algorithm.name, key, encoder.encode(input))
  return `${input}.${base64url(new Uint8Array(signature))}`
}
