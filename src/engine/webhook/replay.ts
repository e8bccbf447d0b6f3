/** Sends many deliveries again: a stretch of the list, newest first, bounded per request. */

import type { Asker } from '../tenant/audit.ts'
import { replayDelivery } from './delivery.ts'
import { type DeliveryFilter, findDeliveries } from './search.ts'

export interface ReplayRange extends DeliveryFilter {
  /** Where the request before stopped. */
  readonly before?: string | undefined
}

const PAGES = 5

export async function replayRange(
  asker: Asker,
  { before: begin, ...filter }: ReplayRange,
): Promise<{ readonly replayed: string[]; readonly next: string | undefined }> {
  const { world, tenant } = asker
  const replayed: string[] = []
  let before = begin
  for (let count = 0; count < PAGES; count += 1) {
    const { found, reached } = await findDeliveries(world, tenant, filter, before)
    for (const { item } of found) {
      const again = await replayDelivery(asker, item.id)
      if (again && again !== 'pending') replayed.push(item.id)
    }
    before = reached
    if (reached === undefined) break
  }
  return { replayed, next: before }
}
