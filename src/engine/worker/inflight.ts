/**
 * Effects in progress in this worker. Each is started once with a time-out, and abandoned when it
 * is no longer pending. An effect returns values and never throws. An exception is a bug or a
 * broken platform, and ends this worker's pass.
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
  /** Deadline of the effect on the monotonic clock. */
  readonly until: number
  readonly overdue: () => EffectResult<F> | undefined
}

/** Effect to perform, and the facts to record if it does not finish. */
export interface Performing<F> {
  readonly run: (signal: AbortSignal) => Promise<EffectResult<F>>
  /** Returns the facts to record for an overdue effect; undefined ends this worker's pass. */
  readonly overdue: (signal: AbortSignal) => EffectResult<F> | undefined
}

/** Abort reason; without a reason, each abort would create an exception with a stack trace. */
const OVER = 'over'
const NOT_PENDING = 'no longer pending'
const TIMED_OUT = 'timed out'
/** Maximum time for an aborted effect to stop, in milliseconds; ports use half of this time. */
const STOP_MS = 10_000

export class Inflight<E extends { readonly id: string }, F> {
  readonly #world: World
  readonly #running = new Map<string, Running<E, F>>()
  readonly #unsubscribe: () => void
  #settled: Settled<E, F>[] = []
  /** Received mail by key, because a sender that is uncertain may send the same mail twice. */
  #mail = new Map<string, Mail<F>>()
  #failure: { readonly error: unknown } | undefined
  #poked = false
  /** A reader that was not yet reported by `hasNewReader`, and whether there was one. */
  #readers: 'none' | 'new' | 'known' = 'none'
  #ring: (() => void) | undefined
  /** Current wait timer; `at` is on the monotonic clock. */
  #timer: { readonly at: number; readonly stop: AbortController } | undefined

  /** Subscribes to partition changes; `worker` is this invocation, whose own writes are ignored. */
  constructor(world: World, partition: string, worker: string) {
    this.#world = world
    this.#unsubscribe = world.feed.subscribe(partition, (item) => {
      if (item.type === 'read' && this.#readers === 'none') {
        this.#readers = 'new'
        this.#ring?.()
      }
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

  /** Returns true once after another writer has changed the partition. */
  poked(): boolean {
    const poked = this.#poked
    this.#poked = false
    return poked
  }

  /** Returns true once after a client has read the text of this pass. */
  hasNewReader(): boolean {
    if (this.#readers !== 'new') return false
    this.#readers = 'known'
    return true
  }

  /** Returns the mail from notifications; some may have been read from the partition since. */
  mail(): readonly Mail<F>[] {
    const mail = [...this.#mail.values()]
    this.#mail.clear()
    return mail
  }

  /** Starts an effect and aborts it after `ms` milliseconds; the time-outs of ports are shorter. */
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

  /** Aborts and drops all effects except those in `ids`; their results no longer count. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const [id, { controller }] of this.#running) {
      if (ids.has(id)) continue
      this.#running.delete(id)
      controller.abort(NOT_PENDING)
    }
  }

  /**
   * Aborts overdue effects and abandons effects that do not stop; returns the milliseconds to the
   * next deadline.
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
        else this.#failure ??= { error: new Unavailable(`${id} did not complete in time`) }
      }
    }
    return nearest
  }

  /** Waits up to `ms` milliseconds for a result, mail, or a notification; returns the results. */
  async next(ms: number): Promise<Settled<E, F>[]> {
    const expiry = this.#expire()
    const news = this.#settled.length + this.#mail.size
    const hasNews = news > 0 || this.#poked || this.#readers === 'new'
    if (!hasNews && !this.#failure) {
      await new Promise<void>((resolve) => {
        this.#ring = resolve
        this.#ringAt(this.#world.clock.monotonic() + Math.min(ms, expiry))
      })
      this.#ring = undefined
    }
    if (this.#failure && this.#settled.length === 0) throw this.#failure.error
    return this.take()
  }

  /** Sets the wait timer; an earlier timer is kept, because it only causes one more pass. */
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

  /** Returns the effect results that have arrived, and removes them. */
  take(): Settled<E, F>[] {
    const settled = this.#settled
    this.#settled = []
    return settled
  }
}
