/** Quotas of a tenant for new runs and fan-outs. */

import type { Refusal } from '../../core/problem.ts'
import type { World } from '../../ports/world.ts'
import { reserveRun } from '../tenant/active-runs.ts'
import { usageRefusal } from '../tenant/usage-quota.ts'
import { reportExceeded } from '../webhook/quota-exceeded.ts'

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
  if (rejection) await reportExceeded(world, tenant, rejection)
  return rejection
}
