/**
 * Tokens of the operator's identity provider (OpenID Connect), a second way in beside API keys: a
 * JWT that the issuer has signed for this audience. Its payload says the tenant and the scopes. The
 * provider's keys are found by discovery and kept for minutes.
 */

import { LRUCache } from 'lru-cache'
import { GRANTS, PREFIXED, prefixFault } from '../../core/scopes.ts'
import { sha256 } from '../../lib/digest.ts'
import { isUnknownKey, type Jwks, mayBeJwt, type Verified, verifyJwt } from '../../lib/jwt.ts'
import { Unavailable } from '../../lib/unavailable.ts'
import type { IdentityProvider, World } from '../../ports/world.ts'
import { DEFAULT_TENANT } from '../partition/keys.ts'
import { processMemory } from '../partition/process.ts'
import type { Principal } from './api-keys.ts'

/** Keys are asked for anew after so long, and for a token of an unknown key at most so often. */
const KEYS_MS = 600_000
const AGAIN_MS = 30_000
/** A provider that does not answer changes nothing for so long. */
const STALE_MS = 3_600_000
const TIMEOUT_MS = 5_000
const MOST_BYTES = 262_144
/** A token that was verified is taken as it is for so long: signatures cost more than all the rest. */
const VERIFIED_MS = 60_000

interface Known {
  keys?: Jwks
  /** When they came, and when they were last asked for (ms since 1970). */
  at: number
  tried: number
  asking?: Promise<void> | undefined
  readonly verified: LRUCache<string, { readonly principal: Principal; readonly at: number }>
}
const knownOf = processMemory(
  'identities',
  (): Known => ({ at: 0, tried: 0, verified: new LRUCache({ max: 2_000 }) }),
)

export const isIdentity = (world: World, text: string): boolean =>
  world.settings.identity !== undefined && mayBeJwt(text)

/** Undefined: it is not valid, or names no tenant; the log says why. */
export async function verifyIdentity(world: World, text: string): Promise<Principal | undefined> {
  const provider = world.settings.identity
  if (!provider) return undefined
  const known = knownOf(world.store)
  const now = world.clock.now()
  const digest = sha256(text)
  const before = known.verified.get(digest)
  const counts = before && before.at + VERIFIED_MS > now && (before.principal.until ?? 0) > now
  if (counts) return before.principal
  const verified = await verify(world, provider, text)
  const principal = verified.ok ? principalOf(provider, verified) : undefined
  if (!principal) {
    const reason = verified.ok ? 'no_tenant' : verified.code
    world.log?.write({ level: 'info', event: 'identity.refused', reason })
    return undefined
  }
  known.verified.set(digest, { principal, at: now })
  return principal
}

async function verify(world: World, provider: IdentityProvider, text: string): Promise<Verified> {
  const known = knownOf(world.store)
  const expected = { ...provider, now: world.clock.now() }
  await refresh(world, provider, KEYS_MS)
  if (!known.keys) throw new Unavailable('the identity provider does not answer')
  const verified = await verifyJwt(text, known.keys, expected)
  if (!isUnknownKey(verified)) return verified
  // It may have changed its keys.
  await refresh(world, provider, AGAIN_MS)
  return verifyJwt(text, known.keys, expected)
}

/** Asks for the keys that are older than this; what fails leaves those that are known, for a time. */
async function refresh(world: World, provider: IdentityProvider, olderMs: number): Promise<void> {
  const known = knownOf(world.store)
  const now = world.clock.now()
  if (known.keys && now - known.at < olderMs) return
  if (known.keys && now - known.tried < AGAIN_MS) return
  known.asking ??= (async () => {
    known.tried = now
    const keys = await keysOf(world, provider)
    if (keys) Object.assign(known, { keys, at: now })
    else if (now - known.at > STALE_MS) delete known.keys
  })().finally(() => {
    known.asking = undefined
  })
  await known.asking
}

async function keysOf(world: World, { issuer }: IdentityProvider): Promise<Jwks | undefined> {
  const base = issuer.endsWith('/') ? issuer.slice(0, -1) : issuer
  const found = await json(world, `${base}/.well-known/openid-configuration`)
  const { issuer: said, jwks_uri: uri } = found ?? {}
  if (said !== issuer || typeof uri !== 'string') {
    if (found) world.log?.write({ level: 'warn', event: 'identity.provider', error: NOT_ITS_OWN })
    return undefined
  }
  const set = await json(world, uri)
  return Array.isArray(set?.keys) ? (set as unknown as Jwks) : undefined
}

const NOT_ITS_OWN = 'its configuration names another issuer, or no keys'

async function json(world: World, url: string): Promise<Record<string, unknown> | undefined> {
  const headers = { accept: 'application/json' }
  const request = {
    method: 'GET',
    url,
    headers,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MOST_BYTES,
  } as const
  const answer = await world.web.send(request)
  const trouble = answer.ok ? (answer.value.status === 200 ? undefined : 'status') : answer.error
  try {
    if (answer.ok && trouble === undefined) {
      const value: unknown = JSON.parse(answer.value.body)
      if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
    }
  } catch {
    // Said below.
  }
  const error = trouble === 'status' && answer.ok ? `it answers ${answer.value.status}` : trouble
  world.log?.write({
    level: 'warn',
    event: 'identity.provider',
    error: error ?? 'it sends no JSON',
  })
  return undefined
}

const TENANT = /^[a-z0-9][a-z0-9-]{0,62}$/

/** `key_id` names the subject at the issuer, the same in every token, and is nobody's address. */
function principalOf(
  { issuer, tenantClaim, scopeClaim }: IdentityProvider,
  { payload, until }: Extract<Verified, { readonly ok: true }>,
): Principal | undefined {
  const tenant = tenantClaim === undefined ? DEFAULT_TENANT : payload[tenantClaim]
  if (typeof tenant !== 'string' || !TENANT.test(tenant)) return undefined
  const given = payload[scopeClaim]
  const words = Array.isArray(given) ? given : typeof given === 'string' ? given.split(' ') : []
  const scopes = words.filter((word): word is string => typeof word === 'string' && isGrant(word))
  const subject = sha256(JSON.stringify([issuer, payload.sub])).slice(0, 24)
  return { tenant, key_id: `sub_${subject}`, scopes, until }
}

/** Other words of the provider are about other services. */
const isGrant = (word: string): boolean =>
  GRANTS.includes(word) || (PREFIXED.test(word) && prefixFault(word) === undefined)
