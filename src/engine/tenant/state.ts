/**
 * State of a tenant: whether its work may begin. A process reads the row of a tenant at most every
 * `tenant_state_seconds`. The operator's tenant has a row only in a single process, which reads it
 * once, so deployments without other tenants read no states.
 */

import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import type { TenantQuotas } from '../../core/tenant-quotas.ts'
import { boundedCache } from '../../lib/lru-cache.ts'
import { Unavailable } from '../../lib/unavailable.ts'
import type { Listing, World } from '../../ports/world.ts'
import { DEFAULT_TENANT, tenantPartition } from '../partition/keys.ts'
import { processMemory } from '../partition/process.ts'
import { stored } from '../partition/stored.ts'

/** `paused` accepts requests and starts no work; `suspended` also refuses requests that write. */
export type TenantStatus = 'active' | 'paused' | 'suspended' | 'deleting' | 'deleted'

/** Progress of a deletion, which continues after a restart; times are ms since 1970. */
export interface Deletion {
  readonly began_at: number
  readonly ended_at: number | null
  /** Number of deleted partitions and objects; a pass that crashed is not counted. */
  readonly rows: number
  readonly objects: number
  /** Time at which a pass found nothing; a last pass follows when all processes have stopped. */
  readonly empty_at: number | null
  /** Sentences about data that this platform cannot list, and when the data expires. */
  readonly left: readonly string[]
}

/** Cancellation of a suspended tenant's runs, which continues after a restart. */
interface RunsCancellation {
  readonly by: string
  /** List position of the last run that was cancelled; null at the start. */
  readonly after: string | null
  readonly cancelled: number
}

/** Encryption of a tenant's rows and objects with a data key of its own. */
export interface StoredEncryption {
  /** Data key, sealed under the master key; null since the deletion of the tenant began. */
  readonly sealed: string | null
}

export interface StoredTenant {
  readonly id: string
  readonly name: string | null
  readonly status: TenantStatus
  /** Quotas of the tenant; absent if it has none. */
  readonly quotas?: TenantQuotas | undefined
  /** Encryption chosen at creation; absent if the tenant's data is stored in plain text. */
  readonly encryption?: StoredEncryption | undefined
  /** ID of the key that was created with the tenant; empty for the operator's tenant. */
  readonly key_id: string
  readonly created_at: string
  readonly updated_at: string
  readonly deletion: Deletion | null
  readonly cancels: RunsCancellation | null
  /** Time of the export that may be imported again; absent before an import and once resumed. */
  readonly imports?: string
  readonly wake_at: number | null
  readonly redeliveries: number
  readonly listed: Listing | null
}

export const storedTenantOf = (body: string): StoredTenant =>
  stored<StoredTenant>('a tenant', body, { id: 'string', status: 'string' })

/** Maximum time until other processes see a changed state, in milliseconds. */
export const STATE_MS = LIMITS.tenant_state_seconds * 1_000
const MAX_TENANTS = 10_000

export interface CachedState {
  status: TenantStatus
  /** Whether the tenant has a row; tenants of earlier keys have none. */
  exists: boolean
  quotas: TenantQuotas | undefined
  encryption: StoredEncryption | undefined
  /** End of the entry's validity on the monotonic clock, in milliseconds; 0 while it is read. */
  until: number
}
const cacheOf = processMemory('tenants', () => boundedCache<CachedState>(MAX_TENANTS))

/** Evicts the state in this process; other processes see the change when they next read it. */
export const forgetTenant = (world: Pick<World, 'store'>, id: string): void =>
  void cacheOf(world.store).delete(id)

/** Whether the deployment can pause the operator's own tenant without a read in other processes. */
export const hasState = ({ settings }: Pick<World, 'settings'>, id: string): boolean =>
  id !== '_' && id !== '' && (id !== DEFAULT_TENANT || settings.singleProcess)

/** Returns the state, read at most `tenant_state_seconds` ago; without a promise if cached. */
export function tenantStatus(world: World, id: string): TenantStatus | Promise<TenantStatus> {
  if (!hasState(world, id)) return 'active'
  return cachedState(world, id)?.status ?? readState(world, id).then(({ status }) => status)
}

/** Whether a tenant was created through the API, read at most `tenant_state_seconds` ago. */
export const tenantExists = async (world: World, id: string): Promise<boolean> =>
  (cachedState(world, id) ?? (await readState(world, id))).exists

/** Returns the tenant's quotas, read at most `tenant_state_seconds` ago; undefined without any. */
export const tenantQuotas = async (world: World, id: string): Promise<TenantQuotas | undefined> =>
  hasState(world, id) ? (cachedState(world, id) ?? (await readState(world, id))).quotas : undefined

/** Returns the state as in `tenantStatus`, for a tenant that can have a row. */
export const tenantState = (world: World, id: string): CachedState | Promise<CachedState> =>
  cachedState(world, id) ?? readState(world, id)

function cachedState(world: World, id: string): CachedState | undefined {
  const cached = cacheOf(world.store).get(id)
  return cached && cached.until > world.clock.monotonic() ? cached : undefined
}

/** Number of attempts to read a state before it expires; storage that is slower is unavailable. */
const TRIES = 3

async function readState(world: World, id: string): Promise<CachedState> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    // Measured from before the read, because the row may change while the answer travels.
    const until = world.settings.singleProcess
      ? Number.POSITIVE_INFINITY
      : world.clock.monotonic() + STATE_MS
    // The entry is registered before the read, so that a concurrent change evicts it.
    const entry: CachedState = {
      ...{ status: 'active', exists: false, until: 0 },
      ...{ quotas: undefined, encryption: undefined },
    }
    cacheOf(world.store).set(id, entry)
    const [row] = await world.store.heads([tenantPartition(id)])
    if (row) {
      const { status, quotas, encryption } = storedTenantOf(row.body)
      Object.assign(entry, { status, quotas, encryption, exists: true })
    }
    if (world.clock.monotonic() > until) continue
    entry.until = until
    return entry
  }
  throw new Unavailable(`the state of the tenant ${id} could not be read in time`)
}

/** Whether the tenant's data is deleted, so that its work ends without a result. */
export const isGone = (status: TenantStatus): boolean =>
  status === 'deleting' || status === 'deleted'

/** Thrown instead of a model or tool call whose tenant is not active; the call stays pending. */
export class TenantHalted extends Error {
  override readonly name = 'TenantHalted'
}

/** Whether model and tool calls of the tenant may begin. */
export async function mayBegin(world: World, id: string): Promise<boolean> {
  const status = tenantStatus(world, id)
  return (typeof status === 'string' ? status : await status) === 'active'
}

/** Returns the refusal of a request of a suspended or deleted tenant; undefined if it is allowed. */
export async function suspendedRefusal(
  world: World,
  id: string,
  isRead = false,
): Promise<Refusal | undefined> {
  const cached = tenantStatus(world, id)
  const status = typeof cached === 'string' ? cached : await cached
  if (isGone(status)) return refusal('tenant_suspended', 'The tenant is being deleted.')
  if (status !== 'suspended' || isRead) return undefined
  const detail = 'The operator has suspended the tenant; only requests that read are allowed.'
  return refusal('tenant_suspended', detail)
}
