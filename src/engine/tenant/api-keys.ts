/**
 * API keys: `strata_<id>_<secret>_<checksum>`. A key with a wrong checksum is rejected without a
 * storage read. Only the SHA-256 of the 256-bit secret is stored, and it is compared in constant
 * time.
 */

import { LIMITS } from '../../core/limits.ts'
import type { KeyRateLimits } from '../../core/rate-limits.ts'
import type { KeyQuotas } from '../../core/tenant-quotas.ts'
import type { TokenBinding } from '../../core/token.ts'
import { sha256 } from '../../lib/digest.ts'
import { base32 } from '../../lib/id.ts'
import { boundedCache } from '../../lib/lru-cache.ts'
import { iso, parseTime } from '../../lib/time.ts'
import { Unavailable } from '../../lib/unavailable.ts'
import type { World } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'
import { keyPartition, keysList } from '../partition/keys.ts'
import { processMemory } from '../partition/process.ts'
import { stored } from '../partition/stored.ts'
import type { Asker } from './audit.ts'
import { isSecretOf, newCredential, parseCredential } from './secret-text.ts'

export interface Principal {
  readonly tenant: string
  readonly key_id: string
  readonly scopes: readonly string[]
  /** Browser session whose cookie authenticated the request; absent for other credentials. */
  readonly browser?: { readonly id: string; readonly expires_at: string }
  /** User of an OpenID Connect issuer whose token authenticated the request; otherwise absent. */
  readonly identity?: Identity
  /** Restrictions of the token; absent if the credential is not a token (`tokens.ts`). */
  readonly token?: TokenBinding
}

interface Identity {
  /** URL of the issuer. */
  readonly issuer: string
  /** Name of the user at the issuer. */
  readonly subject: string
  /** End of the token, in milliseconds since 1970. */
  readonly until: number
}

/** Caller that creates keys, with the scopes of its own key. */
export interface KeyMaker extends Asker {
  readonly scopes: readonly string[]
}

/** Stored API key; all times are RFC 3339. */
export interface StoredKey extends Principal {
  readonly hash: string
  readonly created_at: string
  /** Display name of the key, if any. */
  readonly name?: string
  /** Expiry time of the key; absent if the key never expires. */
  readonly expires_at?: string
  /** IP addresses and ranges from which the key may be used; if absent, all are permitted. */
  readonly addresses?: readonly string[]
  /** Rate limits of the key; if absent, the deployment's limits apply. */
  readonly rate_limits?: KeyRateLimits
  /** Quotas of the runs that the key starts; if absent, only those of the tenant apply. */
  readonly quotas?: KeyQuotas
  /** ID under which its quotas count; defaults to the ID of the key. */
  readonly account?: string
  /** Time of the key's last use, rounded to the hour; absent if the key was never used. */
  readonly last_used_at?: string
  /** Revision of the key, incremented by each change; defaults to 1. */
  readonly revision?: number
}

const PREFIX = 'strata'
/** Length of an API key ID, in characters. */
const ID_LENGTH = 16
/** Maximum time until other processes reject a revoked key, in milliseconds. */
export const KEY_CACHE_MS = LIMITS.key_cache_seconds * 1_000

const cacheOf = processMemory('keys', () => boundedCache<{ key: StoredKey; until: number }>(1_000))

/** Reports whether the text contains an API key with a valid checksum, from any deployment. */
export const isKeyIn = (text: string): boolean =>
  [...text.matchAll(/strata_[0-9a-z]{16}_[0-9a-z]{52}_[0-9a-z]{6}/gi)].some(
    ([match]) => parse(match.toLowerCase()) !== undefined,
  )

/** Generates a key without storing it; its text is shown once, and a deployment can adopt it. */
export function newKey(
  random: (bytes: number) => Uint8Array,
  id = base32(random(10), ID_LENGTH),
): { id: string; key: string } {
  return { id, key: newCredential(PREFIX, id, random).text }
}

interface NewKeyOptions extends Pick<StoredKey, 'account'> {
  readonly id?: string
}

/** Creates and stores an API key; the key's text is returned once and never stored. */
export async function createKey(
  world: World,
  tenant: string,
  scopes: readonly string[],
  options: Omit<Grant, 'scopes'> & NewKeyOptions = {},
): Promise<{ id: string; key: string; stored: StoredKey }> {
  const { key, stored } = await createKeyOnce(world, tenant, scopes, options)
  if (key === undefined) throw new Unavailable('could not store a new key: its ID exists')
  return { id: stored.key_id, key, stored }
}

/**
 * Creates a key like `createKey`. If a concurrent request with the same ID created it, returns that
 * key without its text.
 */
export async function createKeyOnce(
  world: World,
  tenant: string,
  scopes: readonly string[],
  { id: requestedId, ...more }: Omit<Grant, 'scopes'> & NewKeyOptions = {},
): Promise<{ readonly stored: StoredKey; readonly key?: string }> {
  const { id, key } = newKey(world.clock.random, requestedId)
  const stored = storedKey(world, tenant, { ...more, scopes }, key)
  const result = await writeKey(world, stored, null)
  if (result === 'ok') return { stored, key }
  const [row] = await world.store.heads([keyPartition(id)])
  const existing = row && storedKeyOf(row.body)
  if (existing?.hash === stored.hash) return { stored, key }
  if (existing?.tenant === tenant) return { stored: existing }
  throw new Unavailable(`could not store a new key: ${result}`)
}

export type Grant = Pick<
  StoredKey,
  'scopes' | 'name' | 'expires_at' | 'addresses' | 'rate_limits' | 'quotas'
>

function storedKey(
  world: World,
  tenant: string,
  grant: Grant & Pick<StoredKey, 'account'>,
  text: string,
): StoredKey {
  const { id, secret } = parse(text)!
  const created_at = iso(world.clock.now())
  return { tenant, key_id: id, hash: sha256(secret), created_at, ...grant }
}

/** Writes a stored key if its version is still `version`; null for a new key. */
export const writeKey = (world: World, key: StoredKey, version: number | null) =>
  world.store.commit(keyPartition(key.key_id), [], {
    expect: version,
    body: JSON.stringify(key),
    listed: { under: keysList(key.tenant), at: `${key.created_at} ${key.key_id}` },
  })

/** Partition of the admin key, which also records whether a generated key was shown. */
export const ADMIN = '_/admin'

interface AdminRow {
  /** ID of the admin key that the operator configured. */
  readonly key_id?: string
  /** Key that the first start generated and showed to the operator. */
  readonly shown?: string
}

const adminRow = (body: string): AdminRow => stored<AdminRow>('the admin key', body, {})

/** Records that the first start showed this key; later starts then create no other key. */
export async function noteShownKey(world: World, text: string | undefined): Promise<void> {
  const keyId = parse(text ?? '')?.id
  await world.store.commit(ADMIN, [], { expect: null, body: JSON.stringify({ shown: keyId }) })
}

/** Returns the admin key; undefined if it was revoked or never recorded. */
export async function adminKey(world: World): Promise<StoredKey | undefined> {
  const [row] = await world.store.heads([ADMIN])
  const { key_id, shown: shownId } = row ? adminRow(row.body) : {}
  const id = key_id ?? shownId
  return id === undefined ? undefined : readKey(world, id)
}

/**
 * Makes the operator's key the deployment's admin key and revokes the previous one, idempotently.
 * Throws an explanatory error if the key is invalid.
 */
export async function adoptKey(world: World, tenant: string, text: string): Promise<void> {
  const parsed = parse(text)
  if (!parsed) throw new Error('Invalid STRATA_ADMIN_KEY; run `strata key` to print a new key')
  const { id } = parsed
  const [admin, existingKey] = await world.store.heads([ADMIN, keyPartition(id)])
  const previousId = admin ? adminRow(admin.body).key_id : undefined
  if (existingKey && previousId === id) return
  // A conflict means that another process stored the same key.
  if (!existingKey) await writeKey(world, storedKey(world, tenant, { scopes: ['*'] }, text), null)
  const body = JSON.stringify({ key_id: id })
  await world.store.commit(ADMIN, [], { expect: admin?.version ?? null, body })
  if (previousId !== undefined && previousId !== id)
    await world.store.drop(keyPartition(previousId))
}

const parse = (text: string): ReturnType<typeof parseCredential> =>
  parseCredential(PREFIX, text, ID_LENGTH)

/**
 * Verifies a key's text and returns its principal. Returns undefined for a malformed, unknown, or
 * wrong key, without distinguishing them.
 */
export async function verifyKey(world: World, text: string): Promise<Principal | undefined> {
  const key = await keyOf(world, text)
  return key && { tenant: key.tenant, key_id: key.key_id, scopes: key.scopes }
}

/** Verifies a key's text like `verifyKey`, but returns the stored key. */
export async function keyOf(world: World, text: string): Promise<StoredKey | undefined> {
  const parsed = parse(text)
  if (!parsed) return undefined
  const key = await readKey(world, parsed.id)
  const matches = isSecretOf(key?.hash, parsed.secret)
  return key && matches && !hasExpired(key, world.clock.now()) ? key : undefined
}

const HOUR_MS = 3_600_000

/**
 * Records the hour of a key's use, at most hourly per process; returns undefined if that hour is
 * already recorded. A conflicting write is dropped, and the next process records the use.
 */
export function noteUse(world: World, key: StoredKey): Promise<void> | undefined {
  const now = world.clock.now()
  const hour = iso(now - (now % HOUR_MS))
  if ((key.last_used_at ?? '') >= hour) return undefined
  const cache = cacheOf(world.store)
  const cached = cache.get(key.key_id)
  if (cached) cache.set(key.key_id, { ...cached, key: { ...cached.key, last_used_at: hour } })
  return writeUse(world, key.key_id, hour)
}

async function writeUse(world: World, id: string, hour: string): Promise<void> {
  try {
    const [row] = await world.store.heads([keyPartition(id)])
    const key = row && storedKeyOf(row.body)
    if (!key || (key.last_used_at ?? '') >= hour) return
    await writeKey(world, { ...key, last_used_at: hour }, row.version)
  } catch (error) {
    const { message } = error as Error
    world.log?.write({ level: 'warn', event: 'key.use_unwritten', key_id: id, message })
  }
}

export const hasExpired = ({ expires_at }: StoredKey, now: number): boolean =>
  (parseTime(expires_at ?? '') ?? now + 1) <= now

/**
 * Removes a key from this process's cache; other processes see the change when they next read the
 * key.
 */
export const forgetKey = (world: World, id: string): void => void cacheOf(world.store).delete(id)

export const storedKeyOf = (body: string): StoredKey =>
  stored<StoredKey>('an API key', body, { hash: 'string', tenant: 'string' })

/** Returns the stored key, read at most 5 seconds ago; undefined if the key was revoked. */
export async function readKey(world: World, id: string): Promise<StoredKey | undefined> {
  const cache = cacheOf(world.store)
  const now = world.clock.now()
  const cached = cache.get(id)
  if (cached && cached.until > now) return cached.key
  const [row] = await world.store.heads([keyPartition(id)])
  if (!row || row.key !== HEAD) return undefined
  const key = storedKeyOf(row.body)
  cache.set(id, { key, until: now + KEY_CACHE_MS })
  return key
}
