/**
 * Runs and fan-outs of a tenant or an API key that have not ended or not begun, and their
 * subagents, if a quota limits them. The start or end of a run writes nothing: its slot is freed
 * when a later request finds no free slot. Tasks are bounded by the limits of their fan-out.
 */

import { type Refusal, refusal } from '../../core/problem.ts'
import { QUOTA_UNITS, WORK_QUOTAS, type WorkQuota } from '../../core/tenant-quotas.ts'
import type { World } from '../../ports/world.ts'
import { fanoutsList, runsList } from '../partition/keys.ts'
import { headOf } from '../partition/stored.ts'
import { nounOf, ownerOf, type QuotaOwner, quotaRow } from './quota-owner.ts'
import { countOf, neededSlots, type SlotRow, type Slots } from './slots.ts'

/** Quotas of new runs and fan-outs; `children` limits their subagents. */
export const RUN_QUOTAS = ['active_runs', 'queued_runs'] as const satisfies readonly WorkQuota[]

/** Time after which a refused client may retry, in seconds; the end of a run is not known. */
const RETRY_SECONDS = 5

/** Time after which a run that was never created has no slot, in milliseconds. */
const CREATION_MS = 600_000
/** Number of runs, and of fan-outs, from before a quota that are examined at least. */
const EARLIER_RUNS = 200
/** Number of heads per read. */
const BATCH = 50

/** Returns the rows in which work takes its slots: one per owner and quota that the owner has. */
export const workRows = (
  world: World,
  owners: readonly QuotaOwner[],
  quotas: readonly WorkQuota[],
): readonly SlotRow[] =>
  owners.flatMap((owner) =>
    quotas
      .filter((quota) => owner.quotas[quota] !== undefined)
      .map((quota) => rowOf(world, owner, quota)),
  )

/** Returns the number of runs that have a slot of the quota and still need it. */
export const countWork = async (
  world: World,
  owner: QuotaOwner,
  quota: WorkQuota,
): Promise<number> => countOf(await neededSlots(world, rowOf(world, owner, quota)))

/**
 * Forgets the slots of a tenant from before a quota was removed; the next request reads the lists
 * of runs.
 */
export const forgetSlots = ({ store }: World, tenant: string, quota: WorkQuota): Promise<void> =>
  store.drop(quotaRow({ tenant, quotas: {} }, rowName(quota)))

const rowName = (quota: WorkQuota): string => quota.replace('_', '-')

/** Names of the counts, as `quotaRow` expects them. */
export const WORK_COUNTS = WORK_QUOTAS.map(rowName)

function rowOf(world: World, owner: QuotaOwner, quota: WorkQuota): SlotRow {
  const { tenant, key, quotas } = owner
  const max = quotas[quota]!
  // Earlier runs of a key do not name the key, and no list has the subagents of a tenant.
  const isListed = quota !== 'children' && !key
  return {
    partition: quotaRow(owner, rowName(quota)),
    resource: `the ${QUOTA_UNITS[quota]} of the ${nounOf(owner)}`,
    max,
    existing: async () => (isListed ? createdRuns(world, tenant, max) : {}),
    needed: (slots) => neededBy(world, slots, quota),
    full: (used) => exceeded(owner, quota, used),
  }
}

function exceeded(owner: QuotaOwner, quota: WorkQuota, used: number): Refusal {
  const limit = owner.quotas[quota]
  const units = QUOTA_UNITS[quota]
  const state = quota === 'queued_runs' ? 'have not begun' : 'have not ended'
  return refusal(
    'quota_exceeded',
    `The ${nounOf(owner)} can have at most ${limit} ${units}; ${used} ${state}.`,
    { extra: { ...ownerOf(owner), quota, limit, used, retry_after: RETRY_SECONDS } },
  )
}

/** Returns the newest runs that were created before the quota was set. */
async function createdRuns({ store }: World, tenant: string, max: number): Promise<Slots> {
  const lists = [runsList(tenant), fanoutsList(tenant)]
  const count = Math.max(max, EARLIER_RUNS)
  const rows = await Promise.all(lists.map((list) => store.list(list, undefined, count)))
  return Object.fromEntries(rows.flat().map(({ partition }) => [partition, 0]))
}

/** Keeps the slots of runs that the quota counts, or that another request may be creating. */
async function neededBy({ store, clock }: World, slots: Slots, quota: WorkQuota): Promise<Slots> {
  const counts = quota === 'queued_runs' ? hasNotBegun : hasNotEnded
  const entries = Object.entries(slots)
  const active: [string, number][] = []
  for (let at = 0; at < entries.length; at += BATCH) {
    const batch = entries.slice(at, at + BATCH)
    const heads = await store.heads(batch.map(([partition]) => partition))
    const now = clock.now()
    batch.forEach((entry, index) => {
      const head = heads[index]
      if (head ? counts(head.body) : now - entry[1] < CREATION_MS) active.push(entry)
    })
  }
  return Object.fromEntries(active)
}

interface WorkView {
  readonly status: string
  readonly ended_at?: string | null
}

const hasNotEnded = (body: string): boolean => headOf<WorkView>(body).view.ended_at == null
const hasNotBegun = (body: string): boolean => headOf<WorkView>(body).view.status === 'queued'
