/**
 * Stored deliveries: an event for one webhook. The small state is the head, under compare-and-swap;
 * each attempt adds a history row that is not folded (PROTOCOL.md rule 24). All rows are deleted 30
 * days after the last change.
 */

import { RECHECK_MS } from '../../core/run/machine.ts'
import type { Delivery } from '../../core/webhook/delivery.ts'
import { isUnderWay, redriven } from '../../core/webhook/delivery.ts'
import { iso } from '../../lib/time.ts'
import type { Alarm, Listing, Row, World, Write } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'
import type { AlarmedHead } from '../partition/format.ts'
import { deliveriesList, deliveryPartition, endpointDeliveries } from '../partition/keys.ts'
import { stored } from '../partition/stored.ts'
import { update } from '../partition/update.ts'
import { type Asker, audit } from '../tenant/audit.ts'

export interface DeliveryHead extends AlarmedHead {
  readonly delivery: Delivery
}

export const deliveryHeadOf = (body: string): DeliveryHead =>
  stored<DeliveryHead>('a delivery', body, { delivery: 'object' })

export interface AttemptRow {
  readonly at: number
  readonly status: number | null
  readonly error: string | null
  readonly duration_ms: number
  /** Number of the attempt's manual replay: 0 for attempts before any replay, then 1, 2, …. */
  readonly redrive?: number
}

export const PAYLOAD = 'payload'
export const SECRET = 'secret'
/** Key of the row that lists the delivery under its endpoint. */
const LOG = 'log'
export const HISTORY = 'a/'
export const HISTORY_MS = 30 * 86_400_000
/**
 * Lifetime of the delivery's write-once rows, in milliseconds: the duration of all attempts (75 h
 * and jitter), plus 30 days.
 */
const ROWS_MS = HISTORY_MS + 5 * 86_400_000

/**
 * Creates the delivery once. `sealed` is the secret of a run's webhook, sealed for the run. It is
 * null for an endpoint, whose secrets are read at each attempt.
 */
export async function createDelivery(
  world: World,
  delivery: Delivery,
  payload: string,
  sealed: string | null,
): Promise<'ok' | 'ambiguous'> {
  const partition = deliveryPartition(delivery.tenant, delivery.id)
  const wake_at = world.clock.now() + RECHECK_MS
  const head: DeliveryHead = { wake_at, redeliveries: 0, listed: listingOf(delivery), delivery }
  const rows = sideRows(delivery, { payload, sealed }, world.clock.now())
  const result = await world.store.commit(partition, rows, {
    ...headOf(head, world.clock.now()),
    expect: null,
  })
  // A rejected commit can be a storage failure, so the code verifies that the delivery exists
  // (PROTOCOL.md rule 6).
  if (result !== 'ok' && !(await world.store.heads([partition]))[0]) return 'ambiguous'
  await wakeDelivery(world, partition)
  return 'ok'
}

const listingOf = ({ tenant, id, created_at }: Delivery): Listing => ({
  under: deliveriesList(tenant),
  at: `${iso(created_at)} ${id}`,
})

/** Returns the write of the delivery's sealed secret, which expires with its other rows. */
export const secretWrite = (sealed: string, createdAt: number): Write => ({
  ...{ op: 'put', key: SECRET, body: sealed, expect: 'any', expiresAt: createdAt + ROWS_MS },
})

function sideRows(
  { tenant, id, endpoint_id = null, created_at }: Delivery,
  { payload, sealed }: { readonly payload: string; readonly sealed: string | null },
  now: number,
): Write[] {
  const put = { op: 'put', expect: 'any', expiresAt: now + ROWS_MS } as const
  const rows: Write[] = [{ ...put, key: PAYLOAD, body: payload }]
  if (sealed !== null) rows.push(secretWrite(sealed, now))
  if (endpoint_id !== null) {
    const listing = {
      under: endpointDeliveries(tenant, endpoint_id),
      at: `${iso(created_at)} ${id}`,
    }
    rows.push({ ...put, key: LOG, body: JSON.stringify({ id }), listed: listing })
  }
  return rows
}

export const headOf = (head: DeliveryHead, now: number) => ({
  body: JSON.stringify(head),
  alarm: head.wake_at === null ? undefined : alarm(head.wake_at),
  listed: head.listed ?? undefined,
  expiresAt: now + ROWS_MS,
})

const alarm = (at: number): Alarm => ({ at, lane: 'background', started: true })

export const wakeDelivery = (world: World, partition: string, delayMs = 0) =>
  world.queue.send([{ partition, lane: 'background', started: true, staleCount: 0 }], delayMs)

export const headIn = (rows: readonly Row[]) => {
  const row = rows.find(({ key }) => key === HEAD)
  return row && { version: row.version, head: deliveryHeadOf(row.body) }
}

export interface DeliveryFound {
  readonly delivery: Delivery
  readonly attempts: readonly AttemptRow[]
  /** Request body of every attempt; absent if its row has expired. */
  readonly payload?: string | undefined
}

/** Reads a delivery with its attempts, oldest first; returns undefined if it does not exist. */
export async function readDelivery(
  world: World,
  tenant: string,
  id: string,
): Promise<DeliveryFound | undefined> {
  const rows = await world.store.read(deliveryPartition(tenant, id))
  const current = headIn(rows)
  if (!current) return undefined
  const attempts = rows.filter(({ key }) => key.startsWith(HISTORY))
  return {
    delivery: current.head.delivery,
    attempts: attempts.map(({ body }) => stored<AttemptRow>('an attempt', body, {})),
    payload: rows.find(({ key }) => key === PAYLOAD)?.body,
  }
}

/** Returns deliveries in the form that lists show; omits deleted deliveries. */
export async function readDeliveries(
  world: World,
  tenant: string,
  ids: readonly string[],
): Promise<Delivery[]> {
  const heads = await world.store.heads(ids.map((id) => deliveryPartition(tenant, id)))
  return heads.flatMap((row) => (row ? [deliveryHeadOf(row.body).delivery] : []))
}

/** Returns the delivery ID that a row of the endpoint's list contains. */
export const listedId = (body: string): string =>
  stored<{ readonly id: string }>('a listed delivery', body, { id: 'string' }).id

/**
 * Replays a finished or waiting delivery immediately, with the same ID and the full retry schedule.
 * Returns undefined if the delivery does not exist, and `under_way` during an attempt.
 * `passesPause` is set for a request for this delivery alone, which is sent even if its endpoint is
 * paused.
 */
export async function replayDelivery(
  { world, tenant, by }: Asker,
  id: string,
  passesPause: boolean,
): Promise<Delivery | 'under_way' | undefined> {
  const { result: delivery } = await sendAgain(world, tenant, id, passesPause)
  if (delivery === undefined || delivery === 'under_way') return delivery
  const about = { kind: 'delivery', name: id, action: 'replay', by, number: 0 } as const
  await audit(world, tenant, about)
  return delivery
}

interface SentAgain {
  readonly result: Delivery | 'under_way' | undefined
}

async function sendAgain(
  world: World,
  tenant: string,
  id: string,
  passesPause: boolean,
): Promise<SentAgain> {
  const partition = deliveryPartition(tenant, id)
  let redrives: number | undefined
  return update(world, `the delivery ${id}`, async () => {
    const rows = await world.store.read(partition)
    const current = headIn(rows)
    if (!current) return { result: undefined }
    const { head, version } = current
    const now = world.clock.now()
    redrives ??= head.delivery.redrives
    // Another caller has replayed the delivery first, or an ambiguous commit succeeded.
    if (head.delivery.redrives > redrives) {
      await wakeDelivery(world, partition)
      return { result: head.delivery }
    }
    if (isUnderWay(head.delivery, now)) return { result: 'under_way' as const }
    const delivery = redriven(head.delivery, now, passesPause)
    const payload = rows.find(({ key }) => key === PAYLOAD)?.body ?? ''
    const sealed = rows.find(({ key }) => key === SECRET)?.body ?? null
    const next: DeliveryHead = { ...head, wake_at: now + RECHECK_MS, redeliveries: 0, delivery }
    // The rows are rewritten to extend their lifetime beyond the new attempts.
    const result = await world.store.commit(
      partition,
      sideRows(delivery, { payload, sealed }, now),
      { ...headOf(next, now), expect: version },
    )
    if (result !== 'ok') return undefined
    await wakeDelivery(world, partition)
    return { result: delivery }
  })
}
