/** Quotas of a tenant and an API key for new runs, fan-outs, and subagents. */

import type { Refusal } from '../../core/problem.ts'
import { type QuotaKey, WORK_QUOTAS, type WorkQuota } from '../../core/tenant-quotas.ts'
import type { World } from '../../ports/world.ts'
import { type QuotaOwner, quotaOwners } from '../tenant/quota-owner.ts'
import { usageRefusal } from '../tenant/usage-quota.ts'
import { pruneWork, RUN_QUOTAS, releaseWork, reserveWork } from '../tenant/work-quota.ts'
import { reportExceeded } from '../webhook/quota-exceeded.ts'

/**
 * Rejects a run or fan-out that exceeds a quota of its tenant or key; otherwise, reserves its slot.
 * Idempotent; work without quotas needs no read.
 */
export async function quotaRejection(
  world: World,
  tenant: string,
  partition: string,
  key?: QuotaKey,
): Promise<Refusal | undefined> {
  const owners = await quotaOwners(world, tenant, key)
  const rejection =
    (await firstRefusal(owners, (owner) => usageRefusal(world, owner))) ??
    (await slotRefusal(world, owners, RUN_QUOTAS, partition))
  if (rejection) await reportExceeded(world, tenant, rejection)
  return rejection
}

async function firstRefusal<T>(
  items: readonly T[],
  refusalOf: (item: T) => Promise<Refusal | undefined>,
): Promise<Refusal | undefined> {
  for (const item of items) {
    const refused = await refusalOf(item)
    if (refused) return refused
  }
  return undefined
}

/** Reserves the slots of all quotas; if one has no free slot, frees those before it. */
async function slotRefusal(
  world: World,
  owners: readonly QuotaOwner[],
  names: readonly WorkQuota[],
  partition: string,
): Promise<Refusal | undefined> {
  const reserved: [QuotaOwner, WorkQuota][] = []
  const pairs = owners.flatMap((owner) => names.map((name) => [owner, name] as const))
  const rejection = await firstRefusal(pairs, async ([owner, name]) => {
    const refused = await reserveWork(world, owner, name, partition)
    if (!refused) reserved.push([owner, name])
    return refused
  })
  if (rejection)
    for (const [owner, name] of reserved) await releaseWork(world, owner, name, partition)
  return rejection
}

/** Returns why a subagent exceeds a quota of its tenant or key; otherwise, reserves its slot. */
export async function childRefusal(
  world: World,
  tenant: string,
  partition: string,
  key: QuotaKey | undefined,
): Promise<string | undefined> {
  const owners = await quotaOwners(world, tenant, key)
  const rejection = await slotRefusal(world, owners, ['children'], partition)
  if (!rejection) return undefined
  await reportExceeded(world, tenant, rejection)
  return `${rejection.code}: ${rejection.detail}`
}

/** Frees the slots of a run that is not created. */
export async function releaseSlots(
  world: World,
  tenant: string,
  partition: string,
  key: QuotaKey | undefined,
): Promise<void> {
  for (const owner of await quotaOwners(world, tenant, key)) {
    for (const name of RUN_QUOTAS) await releaseWork(world, owner, name, partition)
  }
}

/** Frees the slots of ended runs, before a deletion removes the rows that say so. */
export async function releaseEnded(
  world: World,
  tenant: string,
  key: QuotaKey | undefined,
): Promise<void> {
  for (const owner of await quotaOwners(world, tenant, key)) {
    for (const name of WORK_QUOTAS) await pruneWork(world, owner, name)
  }
}
