/**
 * Meters of one rate limit. A sole process counts exactly. Otherwise, each process admits a small
 * allowance and reserves further shares from a stored counter, so that rarely used keys cost no
 * read. Over T seconds, P processes admit at most `burst + rate × (T + 2) + P × allowance × (T +
 * 1)`, plus at most one request's cost.
 */

import {
  type Level,
  type Rate,
  type RateKind,
  refilled,
  secondsUntil,
} from '../../core/rate-limits.ts'
import type { World } from '../../ports/world.ts'
import { stored } from '../partition/stored.ts'

/** Seconds until a token is available, rounded up; undefined if the request is admitted. */
export type Wait = number | undefined

export interface Meter {
  readonly rate: Rate
  /** Returns the number of remaining tokens known to this process. */
  remaining(): number
  take(cost: number): Wait | Promise<Wait>
  /** Refunds the cost of a request that another limit rejected. */
  refund(cost: number): void
}

type Clocked = Pick<World, 'clock'>

export class LocalMeter implements Meter {
  readonly rate: Rate
  readonly #world: Clocked
  #tokens: number
  #at: number

  constructor(world: Clocked, rate: Rate, tokens = rate.burst) {
    this.rate = rate
    this.#world = world
    this.#tokens = Math.min(tokens, rate.burst)
    this.#at = world.clock.monotonic()
  }

  remaining(): number {
    const now = this.#world.clock.monotonic()
    this.#tokens = refilled({ tokens: this.#tokens, at: this.#at }, this.rate, now).tokens
    this.#at = now
    return this.#tokens
  }

  take(cost: number): Wait {
    const remaining = this.remaining()
    if (remaining < 1) return secondsUntil(remaining, this.rate)
    this.#tokens = remaining - cost
    return undefined
  }

  refund(cost: number): void {
    this.#tokens += cost
  }
}

/** Tokens per second that each process admits without reading the shared counter. */
export const ALLOWANCE = { requests: 10, run_starts: 1, body_bytes: 65_536 } as const
/** Number of shares per second: each reservation takes a twentieth of one second's tokens. */
const SHARES_A_SECOND = 20
/** Time after which unused shares expire, in milliseconds. */
export const SHARE_MS = 2_000
/** Maximum number of attempts to commit to the shared counter. */
const TRIES = 8
/** Time for which a process limits locally after the shared counter fails, in milliseconds. */
const TROUBLE_MS = 5_000

type SharedWorld = Pick<World, 'clock' | 'store' | 'log'> & {
  readonly settings: Pick<World['settings'], 'eventBound'>
}

export class SharedMeter implements Meter {
  readonly rate: Rate
  readonly #world: SharedWorld
  readonly #partition: string
  readonly #allowance: LocalMeter
  #fallback: LocalMeter | undefined
  #ownUntil = 0
  #share = 0
  #shareUntil = 0
  #remaining: number
  /** Time of the next query to an empty counter, when its rate makes a token available. */
  #emptyUntil = 0
  #tokenAt = 0
  #asking: Promise<Wait> | undefined

  constructor(world: SharedWorld, partition: string, rate: Rate, kind: RateKind) {
    this.rate = rate
    this.#world = world
    this.#partition = partition
    this.#remaining = rate.burst
    const perSecond = Math.min(ALLOWANCE[kind], rate.perSecond / 10)
    this.#allowance = new LocalMeter(world, { perSecond, burst: perSecond, window: 1 })
  }

  remaining(): number {
    return this.#remaining + this.#usableShare()
  }

  #usableShare(): number {
    if (this.#world.clock.monotonic() >= this.#shareUntil) this.#share = 0
    return this.#share
  }

  take(cost: number): Wait | Promise<Wait> {
    const now = this.#world.clock.monotonic()
    if (this.#usableShare() >= cost) {
      this.#share -= cost
      return undefined
    }
    if (this.#allowance.remaining() >= Math.max(1, cost)) return this.#allowance.take(cost)
    if (now < this.#ownUntil) return this.#fallback?.take(cost)
    if (now < this.#emptyUntil) return Math.max(1, Math.ceil((this.#tokenAt - now) / 1_000))
    return this.#ask(cost)
  }

  /** Commits to the counter one at a time; concurrent requests await the commit and its result. */
  async #ask(cost: number): Promise<Wait> {
    if (this.#world.settings.eventBound) return this.#lease(cost)
    if (this.#asking) {
      await this.#asking
      return this.take(cost)
    }
    this.#asking = this.#lease(cost)
    try {
      return await this.#asking
    } finally {
      this.#asking = undefined
    }
  }

  async #lease(cost: number): Promise<Wait> {
    const { clock, log } = this.#world
    try {
      for (let tries = 0; tries < TRIES; tries += 1) {
        // Another request of this process may have reserved a share since the last attempt.
        if (tries > 0 && this.#usableShare() >= cost) return this.take(cost)
        const wait = await this.#leaseOnce(cost)
        if (wait !== 'conflict') return wait
      }
    } catch (error) {
      const { message } = error as Error
      log?.write({ level: 'warn', event: 'rate_limit.counter_unavailable', message })
      this.#fallback ??= new LocalMeter(this.#world, this.rate)
      this.#ownUntil = clock.monotonic() + TROUBLE_MS
      return this.#fallback.take(cost)
    }
    return 1
  }

  async #leaseOnce(cost: number): Promise<Wait | 'conflict'> {
    const { clock, store } = this.#world
    const [row] = await store.heads([this.#partition])
    const now = clock.now()
    const level = refilled(
      row ? levelOf(row.body) : { tokens: this.rate.burst, at: now },
      this.rate,
      now,
    )
    if (level.tokens < 1) {
      this.#remaining = 0
      // Processes return no tokens to the counter, so a retry before the next token is due is
      // useless.
      const ms = ((1 - level.tokens) / this.rate.perSecond) * 1_000
      this.#tokenAt = clock.monotonic() + ms
      this.#emptyUntil = clock.monotonic() + Math.min(1_000, ms)
      return secondsUntil(level.tokens, this.rate)
    }
    const share = Math.min(level.tokens, Math.ceil(this.rate.perSecond / SHARES_A_SECOND))
    const leased = Math.max(cost, Math.floor(share))
    const body = JSON.stringify({ ...level, tokens: level.tokens - leased })
    const result = await store.commit(this.#partition, [], { expect: row?.version ?? null, body })
    if (result !== 'ok') return 'conflict'
    this.#remaining = Math.max(0, level.tokens - leased)
    this.#share = this.#usableShare() + leased - cost
    this.#shareUntil = clock.monotonic() + SHARE_MS
    return undefined
  }

  refund(cost: number): void {
    this.#share = this.#usableShare() + cost
  }
}

const levelOf = (body: string): Level =>
  stored<Level>('a rate limit counter', body, { tokens: 'number', at: 'number' })
