/**
 * A delivery in motion: one event on its way to one webhook. Its small state is the head, under
 * compare-and-swap; each attempt leaves a history row that nobody folds (protocol rule 24). Two
 * workers may both post; the receiver knows the message by its id.
 */

import type { AttemptOutcome, Delivery } from '../core/delivery.ts'
import { attempted } from '../core/delivery.ts'
import { LIMITS } from '../core/limits.ts'
import { LOOK_AGAIN_MS } from '../core/run/machine.ts'
import { messageId, signedHeaders } from '../core/webhook.ts'
import { iso } from '../lib/time.ts'
import type { Alarm, World, Write } from '../ports/world.ts'
import { HEAD } from '../ports/world.ts'
import { deliveriesList, deliveryPartition } from './names.ts'
import type { AlarmedHead } from './tick.ts'

export interface DeliveryHead extends AlarmedHead {
  readonly delivery: Delivery
}

export interface AttemptRow {
  readonly at: number
  readonly status: number | null
  readonly error: string | null
  readonly duration_ms: number
}

const PAYLOAD = 'payload'
const SECRET = 'secret'
const HISTORY = 'a/'
const HISTORY_MS = 30 * 86_400_000
const ANSWER_BYTES = 65_536

/** Creates the delivery once; `sealed` is the webhook's secret, sealed for the run. */
export async function createDelivery(
  world: World,
  delivery: Delivery,
  payload: string,
  sealed: string,
): Promise<'ok' | 'ambiguous'> {
  const partition = deliveryPartition(delivery.tenant, delivery.id)
  const at = `${iso(delivery.created_at)} ${delivery.id}`
  const listed = { under: deliveriesList(delivery.tenant), at }
  const wake_at = world.clock.now() + LOOK_AGAIN_MS
  const head: DeliveryHead = { wake_at, resends: 0, listed, delivery }
  const rows: Write[] = [
    { op: 'put', key: PAYLOAD, body: payload, expect: 'absent' },
    { op: 'put', key: SECRET, body: sealed, expect: 'absent' },
  ]
  const result = await world.store.commit(partition, rows, {
    expect: null,
    body: JSON.stringify(head),
    alarm: alarm(wake_at),
    listed,
  })
  // A refusal may be the store's own trouble: only what is there has been created (rule 6).
  if (result !== 'ok' && !(await world.store.heads([partition]))[0]) return 'ambiguous'
  await world.queue.send([{ partition, lane: 'background', started: true, hops: 0 }])
  return 'ok'
}

const alarm = (at: number): Alarm => ({ at, lane: 'background', started: true })

/** Makes the attempt that is due, if one is. */
export async function advanceDelivery(world: World, partition: string): Promise<void> {
  const rows = await world.store.read(partition)
  const headRow = rows.find(({ key }) => key === HEAD)
  if (!headRow) return
  const head = JSON.parse(headRow.body) as DeliveryHead
  const { delivery } = head
  const due = delivery.next_at
  if (delivery.status !== 'pending' || due === null) return
  if (due > world.clock.now()) return sleepUntil(world, partition, due)
  const body = (key: string): string => rows.find((row) => row.key === key)?.body ?? ''
  const began = world.clock.monotonic()
  const outcome = await attempt(world, delivery, body(PAYLOAD), body(SECRET))
  const now = world.clock.now()
  const [byte = 0] = world.clock.random(1)
  const after = attempted(delivery, outcome, now, byte / 256)
  const history: AttemptRow = {
    at: now,
    status: after.last_status,
    error: after.last_error,
    duration_ms: Math.round(world.clock.monotonic() - began),
  }
  const made = rows.filter(({ key }) => key.startsWith(HISTORY)).length
  const next: DeliveryHead = { ...head, wake_at: after.next_at, resends: 0, delivery: after }
  await world.store.commit(
    partition,
    [
      {
        op: 'put',
        key: `${HISTORY}${String(made + 1).padStart(4, '0')}`,
        body: JSON.stringify(history),
        expect: 'any',
        expiresAt: now + HISTORY_MS,
      },
    ],
    {
      expect: headRow.version,
      body: JSON.stringify(next),
      alarm: after.next_at === null ? undefined : alarm(after.next_at),
      listed: head.listed ?? undefined,
    },
  )
  if (after.next_at !== null) await sleepUntil(world, partition, after.next_at)
}

/** A queue keeps a wake for a quarter of an hour; beyond that the tick is enough. */
const NEAR_MS = 15 * 60_000

async function sleepUntil(world: World, partition: string, at: number): Promise<void> {
  const delay = Math.max(0, at - world.clock.now())
  if (delay >= NEAR_MS) return
  await world.queue.send([{ partition, lane: 'background', started: true, hops: 0 }], delay)
}

async function attempt(
  world: World,
  delivery: Delivery,
  payload: string,
  sealed: string,
): Promise<AttemptOutcome> {
  // The URL is judged again: policy may have changed since the run was accepted.
  const blocked = world.web.check(delivery.url)
  if (blocked !== undefined) return { type: 'error', message: blocked }
  const secret = await world.secrets.open(sealed, delivery.run_id)
  if (secret === undefined) return { type: 'error', message: 'the secret cannot be opened' }
  const headers = signedHeaders([secret], messageId(delivery.id), world.clock.now(), payload)
  const answer = await world.web.send({
    method: 'POST',
    url: delivery.url,
    headers: { 'content-type': 'application/json', ...headers },
    body: payload,
    timeoutMs: LIMITS.webhook_timeout_seconds * 1000,
    maxBytes: ANSWER_BYTES,
  })
  if (!answer.ok) return { type: 'error', message: answer.error }
  return { type: 'answer', ...answer.value }
}

export interface DeliveryFound {
  readonly delivery: Delivery
  readonly attempts: readonly AttemptRow[]
}

/** A delivery with its attempts, oldest first; undefined when there is none. */
export async function readDelivery(
  world: World,
  tenant: string,
  id: string,
): Promise<DeliveryFound | undefined> {
  const rows = await world.store.read(deliveryPartition(tenant, id))
  const head = rows.find(({ key }) => key === HEAD)
  if (!head) return undefined
  const attempts = rows.filter(({ key }) => key.startsWith(HISTORY))
  return {
    delivery: (JSON.parse(head.body) as DeliveryHead).delivery,
    attempts: attempts.map(({ body }) => JSON.parse(body) as AttemptRow),
  }
}
