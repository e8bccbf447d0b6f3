/**
 * Times at which an executor must commit without another reason: before its lease ends, and before
 * observations stay uncommitted for too long. All in ms on the monotonic clock.
 */

import { LEASE_MS, RENEW_MS } from '../partition/rows.ts'

/** Duration of an effect after which the worker takes a lease (protocol rule 12). */
const LAZY_LEASE_MS = 10_000
/** Margin before the lease's end within which no non-repeatable effect starts. */
const LEASE_MARGIN_MS = 10_000
/** Results that must not be lost are committed together within this time. */
const COALESCE_MS = 250

/** An executor's lease: when to renew it, and until when effects may start. */
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

  /** `began` is the commit's start; a slow commit may outlast its lease. */
  committed(began: number, hold: 'hold' | 'free'): void {
    this.#renewAt = began + RENEW_MS
    this.#since = hold === 'hold' ? began : undefined
  }
}

/** How long results may wait to be committed together. */
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

  /** Resets after everything is committed. */
  clean(): undefined {
    this.#dirtySince = undefined
  }

  committed(): void {
    this.#dirtySince = undefined
    this.#urgent = false
  }
}
