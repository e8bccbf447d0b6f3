/** Replays many deliveries: a range of the delivery list, newest first, limited per request. */

import type { Delivery } from '../../core/webhook/delivery.ts'
import { iso, parseTime } from '../../lib/time.ts'
import { deliveriesList } from '../partition/keys.ts'
import type { Asker } from '../tenant/audit.ts'
import { deliveryHeadOf, replayDelivery } from './delivery.ts'

export interface ReplayRange {
  /** Creation time range of the deliveries in RFC 3339: `from` (inclusive), `to` (exclusive). */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly status: readonly Delivery['status'][]
  readonly endpoint_id?: string | undefined
  /** Position in the delivery list at which the previous request stopped. */
  readonly before?: string | undefined
}

const PAGE = 100
const PAGES = 5
/** Maximum number of deliveries that one request replays; each replay costs a commit. */
const MOST = 100

export async function replayRange(
  asker: Asker,
  range: ReplayRange,
): Promise<{ readonly replayed: string[]; readonly next: string | undefined }> {
  const { world, tenant } = asker
  const replayed: string[] = []
  const least = placeOf(range.from) ?? ''
  let attempts = 0
  let cursor = range.before ?? placeOf(range.to)
  for (let count = 0; count < PAGES; count += 1) {
    const rows = await world.store.list(deliveriesList(tenant), cursor, PAGE)
    const within = rows.filter(({ at }) => at >= least)
    for (const { at, body } of within) {
      const { delivery } = deliveryHeadOf(body)
      if (!matches(delivery, range)) continue
      if (attempts === MOST) return { replayed, next: cursor }
      attempts += 1
      cursor = at
      const result = await replayDelivery(asker, delivery.id, false)
      if (result && result !== 'under_way') replayed.push(delivery.id)
    }
    cursor = within.at(-1)?.at
    if (within.length < PAGE) return { replayed, next: undefined }
  }
  return { replayed, next: cursor }
}

/**
 * Returns the list position for a time; list positions start with the creation time in the format
 * of `iso`.
 */
function placeOf(time: string | undefined): string | undefined {
  const ms = time === undefined ? undefined : parseTime(time)
  return ms === undefined ? undefined : iso(ms)
}

const matches = (delivery: Delivery, { status, endpoint_id }: ReplayRange): boolean =>
  status.includes(delivery.status) &&
  (endpoint_id === undefined || delivery.endpoint_id === endpoint_id)
