/** Limits of a tenant's own with what is used of each now, for the tenant itself. */

import { TENANT_LIMITS, type TenantLimit } from '../../core/tenant-limits.ts'
import { iso } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { storageUsed } from '../layers/storage-quota.ts'
import { scheduleQuota } from '../schedule/store.ts'
import { liveRuns } from '../tenant/live-runs.ts'
import { placesTaken } from '../tenant/quota.ts'
import { spendingLevels } from '../tenant/spending.ts'
import { tenantLimits } from '../tenant/state.ts'
import { quotaOf as endpointsQuota } from '../webhook/endpoint/manage.ts'

export interface ShownQuota {
  readonly limit: TenantLimit
  readonly value: number
  /** With what is reserved. */
  readonly used: number
  readonly reserved: number
  readonly resets_at: string | null
}

/** Those that are set; empty: none is. */
export async function quotasOf(world: World, tenant: string): Promise<readonly ShownQuota[]> {
  const limits = await tenantLimits(world, tenant)
  if (!limits) return []
  const levels = await spendingLevels(world, tenant, limits)
  const stands = async (limit: TenantLimit, value: number): Promise<ShownQuota> => {
    const shown = (used: number, reserved = 0) => ({
      ...{ limit, value, used, reserved, resets_at: null },
    })
    if (limit === 'live_runs') return shown(await liveRuns(world, tenant, value))
    if (limit === 'schedules')
      return shown(await placesTaken(world, tenant, await scheduleQuota(world, tenant)))
    if (limit === 'endpoints')
      return shown(await placesTaken(world, tenant, await endpointsQuota(world, tenant)))
    if (limit === 'files' || limit === 'storage_bytes') {
      const unit = limit === 'files' ? 'files' : 'bytes'
      const used = await storageUsed({ world, tenant })
      return shown(used[unit], used.reserved[unit])
    }
    const { spent, reserved, resets_at } = levels.find((level) => level.limit === limit)!
    return { limit, value, used: spent + reserved, reserved, resets_at: iso(resets_at) }
  }
  const set = TENANT_LIMITS.flatMap((limit) => {
    const value = limits[limit]
    return value === undefined ? [] : [stands(limit, value)]
  })
  return Promise.all(set)
}
