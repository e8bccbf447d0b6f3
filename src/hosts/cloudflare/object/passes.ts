/**
 * The passes of an object: several partitions at a time, each of them one after the other, as long
 * as something is due and the event may ask for more.
 */

import type { Wake } from '../../../ports/world.ts'
import type { Budget } from '../bindings/budget.ts'
import { earliest, type Timer } from '../bindings/timer.ts'
import type { LanePlaces } from '../lanes/lane-place.ts'
import { memoryWakes } from './wakes.ts'

/** A partition that stays due though it was passed over is passed over again after this. */
const TICK_MS = 10_000
/** Partitions that are passed over at once: a root with the subagents that are placed with it. */
const MOST = 65
/** Interval at which waiting work re-checks its condition. */
const LOOK_MS = 30_000

export interface PassParts {
  readonly budget: Budget
  readonly places: LanePlaces
  readonly dispatch: (wake: Wake) => Promise<void>
  /** Ms since 1970, and pauses. */
  readonly clock: { now(): number; timer(ms: number): Timer }
  readonly onError: (where: string, error: unknown) => void
  /** When the first row is due, ms since 1970. */
  readonly alarm: () => number | undefined
  /** Turns rows that are due into wakes. */
  readonly tick: (now: number) => Promise<void>
  /** Keeps the object alive. */
  readonly until: (work: Promise<void>) => void
  /** The work has begun, or is over. */
  readonly onBegin: () => void
  readonly onRest: () => Promise<void>
}

export class Passes {
  readonly #parts: PassParts
  readonly #wakes = memoryWakes()
  readonly #underWay = new Set<string>()
  #work: Promise<void> | undefined
  /** Ends the wait of the work under way. */
  #ring: (() => void) | undefined
  #tickedAt = 0

  constructor(parts: PassParts) {
    this.#parts = parts
  }

  get isAtWork(): boolean {
    return this.#work !== undefined
  }

  /** Whether a partition is being passed over. */
  has(partition: string): boolean {
    return this.#underWay.has(partition)
  }

  /** `at`: ms since 1970; 0: now. */
  add(wakes: readonly Wake[], at: number): void {
    for (const wake of wakes) this.#wakes.add(wake, at)
  }

  /** When the next pass is due, of those not under way; undefined: none is. */
  next(alarm = this.#parts.alarm()): number | undefined {
    return earliest(this.#wakes.next(this.#underWay), this.#tickAt(alarm))
  }

  /** A row that was due at the last tick waits for the next one; a newly due one does not. */
  #tickAt(alarm: number | undefined): number | undefined {
    const isNew = alarm === undefined || alarm > this.#tickedAt
    return isNew ? alarm : this.#tickedAt + TICK_MS
  }

  /** Resolves when nothing is due or under way. Never rejects. */
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
      // An event with too many calls starts nothing more; the next one continues.
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

  /** Waits until a pass has ended or a wake has come, or until something else is due. */
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

  /** Never rejects. */
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
    // A handed-over pass continues at once, in its slot.
    else if (!this.#wakes.isDue(partition, clock.now())) until(places.giveBack(partition))
    this.#ring?.()
  }
}
