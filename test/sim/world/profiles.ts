/**
 * How the queues of each host behave: numbers that the deployments set or the vendors document, and
 * that a test compares with infra/ and the hosts. Stores and buckets need none: the
 * simulated ones pass the contract suites of the real ones, and what they do beyond that (faults.ts)
 * is at least what any of them was seen to do. LAWS.md has the table.
 */

import type { Profile } from './sim.ts'

export interface QueueProfile {
  /** A delay is rounded up to this, and cut at the most the queue takes. */
  readonly delayStepMs: number
  readonly maxDelayMs: number
  /** So many messages travel in one request, which is taken or refused by itself. */
  readonly batch: number
  /** A message that was not acknowledged by then comes again, though it may still be handled. */
  readonly hiddenMs: readonly number[]
  /** So often it is handed out; then it is a dead letter. */
  readonly maxReceives: number
}

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** In the home of objects a wake is a call, and there are none. */
export const QUEUES: Readonly<Record<Exclude<Profile, 'objects'>, QueueProfile>> = {
  // Hidden from Lambda six times as long as a function may run, from a container's poller briefly.
  sqs: {
    delayStepMs: SECOND,
    maxDelayMs: 15 * MINUTE,
    batch: 10,
    hiddenMs: [90 * MINUTE, 30 * SECOND],
    maxReceives: 3,
  },
  // Cloudflare Queues, which the home used before its objects had alarms of their own: worse than
  // those in all that counts. A consumer ends after 15 minutes at the latest, and tells the queue;
  // one that dies is noticed.
  cloudflare: {
    delayStepMs: SECOND,
    maxDelayMs: 12 * 60 * MINUTE,
    batch: 100,
    hiddenMs: [SECOND, 45 * SECOND],
    maxReceives: 4,
  },
  // Lanes in memory: they end with their process.
  node: {
    delayStepMs: 1,
    maxDelayMs: 2 ** 31 - 1,
    batch: Number.MAX_SAFE_INTEGER,
    hiddenMs: [0],
    maxReceives: 1,
  },
}

/** When a wake that is to come after `ms` really comes. */
export const delayOf = ({ delayStepMs, maxDelayMs }: QueueProfile, ms: number): number =>
  Math.min(maxDelayMs, Math.ceil(ms / delayStepMs) * delayStepMs)
