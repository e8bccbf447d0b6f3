/** Deliveries by their properties: a portion of their list, newest first. */

import type { Delivery } from '../../core/webhook/delivery.ts'
import { iso, parseTime } from '../../lib/time.ts'
import type { Listed, World } from '../../ports/world.ts'
import { deliveriesList, deliveryPartition, endpointDeliveries } from '../partition/keys.ts'
import { stored } from '../partition/stored.ts'
import { deliveryHeadOf } from './delivery.ts'

export interface DeliveryFilter {
  /** RFC 3339; created at or after, and before. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly status?: readonly Delivery['status'][] | undefined
  readonly endpoint_id?: string | undefined
  readonly run_id?: string | undefined
}

/** Read at once where most may not be meant. */
const PORTION = 100

interface Portion {
  readonly found: readonly { readonly at: string; readonly item: Delivery }[]
  /** Where the next one begins; absent: there is none. */
  readonly reached: string | undefined
}

/** `last`: where the portion before stopped; `room`: how many are still wanted. */
export async function findDeliveries(
  world: World,
  tenant: string,
  filter: DeliveryFilter,
  last: string | undefined,
  room = PORTION,
): Promise<Portion> {
  const { endpoint_id, status, run_id } = filter
  const isExact = status === undefined && run_id === undefined
  const limit = isExact ? Math.min(room, PORTION + 1) : PORTION
  const list =
    endpoint_id === undefined ? deliveriesList(tenant) : endpointDeliveries(tenant, endpoint_id)
  const rows = await world.store.list(list, last ?? placeOf(filter.to), limit)
  const least = placeOf(filter.from) ?? ''
  const within = rows.filter(({ at }) => at >= least)
  const all = endpoint_id === undefined ? inList(within) : await inHeads(world, tenant, within)
  const found = all.filter(({ item }) => isMeant(item, filter))
  const isEnd = rows.length < limit || within.length < rows.length
  return { found, reached: isEnd ? undefined : rows.at(-1)!.at }
}

const inList = (rows: readonly Listed[]) =>
  rows.map(({ at, body }) => ({ at, item: deliveryHeadOf(body).delivery }))

/** The list of an endpoint holds ids; those that are gone are left out. */
async function inHeads(world: World, tenant: string, rows: readonly Listed[]) {
  const ids = rows.map(({ body }) => listedId(body))
  const heads = await world.store.heads(ids.map((id) => deliveryPartition(tenant, id)))
  return heads.flatMap((row, index) =>
    row ? [{ at: rows[index]!.at, item: deliveryHeadOf(row.body).delivery }] : [],
  )
}

const listedId = (body: string): string =>
  stored<{ readonly id: string }>('a delivery in a list', body, { id: 'string' }).id

const isMeant = (delivery: Delivery, { status, run_id }: DeliveryFilter): boolean =>
  (status === undefined || status.includes(delivery.status)) &&
  (run_id === undefined || delivery.run_id === run_id)

/** Places begin with the time of creation, as `iso` writes it. */
function placeOf(time: string | undefined): string | undefined {
  const ms = time === undefined ? undefined : parseTime(time)
  return ms === undefined ? undefined : iso(ms)
}
