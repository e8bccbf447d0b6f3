/**
 * Runs and fan-outs of a tenant or an API key that have not ended, if a quota limits them. The end
 * of a run writes nothing: its slot is freed when a later request finds no free slot. Subagents and
 * tasks are bounded by the limits of their parent.
 */

import { type Refusal, refusal } from '../../core/problem.ts'
import type { World } from '../../ports/world.ts'
import { fanoutsList, runsList } from '../partition/keys.ts'
import { headOf } from '../partition/stored.ts'
import { nounOf, ownerOf, type QuotaOwner, quotaRow } from './quota-owner.ts'
import { countOf, neededSlots, releaseSlot, type SlotRow, type Slots, takeSlot } from './slots.ts'

/** Time after which a run that was never created has no slot, in milliseconds; it may be queued. */
const CREATION_MS = 3_600_000
/** Number of heads per read. */
const BATCH = 50

/** Rejects a run or fan-out above the quota; otherwise, reserves its slot. Idempotent. */
export const reserveRun = async (
  world: World,
  owner: QuotaOwner,
  partition: string,
): Promise<Refusal | undefined> =>
  isLimited(owner) ? takeSlot(world, rowOf(world, owner), partition) : undefined

/** Frees the slot of a run whose creation was rejected. */
export const releaseRun = async (
  world: World,
  owner: QuotaOwner,
  partition: string,
): Promise<void> =>
  isLimited(owner) ? releaseSlot(world, rowOf(world, owner), partition) : undefined

/** Returns the number of active runs and fan-outs that have a slot. */
export const countActive = async (world: World, owner: QuotaOwner): Promise<number> =>
  countOf(await neededSlots(world, rowOf(world, owner)))

const isLimited = ({ quotas }: QuotaOwner): boolean => quotas.active_runs !== undefined

function rowOf(world: World, owner: QuotaOwner): SlotRow {
  const { tenant, key, quotas } = owner
  const max = quotas.active_runs!
  return {
    partition: quotaRow(owner, 'active-runs'),
    resource: `the active runs of the ${nounOf(owner)}`,
    max,
    // Earlier runs of a key do not name the key.
    existing: async () => (key ? {} : createdRuns(world, tenant, max)),
    needed: (slots) => activeOf(world, slots),
    full: (used) => exceeded(owner, max, used),
  }
}

const exceeded = (owner: QuotaOwner, limit: number, used: number): Refusal =>
  refusal(
    'quota_exceeded',
    `The ${nounOf(owner)} can have at most ${limit} active runs; ${used} have not ended.`,
    { extra: { ...ownerOf(owner), quota: 'active_runs', limit, used } },
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
