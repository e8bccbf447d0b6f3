/**
 * Data key of a tenant with encryption: random, sealed under the master key in the tenant's row,
 * and destroyed when the deletion of the tenant begins. A tenant's encryption never changes, so a
 * process asks at most once about a tenant without it.
 */

import { base64url } from '../../lib/bytes.ts'
import { type Cipher, cipherOf, DATA_KEY_BYTES } from '../../lib/cipher.ts'
import { boundedCache } from '../../lib/lru-cache.ts'
import { Unavailable } from '../../lib/unavailable.ts'
import type { World } from '../../ports/world.ts'
import { processMemory } from '../partition/process.ts'
import { type CachedState, type StoredEncryption, tenantState } from './state.ts'

/** Thrown when no master key opens a tenant's data key; nothing is read or written in plain text. */
export class TenantLocked extends Unavailable {
  constructor(tenant: string) {
    const remedy = 'set STRATA_MASTER_KEY, or STRATA_MASTER_KEY_PREVIOUS, to the key that sealed it'
    super(`no configured master key opens the data key of the tenant ${tenant}; ${remedy}`, {
      detail:
        "The tenant's data cannot be decrypted with the configured master key; the operator must " +
        'restore the key.',
    })
  }
}

/** Cipher of a tenant; `destroyed` if its deletion has begun, undefined without encryption. */
export type TenantCipher = Cipher | 'destroyed' | undefined

/**
 * Time for which a process uses an opened key after its last read of the tenant's row, in
 * milliseconds. Its work ends earlier when it reads the deletion as the state of the tenant.
 */
const KEY_MS = 60_000
const MAX_TENANTS = 10_000

interface CachedCipher {
  readonly cipher: Cipher | undefined
  /** End of the entry's validity on the monotonic clock, in milliseconds. */
  readonly until: number
}
const ciphersOf = processMemory('ciphers', () => boundedCache<CachedCipher>(MAX_TENANTS))
/** Ciphers by the cached state from which they were opened; one process reads the state once. */
const opened = new WeakMap<CachedState, Exclude<TenantCipher, undefined>>()
/** Cached states whose data key no master key opens, each logged once. */
const locked = new WeakSet<CachedState>()

const contextOf = (tenant: string): string => `data key ${tenant}`

/** Creates a data key for a new tenant. */
export async function newDataKey({ clock, secrets }: World, tenant: string) {
  const key = base64url(clock.random(DATA_KEY_BYTES))
  return { sealed: await secrets.seal(key, contextOf(tenant)) } satisfies StoredEncryption
}

/** Seals a data key under the current master key; undefined if no master key opens it. */
export async function resealedDataKey(
  { secrets }: World,
  tenant: string,
  sealed: string,
): Promise<StoredEncryption | undefined> {
  const key = await secrets.open(sealed, contextOf(tenant))
  return key === undefined ? undefined : { sealed: await secrets.seal(key, contextOf(tenant)) }
}

/**
 * Returns the cipher of a tenant that can have a row; without a promise if it is cached. Throws
 * `TenantLocked` if no master key opens it.
 */
export function tenantCipher(world: World, tenant: string): TenantCipher | Promise<TenantCipher> {
  const cached = ciphersOf(world.store).get(tenant)
  if (cached && cached.until > world.clock.monotonic()) return cached.cipher
  const state = tenantState(world, tenant)
  if (state instanceof Promise) return state.then((entry) => cipherIn(world, tenant, entry))
  return opened.get(state) ?? cipherIn(world, tenant, state)
}

async function cipherIn(world: World, tenant: string, state: CachedState): Promise<TenantCipher> {
  const { exists, encryption } = state
  if (!encryption) {
    // A tenant without a row may be created later, with encryption.
    if (exists) remember(world, tenant, undefined, Number.POSITIVE_INFINITY)
    return undefined
  }
  const cipher =
    encryption.sealed === null ? 'destroyed' : await open(world, tenant, encryption.sealed)
  if (cipher === undefined) {
    if (!locked.has(state)) world.log?.write({ level: 'error', event: 'tenant.locked', tenant })
    locked.add(state)
    throw new TenantLocked(tenant)
  }
  opened.set(state, cipher)
  if (cipher !== 'destroyed' && !world.settings.singleProcess)
    remember(world, tenant, cipher, world.clock.monotonic() + KEY_MS)
  return cipher
}

const remember = (
  { store }: World,
  tenant: string,
  cipher: Cipher | undefined,
  until: number,
): void => void ciphersOf(store).set(tenant, { cipher, until })

async function open({ secrets }: World, tenant: string, sealed: string) {
  const key = await secrets.open(sealed, contextOf(tenant))
  return key === undefined ? undefined : cipherOf(new Uint8Array(Buffer.from(key, 'base64url')))
}
