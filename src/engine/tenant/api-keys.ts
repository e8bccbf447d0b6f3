/**
 * API keys: `strata_<id>_<secret>_<checksum>`. A key with a wrong checksum is refused without a
 * read; only the SHA-256 of the 256-bit secret is stored, and it is compared in constant time.
 */

import type { TokenRights } from '../../core/token.ts'
import { bounded } from '../../lib/bounded.ts'
import { sha256 } from '../../lib/digest.ts'
import { base32 } from '../../lib/id.ts'
import { iso, parseTime } from '../../lib/time.ts'
import { Unavailable } from '../../lib/unavailable.ts'
import type { World } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'
import { keyPartition, keysList } from '../partition/keys.ts'
import { processMemory } from '../partition/process.ts'
import { stored } from '../partition/stored.ts'
import { isSecretOf, newCredential, parseCredential } from './credential.ts'

export interface Principal {
  readonly tenant: string
  readonly key_id: string
  readonly scopes: readonly string[]
  /** Addresses and ranges that it may be used from; absent: all. */
  readonly allowed_addresses?: readonly string[]
  /** A short-lived token that the key has made, and all that it allows; absent: the key itself. */
  readonly token?: TokenRights
  /** A browser that is signed in with the key, by its session; absent: the key itself. */
  readonly browser?: { readonly id: string; readonly until: number }
  /** Of a token of an identity provider: when it ends (ms since 1970); then `key_id` is its subject. */
  readonly until?: number
}

/** Times in RFC 3339. */
export interface StoredKey extends Omit<Principal, 'token' | 'browser' | 'until'> {
  readonly hash: string
  readonly created_at: string
  /** For people; absent: it was given none. */
  readonly name?: string
  /** Absent: it does not expire. */
  readonly expires_at?: string
  /** To the minute, and at most an hour before the last request; absent: none came yet. */
  readonly last_used_at?: string
}

const FORM = /^strata_([0-9a-z]{16})_([0-9a-z]{52})_([0-9a-z]{6})$/
/** A revoked key stops working after at most this long, in other processes. */
const CACHE_MS = 30_000

const cacheOf = processMemory('keys', () => bounded<{ key: StoredKey; until: number }>(1_000))

/** A new key, known to nobody yet. Its text is shown once; it can be adopted by a deployment. */
export function newKey(
  random: (bytes: number) => Uint8Array,
  id = base32(random(10), 16),
): { id: string; key: string } {
  return { id, key: newCredential('strata_', id, random).text }
}

/** Creates a key; its text is returned once and stored nowhere. */
export async function createKey(
  world: World,
  tenant: string,
  scopes: readonly string[],
  { id: given, ...more }: Omit<Grant, 'scopes'> & { readonly id?: string } = {},
): Promise<{ id: string; key: string; stored: StoredKey }> {
  const { id, key } = newKey(world.clock.random, given)
  const stored = storedKey(world, tenant, { ...more, scopes }, key)
  const result = await writeKey(world, stored, null)
  if (result !== 'ok') throw new Unavailable(`storing a new key was ${result}`)
  return { id, key, stored }
}

export type Grant = Pick<StoredKey, 'scopes' | 'name' | 'expires_at' | 'allowed_addresses'>

function storedKey(
  world: World,
  tenant: string,
  { scopes, name, expires_at, allowed_addresses }: Grant,
  text: string,
): StoredKey {
  const { id, secret } = parse(text)!
  return {
    tenant,
    key_id: id,
    scopes,
    hash: sha256(secret),
    created_at: iso(world.clock.now()),
    ...(name === undefined ? {} : { name }),
    ...(expires_at === undefined ? {} : { expires_at }),
    ...(allowed_addresses === undefined ? {} : { allowed_addresses }),
  }
}

/** `version`: as it was read; null: it is new. */
export const writeKey = (world: World, key: StoredKey, version: number | null) =>
  world.store.commit(keyPartition(key.key_id), [], {
    expect: version,
    body: JSON.stringify(key),
    listed: { under: keysList(key.tenant), at: `${key.created_at} ${key.key_id}` },
  })

/** The deployment's own key, and whether one was ever shown. */
export const ADMIN = '_/admin'

/**
 * Makes a key that the operator has chosen the deployment's admin key, in place of the one before,
 * which is revoked. Doing it again is free. Throws a sentence when the text is no key.
 */
export async function adoptKey(world: World, tenant: string, text: string): Promise<void> {
  const parsed = parse(text)
  if (!parsed) throw new Error('STRATA_ADMIN_KEY is not a key; `strata key` prints a new one')
  const { id } = parsed
  const [admin, known] = await world.store.heads([ADMIN, keyPartition(id)])
  const before = admin
    ? stored<{ key_id?: string }>('the admin key', admin.body, {}).key_id
    : undefined
  if (known && before === id) return
  // A conflict means that another process is doing the same.
  if (!known) await writeKey(world, storedKey(world, tenant, { scopes: ['*'] }, text), null)
  const body = JSON.stringify({ key_id: id })
  await world.store.commit(ADMIN, [], { expect: admin?.version ?? null, body })
  if (before !== undefined && before !== id) await world.store.drop(keyPartition(before))
}

const parse = (text: string) => parseCredential(FORM, text)

/** The owner of this key, or undefined: malformed, unknown and wrong are indistinguishable. */
export async function verifyKey(world: World, text: string): Promise<Principal | undefined> {
  const parsed = parse(text)
  if (!parsed) return undefined
  const key = await readKey(world, parsed.id)
  const matches = isSecretOf(key?.hash, parsed.secret)
  if (!key || !matches || hasExpired(key, world.clock.now())) return undefined
  return principalOf(key)
}

export function principalOf({ tenant, key_id, scopes, allowed_addresses }: StoredKey): Principal {
  return { tenant, key_id, scopes, ...(allowed_addresses && { allowed_addresses }) }
}

/** So often the last use of a key is written. */
const USED_MS = 3_600_000
const MINUTE_MS = 60_000

const isRecent = ({ last_used_at }: StoredKey, now: number): boolean =>
  (parseTime(last_used_at ?? '') ?? 0) > now - USED_MS

/**
 * Notes the use of a key that was just verified: undefined when that is known already, to the hour.
 * Best effort, and behind the answer: a write that meets another one is given up, and the next
 * process that reads the key writes again.
 */
export function noteUse(world: World, id: string): Promise<void> | undefined {
  const cache = cacheOf(world.store)
  const now = world.clock.now()
  const known = cache.get(id)
  if (!known || isRecent(known.key, now)) return undefined
  const last_used_at = iso(now - (now % MINUTE_MS))
  // Nobody else of this process writes it meanwhile.
  cache.set(id, { ...known, key: { ...known.key, last_used_at } })
  return writeUse(world, id, last_used_at)
}

async function writeUse(world: World, id: string, last_used_at: string): Promise<void> {
  const [row] = await world.store.heads([keyPartition(id)])
  if (!row) return
  const key = storedKeyOf(row.body)
  if (isRecent(key, world.clock.now())) return
  await writeKey(world, { ...key, last_used_at }, row.version)
}

export const hasExpired = ({ expires_at }: StoredKey, now: number): boolean =>
  (parseTime(expires_at ?? '') ?? now + 1) <= now

/** In this process at once; in others when they read it again. */
export const forgetKey = (world: World, id: string): void => void cacheOf(world.store).delete(id)

export const storedKeyOf = (body: string): StoredKey =>
  stored<StoredKey>('an API key', body, { hash: 'string', tenant: 'string' })

/** As it was read in the last 30 seconds; undefined: there is none. */
export async function readKey(world: World, id: string): Promise<StoredKey | undefined> {
  const cache = cacheOf(world.store)
  const now = world.clock.now()
  const known = cache.get(id)
  if (known && known.until > now) return known.key
  const [row] = await world.store.heads([keyPartition(id)])
  if (!row || row.key !== HEAD) return undefined
  const key = storedKeyOf(row.body)
  cache.set(id, { key, until: now + CACHE_MS })
  return key
}
