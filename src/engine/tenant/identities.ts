/**
 * Verifies JSON Web Tokens (RFC 7519) of trusted OpenID Connect issuers (`core/issuer.ts`), which
 * authenticate requests like API keys. The issuer's keys are found by OpenID Connect Discovery and
 * cached by jose, which loads them again for an unknown key. If an issuer fails, its last keys stay
 * valid for an hour.
 */

import type { JWTVerifyGetKey, RemoteJWKSet } from 'jose'
import { type Claims, type Issuer, rightsOf } from '../../core/issuer.ts'
import { LIMITS } from '../../core/limits.ts'
import { sha256 } from '../../lib/digest.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { Unavailable } from '../../lib/unavailable.ts'
import type { World } from '../../ports/world.ts'
import { DEFAULT_TENANT } from '../partition/keys.ts'
import { processMemory } from '../partition/process.ts'
import type { Principal } from './api-keys.ts'
import { tenantExists } from './state.ts'

const TIMEOUT_MS = 5_000
const MAX_BYTES = 262_144
/** Time for which keys of a failed issuer stay valid, in milliseconds. */
const STALE_MS = 3_600_000
/** Pause before a failed issuer is requested again, in milliseconds. */
const PAUSE_MS = 10_000
/** Maximum difference between the clocks of an issuer and this process, in seconds. */
const TOLERANCE_SECONDS = 30

interface IssuerKeys {
  set?: RemoteJWKSet
  /** Time at which the keys were loaded, in milliseconds since 1970. */
  loadedAt: number
  /** Time of the last failure, in milliseconds since 1970. */
  failedAt: number
  /** Sends the requests of this issuer, with the ports of the latest request. */
  load: (url: string) => Promise<Claims>
}
const keysOf = processMemory('issuers', () => new Map<string, IssuerKeys>())

/** Whether a credential has the form of a JSON Web Token. */
export const isJwt = (text: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text)

/**
 * Returns the principal of a token, or a sentence that explains the rejection. Throws `Unavailable`
 * if the issuer's keys cannot be loaded.
 */
export async function verifyIdentity(
  world: World,
  text: string,
): Promise<Outcome<Principal, string>> {
  const principal = await principalOf(world, text)
  if (principal.ok) return principal
  world.log?.write({ level: 'info', event: 'identity.rejected', reason: principal.error })
  return fail(`Invalid JSON Web Token: ${principal.error}.`)
}

async function principalOf(world: World, text: string): Promise<Outcome<Principal, string>> {
  if (text.length > LIMITS.jwt_bytes) return fail(`it is longer than ${LIMITS.jwt_bytes} bytes`)
  const { issuerIn, verifyJwt } = await import('../../lib/jwt.ts')
  const iss = issuerIn(text)
  if (iss === undefined) return fail('it is malformed')
  const issuer = world.settings.issuers?.find((entry) => entry.issuer === iss)
  if (!issuer) return fail('its issuer is not trusted')
  const expected = { ...issuer, clockTolerance: TOLERANCE_SECONDS, now: world.clock.now() }
  const payload = await verifyJwt(text, keySetOf(world, issuer), expected)
  if (!payload.ok) return payload
  // A sender-constrained token (RFC 7800) must not be accepted from any bearer.
  if (payload.value.cnf !== undefined) return fail('it requires a proof of possession')
  const rights = rightsOf(issuer, payload.value, DEFAULT_TENANT)
  if (!rights.ok) return rights
  const { tenant, subject, scopes } = rights.value
  if (tenant !== DEFAULT_TENANT && !(await tenantExists(world, tenant))) {
    const source = issuer.tenant === undefined ? `its claim ${issuer.tenant_claim}` : 'its issuer'
    return fail(`${source} names an unknown tenant`)
  }
  const until = (payload.value.exp + TOLERANCE_SECONDS) * 1_000
  const key_id = `sub_${sha256(JSON.stringify([issuer.issuer, subject])).slice(0, 24)}`
  return ok({ tenant, key_id, scopes, identity: { issuer: issuer.issuer, subject, until } })
}

const AWAY = 'The identity provider of the token is temporarily unavailable; retry the request.'

/** Returns the function that finds an issuer's key; loads the keys when they are first needed. */
function keySetOf(world: World, issuer: Issuer): JWTVerifyGetKey {
  const memory = keysOf(world.store)
  const keys = memory.get(issuer.issuer) ?? {
    ...{ loadedAt: Number.NEGATIVE_INFINITY, failedAt: Number.NEGATIVE_INFINITY },
    load: (url: string) => loaded(world, url),
  }
  memory.set(issuer.issuer, keys)
  keys.load = (url) => loaded(world, url)
  return async (header, token) => {
    try {
      return await (await remoteSet(world, issuer, keys))(header, token)
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      const now = world.clock.now()
      if (now - keys.failedAt >= PAUSE_MS) {
        keys.failedAt = now
        const { message } = error
        world.log?.write({ level: 'warn', event: 'identity.issuer_failed', message })
      }
      const lastKeys = now - keys.loadedAt < STALE_MS ? keys.set?.jwks() : undefined
      if (!lastKeys) throw new Unavailable(error.message, { cause: error, detail: AWAY })
      const { localKeys } = await import('../../lib/jwt.ts')
      return localKeys(lastKeys)(header, token)
    }
  }
}

async function remoteSet(
  world: World,
  { issuer }: Issuer,
  keys: IssuerKeys,
): Promise<RemoteJWKSet> {
  if (world.clock.now() - keys.failedAt < PAUSE_MS)
    throw new Unavailable(`the issuer ${issuer} failed recently`)
  if (keys.set) return keys.set
  const base = issuer.endsWith('/') ? issuer.slice(0, -1) : issuer
  const document = await keys.load(`${base}/.well-known/openid-configuration`)
  const url = typeof document.jwks_uri === 'string' ? URL.parse(document.jwks_uri) : null
  if (document.issuer !== issuer || !url)
    throw new Unavailable(`the configuration of ${issuer} names another issuer or no jwks_uri`)
  const { remoteKeys } = await import('../../lib/jwt.ts')
  keys.set ??= remoteKeys(url, async (jwksUrl) => {
    const keySet = await keys.load(jwksUrl)
    if (!Array.isArray(keySet.keys)) throw new Unavailable(`${jwksUrl} returned no key set`)
    keys.loadedAt = world.clock.now()
    return { keys: keySet.keys }
  })
  return keys.set
}

async function loaded(world: World, url: string): Promise<Claims> {
  const headers = { accept: 'application/json' }
  const bounds = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }
  const response = await world.web.send({ method: 'GET', url, headers, ...bounds })
  if (!response.ok) throw new Unavailable(`${url}: ${response.error}`)
  const { status, body } = response.value
  if (status !== 200) throw new Unavailable(`${url} returned status ${status}`)
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value === 'object' && value !== null) return value as Claims
  } catch {
    // Rejected below.
  }
  throw new Unavailable(`${url} returned no JSON object`)
}
