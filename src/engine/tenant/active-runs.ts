/**
 * Runs and fan-outs of a tenant that have not ended, if the operator limits them. Each has a slot
 * in one row before it is created. The end of a run writes nothing: its slot is freed when a later
 * request finds no free slot. Subagents and tasks are bounded by the limits of their parent.
 */

import { type Refusal, refusal } from '../../core/problem.ts'
import type { World } from '../../ports/world.ts'
import { inOrder } from '../partition/append.ts'
import { fanoutsList, quotaPartition, runsList } from '../partition/keys.ts'
import { headOf, stored } from '../partition/stored.ts'
import { update } from '../partition/update.ts'
import { tenantQuotas } from './state.ts'
import { usageRefusal } from './usage-quota.ts'

/** Time after which a run that was never created has no slot, in milliseconds; it may be queued. */
const CREATION_MS = 3_600_000
/** Number of heads per read. */
const BATCH = 50

/** Time at which each slot was reserved, in milliseconds since 1970, by the run's partition. */
type Slots = Readonly<Record<string, number>>

/**
 * Rejects a run or fan-out that exceeds a quota of its tenant; otherwise, reserves its slot.
 * Idempotent; tenants without quotas need no read.
 */
export async function quotaRejection(
  world: World,
  tenant: string,
  partition: string,
): Promise<Refusal | undefined> {
  const rejection =
    (await usageRefusal(world, tenant)) ?? (await reserveRun(world, tenant, partition))
  if (rejection) {
    const quota = String(rejection.extra?.quota)
    world.log?.write({ level: 'info', event: 'quota.exceeded', tenant, quota })
  }
  return rejection
}

async function reserveRun(
  world: World,
  tenant: string,
  partition: string,
): Promise<Refusal | undefined> {
  const max = await quotaOf(world, tenant)
  if (max === undefined) return undefined
  const row = rowOf(tenant)
  const reserve = () =>
    update<{ readonly rejection?: Refusal }>(world, 'the active runs', async () => {
      const [head] = await world.store.heads([row])
      const slots = head ? slotsOf(head.body) : await createdRuns(world, tenant, max)
      if (partition in slots) return {}
      const isFull = Object.keys(slots).length >= max
      const active = isFull ? await activeOf(world, slots) : slots
      const used = Object.keys(active).length
      if (used >= max) return { rejection: exceeded(max, used) }
      const body = JSON.stringify({ slots: { ...active, [partition]: world.clock.now() } })
      const done = await world.store.commit(row, [], { expect: head?.version ?? null, body })
      return done === 'ok' ? {} : undefined
    })
  return inOrder(world.objects, row, async () => (await reserve()).rejection)
}

/** Frees the slot of a run whose creation was rejected. */
export async function releaseRun(world: World, tenant: string, partition: string): Promise<void> {
  if ((await quotaOf(world, tenant)) === undefined) return
  const row = rowOf(tenant)
  const release = () =>
    update(world, 'the active runs', async () => {
      const [head] = await world.store.heads([row])
      const { [partition]: mine, ...slots } = head ? slotsOf(head.body) : {}
      if (!head || mine === undefined) return true
      const body = JSON.stringify({ slots })
      const done = await world.store.commit(row, [], { expect: head.version, body })
      return done === 'ok' || undefined
    })
  await inOrder(world.objects, row, release)
}

/** Returns the number of active runs and fan-outs that have a slot. */
export async function countActive(world: World, tenant: string, max: number): Promise<number> {
  const [head] = await world.store.heads([rowOf(tenant)])
  const slots = head ? slotsOf(head.body) : await createdRuns(world, tenant, max)
  return Object.keys(await activeOf(world, slots)).length
}

const rowOf = (tenant: string): string => quotaPartition(tenant, 'active-runs')

async function quotaOf(world: World, tenant: string): Promise<number | undefined> {
  const cached = tenantQuotas(world, tenant)
  const quotas = cached instanceof Promise ? await cached : cached
  return quotas?.active_runs
}

const slotsOf = (body: string): Slots =>
  stored<{ readonly slots: Slots }>('slots of runs', body, { slots: 'object' }).slots

const exceeded = (limit: number, used: number): Refusal =>
  refusal(
    'quota_exceeded',
    `The tenant can have at most ${limit} active runs; ${used} have not ended.`,
    {
      extra: { quota: 'active_runs', limit, used },
    },
  )

/** Returns the newest runs that were created before the quota was set. */
async function createdRuns({ store }: World, tenant: string, max: number): Promise<Slots> {
  const lists = [runsList(tenant), fanoutsList(tenant)]
  const rows = await Promise.all(lists.map((list) => store.list(list, undefined, max)))
  return Object.fromEntries(rows.flat().map(({ partition }) => [partition, 0]))
}

/** Keeps the slots of runs that have not ended, or that another request may be creating. */
async function activeOf({ store, clock }: World, slots: Slots): Promise<Slots> {
  const entries = Object.entries(slots)
  const active: [string, number][] = []
  for (let at = 0; at < entries.length; at += BATCH) {
    const batch = entries.slice(at, at + BATCH)
    const heads = await store.heads(batch.map(([partition]) => partition))
    const now = clock.now()
    batch.forEach((entry, index) => {
      const head = heads[index]
      if (head ? !hasEnded(head.body) : now - entry[1] < CREATION_MS) active.push(entry)
    })
  }
  return Object.fromEntries(active)
}

const hasEnded = (body: string): boolean =>
  headOf<{ readonly ended_at?: string | null }>(body).view.ended_at != null
