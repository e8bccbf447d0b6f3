/**
 * Secrets that a tenant keeps by the API, as a `Secrets` port over the one of the deployment: the
 * tenant's own come first, and hide those of the deployment that have their name. Rows are read
 * once in 30 seconds and kept sealed; a value is opened at the moment of use.
 */

import { type Binding, mayGo } from '../../core/config/server/secret-binding.ts'
import type { SecretFacts } from '../../core/secret.ts'
import { bounded } from '../../lib/bounded.ts'
import { type Clock, HEAD, type Secrets, type Store } from '../../ports/world.ts'
import { secretsPartition } from '../partition/keys.ts'
import { processMemory } from '../partition/process.ts'
import { stored } from '../partition/stored.ts'

export interface StoredSecret extends SecretFacts {
  /** Of the value. */
  readonly bytes: number
  readonly sealed: string
}

export interface SecretsHead {
  /** How many puts and deletions there were; the version of the last put is at most that. */
  readonly changes: number
}

export interface SecretRows {
  /** Of the head; null: the tenant has never had a secret. */
  readonly version: number | null
  readonly changes: number
  readonly secrets: ReadonlyMap<string, StoredSecret>
}

export const SECRET_ROW = 's/'
/** Entries of the audit (`a/…`) lie before. */
const BEHIND_AUDIT = 'b'
/** A change counts after at most this long, in other processes. */
const CACHE_MS = 30_000

interface Known {
  rows?: SecretRows
  until: number
}
const cacheOf = processMemory('secrets', () => bounded<Known>(1_000))

/** In this process at once; in others when they read them again. */
export const forgetSecrets = (store: Store, tenant: string): void =>
  void cacheOf(store).delete(tenant)

/** The context that binds a sealed value to its row. */
export const sealedFor = (
  tenant: string,
  { name, version }: Pick<SecretFacts, 'name' | 'version'>,
): string => `secret ${tenant} ${name} ${version}`

/** As they are in the store now. */
export async function readSecrets(store: Store, tenant: string): Promise<SecretRows> {
  const rows = await store.read(secretsPartition(tenant), BEHIND_AUDIT)
  const head = rows.find(({ key }) => key === HEAD)
  const found = rows.filter(({ key }) => key.startsWith(SECRET_ROW)).map(({ body }) => rowOf(body))
  return {
    version: head?.version ?? null,
    changes: head ? stored<SecretsHead>('secrets', head.body, { changes: 'number' }).changes : 0,
    secrets: new Map(found.map((one) => [one.name, one])),
  }
}

const rowOf = (body: string): StoredSecret =>
  stored<StoredSecret>('a secret', body, { name: 'string', version: 'number', sealed: 'string' })

async function knownSecrets(
  { store, clock }: Kept,
  tenant: string,
): Promise<SecretRows['secrets']> {
  const cache = cacheOf(store)
  const now = clock.now()
  const known = cache.get(tenant)
  if (known?.rows && known.until > now && known.until <= now + CACHE_MS) return known.rows.secrets
  // Taken before the read: one that comes back after a write that it did not see fills nothing.
  const place: Known = { until: now + CACHE_MS }
  cache.set(tenant, place)
  place.rows = await readSecrets(store, tenant)
  return place.rows.secrets
}

interface Kept {
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
}

/** The secrets of tenants, then those of the deployment. Nothing but the store is written here. */
export function tenantSecrets(base: Secrets, kept: Kept): Secrets {
  const open = (tenant: string, secret: StoredSecret): Promise<string | undefined> =>
    base.open(secret.sealed, sealedFor(tenant, secret))
  return {
    ...base,
    async get(tenant, name, to) {
      const own = (await knownSecrets(kept, tenant)).get(name)
      if (!own) return base.get(tenant, name, to)
      const may = !to || (own.uses.includes(to.use) && mayGo(own.hosts ?? undefined, to.place))
      return may ? open(tenant, own) : undefined
    },
    async names(tenant, use) {
      const own = await knownSecrets(kept, tenant)
      const names = new Set(await base.names(tenant, use))
      for (const { name, uses } of own.values()) {
        if (use === undefined || uses.includes(use)) names.add(name)
        else names.delete(name)
      }
      return names
    },
    async bindings(tenant) {
      const own = await knownSecrets(kept, tenant)
      const all = new Map<string, Binding>(await base.bindings(tenant))
      for (const { name, hosts } of own.values()) {
        if (hosts) all.set(name, hosts)
        else all.delete(name)
      }
      return all
    },
  }
}
