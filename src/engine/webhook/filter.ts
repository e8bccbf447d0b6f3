/**
 * Selects deliveries by their properties, for lists and for replays: both read the same section of
 * the delivery list and apply the same filter, so a replay sends what the list shows.
 */

import type { Delivery } from '../../core/webhook/delivery.ts'
import { iso, parseTime } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { deliveriesList, endpointDeliveries } from '../partition/keys.ts'
import { deliveryHeadOf, listedId, readDeliveries } from './delivery.ts'

export interface DeliveryFilter {
  readonly status?: readonly Delivery['status'][] | undefined
  readonly event_type?: readonly string[] | undefined
  /** ID of the run or fan-out whose events are delivered. */
  readonly run_id?: string | undefined
  readonly endpoint_id?: string | undefined
  /** Creation time range of the deliveries in RFC 3339: `from` (inclusive), `to` (exclusive). */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface DeliverySection {
  readonly entries: readonly { readonly at: string; readonly item: Delivery }[]
  /** Position at which the next section starts; absent at the end of the range. */
  readonly next?: string | undefined
}

/** Number of deliveries in a section of the list. */
const SECTION = 100

/** Returns the list whose order and positions the filter uses. */
export const listOf = (tenant: string, { endpoint_id }: DeliveryFilter): string =>
  endpoint_id === undefined ? deliveriesList(tenant) : endpointDeliveries(tenant, endpoint_id)

/** Reads the section of the list after the position `last`, newest first. */
export async function readSection(
  world: World,
  tenant: string,
  filter: DeliveryFilter,
  last: string | undefined,
): Promise<DeliverySection> {
  const from = positionOf(filter.from) ?? ''
  const rows = await world.store.list(
    listOf(tenant, filter),
    last ?? positionOf(filter.to),
    SECTION,
  )
  const within = rows.filter(({ at }) => at >= from)
  const items =
    filter.endpoint_id === undefined
      ? within.map(({ body }) => deliveryHeadOf(body).delivery)
      : await readDeliveries(
          world,
          tenant,
          within.map(({ body }) => listedId(body)),
        )
  const entries = items
    .filter((delivery) => matches(delivery, filter))
    .map((item) => ({ at: `${iso(item.created_at)} ${item.id}`, item }))
  return { entries, next: within.length < SECTION ? undefined : within.at(-1)?.at }
}

/**
 * Returns the list position for a time; list positions start with the creation time in the format
 * of `iso`.
 */
function positionOf(time: string | undefined): string | undefined {
  const ms = time === undefined ? undefined : parseTime(time)
  return ms === undefined ? undefined : iso(ms)
}

const matches = (delivery: Delivery, { status, event_type, run_id }: DeliveryFilter): boolean =>
  (status === undefined || status.includes(delivery.status)) &&
  (event_type === undefined || event_type.includes(delivery.event_type)) &&
  (run_id === undefined || delivery.run_id === run_id)
