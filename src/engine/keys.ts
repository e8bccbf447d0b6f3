/**
 * API keys: `strata_<id>_<secret>_<checksum>`. A key with a wrong checksum is refused without a
 * read; only the SHA-256 of the 256-bit secret is stored, and it is compared in constant time.
 */

import { LRUCache } from 'lru-cache'
import { equalSecret } from '../lib/bytes.ts'
import { sha256 } from '../lib/digest.ts'
import { base32 } from '../lib/id.ts'
import { iso } from '../lib/time.ts'
import type { Store, World } from '../ports/world.ts'
import { HEAD } from '../ports/world.ts'
import { keyPartition } from './names.ts'

export interface Principal {
  readonly tenant: string
  readonly key_id: string
  readonly scopes: readonly string[]
}

interface StoredKey extends Principal {
  readonly hash: string
  readonly created_at: string
}

const FORM = /^strata_([0-9a-z]{16})_([0-9a-z]{52})_([0-9a-z]{6})$/
/** A revoked key stops working after at most this long. */
const CACHE_MS = 30_000

const caches = new WeakMap<Store, LRUCache<string, { key: StoredKey; until: number }>>()

function cacheOf(store: Store) {
  let cache = caches.get(store)
  if (!cache) {
    cache = new LRUCache({ max: 1_000 })
    caches.set(store, cache)
  }
  return cache
}

const checksum = (id: string, secret: string): string =>
  base32(Buffer.from(sha256(`${id}_${secret}`), 'hex'), 6)

/** Creates a key; its text is returned once and stored nowhere. */
export async function createKey(
  world: World,
  tenant: string,
  scopes: readonly string[],
): Promise<{ id: string; key: string }> {
  const id = base32(world.clock.random(10), 16)
  const secret = base32(world.clock.random(33), 52)
  const stored: StoredKey = {
    tenant,
    key_id: id,
    scopes,
    hash: sha256(secret),
    created_at: iso(world.clock.now()),
  }
  const head = { expect: null, body: JSON.stringify(stored) }
  const result = await world.store.commit(keyPartition(id), [], head)
  if (result !== 'ok') throw new Error(`storing a new key was ${result}`)
  return { id, key: `strata_${id}_${secret}_${checksum(id, secret)}` }
}

/** Who holds this key, or undefined: malformed, unknown and wrong look the same. */
export async function verifyKey(world: World, text: string): Promise<Principal | undefined> {
  const [, id, secret, check] = FORM.exec(text) ?? []
  if (!id || !secret || !check || !equalSecret(checksum(id, secret), check)) return undefined
  const key = await readKey(world, id)
  const matches = equalSecret(sha256(secret), key?.hash ?? NOBODY)
  if (!key || !matches) return undefined
  return { tenant: key.tenant, key_id: key.key_id, scopes: key.scopes }
}

/** Compared with when the id is unknown, so that both cases take the same time. */
const NOBODY = sha256('nobody')

async function readKey(world: World, id: string): Promise<StoredKey | undefined> {
  const cache = cacheOf(world.store)
  const now = world.clock.now()
  const known = cache.get(id)
  if (known && known.until > now) return known.key
  const [row] = await world.store.heads([keyPartition(id)])
  if (!row || row.key !== HEAD) return undefined
  const key = JSON.parse(row.body) as StoredKey
  cache.set(id, { key, until: now + CACHE_MS })
  return key
}
