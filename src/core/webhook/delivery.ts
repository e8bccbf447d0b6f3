/**
 * Delivery of an event to one webhook: the state between attempts, and the transitions. After ten
 * attempts over three days, the delivery is dead and can be replayed manually. The caller supplies
 * the clock and randomness.
 */

import { cut } from '../../lib/bytes.ts'
import { retryAfterMs } from '../../lib/retry-after.ts'
import { LIMITS } from '../limits.ts'
import type { Formatted } from './format.ts'

/** State of a webhook delivery. Times are milliseconds since 1970. */
export interface Delivery extends Formatted {
  readonly id: string
  readonly tenant: string
  /** ID of the run that the event belongs to; null for an event of the tenant, or a test. */
  readonly run_id: string | null
  /** ID of the webhook endpoint; null if the receiver is the run's own webhook. */
  readonly endpoint_id?: string | null
  readonly seq: number
  readonly event_type: string
  /** URL of the last delivery attempt. The next attempt uses the endpoint's current URL. */
  readonly url: string
  /**
   * State of the delivery. `disabled`: the receiver returned 410, or the endpoint is disabled.
   * `dropped`: the endpoint was deleted before delivery.
   */
  readonly status: 'pending' | 'delivered' | 'failed' | 'disabled' | 'dropped'
  /** Number of attempts since the delivery was created or manually replayed. */
  readonly attempts: number
  /** Time of the next delivery attempt; null if none is planned. */
  readonly next_at: number | null
  readonly last_at: number | null
  /** HTTP status of the last delivery attempt; null if there was no response. */
  readonly last_status: number | null
  readonly last_error: string | null
  /** Beginning of the last response body. */
  readonly last_body: string | null
  /**
   * Number of consecutive inbound hooks of this server that led to the event; absent if there were
   * none.
   */
  readonly hops?: number | undefined
  /** `traceparent` header with which the receiver continues the trace; absent without a trace. */
  readonly traceparent?: string | undefined
  /** Number of times the delivery was replayed manually. */
  readonly redrives: number
  /** Set if the next attempt is manual, and thus made even while the endpoint is paused. */
  readonly by_hand?: true | undefined
  readonly created_at: number
}

/** Result of one delivery attempt: a response, or an explanation why there was none. */
export type AttemptOutcome =
  | {
      readonly type: 'answer'
      readonly status: number
      /** Response headers, with names in lower case. */
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
    }
  | { readonly type: 'error'; readonly message: string }

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Delay before each delivery attempt, counted from the previous attempt. */
const SCHEDULE = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const
const JITTER = 0.2
const RETRY_AFTER_MAX = 24 * HOUR
const BODY_BYTES = 4_096

type DeliveryTarget = Pick<
  Delivery,
  | 'id'
  | 'tenant'
  | 'run_id'
  | 'endpoint_id'
  | 'seq'
  | 'event_type'
  | 'url'
  | 'format'
  | 'hops'
  | 'traceparent'
>

/** Returns a new delivery whose first attempt is due immediately. */
export const newDelivery = (target: DeliveryTarget, now: number): Delivery => ({
  ...target,
  status: 'pending',
  attempts: 0,
  next_at: now,
  last_at: null,
  last_status: null,
  last_error: null,
  last_body: null,
  redrives: 0,
  created_at: now,
})

/**
 * Returns the delivery after an attempt; `chance` in [0, 1) adds jitter to the time of the next
 * attempt.
 */
export function attempted(
  delivery: Delivery,
  outcome: AttemptOutcome,
  now: number,
  chance: number,
): Delivery {
  const attempts = delivery.attempts + 1
  const answer = outcome.type === 'answer' ? outcome : undefined
  const after: Delivery = {
    ...delivery,
    by_hand: undefined,
    attempts,
    next_at: null,
    last_at: now,
    last_status: answer?.status ?? null,
    last_error: errorOf(outcome),
    last_body: answer ? cut(answer.body, BODY_BYTES) : null,
  }
  if (after.last_error === null) return { ...after, status: 'delivered' }
  if (answer?.status === 410) return { ...after, status: 'disabled' }
  const planned = plannedDelay(attempts, chance)
  if (planned === undefined) return { ...after, status: 'failed' }
  return { ...after, status: 'pending', next_at: now + politeDelay(planned, answer, now) }
}

/** Ends a delivery without another attempt. */
export const ended = (
  delivery: Delivery,
  status: 'disabled' | 'dropped',
  reason: string,
): Delivery => ({ ...delivery, status, next_at: null, last_error: reason })

/** Postpones an attempt while the endpoint is paused. The postponed attempt does not count. */
export const postponed = (delivery: Delivery, until: number): Delivery => ({
  ...delivery,
  next_at: until,
})

/** Returns whether a delivery attempt is due, and thus running or about to start. */
export const isUnderWay = ({ status, next_at }: Delivery, now: number): boolean =>
  status === 'pending' && next_at !== null && next_at <= now

/**
 * Replays a finished or waiting delivery now, with the full schedule and the same ID. With
 * `passesPause`, the delivery is sent even while the endpoint is paused.
 */
export const redriven = (delivery: Delivery, now: number, passesPause = false): Delivery => ({
  ...delivery,
  status: 'pending',
  attempts: 0,
  next_at: now,
  redrives: delivery.redrives + 1,
  by_hand: passesPause ? true : undefined,
})

/**
 * Returns the error of a delivery attempt; null for status 200–299. Redirects are not followed and
 * count as failures.
 */
function errorOf(outcome: AttemptOutcome): string | null {
  if (outcome.type === 'error') return outcome.message
  const { status } = outcome
  if (status >= 200 && status <= 299) return null
  if (status >= 300 && status <= 399) return `the receiver returned a redirect (${status})`
  return `the receiver returned ${status}`
}

/**
 * Returns the planned delay in milliseconds before an attempt (`index` from 0). Returns undefined
 * after the last attempt.
 */
function plannedDelay(index: number, chance: number): number | undefined {
  const delay = index < LIMITS.webhook_attempts ? SCHEDULE[index] : undefined
  return delay === undefined ? undefined : Math.round(delay * (1 - JITTER + 2 * JITTER * chance))
}

type Answer = Extract<AttemptOutcome, { type: 'answer' }>

/**
 * Returns the delay before the next attempt. A busy receiver can extend the planned delay to at
 * most twice its length, and never to days.
 */
function politeDelay(planned: number, answer: Answer | undefined, now: number): number {
  if (answer?.status !== 429 && answer?.status !== 503) return planned
  const requestedMs = retryAfterMs(answer.headers['retry-after'], now) ?? 0
  return Math.max(planned, Math.min(requestedMs, 2 * planned, RETRY_AFTER_MAX))
}
