/**
 * Whether a tenant is at work, and within which limits of its own: one that the operator has
 * suspended begins nothing, and its keys are refused. The row is read once in 30 seconds, as keys
 * are; the operator's own tenant has none, so a deployment without other tenants never reads one.
 */

import { type Refusal, refusal } from '../../core/problem.ts'
import type { TenantLimits } from '../../core/tenant-limits.ts'
import { bounded } from '../../lib/bounded.ts'
import type { Listing, World } from '../../ports/world.ts'
import { DEFAULT_TENANT, tenantPartition } from '../partition/keys.ts'
import { processMemory } from '../partition/process.ts'
import { stored } from '../partition/stored.ts'

export type TenantStatus = 'active' | 'suspended' | 'deleting' | 'deleted'

/** Counts of a deletion, which goes on where it stopped. */
export interface Deletion {
  /** Milliseconds since 1970. */
  readonly began_at: number
  readonly ended_at: number | null
  readonly rows: number
  readonly objects: number
  /** When a pass found nothing more; another one follows after a while. */
  readonly empty_at: number | null
  /** Sentences: what this host cannot list, and how it ends. */
  readonly left: readonly string[]
}

export interface StoredTenant {
  readonly id: string
  readonly name: string | null
  readonly status: TenantStatus
  /** Absent: it has none of its own. */
  readonly limits?: TenantLimits | undefined
  /** Its rows and objects are, under a data key of its own; absent: they are not. */
  readonly encrypted?: boolean | undefined
  /** That key, sealed; absent: it has none, or it was destroyed with the order to delete it. */
  readonly sealed_key?: string | undefined
  /** The key that was made with it. */
  readonly key_id: string
  readonly created_at: string
  readonly updated_at: string
  readonly deletion: Deletion | null
  readonly wake_at: number | null
  readonly redeliveries: number
  readonly listed: Listing | null
}

export const storedTenantOf = (body: string): StoredTenant =>
  stored<StoredTenant>('a tenant', body, { id: 'string', status: 'string' })

/** A suspended tenant stops, and new limits count, after at most this long in other processes. */
export const CACHE_MS = 30_000
const MAX_TENANTS = 10_000

interface Known {
  readonly status: TenantStatus
  readonly limits: TenantLimits | undefined
  readonly until: number
}
const statesOf = processMemory('tenants', () => bounded<Known>(MAX_TENANTS))

/** In this process at once; in others when they read it again. */
export const forgetTenant = (world: Pick<World, 'store'>, id: string): void =>
  void statesOf(world.store).delete(id)

/** As it was read in the last 30 seconds; at once where nothing needs to be read. */
export function tenantStatus(world: World, id: string): TenantStatus | Promise<TenantStatus> {
  if (hasNoRow(id)) return 'active'
  const known = knownOf(world, id)
  return known ? known.status : readTenant(world, id).then(({ status }) => status)
}

/** The same of its limits; undefined: it has none of its own. */
export function tenantLimits(
  world: World,
  id: string,
): TenantLimits | undefined | Promise<TenantLimits | undefined> {
  if (hasNoRow(id)) return undefined
  const known = knownOf(world, id)
  return known ? known.limits : readTenant(world, id).then(({ limits }) => limits)
}

/** Partitions of the deployment itself begin with `_`. */
const hasNoRow = (id: string): boolean => id === DEFAULT_TENANT || id === '_' || id === ''

function knownOf(world: World, id: string): Known | undefined {
  const known = statesOf(world.store).get(id)
  return known && known.until > world.clock.now() ? known : undefined
}

async function readTenant(world: World, id: string): Promise<Known> {
  const [row] = await world.store.heads([tenantPartition(id)])
  // A tenant that was there before tenants were listed has no row.
  const { status = 'active', limits } = row ? storedTenantOf(row.body) : {}
  const known = { status, limits, until: world.clock.now() + CACHE_MS }
  statesOf(world.store).set(id, known)
  return known
}

/** Nothing of it is kept: what is under way ends where it is. */
export const isGone = (status: TenantStatus): boolean =>
  status === 'deleting' || status === 'deleted'

/** Undefined: it is at work. */
export async function suspendedRefusal(world: World, id: string): Promise<Refusal | undefined> {
  const status = await tenantStatus(world, id)
  if (status === 'active') return undefined
  return refusal('tenant_suspended', 'The tenant is suspended: its operator lets nothing begin.')
}
