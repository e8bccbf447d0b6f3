/**
 * Enforces the deadline of an outbound exchange. The caller is released on time, even if the
 * transport ignores the aborted signal. Both the total time (`totalMs`) and the idle time
 * (`idleMs`) are limited.
 */

/** Error that states why an exchange was ended locally; its message can be shown to users. */
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
  /** Abort signals of the caller; the exchange ends when any of them aborts. */
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

  /** Returns why the exchange was ended locally, or undefined if it was not. */
  get ended(): Ended | undefined {
    return this.#ended
  }

  /** Records activity of the exchange and restarts the idle time-out. */
  touch(): void {
    this.#alive = performance.now()
  }

  /** Ends the exchange: aborts its signal and releases the callers of `race`. */
  end(reason: Ended): void {
    if (this.#ended) return
    this.#ended = reason
    this.close()
    this.#controller.abort(reason)
  }

  /** Stops the deadline's timer when the exchange is over. */
  close(): void {
    clearTimeout(this.#timer)
    for (const signal of this.#options.signals ?? []) {
      signal?.removeEventListener('abort', this.#onAbort)
    }
  }

  /** Settles like the given promise, or rejects as soon as the exchange is ended. */
  race<T>(promise: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      promise.then(resolve, reject)
      if (this.#ended) return reject(this.#ended)
      this.signal.addEventListener('abort', () => reject(this.#ended), { once: true })
    })
  }

  readonly #onAbort = (): void => this.end(new Ended('aborted', 'the request was aborted'))

  /**
   * Uses a single timer and resets it if it fires early, so recorded activity needs no new timer.
   */
  #arm(): void {
    const { totalMs, idleMs = totalMs } = this.#options
    const now = performance.now()
    const totalLeft = this.#began + totalMs - now
    const idleLeft = this.#alive + idleMs - now
    if (totalLeft <= 0) return this.end(new Ended('late', `no response within ${spelled(totalMs)}`))
    if (idleLeft <= 0) {
      return this.end(new Ended('idle', `no data was received for ${spelled(idleMs)}`))
    }
    // Timers have a resolution of 1 ms and may fire up to 1 ms early.
    const ms = Math.min(Math.ceil(Math.min(totalLeft, idleLeft)), MAX_TIMER_MS)
    this.#timer = setTimeout(() => this.#arm(), ms)
  }
}

const MAX_TIMER_MS = 2_147_483_647

const spelled = (ms: number): string =>
  ms >= 10_000 ? `${Math.round(ms / 1_000)} seconds` : `${ms} ms`

/** Runs an action with an abort signal and a time-out; always settles within the time-out. */
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
