/**
 * Times at which an executor must commit without another reason: before its lease ends, and before
 * observations stay uncommitted for too long. All times are milliseconds on the monotonic clock.
 */

import { LEASE_MS, RENEW_MS } from '../partition/rows.ts'

/**
 * Duration of an effect in milliseconds after which the worker acquires a lease (protocol rule 12).
 */
const LAZY_LEASE_MS = 10_000
/** Margin before the lease's end, in milliseconds, within which no non-repeatable effect starts. */
const LEASE_MARGIN_MS = 10_000
/**
 * Maximum wait in milliseconds within which results that must not be lost are committed together.
 */
const COALESCE_MS = 250

/** Lease of an executor: when to renew it, and until when effects may start. */
export class LeaseTimer {
  #renewAt: number
  #since: number | undefined

  constructor(began: number) {
    this.#renewAt = began + LAZY_LEASE_MS
  }

  get renewAt(): number {
    return this.#renewAt
  }

  /** Latest start of effects that must not be repeated. */
  get startDeadline(): number {
    return (this.#since ?? Number.POSITIVE_INFINITY) + LEASE_MS - LEASE_MARGIN_MS
  }

  isFresh(now: number): boolean {
    return this.#since !== undefined && now < this.startDeadline
  }

  /**
   * Records a commit; `began` is the commit's start, because a slow commit may outlast its lease.
   */
  committed(began: number, hold: 'hold' | 'free'): void {
    this.#renewAt = began + RENEW_MS
    this.#since = hold === 'hold' ? began : undefined
  }
}

/** Maximum wait of results that are committed together. */
export class FlushTimer {
  readonly #flushMs: number
  #dirtySince: number | undefined
  #urgent = false

  constructor(flushMs: number) {
    this.#flushMs = flushMs
  }

  /** Shortens the wait for a result that must not be lost. */
  hurry(): void {
    this.#urgent = true
  }

  get isUrgent(): boolean {
    return this.#urgent
  }

  /** Time of the next commit; undefined when nothing is uncommitted. */
  get at(): number | undefined {
    if (this.#dirtySince === undefined) return undefined
    return this.#dirtySince + (this.#urgent ? COALESCE_MS : this.#flushMs)
  }

  isDue(now: number): boolean {
    this.#dirtySince ??= now
    return now >= this.at!
  }

  /** Resets the timer after all results are committed. */
  clean(): undefined {
    this.#dirtySince = undefined
  }

  committed(): void {
    this.#dirtySince = undefined
    this.#urgent = false
  }
}
