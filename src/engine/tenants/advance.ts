/** Background passes over a tenant's row: cancel its runs, or delete its data. */

import type { World } from '../../ports/world.ts'
import { parsePartition } from '../partition/keys.ts'
import { cancelSome } from './cancel.ts'
import { deleteSome } from './delete.ts'
import { findTenant } from './manage.ts'

/** Continues the work that the row of a tenant records. */
export async function advanceTenant(world: World, partition: string): Promise<void> {
  const { id } = parsePartition(partition)
  const existing = await findTenant(world, id)
  if (existing?.tenant.status === 'suspended') await cancelSome(world, existing)
  if (existing?.tenant.status === 'deleting') await deleteSome(world, existing.tenant)
}
