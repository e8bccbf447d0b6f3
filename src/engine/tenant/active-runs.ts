/**
 * Runs and fan-outs of a tenant or an API key that have not ended, and subagents of a tenant, if a
 * quota limits them. The end of a run writes nothing: its slot is freed when a later request finds
 * no free slot. Tasks are bounded by the limits of their fan-out.
 */

import { type Refusal, refusal } from '../../core/problem.ts'
import { QUOTA_UNITS } from '../../core/tenant-quotas.ts'
import type { World } from '../../ports/world.ts'
import { fanoutsList, runsList } from '../partition/keys.ts'
import { headOf } from '../partition/stored.ts'
import { nounOf, ownerOf, type QuotaOwner, quotaRow } from './quota-owner.ts'
import { countOf, neededSlots, releaseSlot, type SlotRow, type Slots, takeSlot } from './slots.ts'

/** Quotas of runs that have not ended; `children` are the subagents of all runs. */
type SlotQuota = 'active_runs' | 'children'

/** Time after which a refused client may retry, in seconds; the end of a run is not known. */
const RETRY_SECONDS = 5

/** Time after which a run that was never created has no slot, in milliseconds. */
const CREATION_MS = 600_000
/** Number of heads per read. */
const BATCH = 50

/** Rejects a run or fan-out above the quota; otherwise, reserves its slot. Idempotent. */
export const reserveRun = async (
  world: World,
  owner: QuotaOwner,
  partition: string,
  quota: SlotQuota = 'active_runs',
): Promise<Refusal | undefined> =>
  owner.quotas[quota] === undefined
    ? undefined
    : takeSlot(world, rowOf(world, owner, quota), partition)

/** Frees the slot of a run whose creation was rejected. */
export const releaseRun = async (
  world: World,
  owner: QuotaOwner,
  partition: string,
): Promise<void> =>
  owner.quotas.active_runs === undefined
    ? undefined
    : releaseSlot(world, rowOf(world, owner, 'active_runs'), partition)

/** Returns the number of runs that have a slot of the quota and have not ended. */
export const countActive = async (
  world: World,
  owner: QuotaOwner,
  quota: SlotQuota,
): Promise<number> => countOf(await neededSlots(world, rowOf(world, owner, quota)))

/** Forgets the slots from before a quota was removed; the next request reads the lists of runs. */
export const forgetRuns = ({ store }: World, tenant: string): Promise<void> =>
  store.drop(quotaRow({ tenant, quotas: {} }, rowName('active_runs')))

const rowName = (quota: SlotQuota): string => quota.replace('_', '-')

function rowOf(world: World, owner: QuotaOwner, quota: SlotQuota): SlotRow {
  const { tenant, key, quotas } = owner
  const max = quotas[quota]!
  // Earlier runs of a key do not name the key, and no list has the subagents of a tenant.
  const isListed = quota === 'active_runs' && !key
  return {
    partition: quotaRow(owner, rowName(quota)),
    resource: `the ${QUOTA_UNITS[quota]} of the ${nounOf(owner)}`,
    max,
    existing: async () => (isListed ? createdRuns(world, tenant, max) : {}),
    needed: (slots) => activeOf(world, slots),
    full: (used) => exceeded(owner, quota, used),
  }
}

function exceeded(owner: QuotaOwner, quota: SlotQuota, used: number): Refusal {
  const limit = owner.quotas[quota]
  const units = QUOTA_UNITS[quota]
  return refusal(
    'quota_exceeded',
    `The ${nounOf(owner)} can have at most ${limit} ${units}; ${used} have not ended.`,
    { extra: { ...ownerOf(owner), quota, limit, used, retry_after: RETRY_SECONDS } },
  )
}

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
