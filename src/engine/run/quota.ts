/** Quotas of a tenant and an API key for new runs, fan-outs, and subagents. */

import type { Refusal } from '../../core/problem.ts'
import type { QuotaKey } from '../../core/tenant-quotas.ts'
import type { World } from '../../ports/world.ts'
import { releaseRun, reserveRun } from '../tenant/active-runs.ts'
import { type QuotaOwner, quotaOwners } from '../tenant/quota-owner.ts'
import { tenantQuotas } from '../tenant/state.ts'
import { usageRefusal } from '../tenant/usage-quota.ts'
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
    (await firstRefusal(owners, (owner) => reserveRun(world, owner, partition)))
  if (!rejection) return undefined
  // The tenant's slot is reserved last, so the only slot to free is that of the key.
  for (const owner of owners) if (owner.key) await releaseRun(world, owner, partition)
  await reportExceeded(world, tenant, rejection)
  return rejection
}

async function firstRefusal(
  owners: readonly QuotaOwner[],
  refusalOf: (owner: QuotaOwner) => Promise<Refusal | undefined>,
): Promise<Refusal | undefined> {
  for (const owner of owners) {
    const refused = await refusalOf(owner)
    if (refused) return refused
  }
  return undefined
}

/** Returns why a subagent exceeds the quota of its tenant; otherwise, reserves its slot. */
export async function childRefusal(
  world: World,
  tenant: string,
  partition: string,
): Promise<string | undefined> {
  const quotas = await tenantQuotas(world, tenant)
  const rejection = quotas && (await reserveRun(world, { tenant, quotas }, partition, 'children'))
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
    await releaseRun(world, owner, partition)
  }
}
