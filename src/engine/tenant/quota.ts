/** Limits the number of resources of one kind per tenant to one list page. */

import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import type { World } from '../../ports/world.ts'
import {
  browserSessionsList,
  endpointsList,
  hooksList,
  keysList,
  quotaPartition,
  schedulesList,
  TENANTS_LIST,
} from '../partition/keys.ts'
import { countOf, releaseSlot, type SlotRow, type Slots, takeSlot } from './slots.ts'

interface Quota {
  /** Returns the list of the existing resources. */
  readonly list: (tenant: string) => string
  readonly max: number
  /** Plural noun of the resources, for the rejection. */
  readonly noun: string
}

const QUOTAS = {
  keys: { list: keysList, max: LIMITS.api_keys, noun: 'API keys' },
  browsers: { list: browserSessionsList, max: LIMITS.browser_sessions, noun: 'browser sessions' },
  endpoints: { list: endpointsList, max: LIMITS.webhook_endpoints, noun: 'endpoints' },
  hooks: { list: hooksList, max: LIMITS.inbound_hooks, noun: 'hooks' },
  schedules: { list: schedulesList, max: LIMITS.schedules, noun: 'schedules' },
  tenants: { list: () => TENANTS_LIST, max: LIMITS.tenants, noun: 'tenants' },
} as const satisfies Record<string, Quota>
type QuotaName = keyof typeof QUOTAS

/** Resource that has a slot. */
export interface Slot {
  readonly tenant: string
  readonly quota: QuotaName
  /** Partition of the resource. */
  readonly partition: string
}

/** Time after which the creation of a resource has succeeded or failed, in milliseconds. */
const CREATION_MS = 60_000

const full = (name: QuotaName): Refusal => {
  const { max, noun } = QUOTAS[name]
  const owner = name === 'tenants' ? 'A deployment' : 'A tenant'
  return refusal('rate_limited', `${owner} can have at most ${max} ${noun}.`)
}

/**
 * Rejects another resource if the tenant is at the limit; returns undefined below the limit. Used
 * before other checks; only `reserveSlot` also counts concurrent requests.
 */
export async function quotaRefusal(
  world: Pick<World, 'store'>,
  tenant: string,
  name: QuotaName,
): Promise<Refusal | undefined> {
  const existing = countOf(await existingSlots(world, tenant, name))
  return existing < QUOTAS[name].max ? undefined : full(name)
}

/** Reserves the slot of a resource that is created next; idempotent. */
export const reserveSlot = (world: World, slot: Slot): Promise<Refusal | undefined> =>
  takeSlot(world, rowOf(world, slot), slot.partition)

/**
 * Frees the slot of a deleted resource. A slot that was reserved after `deletedAt` (milliseconds
 * since 1970) belongs to a new resource with the same name.
 */
export const freeSlot = (world: World, slot: Slot, deletedAt: number): Promise<void> =>
  releaseSlot(world, rowOf(world, slot), slot.partition, deletedAt)

const rowOf = (world: World, { tenant, quota: name }: Slot): SlotRow => ({
  partition: quotaPartition(tenant, name),
  resource: `the quota of ${name}`,
  max: QUOTAS[name].max,
  existing: () => existingSlots(world, tenant, name),
  needed: async (slots) => {
    const existing = await existingSlots(world, tenant, name)
    const now = world.clock.now()
    const needed = Object.entries(slots).filter(
      ([partition, reservedAt]) => partition in existing || now - reservedAt < CREATION_MS,
    )
    return { ...existing, ...Object.fromEntries(needed) }
  },
  full: () => full(name),
})

async function existingSlots(
  { store }: Pick<World, 'store'>,
  tenant: string,
  name: QuotaName,
): Promise<Slots> {
  const { list, max } = QUOTAS[name]
  const rows = await store.list(list(tenant), undefined, max)
  return Object.fromEntries(rows.map(({ partition }) => [partition, 0]))
}
