/**
 * Yields the thread while one request processes much text. Each text is within its limits, but a
 * thousand in a row would block the thread for seconds.
 */

import type { Clock } from '../../ports/world.ts'

const HELD_MS = 20

export class TimeSlice {
  readonly #clock: Clock
  readonly #heldMs: number
  #since: number
  /**
   * Pause in progress. Waiting callers continue one by one after it, because together they would
   * block the thread as long as before.
   */
  #pause: Promise<void> | undefined

  constructor(clock: Clock, heldMs = HELD_MS) {
    this.#clock = clock
    this.#heldMs = heldMs
    this.#since = clock.monotonic()
  }

  /**
   * Processes one text, after a pause if the thread was busy long enough. The check and the work
   * are one step, so that waiting callers do not all pass the check first.
   */
  async run<T>(work: () => T): Promise<T> {
    while (this.#clock.monotonic() - this.#since >= this.#heldMs) {
      this.#pause ??= this.#yieldThread()
      await this.#pause
    }
    return work()
  }

  async #yieldThread(): Promise<void> {
    await this.#clock.sleep(0)
    this.#since = this.#clock.monotonic()
    this.#pause = undefined
  }
}
