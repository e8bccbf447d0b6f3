/**
 * Times at which an executor must commit though nothing forces it to: before its lease ends, and
 * before its observations have been uncommitted for too long. All times are on the monotonic clock,
 * in ms.
 */

import { LEASE_MS, RENEW_MS } from '../partition/rows.ts'

/** An effect that has run so long makes the worker take a lease (protocol rule 12). */
const LAZY_LEASE_MS = 10_000
/** No effect that must not be doubled starts so close to the end of the lease. */
const LEASE_MARGIN_MS = 10_000
/** Results that must not be lost are committed together if they come within this time. */
const COALESCE_MS = 250

/** The lease of an executor: when to renew it, and until when effects may start under it. */
export class LeaseTimer {
  #renewAt: number
  #since: number | undefined

  constructor(began: number) {
    this.#renewAt = began + LAZY_LEASE_MS
  }

  get renewAt(): number {
    return this.#renewAt
  }

  /** Effects that must not be repeated start before this time. */
  get startDeadline(): number {
    return (this.#since ?? Number.POSITIVE_INFINITY) + LEASE_MS - LEASE_MARGIN_MS
  }

  isFresh(now: number): boolean {
    return this.#since !== undefined && now < this.startDeadline
  }

  /** `began`: when the commit was begun; a slow one may come back when its lease is over. */
  committed(began: number, hold: 'hold' | 'free'): void {
    this.#renewAt = began + RENEW_MS
    this.#since = hold === 'hold' ? began : undefined
  }
}

/** How long results may wait for others to be committed with them. */
export class FlushTimer {
  readonly #flushMs: number
  #dirtySince: number | undefined
  #urgent = false

  constructor(flushMs: number) {
    this.#flushMs = flushMs
  }

  /** Something arrived that must not be lost: it waits for others only briefly. */
  hurry(): void {
    this.#urgent = true
  }

  get isUrgent(): boolean {
    return this.#urgent
  }

  /** When to commit; undefined while nothing is uncommitted. */
  get at(): number | undefined {
    if (this.#dirtySince === undefined) return undefined
    return this.#dirtySince + (this.#urgent ? COALESCE_MS : this.#flushMs)
  }

  isDue(now: number): boolean {
    this.#dirtySince ??= now
    return now >= this.at!
  }

  /** Nothing is uncommitted. */
  clean(): undefined {
    this.#dirtySince = undefined
  }

  committed(): void {
    this.#dirtySince = undefined
    this.#urgent = false
  }
}
