/**
 * Yields the thread during work on many texts in one request: each of them is within its limits,
 * but a thousand in a row would hold the one thread for seconds.
 */

import type { Clock } from '../../ports/world.ts'

const HELD_MS = 20

export class TimeSlice {
  readonly #clock: Clock
  readonly #heldMs: number
  #since: number
  /** Callers that wait continue one by one: together they would hold the thread as long as before. */
  #pause: Promise<void> | undefined

  constructor(clock: Clock, heldMs = HELD_MS) {
    this.#clock = clock
    this.#heldMs = heldMs
    this.#since = clock.monotonic()
  }

  /**
   * Does the work on one text, after others when the thread has been held long enough. Checked in
   * the same step: of many that wait, all would otherwise check before the first has begun.
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
