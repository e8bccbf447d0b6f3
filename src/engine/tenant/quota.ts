/**
 * Limits the number of resources of one kind per tenant to one list page. Each resource has a slot
 * in one row before it is created, so concurrent requests never exceed the limit. A slot whose
 * resource no longer exists is freed by its deletion, or when a later request finds no free slot.
 */

import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import type { World } from '../../ports/world.ts'
import { inOrder } from '../partition/append.ts'
import {
  browserSessionsList,
  endpointsList,
  hooksList,
  keysList,
  quotaPartition,
  schedulesList,
  TENANTS_LIST,
} from '../partition/keys.ts'
import { stored } from '../partition/stored.ts'
import { update } from '../partition/update.ts'

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

/** Time at which each slot was reserved, in milliseconds since 1970, by the resource's partition. */
type Slots = Readonly<Record<string, number>>

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
  const existing = Object.keys(await existingSlots(world, tenant, name))
  return existing.length < QUOTAS[name].max ? undefined : full(name)
}

/** Reserves the slot of a resource that is created next; idempotent. */
export function reserveSlot(
  world: World,
  { tenant, quota: name, partition }: Slot,
): Promise<Refusal | undefined> {
  const row = quotaPartition(tenant, name)
  const { max } = QUOTAS[name]
  const reserve = () =>
    update<{ readonly rejection?: Refusal }>(world, `the quota of ${name}`, async () => {
      const [head] = await world.store.heads([row])
      const current = head ? slotsOf(head.body) : await existingSlots(world, tenant, name)
      const isFull = !(partition in current) && Object.keys(current).length >= max
      const slots = isFull ? await withoutFree(world, tenant, name, current) : current
      if (isFull && Object.keys(slots).length >= max) return { rejection: full(name) }
      const body = JSON.stringify({ slots: { ...slots, [partition]: world.clock.now() } })
      const done = await world.store.commit(row, [], { expect: head?.version ?? null, body })
      return done === 'ok' ? {} : undefined
    })
  return inOrder(world.objects, row, async () => (await reserve()).rejection)
}

/**
 * Frees the slot of a deleted resource. A slot that was reserved after `deletedAt` (milliseconds
 * since 1970) belongs to a new resource with the same name.
 */
export function freeSlot(
  world: World,
  { tenant, quota: name, partition }: Slot,
  deletedAt: number,
): Promise<void> {
  const row = quotaPartition(tenant, name)
  const free = () =>
    update(world, `the quota of ${name}`, async () => {
      const [head] = await world.store.heads([row])
      const { [partition]: reservedAt, ...slots } = head ? slotsOf(head.body) : {}
      if (!head || reservedAt === undefined || reservedAt > deletedAt) return true
      const body = JSON.stringify({ slots })
      const done = await world.store.commit(row, [], { expect: head.version, body })
      return done === 'ok' || undefined
    })
  return inOrder(world.objects, row, async () => void (await free()))
}

const slotsOf = (body: string): Slots =>
  stored<{ readonly slots: Slots }>('slots of a quota', body, { slots: 'object' }).slots

async function existingSlots(
  { store }: Pick<World, 'store'>,
  tenant: string,
  name: QuotaName,
): Promise<Slots> {
  const { list, max } = QUOTAS[name]
  const rows = await store.list(list(tenant), undefined, max)
  return Object.fromEntries(rows.map(({ partition }) => [partition, 0]))
}

/** Keeps the slots of resources that exist or that another request may be creating. */
async function withoutFree(
  world: World,
  tenant: string,
  name: QuotaName,
  slots: Slots,
): Promise<Slots> {
  const existing = await existingSlots(world, tenant, name)
  const now = world.clock.now()
  const needed = Object.entries(slots).filter(
    ([partition, reservedAt]) => partition in existing || now - reservedAt < CREATION_MS,
  )
  return { ...existing, ...Object.fromEntries(needed) }
}
