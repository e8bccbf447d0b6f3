/**
 * Secrets port that resolves a tenant's stored secrets before those of the deployment. Rows are
 * cached in sealed form for `secret_cache_seconds`; a value is decrypted only at the time of use.
 */

import { LRUCache } from 'lru-cache'
import { type Binding, mayGo } from '../../core/config/server/secret-binding.ts'
import { LIMITS } from '../../core/limits.ts'
import type { SecretFacts } from '../../core/secret.ts'
import { sha256 } from '../../lib/digest.ts'
import { type Clock, HEAD, type Secrets, type Store } from '../../ports/world.ts'
import { secretsPartition } from '../partition/keys.ts'
import { stored } from '../partition/stored.ts'

export interface StoredSecret extends SecretFacts {
  /** Size of the value in bytes. */
  readonly bytes: number
  /** Value, encrypted for `sealContext`. */
  readonly sealed: string
}

export interface SecretsHead {
  /** End user who owns the secrets; absent for secrets of the tenant. */
  readonly subject?: string | undefined
  /** Number of changes; each version is at most this number. */
  readonly changes: number
}

export interface SecretRows {
  /** Version of the head row; null if the owner has never stored a secret. */
  readonly version: number | null
  readonly changes: number
  /** Secrets by name, in the order of the names. */
  readonly secrets: ReadonlyMap<string, StoredSecret>
}

export const SECRET_ROW = 's/'
/** Position after the partition's audit entries (`a/…`), which are not read. */
const AFTER_AUDIT = 'b'
const CACHE_MS = LIMITS.secret_cache_seconds * 1_000
const CACHE_BYTES = 16_777_216
/** Approximate memory of a cached secret or tenant in addition to its texts, in bytes. */
const ENTRY_BYTES = 500

interface CachedRows {
  rows?: SecretRows
  readonly until: number
}

/** Returns the context that binds a sealed value to its owner, name, and version. */
export const sealContext = (
  tenant: string,
  { name, version, subject }: Pick<SecretFacts, 'name' | 'version' | 'subject'>,
): string => `secret ${tenant} ${name} ${version}${subject === undefined ? '' : ` of ${subject}`}`

/** Returns the partition of the tenant's secrets, or of the secrets of one of its end users. */
export const ownerPartition = (tenant: string, subject: string | undefined): string =>
  secretsPartition(tenant, subject === undefined ? 'tenant' : sha256(subject).slice(0, 32))

/** Reads the secrets of one owner from the store, without the cache. */
export async function readSecrets(
  store: Store,
  tenant: string,
  subject: string | undefined,
): Promise<SecretRows> {
  const rows = await store.read(ownerPartition(tenant, subject), AFTER_AUDIT)
  const head = rows.find(({ key }) => key === HEAD)
  const secrets = rows.filter(({ key }) => key.startsWith(SECRET_ROW)).map(({ body }) => body)
  return {
    version: head?.version ?? null,
    changes: head ? stored<SecretsHead>('secrets', head.body, { changes: 'number' }).changes : 0,
    secrets: new Map(secrets.map(secretOf).map((secret) => [secret.name, secret])),
  }
}

const secretOf = (body: string): StoredSecret =>
  stored<StoredSecret>('a secret', body, { name: 'string', version: 'number', sealed: 'string' })

interface SecretStorage {
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
}

/** Returns a function that reads secrets at most once per cache period, and one that evicts them. */
function cachedReads({ store, clock }: SecretStorage) {
  const cache = new LRUCache<string, CachedRows>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ rows }) =>
      [...(rows?.secrets.values() ?? [])].reduce(
        (sum, { sealed }) => sum + sealed.length + ENTRY_BYTES,
        ENTRY_BYTES,
      ),
  })
  const read = async (tenant: string, subject?: string): Promise<SecretRows['secrets']> => {
    const now = clock.now()
    const owner = ownerPartition(tenant, subject)
    const cached = cache.get(owner)
    if (cached?.rows && cached.until > now && cached.until <= now + CACHE_MS)
      return cached.rows.secrets
    // The entry is created before the read. A read that missed a concurrent write therefore fills
    // only an evicted entry.
    const entry: CachedRows = { until: now + CACHE_MS }
    cache.set(owner, entry)
    const rows = await readSecrets(store, tenant, subject)
    if (cache.peek(owner) === entry) cache.set(owner, { ...entry, rows })
    return rows.secrets
  }
  const forget = (tenant: string, subject?: string): void =>
    void cache.delete(ownerPartition(tenant, subject))
  return { read, forget }
}

/**
 * Adds the stored secrets of tenants and their end users to a port that has the deployment's
 * secrets.
 */
export function tenantSecrets(deployment: Secrets, storage: SecretStorage): Secrets {
  const { read, forget } = cachedReads(storage)
  /** Reads the secrets that apply to an end user, or to a run without one. */
  const readAll = async (tenant: string, subject?: string): Promise<SecretRows['secrets']> => {
    const ofTenant = await read(tenant)
    return subject === undefined
      ? ofTenant
      : new Map([...ofTenant, ...(await read(tenant, subject))])
  }
  return {
    ...deployment,
    forget,
    async get(tenant, name, to, subject) {
      const secret = (await readAll(tenant, subject)).get(name)
      if (!secret) return deployment.get(tenant, name, to)
      const isAllowed =
        !to || (secret.uses.includes(to.use) && mayGo(secret.hosts ?? undefined, to.place))
      return isAllowed ? deployment.open(secret.sealed, sealContext(tenant, secret)) : undefined
    },
    async names(tenant, use, subject) {
      const names = new Set(await deployment.names(tenant, use))
      for (const { name, uses } of (await readAll(tenant, subject)).values()) {
        if (use === undefined || uses.includes(use)) names.add(name)
        else names.delete(name)
      }
      return names
    },
    async bindings(tenant, subject) {
      const bindings = new Map<string, Binding>(await deployment.bindings(tenant))
      for (const { name, hosts } of (await readAll(tenant, subject)).values()) {
        if (hosts) bindings.set(name, hosts)
        else bindings.delete(name)
      }
      return bindings
    },
    tenantNames: async (tenant) => new Set((await read(tenant)).keys()),
  }
}
