/**
 * Passes of an object: several partitions concurrently, each partition sequentially, while work is
 * due and the event's budget allows more.
 */

import type { Wake } from '../../../ports/world.ts'
import type { Budget } from '../bindings/budget.ts'
import { earliest, type Timer } from '../bindings/timer.ts'
import type { LanePlaces } from '../lanes/lane-place.ts'
import { memoryWakes } from './wakes.ts'

/** Delay in milliseconds before a partition that stays due after its pass is passed over again. */
const TICK_MS = 10_000
/** Maximum number of concurrent partitions: a root with the subagents in its object. */
const MOST = 65
/** Interval in milliseconds at which waiting work re-checks its condition. */
const LOOK_MS = 30_000

export interface PassParts {
  readonly budget: Budget
  readonly places: LanePlaces
  readonly dispatch: (wake: Wake) => Promise<void>
  /** Clock in milliseconds since 1970, with timers. */
  readonly clock: { now(): number; timer(ms: number): Timer }
  readonly onError: (where: string, error: unknown) => void
  /** Returns when the first row is due, in milliseconds since 1970. */
  readonly alarm: () => number | undefined
  /** Converts due rows into wakes. */
  readonly tick: (now: number) => Promise<void>
  /** Keeps the object active until the promise settles. */
  readonly until: (work: Promise<void>) => void
  /** Called when the work has started or ended. */
  readonly onBegin: () => void
  readonly onRest: () => Promise<void>
}

export class Passes {
  readonly #parts: PassParts
  readonly #wakes = memoryWakes()
  readonly #underWay = new Set<string>()
  #work: Promise<void> | undefined
  /** Interrupts the wait of the current work. */
  #ring: (() => void) | undefined
  #tickedAt = 0

  constructor(parts: PassParts) {
    this.#parts = parts
  }

  get isAtWork(): boolean {
    return this.#work !== undefined
  }

  /** Returns whether a pass over the partition is in progress. */
  has(partition: string): boolean {
    return this.#underWay.has(partition)
  }

  /** Adds wakes; `at` is in milliseconds since 1970, and 0 means now. */
  add(wakes: readonly Wake[], at: number): void {
    for (const wake of wakes) this.#wakes.add(wake, at)
  }

  /**
   * Returns when the next pass is due, excluding passes in progress; undefined when none is due.
   */
  next(alarm = this.#parts.alarm()): number | undefined {
    return earliest(this.#wakes.next(this.#underWay), this.#tickAt(alarm))
  }

  /**
   * Returns the time of the next tick; a row that was due at the last tick waits, and a newly due
   * row does not.
   */
  #tickAt(alarm: number | undefined): number | undefined {
    const isNew = alarm === undefined || alarm > this.#tickedAt
    return isNew ? alarm : this.#tickedAt + TICK_MS
  }

  /** Processes wakes; resolves when no work is due or in progress. Never rejects. */
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
      // An event with too many calls starts no more work; the next event continues.
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
    // Due work without a free slot waits for the end of a pass.
    const next = this.#mayBegin ? (this.next() ?? Number.MAX_VALUE) - clock.now() : LOOK_MS
    const timer = clock.timer(Math.min(LOOK_MS, next))
    const signaled = new Promise<void>((resolve) => {
      this.#ring = resolve
    })
    await Promise.race([signaled, timer.over])
    timer.clear()
  }

  /** Runs one pass; never rejects. */
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
    // A handed-over pass continues immediately, in its slot.
    else if (!this.#wakes.isDue(partition, clock.now())) until(places.giveBack(partition))
    this.#ring?.()
  }
}
