/**
 * Runs and fan-outs of a tenant that have not ended, if the operator limits them. The end of a run
 * writes nothing: its slot is freed when a later request finds no free slot. Subagents and tasks
 * are bounded by the limits of their parent.
 */

import { type Refusal, refusal } from '../../core/problem.ts'
import type { World } from '../../ports/world.ts'
import { fanoutsList, quotaPartition, runsList } from '../partition/keys.ts'
import { headOf } from '../partition/stored.ts'
import { countOf, neededSlots, releaseSlot, type SlotRow, type Slots, takeSlot } from './slots.ts'
import { tenantQuotas } from './state.ts'

/** Time after which a run that was never created has no slot, in milliseconds; it may be queued. */
const CREATION_MS = 3_600_000
/** Number of heads per read. */
const BATCH = 50

/** Rejects a run or fan-out above the quota; otherwise, reserves its slot. Idempotent. */
export async function reserveRun(
  world: World,
  tenant: string,
  partition: string,
): Promise<Refusal | undefined> {
  const max = (await tenantQuotas(world, tenant))?.active_runs
  return max === undefined ? undefined : takeSlot(world, rowOf(world, tenant, max), partition)
}

/** Frees the slot of a run whose creation was rejected. */
export async function releaseRun(world: World, tenant: string, partition: string): Promise<void> {
  const max = (await tenantQuotas(world, tenant))?.active_runs
  if (max !== undefined) await releaseSlot(world, rowOf(world, tenant, max), partition)
}

/** Returns the number of active runs and fan-outs that have a slot. */
export const countActive = async (world: World, tenant: string, max: number): Promise<number> =>
  countOf(await neededSlots(world, rowOf(world, tenant, max)))

const rowOf = (world: World, tenant: string, max: number): SlotRow => ({
  partition: quotaPartition(tenant, 'active-runs'),
  resource: 'the active runs',
  max,
  existing: () => createdRuns(world, tenant, max),
  needed: (slots) => activeOf(world, slots),
  full: (used) => exceeded(max, used),
})

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
