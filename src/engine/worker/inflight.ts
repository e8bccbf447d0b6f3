/**
 * The effects that this worker has in flight: started once, each with a time-out, abandoned when no
 * longer pending. An effect yields values and never throws; one that throws all the same is a bug
 * or a broken host, and ends this worker's pass over the run.
 */

import { Unavailable } from '../../lib/unavailable.ts'
import type { World } from '../../ports/world.ts'
import type { EffectResult } from '../partition/log-type.ts'
import type { Mail } from '../partition/mailbox.ts'

export interface Settled<E, F> {
  readonly effect: E
  readonly result: EffectResult<F>
}

interface Running<E, F> {
  readonly effect: E
  readonly controller: AbortController
  /** On the monotonic clock. */
  readonly until: number
  readonly overdue: () => EffectResult<F> | undefined
}

/** An effect to perform, and the facts when it does not end. */
export interface Performing<F> {
  readonly run: (signal: AbortSignal) => Promise<EffectResult<F>>
  /** Undefined: it has no result, and this worker's pass over the run ends. */
  readonly overdue: (signal: AbortSignal) => EffectResult<F> | undefined
}

/** Reasons are given because without one each abort makes an exception with a stack. */
const OVER = 'over'
const NOT_PENDING = 'no longer pending'
const TIMED_OUT = 'timed out'
/** Milliseconds in which an aborted effect must have stopped: ports take half of it. */
const STOP_MS = 10_000

export class Inflight<E extends { readonly id: string }, F> {
  readonly #world: World
  readonly #running = new Map<string, Running<E, F>>()
  readonly #unsubscribe: () => void
  #settled: Settled<E, F>[] = []
  /** Mail by key: a sender that does not know whether its mail arrived announces it twice. */
  #mail = new Map<string, Mail<F>>()
  #failure: { readonly error: unknown } | undefined
  #poked = false
  #ring: (() => void) | undefined
  /** On the monotonic clock. */
  #timer: { readonly at: number; readonly stop: AbortController } | undefined

  /** `worker` is us: what we wrote ourselves is no news. */
  constructor(world: World, partition: string, worker: string) {
    this.#world = world
    this.#unsubscribe = world.feed.subscribe(partition, (item) => {
      if (item.type !== 'changed' || item.by === worker) return
      if (item.mail) this.#mail.set(item.mail.key, item.mail as Mail<F>)
      else this.#poked = true
      this.#ring?.()
    })
  }

  get size(): number {
    return this.#running.size
  }

  count(counts: (effect: E) => boolean): number {
    return [...this.#running.values()].filter(({ effect }) => counts(effect)).length
  }

  has(id: string): boolean {
    return this.#running.has(id)
  }

  close(): void {
    this.#unsubscribe()
    this.#timer?.stop.abort(OVER)
    this.#timer = undefined
    this.keepOnly(new Set())
  }

  /** True once after another writer changed the partition. */
  poked(): boolean {
    const poked = this.#poked
    this.#poked = false
    return poked
  }

  /** Mail that was put into the partition since. Some may have been read from it meanwhile. */
  mail(): readonly Mail<F>[] {
    const mail = [...this.#mail.values()]
    this.#mail.clear()
    return mail
  }

  /** `ms`: when it is aborted; ports keep shorter times of their own. */
  start(effect: E, ms: number, { run, overdue }: Performing<F>): void {
    const controller = new AbortController()
    const until = this.#world.clock.monotonic() + ms
    const late = () => overdue(controller.signal)
    this.#running.set(effect.id, { effect, controller, until, overdue: late })
    const settle = (): boolean => {
      if (this.#running.get(effect.id)?.controller !== controller) return false
      this.#running.delete(effect.id)
      return true
    }
    run(controller.signal).then(
      (result) => {
        if (settle()) this.#settled.push({ effect, result })
        this.#ring?.()
      },
      (error: unknown) => {
        if (settle()) this.#failure ??= { error }
        this.#ring?.()
      },
    )
  }

  /** Aborts and forgets every effect that is not named: its result no longer counts. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const [id, { controller }] of this.#running) {
      if (ids.has(id)) continue
      this.#running.delete(id)
      controller.abort(NOT_PENDING)
    }
  }

  /**
   * Tells effects that have run too long to stop, and waits no longer for those that do not;
   * milliseconds until the next one is due.
   */
  #expire(): number {
    const now = this.#world.clock.monotonic()
    let nearest = Number.MAX_SAFE_INTEGER
    for (const [id, { effect, controller, until, overdue }] of this.#running) {
      const last = until + STOP_MS
      if (now < until) nearest = Math.min(nearest, until - now)
      else if (now < last) {
        controller.abort(TIMED_OUT)
        nearest = Math.min(nearest, last - now)
      } else {
        this.#running.delete(id)
        const result = overdue()
        if (result) this.#settled.push({ effect, result })
        else this.#failure ??= { error: new Unavailable(`${id} did not end in time`) }
      }
    }
    return nearest
  }

  /** Arrived results, after waiting for the first of them, mail, a poke, or `ms`. */
  async next(ms: number): Promise<Settled<E, F>[]> {
    const expiry = this.#expire()
    const news = this.#settled.length + this.#mail.size
    if (news === 0 && !this.#poked && !this.#failure) {
      await new Promise<void>((resolve) => {
        this.#ring = resolve
        this.#ringAt(this.#world.clock.monotonic() + Math.min(ms, expiry))
      })
      this.#ring = undefined
    }
    if (this.#failure && this.#settled.length === 0) throw this.#failure.error
    return this.take()
  }

  /** A timer that rings no later is kept: ringing early only means one more pass. */
  #ringAt(at: number): void {
    if (this.#timer && this.#timer.at <= at) return
    this.#timer?.stop.abort(OVER)
    const timer = { at, stop: new AbortController() }
    this.#timer = timer
    const { clock } = this.#world
    void clock.sleep(Math.max(0, at - clock.monotonic()), timer.stop.signal).then(() => {
      if (this.#timer !== timer) return
      this.#timer = undefined
      this.#ring?.()
    })
  }

  /** Results that have arrived by now. */
  take(): Settled<E, F>[] {
    const settled = this.#settled
    this.#settled = []
    return settled
  }
}
