/**
 * The deadline of one outbound exchange, kept by its caller: the caller is released at that moment,
 * also where the transport does not heed the signal that is aborted then. Time may run out as a
 * whole (`totalMs`) and between signs of life (`idleMs`).
 */

/** Why an exchange was ended from our side; the message is a sentence for people. */
export class Ended extends Error {
  override readonly name = 'Ended'
  readonly code: 'late' | 'idle' | 'aborted' | 'too_much'

  constructor(code: Ended['code'], message: string) {
    super(message)
    this.code = code
  }
}

export interface DeadlineOptions {
  readonly totalMs: number
  readonly idleMs?: number | undefined
  /** The caller's own: when one of them aborts, the exchange ends. */
  readonly signals?: readonly (AbortSignal | null | undefined)[]
}

export class Deadline {
  readonly signal: AbortSignal
  readonly #controller = new AbortController()
  readonly #options: DeadlineOptions
  readonly #began = performance.now()
  #alive = this.#began
  #timer: ReturnType<typeof setTimeout> | undefined
  #ended: Ended | undefined

  constructor(options: DeadlineOptions) {
    this.#options = options
    this.signal = this.#controller.signal
    for (const signal of options.signals ?? []) {
      if (signal?.aborted) this.#onAbort()
      else if (!this.#ended) signal?.addEventListener('abort', this.#onAbort, { once: true })
    }
    if (!this.#ended) this.#arm()
  }

  /** Set once it was ended from our side, with the reason. */
  get ended(): Ended | undefined {
    return this.#ended
  }

  /** A sign of life. */
  touch(): void {
    this.#alive = performance.now()
  }

  /** Gives the exchange up: the signal aborts, and who waits by `race` is let go. */
  end(reason: Ended): void {
    if (this.#ended) return
    this.#ended = reason
    this.close()
    this.#controller.abort(reason)
  }

  /** The exchange is over: no timer is left. */
  close(): void {
    clearTimeout(this.#timer)
    for (const signal of this.#options.signals ?? []) {
      signal?.removeEventListener('abort', this.#onAbort)
    }
  }

  /** The same promise, or a rejection as soon as the exchange is ended. */
  race<T>(promise: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      promise.then(resolve, reject)
      if (this.#ended) return reject(this.#ended)
      this.signal.addEventListener('abort', () => reject(this.#ended), { once: true })
    })
  }

  readonly #onAbort = (): void => this.end(new Ended('aborted', 'the request was aborted'))

  /** A single timer, set again when it fires early: a sign of life costs no timer. */
  #arm(): void {
    const { totalMs, idleMs = totalMs } = this.#options
    const now = performance.now()
    const totalLeft = this.#began + totalMs - now
    const idleLeft = this.#alive + idleMs - now
    if (totalLeft <= 0) return this.end(new Ended('late', `no answer within ${spelled(totalMs)}`))
    if (idleLeft <= 0) {
      return this.end(new Ended('idle', `nothing came for ${spelled(idleMs)}`))
    }
    // Timers count whole milliseconds, and ring up to one early.
    const ms = Math.min(Math.ceil(Math.min(totalLeft, idleLeft)), MAX_TIMER_MS)
    this.#timer = setTimeout(() => this.#arm(), ms)
  }
}

const MAX_TIMER_MS = 2_147_483_647

const spelled = (ms: number): string =>
  ms >= 10_000 ? `${Math.round(ms / 1_000)} seconds` : `${ms} ms`

/** Acts with a signal of so much time, and settles in that time whatever comes of the act. */
export async function within<T>(
  options: DeadlineOptions,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new Deadline(options)
  try {
    return await deadline.race(act(deadline.signal))
  } finally {
    deadline.close()
  }
}
