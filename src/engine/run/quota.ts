/** Quotas of a tenant and an API key for new runs, fan-outs, and subagents. */

import type { Refusal } from '../../core/problem.ts'
import { type QuotaKey, WORK_QUOTAS } from '../../core/tenant-quotas.ts'
import type { World } from '../../ports/world.ts'
import { type QuotaOwner, quotaOwners } from '../tenant/quota-owner.ts'
import { pruneSlots, releaseSlots, takeSlots } from '../tenant/slots.ts'
import { usageRefusal } from '../tenant/usage-quota.ts'
import { RUN_QUOTAS, workRows } from '../tenant/work-quota.ts'
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
    (await usageRefusalOf(world, owners)) ??
    (await takeSlots(world, workRows(world, owners, RUN_QUOTAS), partition))
  if (rejection) await reportExceeded(world, tenant, rejection)
  return rejection
}

async function usageRefusalOf(
  world: World,
  owners: readonly QuotaOwner[],
): Promise<Refusal | undefined> {
  for (const owner of owners) {
    const rejection = await usageRefusal(world, owner)
    if (rejection) return rejection
  }
  return undefined
}

/** Returns why a subagent exceeds a quota of its tenant or key; otherwise, reserves its slot. */
export async function childRefusal(
  world: World,
  tenant: string,
  partition: string,
  key: QuotaKey | undefined,
): Promise<string | undefined> {
  const owners = await quotaOwners(world, tenant, key)
  const rejection = await takeSlots(world, workRows(world, owners, ['children']), partition)
  if (!rejection) return undefined
  await reportExceeded(world, tenant, rejection)
  return `${rejection.code}: ${rejection.detail}`
}

/** Frees the slots of a run that is not created. */
export async function releaseRun(
  world: World,
  tenant: string,
  partition: string,
  key: QuotaKey | undefined,
): Promise<void> {
  const owners = await quotaOwners(world, tenant, key)
  await releaseSlots(world, workRows(world, owners, RUN_QUOTAS), partition)
}

/** Frees the slots of ended runs, before a deletion removes the rows that say so. */
export async function releaseEnded(
  world: World,
  tenant: string,
  key: QuotaKey | undefined,
): Promise<void> {
  const owners = await quotaOwners(world, tenant, key)
  for (const row of workRows(world, owners, WORK_QUOTAS)) await pruneSlots(world, row)
}
