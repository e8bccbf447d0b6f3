/**
 * Advances a delivery: makes the due attempt if its receiver may be called now. Two workers may
 * both post the message; the receiver detects the duplicate by the message ID.
 */

import { LIMITS } from '../../core/limits.ts'
import { traceHeaders } from '../../core/trace/context.ts'
import type { AttemptOutcome, Delivery } from '../../core/webhook/delivery.ts'
import { attempted, ended, postponed } from '../../core/webhook/delivery.ts'
import type { Endpoint } from '../../core/webhook/endpoint.ts'
import { signing } from '../../core/webhook/endpoint.ts'
import { CONTENT_TYPES, formatOf } from '../../core/webhook/format.ts'
import { messageId, signedHeaders } from '../../core/webhook/signature.ts'
import { hiding } from '../../lib/hide.ts'
import { hostOf } from '../../lib/url.ts'
import type { Row, World, Write } from '../../ports/world.ts'
import { endpointPartition } from '../partition/keys.ts'
import { retry } from '../partition/update.ts'
import {
  type AttemptRow,
  type DeliveryHead,
  HISTORY,
  HISTORY_MS,
  headIn,
  headOf,
  PAYLOAD,
  SECRET,
  wakeDelivery,
} from './delivery.ts'
import { noteHealth } from './endpoint/health.ts'
import { readEndpoint } from './endpoint/store.ts'
import { hopsHeader } from './hops.ts'
import { countAttempt, enter, leave, type Receiver } from './throttle.ts'

/** Maximum attempts to write a delivery; only the clock changes a delivery's head repeatedly. */
const TRIES = 5
const ANSWER_BYTES = 65_536
/** Period over which a paused endpoint's deliveries are spread on resume, in milliseconds. */
const SPREAD_MS = 10_000
/** Maximum delay of a queued wake, in milliseconds; longer delays rely on the tick. */
const NEAR_MS = 15 * 60_000

/** Makes an attempt at the delivery if one is due. */
export async function advanceDelivery(world: World, partition: string): Promise<void> {
  const rows = await world.store.read(partition)
  const current = headIn(rows)
  if (!current) return
  const { delivery } = current.head
  const due = delivery.status === 'pending' ? delivery.next_at : null
  const receiver = receiverOf(delivery)
  const isDue = due !== null && due <= world.clock.now()
  if (isDue && !enter(world, receiver, partition)) return
  try {
    if (isDue) await deliver(world, { partition, rows, receiver, ...current })
    else if (due !== null) await sleepUntil(world, partition, due)
  } finally {
    // The receiver's slot is also released without an attempt, because the delivery may have been
    // woken for that slot.
    const next = leave(world, receiver, partition)
    for (const waiting of next) await wakeDelivery(world, waiting)
  }
}

const receiverOf = ({ tenant, endpoint_id, url }: Delivery): Receiver => ({
  tenant,
  host: hostOf(url),
  url: url.replace(/\?.*$/s, ''),
  id: endpoint_id ?? url,
})

interface Work {
  readonly partition: string
  readonly rows: readonly Row[]
  readonly receiver: Receiver
  readonly version: number
  readonly head: DeliveryHead
}

async function deliver(world: World, work: Work): Promise<void> {
  const { delivery } = work.head
  const target = await targetOf(world, work)
  const now = world.clock.now()
  if (target.kind === 'over') {
    return write(world, work, ended(delivery, target.status, target.reason))
  }
  if (target.kind === 'later') {
    const later = Math.round(target.until + SPREAD_MS * chance(world))
    return write(world, work, postponed(delivery, Math.max(now, later)))
  }
  const began = world.clock.monotonic()
  const payload = work.rows.find(({ key }) => key === PAYLOAD)?.body ?? ''
  const outcome = await attempt(world, delivery, target, payload)
  const sent = { ...delivery, url: target.url }
  const after = attempted(sent, outcome, world.clock.now(), chance(world))
  const row = { after, duration: Math.round(world.clock.monotonic() - began) }
  const result = { ok: after.last_error === null, ms: row.duration }
  const failures = countAttempt(world, work.receiver, result)
  // The endpoint's health is written before the delivery: after a crash in between, the next worker
  // repeats the attempt.
  report(world, after, row.duration)
  if (target.endpoint) await noteHealth(world, after, target.endpoint, failures)
  await write(world, work, after, historyRow(world, work, row))
}

/** Logs only the host of the receiver's URL, because the URL may contain a secret. */
function report({ log }: World, delivery: Delivery, duration_ms: number): void {
  const { id, tenant, url, status, attempts, endpoint_id, run_id } = delivery
  const isFailed = delivery.last_error !== null
  log?.write({
    level: isFailed ? 'warn' : 'debug',
    event: isFailed ? 'delivery.failed' : 'delivery.delivered',
    tenant,
    delivery_id: id,
    endpoint_id,
    run_id,
    host: hostOf(url),
    status,
    attempt: attempts,
    http_status: delivery.last_status,
    message: delivery.last_error,
    duration_ms,
  })
}

const chance = (world: World): number => (world.clock.random(1)[0] ?? 0) / 256

type Target =
  | {
      readonly kind: 'send'
      readonly url: string
      readonly secrets: readonly string[]
      readonly endpoint: Endpoint | undefined
    }
  | { readonly kind: 'later'; readonly until: number }
  | { readonly kind: 'over'; readonly status: 'disabled' | 'dropped'; readonly reason: string }

/**
 * Returns the delivery's current target. Since the delivery was created, the endpoint may have
 * changed its URL, rotated its secret, or been deleted (WS19).
 */
async function targetOf(world: World, { rows, head }: Work): Promise<Target> {
  const { endpoint_id = null, tenant, url, run_id } = head.delivery
  if (endpoint_id === null) {
    const sealed = rows.find(({ key }) => key === SECRET)?.body ?? ''
    const secret = await world.secrets.open(sealed, run_id ?? '')
    return {
      kind: 'send',
      url,
      secrets: secret === undefined ? [] : [secret],
      endpoint: undefined,
    }
  }
  const stored = await readEndpoint(world, endpointPartition(tenant, endpoint_id))
  if (!stored || stored.endpoint.deleted) {
    return { kind: 'over', status: 'dropped', reason: 'the endpoint was deleted' }
  }
  const { endpoint } = stored
  if (!endpoint.enabled) {
    return { kind: 'over', status: 'disabled', reason: 'the endpoint is disabled' }
  }
  const now = world.clock.now()
  const isPaused = endpoint.open_until !== null && now < endpoint.open_until
  if (isPaused && !head.delivery.by_hand) {
    return { kind: 'later', until: endpoint.open_until }
  }
  const sealed = signing(stored.secrets, now)
  const opened = await Promise.all(
    sealed.map((secret) => world.secrets.open(secret.sealed, endpoint_id)),
  )
  const secrets = opened.filter((secret) => secret !== undefined)
  return { kind: 'send', url: endpoint.url, secrets, endpoint }
}

async function attempt(
  world: World,
  delivery: Delivery,
  { url, secrets }: Extract<Target, { kind: 'send' }>,
  payload: string,
): Promise<AttemptOutcome> {
  // The URL is checked again, because the policy may have changed since the URL was accepted.
  const blocked = world.web.check(url)
  if (blocked !== undefined) return { type: 'error', message: blocked }
  if (secrets.length === 0) return { type: 'error', message: 'the secret cannot be decrypted' }
  const headers = signedHeaders(secrets, messageId(delivery.id), world.clock.now(), payload)
  const answer = await world.web.send({
    method: 'POST',
    url,
    headers: {
      'content-type': CONTENT_TYPES[formatOf(delivery)],
      ...headers,
      ...(await hopsHeader(world, delivery.hops)),
      ...traceHeaders(delivery.traceparent),
    },
    body: payload,
    timeoutMs: LIMITS.webhook_timeout_seconds * 1000,
    maxBytes: ANSWER_BYTES,
    bodyMs: LIMITS.webhook_answer_seconds * 1000,
  })
  if (!answer.ok) return { type: 'error', message: answer.error }
  // A receiver may echo the message. Its response is stored and shown, so secrets in it are hidden.
  const hide = hiding(secrets.flatMap((secret) => [secret, secret.replace(/^whsec_/, '')]))
  return { type: 'answer', ...answer.value, body: hide(answer.value.body) }
}

function historyRow(
  world: World,
  { rows }: Work,
  { after, duration }: { readonly after: Delivery; readonly duration: number },
): Write {
  const now = world.clock.now()
  const row: AttemptRow = {
    at: now,
    status: after.last_status,
    error: after.last_error,
    duration_ms: duration,
    ...(after.redrives > 0 ? { redrive: after.redrives } : {}),
  }
  const attempts = rows.filter(({ key }) => key.startsWith(HISTORY)).length
  const key = `${HISTORY}${String(attempts + 1).padStart(4, '0')}`
  const body = JSON.stringify(row)
  return { op: 'put', key, body, expect: 'any', expiresAt: now + HISTORY_MS }
}

/**
 * Writes the state of the delivery after the attempt, unless another worker has changed it. The
 * clock may move the alarm of the delivery after a wake; such a change does not prevent the write.
 */
async function write(
  world: World,
  { partition, head, version }: Work,
  delivery: Delivery,
  ...rows: readonly Write[]
): Promise<void> {
  const next: DeliveryHead = { ...head, wake_at: delivery.next_at, redeliveries: 0, delivery }
  const previous = JSON.stringify(head.delivery)
  let expect = version
  await retry(world, TRIES, async () => {
    const headWrite = { ...headOf(next, world.clock.now()), expect }
    if ((await world.store.commit(partition, rows, headWrite)) === 'ok') return true
    const [row] = await world.store.heads([partition])
    const current = row && headIn([row])
    if (!current || JSON.stringify(current.head.delivery) !== previous) return true
    expect = current.version
    return undefined
  })
  if (delivery.next_at !== null) await sleepUntil(world, partition, delivery.next_at)
}

async function sleepUntil(world: World, partition: string, at: number): Promise<void> {
  const delay = Math.max(0, at - world.clock.now())
  if (delay < NEAR_MS) await wakeDelivery(world, partition, delay)
}
