/**
 * Limits the number of resources of one kind: per tenant to one list page, or to a lower quota of
 * the tenant, and per API key to a quota of the key, for the resources that it creates.
 */

import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { QUOTA_UNITS, type QuotaKey, type ResourceQuota } from '../../core/tenant-quotas.ts'
import type { World } from '../../ports/world.ts'
import {
  browserSessionsList,
  endpointsList,
  hooksList,
  keysList,
  schedulesList,
  TENANTS_LIST,
} from '../partition/keys.ts'
import {
  nounOf,
  ownerOf,
  type QuotaOwner,
  quotaOwners,
  quotaRow,
  requestKeyOf,
} from './quota-owner.ts'
import { countOf, neededSlots, releaseSlots, type SlotRow, type Slots, takeSlots } from './slots.ts'

interface Limited {
  /** Returns the list of the existing resources. */
  readonly list: (tenant: string) => string
  readonly max: number
  /** Plural noun of the resources, for the rejection. */
  readonly noun: string
}

const KINDS = {
  keys: { list: keysList, max: LIMITS.api_keys, noun: QUOTA_UNITS.keys },
  browsers: { list: browserSessionsList, max: LIMITS.browser_sessions, noun: 'browser sessions' },
  endpoints: { list: endpointsList, max: LIMITS.webhook_endpoints, noun: QUOTA_UNITS.endpoints },
  hooks: { list: hooksList, max: LIMITS.inbound_hooks, noun: QUOTA_UNITS.hooks },
  schedules: { list: schedulesList, max: LIMITS.schedules, noun: QUOTA_UNITS.schedules },
  tenants: { list: () => TENANTS_LIST, max: LIMITS.tenants, noun: 'tenants' },
} as const satisfies Record<ResourceQuota, Limited> & Record<string, Limited>
type ResourceKind = keyof typeof KINDS

/** Resource that has a slot. */
export interface Slot {
  readonly tenant: string
  readonly kind: ResourceKind
  /** Partition of the resource. */
  readonly partition: string
}

/** Time after which the creation of a resource has succeeded or failed, in milliseconds. */
const CREATION_MS = 60_000

/**
 * Rejects another resource if the tenant or the key of the request is at its limit; returns
 * undefined below it. Used before other checks; only `reserveSlot` also counts concurrent requests.
 */
export async function quotaRefusal(
  world: World,
  tenant: string,
  kind: ResourceKind,
): Promise<Refusal | undefined> {
  for (const owner of await ownersOf(world, tenant, kind, await requestKeyOf(world))) {
    const row = rowOf(world, owner, kind)
    const slots = owner.key ? neededSlots(world, row) : existingSlots(world, tenant, kind)
    const used = countOf(await slots)
    if (used >= row.max) return row.full(used)
  }
  return undefined
}

/** Reserves the slots of a resource that is created next; idempotent. */
export async function reserveSlot(
  world: World,
  { tenant, kind, partition }: Slot,
): Promise<Refusal | undefined> {
  const owners = await ownersOf(world, tenant, kind, await requestKeyOf(world))
  return takeSlots(world, rowsOf(world, owners, kind), partition)
}

/**
 * Frees the slots of a deleted resource. A slot that was reserved after `deletedAt` (milliseconds
 * since 1970) belongs to a new resource with the same name. `changedBy` is the key with quotas that
 * last changed the resource. If yet another key created the resource, the slot of that key is freed
 * when a later request finds no free slot.
 */
export async function freeSlot(
  world: World,
  slot: Slot,
  deletedAt: number,
  changedBy?: QuotaKey,
): Promise<void> {
  const { tenant, kind, partition } = slot
  const ofRequest = await requestKeyOf(world)
  const isOther = changedBy && changedBy.account !== ofRequest?.account
  const owners = [
    ...(await ownersOf(world, tenant, kind, ofRequest)),
    ...(isOther ? [{ tenant, key: changedBy, quotas: changedBy.quotas }] : []),
  ]
  await releaseSlots(world, rowsOf(world, owners, kind), partition, deletedAt)
}

/** Returns the number of resources that count for a quota of the owner. */
export const countResources = async (
  world: World,
  owner: QuotaOwner,
  kind: ResourceQuota,
): Promise<number> => countOf(await neededSlots(world, rowOf(world, owner, kind)))

/** Returns the key of the request if it has the quota, and the tenant, which always has a limit. */
async function ownersOf(
  world: World,
  tenant: string,
  kind: ResourceKind,
  ofRequest: QuotaKey | undefined,
): Promise<readonly QuotaOwner[]> {
  if (!isQuota(kind)) return [{ tenant, quotas: {} }]
  const owners = await quotaOwners(world, tenant, ofRequest)
  const ofTenant = owners.find(({ key }) => !key) ?? { tenant, quotas: {} }
  return [...owners.filter(({ key, quotas }) => key && quotas[kind] !== undefined), ofTenant]
}

const rowsOf = (
  world: World,
  owners: readonly QuotaOwner[],
  kind: ResourceKind,
): readonly SlotRow[] => owners.map((owner) => rowOf(world, owner, kind))

function rowOf(world: World, owner: QuotaOwner, kind: ResourceKind): SlotRow {
  const { tenant, key } = owner
  const limit = key ? Number.POSITIVE_INFINITY : KINDS[kind].max
  const quota = isQuota(kind) ? owner.quotas[kind] : undefined
  return {
    partition: quotaRow(owner, kind),
    resource: `the quota of ${kind}`,
    max: Math.min(limit, quota ?? limit),
    // Earlier resources do not name the key that created them.
    existing: async () => (key ? {} : existingSlots(world, tenant, kind)),
    needed: async (slots) => {
      const existing = await existingSlots(world, tenant, kind)
      const now = world.clock.now()
      const needed = Object.entries(slots).filter(
        ([partition, reservedAt]) => partition in existing || now - reservedAt < CREATION_MS,
      )
      return { ...(key ? {} : existing), ...Object.fromEntries(needed) }
    },
    full: (used) =>
      full(owner, kind, quota !== undefined && quota <= limit ? quota : undefined, used),
  }
}

const isQuota = (kind: ResourceKind): kind is ResourceQuota =>
  kind !== 'browsers' && kind !== 'tenants'

function full(
  owner: QuotaOwner,
  kind: ResourceKind,
  quota: number | undefined,
  used: number,
): Refusal {
  const { max, noun } = KINDS[kind]
  if (quota === undefined) {
    const subject = kind === 'tenants' ? 'A deployment' : 'A tenant'
    return refusal('rate_limited', `${subject} can have at most ${max} ${noun}.`)
  }
  const detail = `The ${nounOf(owner)} can have at most ${quota} ${noun}; it has ${used}.`
  return refusal('quota_exceeded', detail, {
    extra: { ...ownerOf(owner), quota: kind, limit: quota, used },
  })
}

async function existingSlots(
  { store }: Pick<World, 'store'>,
  tenant: string,
  kind: ResourceKind,
): Promise<Slots> {
  const { list, max } = KINDS[kind]
  const rows = await store.list(list(tenant), undefined, max)
  return Object.fromEntries(rows.map(({ partition }) => [partition, 0]))
}
