/**
 * Times at which an executor must commit without another reason: before its lease ends, and before
 * results stay uncommitted for too long. All times are milliseconds on the monotonic clock.
 */

import type { World } from '../../ports/world.ts'
import { LEASE_MS, RENEW_MS } from '../partition/rows.ts'

/**
 * Duration of an effect after which the worker acquires a lease, in milliseconds (PROTOCOL.md rule
 * 12).
 */
const LAZY_LEASE_MS = 10_000
/** Margin before a lease's end within which no non-repeatable effect starts, in milliseconds. */
const LEASE_MARGIN_MS = 10_000
/**
 * Maximum time for which results that must not be lost wait to be committed together, in
 * milliseconds.
 */
const COALESCE_MS = 250

/** Lease timer of an executor: when to renew the lease, and until when effects may start. */
export class LeaseTimer {
  #renewAt: number
  #since: number | undefined

  constructor(began: number) {
    this.#renewAt = began + LAZY_LEASE_MS
  }

  get renewAt(): number {
    return this.#renewAt
  }

  /** Latest time at which effects that must not be repeated may start. */
  get startDeadline(): number {
    return (this.#since ?? Number.POSITIVE_INFINITY) + LEASE_MS - LEASE_MARGIN_MS
  }

  isFresh(now: number): boolean {
    return this.#since !== undefined && now < this.startDeadline
  }

  /**
   * Records a commit; `began` is the time at which the commit started, because a slow commit may
   * outlast its lease.
   */
  committed(began: number, hold: 'hold' | 'free'): void {
    this.#renewAt = began + RENEW_MS
    this.#since = hold === 'hold' ? began : undefined
  }
}

/** Timer that limits how long results wait to be committed together. */
export class FlushTimer {
  readonly #flushMs: number
  #dirtySince: number | undefined
  #urgent = false

  constructor(flushMs: number) {
    this.#flushMs = flushMs
  }

  /** Shortens the wait because a result that must not be lost has arrived. */
  hurry(): void {
    this.#urgent = true
  }

  get isUrgent(): boolean {
    return this.#urgent
  }

  /** Time of the next commit; undefined if no results are uncommitted. */
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

/** Time before the platform's execution limit at which effects are aborted, in milliseconds. */
const LAST_MS = 30_000

/** Returns the milliseconds for which a new effect may run in a process that began at `began`. */
export function lifeLeft({ settings, clock }: World, began: number): number {
  const { lifeMs = Number.POSITIVE_INFINITY } = settings
  return Math.max(0, began + lifeMs - LAST_MS - clock.monotonic())
}
