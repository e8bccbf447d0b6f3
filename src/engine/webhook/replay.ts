/** Replays many deliveries: a range of the delivery list, newest first, limited per request. */

import { type Delivery, isUnderWay } from '../../core/webhook/delivery.ts'
import type { Asker } from '../tenant/audit.ts'
import { replayDelivery } from './delivery.ts'
import { type DeliveryFilter, readSection } from './filter.ts'

export interface ReplayRange extends DeliveryFilter {
  /** Position in the delivery list at which the previous request stopped. */
  readonly start?: string | undefined
  /** Only reports what would be replayed, and sends nothing. */
  readonly isDryRun: boolean
}

export interface ReplayOfRange {
  readonly replayed: string[]
  /** Deliveries that match but have an attempt in progress, so they are not replayed. */
  readonly inProgress: string[]
  readonly next: string | undefined
}

/** Maximum number of list sections that one request reads. */
const SECTIONS = 5
/** Maximum number of deliveries that one request replays; each replay costs a commit. */
const MOST = 50

export async function replayRange(asker: Asker, range: ReplayRange): Promise<ReplayOfRange> {
  const { world, tenant } = asker
  const replayed: string[] = []
  const inProgress: string[] = []
  let attempts = 0
  let cursor = range.start
  for (let count = 0; count < SECTIONS; count += 1) {
    const { entries, next } = await readSection(world, tenant, range, cursor)
    for (const { at, item } of entries) {
      if (attempts === MOST) return { replayed, inProgress, next: cursor }
      attempts += 1
      cursor = at
      const result = range.isDryRun
        ? planned(item, world.clock.now())
        : await replayDelivery(asker, item.id, false)
      if (result === 'under_way') inProgress.push(item.id)
      else if (result) replayed.push(item.id)
    }
    if (next === undefined) return { replayed, inProgress, next: undefined }
    cursor = next
  }
  return { replayed, inProgress, next: cursor }
}

/** Returns what a replay of the delivery would return, without sending it. */
const planned = (delivery: Delivery, now: number): Delivery | 'under_way' =>
  isUnderWay(delivery, now) ? 'under_way' : delivery
