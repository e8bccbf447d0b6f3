/** Quotas of a tenant with their current use, as the tenant itself sees them. */

import { TENANT_QUOTAS, type TenantQuota } from '../../core/tenant-quotas.ts'
import { iso } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { storageUsed } from '../layers/storage-quota.ts'
import { countActive } from '../tenant/active-runs.ts'
import { tenantQuotas } from '../tenant/state.ts'
import { quotaLevels } from '../tenant/usage-quota.ts'

interface QuotaView {
  readonly quota: TenantQuota
  readonly limit: number
  /** Amount used, including reservations. */
  readonly used: number
  readonly reserved: number
  /** Time in RFC 3339; null if the count never starts again. */
  readonly resets_at: string | null
}

export async function quotasOf(world: World, tenant: string): Promise<readonly QuotaView[]> {
  const quotas = await tenantQuotas(world, tenant)
  if (!quotas) return []
  const levels = await quotaLevels(world, tenant, quotas)
  const max = quotas.active_runs
  const views: QuotaView[] = levels.map(({ quota, limit, used, reserved, resets_at }) => ({
    ...{ quota, limit, used: used + reserved, reserved, resets_at: iso(resets_at) },
  }))
  if (max !== undefined) {
    const used = await countActive(world, tenant, max)
    views.push({ quota: 'active_runs', limit: max, used, reserved: 0, resets_at: null })
  }
  const { files, storage_bytes } = quotas
  if (files !== undefined || storage_bytes !== undefined) {
    const used = await storageUsed({ world, tenant })
    const view = (quota: TenantQuota, limit: number | undefined, member: 'files' | 'bytes') =>
      limit === undefined
        ? []
        : [{ quota, limit, used: used[member], reserved: used.reserved[member], resets_at: null }]
    views.push(...view('files', files, 'files'), ...view('storage_bytes', storage_bytes, 'bytes'))
  }
  const order = (view: QuotaView) => TENANT_QUOTAS.indexOf(view.quota)
  return views.toSorted((left, right) => order(left) - order(right))
}
