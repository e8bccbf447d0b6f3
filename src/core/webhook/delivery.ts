/**
 * An event for one webhook: the state between attempts, and how an attempt changes it. Ten attempts
 * over three days; then it is dead and can be sent again manually. The caller supplies clock and
 * randomness.
 */

import { cut } from '../../lib/bytes.ts'
import { retryAfterMs } from '../../lib/retry-after.ts'
import { LIMITS } from '../limits.ts'
import type { Formatted } from './format.ts'

/** Times are milliseconds since 1970. */
export interface Delivery extends Formatted {
  readonly id: string
  readonly tenant: string
  /** Null: the event is the tenant's own, or a test. */
  readonly run_id: string | null
  /** Null: it goes to the webhook of the run. */
  readonly endpoint_id?: string | null
  readonly seq: number
  readonly event_type: string
  /** URL of the last attempt; the next one uses the current URL of the endpoint. */
  readonly url: string
  /**
   * `disabled`: the receiver said 410, or its endpoint is disabled. `dropped`: the endpoint was
   * deleted before it arrived.
   */
  readonly status: 'pending' | 'delivered' | 'failed' | 'disabled' | 'dropped'
  /** Made so far, since the delivery was created or sent again by hand. */
  readonly attempts: number
  /** When the next attempt is due; null when there is none. */
  readonly next_at: number | null
  readonly last_at: number | null
  /** The HTTP status of the last attempt, or null when there was no answer. */
  readonly last_status: number | null
  readonly last_error: string | null
  /** How the last answer began. */
  readonly last_body: string | null
  /** How many inbound hooks of ours the event comes from, one after the other; absent: none. */
  readonly hops?: number | undefined
  /** The header under which its receiver goes on with the trace; absent: it is in none. */
  readonly traceparent?: string | undefined
  /** How often it was sent again by hand. */
  readonly redrives: number
  /** Its next attempt is made by hand: also while its endpoint is left alone. */
  readonly by_hand?: true | undefined
  readonly created_at: number
}

/** The result of one attempt: an answer, or a sentence why there was none. */
export type AttemptOutcome =
  | {
      readonly type: 'answer'
      readonly status: number
      /** Names in lower case. */
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
    }
  | { readonly type: 'error'; readonly message: string }

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Waiting time before each attempt, counted from the one before. */
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

/** A delivery whose first attempt is due now. */
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

/** The delivery after an attempt. `chance` lies in [0, 1) and spreads the next attempt. */
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

/** Ends it without another attempt. */
export const ended = (
  delivery: Delivery,
  status: 'disabled' | 'dropped',
  reason: string,
): Delivery => ({ ...delivery, status, next_at: null, last_error: reason })

/** The receiver is left alone for a while: the attempt is put off and does not count. */
export const postponed = (delivery: Delivery, until: number): Delivery => ({
  ...delivery,
  next_at: until,
})

/** An attempt is due, so that it is under way or about to begin. */
export const isUnderWay = ({ status, next_at }: Delivery, now: number): boolean =>
  status === 'pending' && next_at !== null && next_at <= now

/**
 * A delivery that is over, or waits for its next attempt, is sent now by hand: from the first
 * attempt on, under the same id. `passesPause`: it is sent even while its
 * endpoint is left alone.
 */
export const redriven = (delivery: Delivery, now: number, passesPause = false): Delivery => ({
  ...delivery,
  status: 'pending',
  attempts: 0,
  next_at: now,
  redrives: delivery.redrives + 1,
  by_hand: passesPause ? true : undefined,
})

/** Only 200–299 is success; a redirect is not followed and is a failure. */
function errorOf(outcome: AttemptOutcome): string | null {
  if (outcome.type === 'error') return outcome.message
  const { status } = outcome
  if (status >= 200 && status <= 299) return null
  if (status >= 300 && status <= 399) return `the receiver returned a redirect (${status})`
  return `the receiver returned ${status}`
}

/** Milliseconds until the attempt with this index (from 0), or undefined after the last one. */
function plannedDelay(index: number, chance: number): number | undefined {
  const delay = index < LIMITS.webhook_attempts ? SCHEDULE[index] : undefined
  return delay === undefined ? undefined : Math.round(delay * (1 - JITTER + 2 * JITTER * chance))
}

type Answer = Extract<AttemptOutcome, { type: 'answer' }>

/** A receiver that is busy may ask for more time, at most twice as much and never for days. */
function politeDelay(planned: number, answer: Answer | undefined, now: number): number {
  if (answer?.status !== 429 && answer?.status !== 503) return planned
  const requestedMs = retryAfterMs(answer.headers['retry-after'], now) ?? 0
  return Math.max(planned, Math.min(requestedMs, 2 * planned, RETRY_AFTER_MAX))
}
