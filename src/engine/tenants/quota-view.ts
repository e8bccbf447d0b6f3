/** Quotas of a tenant and of an API key with their current use, as their owner sees them. */

import {
  type QuotaKey,
  RESOURCE_QUOTAS,
  TENANT_QUOTAS,
  type TenantQuota,
  WORK_QUOTAS,
} from '../../core/tenant-quotas.ts'
import { iso } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { storageUsed } from '../layers/storage-quota.ts'
import { type QuotaOwner, quotaOwners } from '../tenant/quota-owner.ts'
import { countResources } from '../tenant/resource-quota.ts'
import { quotaLevels } from '../tenant/usage-quota.ts'
import { countWork } from '../tenant/work-quota.ts'

interface QuotaView {
  readonly owner: 'tenant' | 'key'
  readonly quota: TenantQuota
  readonly limit: number
  /** Amount used, including reservations. */
  readonly used: number
  readonly reserved: number
  /** Time in RFC 3339; null if the count never starts again. */
  readonly resets_at: string | null
}

/** Returns the quotas of the tenant, then those of the key. */
export async function quotasOf(
  world: World,
  tenant: string,
  key: QuotaKey | undefined,
): Promise<readonly QuotaView[]> {
  const owners = await quotaOwners(world, tenant, key)
  const views = await Promise.all(owners.toReversed().map((owner) => viewsOf(world, owner)))
  return views.flat()
}

async function viewsOf(world: World, owner: QuotaOwner): Promise<readonly QuotaView[]> {
  const { tenant, quotas } = owner
  const whose = { owner: owner.key ? 'key' : 'tenant' } as const
  const levels = await quotaLevels(world, owner)
  const views: QuotaView[] = levels.map(({ quota, limit, used, reserved, resets_at }) => ({
    ...{ ...whose, quota, limit, used: used + reserved, reserved, resets_at: iso(resets_at) },
  }))
  const counted = async (quota: TenantQuota, count: () => Promise<number>): Promise<void> => {
    const limit = quotas[quota]
    if (limit === undefined) return
    views.push({ ...whose, quota, limit, used: await count(), reserved: 0, resets_at: null })
  }
  for (const quota of WORK_QUOTAS) await counted(quota, () => countWork(world, owner, quota))
  for (const quota of RESOURCE_QUOTAS)
    await counted(quota, () => countResources(world, owner, quota))
  const { files, storage_bytes } = quotas
  if (files !== undefined || storage_bytes !== undefined) {
    const { reserved, ...used } = await storageUsed({ world, tenant })
    const view = (quota: TenantQuota, limit: number | undefined, member: 'files' | 'bytes') =>
      limit === undefined
        ? []
        : [
            {
              ...whose,
              quota,
              limit,
              used: used[member],
              reserved: reserved[member],
              resets_at: null,
            },
          ]
    views.push(...view('files', files, 'files'), ...view('storage_bytes', storage_bytes, 'bytes'))
  }
  const order = (view: QuotaView) => TENANT_QUOTAS.indexOf(view.quota)
  return views.toSorted((left, right) => order(left) - order(right))
}
