/**
 * Passes of an object: several partitions concurrently, each partition sequentially, while passes
 * are due and the event's budget allows more.
 */

import type { Wake } from '../../../ports/world.ts'
import type { Budget } from '../bindings/budget.ts'
import { earliest, type Timer } from '../bindings/timer.ts'
import type { LanePlaces } from '../lanes/lane-place.ts'
import { memoryWakes } from './wakes.ts'

/** Delay before the next pass over a partition still due after its pass, in milliseconds. */
const TICK_MS = 10_000
/** Maximum number of partitions with concurrent passes: a root with the subagents in its object. */
const MOST = 65
/** Interval at which due work waiting for a slot checks again, in milliseconds. */
const LOOK_MS = 30_000

export interface PassParts {
  readonly budget: Budget
  readonly places: LanePlaces
  readonly dispatch: (wake: Wake) => Promise<void>
  /** Clock with times in milliseconds since 1970, and timers. */
  readonly clock: { now(): number; timer(ms: number): Timer }
  readonly onError: (where: string, error: unknown) => void
  /** Returns the time of the earliest alarm of a row, in milliseconds since 1970. */
  readonly alarm: () => number | undefined
  /** Converts due rows into wakes. */
  readonly tick: (now: number) => Promise<void>
  /** Keeps the object active until the promise settles. */
  readonly until: (work: Promise<void>) => void
  /** Called each time work starts or receives new wakes. */
  readonly onBegin: () => void
  readonly onRest: () => Promise<void>
}

export class Passes {
  readonly #parts: PassParts
  readonly #wakes = memoryWakes()
  readonly #underWay = new Set<string>()
  #work: Promise<void> | undefined
  /** Interrupts the wait of the work in progress. */
  #ring: (() => void) | undefined
  #tickedAt = 0

  constructor(parts: PassParts) {
    this.#parts = parts
  }

  get isAtWork(): boolean {
    return this.#work !== undefined
  }

  /** Reports whether a pass over the partition is in progress. */
  has(partition: string): boolean {
    return this.#underWay.has(partition)
  }

  /** Adds wakes; `at` is their due time in milliseconds since 1970, and 0 means now. */
  add(wakes: readonly Wake[], at: number): void {
    for (const wake of wakes) this.#wakes.add(wake, at)
  }

  /**
   * Returns the time at which the next pass is due, excluding passes in progress; undefined if none
   * is pending.
   */
  next(alarm = this.#parts.alarm()): number | undefined {
    return earliest(this.#wakes.next(this.#underWay), this.#tickAt(alarm))
  }

  /**
   * Returns the time of the next tick. A row that was already due at the last tick waits; a newly
   * due row does not.
   */
  #tickAt(alarm: number | undefined): number | undefined {
    const isNew = alarm === undefined || alarm > this.#tickedAt
    return isNew ? alarm : this.#tickedAt + TICK_MS
  }

  /** Starts processing wakes; resolves when no pass is due or in progress. Never rejects. */
  begin(): Promise<void> {
    this.#ring?.()
    this.#work ??= this.#passAll()
      .catch((error: unknown) => this.#parts.onError('passes', error))
      .then(() => {
        this.#work = undefined
        return this.#parts.onRest()
      })
      .catch((error: unknown) => this.#parts.onError('rest', error))
    this.#parts.onBegin()
    this.#parts.until(this.#work)
    return this.#work
  }

  get #mayBegin(): boolean {
    return this.#underWay.size < MOST && !this.#parts.budget.isSpent()
  }

  async #passAll(): Promise<void> {
    const { budget, until, clock } = this.#parts
    budget.renew()
    await this.#tick()
    for (;;) {
      // An event that has made too many calls starts no more passes; the next event continues.
      while (this.#mayBegin) {
        const wake = this.#wakes.take(clock.now(), this.#underWay)
        if (!wake) break
        this.#underWay.add(wake.partition)
        until(this.#pass(wake))
      }
      if (this.#underWay.size === 0) return
      await this.#news()
      await this.#tick()
    }
  }

  async #tick(): Promise<void> {
    const { clock } = this.#parts
    const now = clock.now()
    const at = this.#tickAt(this.#parts.alarm())
    if (at === undefined || at > now) return
    this.#tickedAt = now
    await this.#parts.tick(now)
  }

  /** Waits for the end of a pass, a new wake, or the next due time. */
  async #news(): Promise<void> {
    const { clock } = this.#parts
    // Due work for which no pass may start waits until another pass ends.
    const next = this.#mayBegin ? (this.next() ?? Number.MAX_VALUE) - clock.now() : LOOK_MS
    const timer = clock.timer(Math.min(LOOK_MS, next))
    const signaled = new Promise<void>((resolve) => {
      this.#ring = resolve
    })
    await Promise.race([signaled, timer.over])
    timer.clear()
  }

  /** Runs one pass over the wake's partition; never rejects. */
  async #pass(wake: Wake): Promise<void> {
    const { partition } = wake
    const { places, dispatch, until, clock, onError } = this.#parts
    const askAgain = await places.take(wake)
    try {
      if (askAgain === undefined) await dispatch(wake)
    } catch (error) {
      onError(partition, error)
    }
    this.#underWay.delete(partition)
    if (askAgain !== undefined) this.#wakes.add(wake, clock.now() + askAgain)
    // A pass that was handed over continues immediately and keeps its lane slot.
    else if (!this.#wakes.isDue(partition, clock.now())) until(places.giveBack(partition))
    this.#ring?.()
  }
}
