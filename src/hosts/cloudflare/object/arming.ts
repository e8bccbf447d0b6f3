/**
 * Single alarm of a Durable Object. Each change of the alarm is a billed row write, so changes are
 * minimized. An alarm that is due soon stays unchanged and sets the next alarm when it fires.
 * During the alarm event no alarm is set, because the platform repeats the event if the object
 * crashes.
 */

import type { ObjectStorage } from '../bindings/bindings.ts'
import { earliest } from '../bindings/timer.ts'

/**
 * Maximum time until a crashed object is restarted, in milliseconds, unless a call arrives earlier.
 * After this time, the alarm event is running and lasts as long as the work, and the platform
 * repeats it after a crash. A longer run therefore costs one more alarm.
 */
const BACKSTOP_MS = 5_000
/** Time before its due time within which an alarm stays unchanged, in milliseconds. */
const SOON_MS = 10_000

export class Arming {
  readonly #storage: ObjectStorage
  /** Time to which the alarm is set; undefined if no alarm is set, null if unknown. */
  #at: number | undefined | null = null
  #isRinging = false

  constructor(storage: ObjectStorage) {
    this.#storage = storage
  }

  /** Returns the time to which the alarm is set; undefined if it is not set or unknown. */
  get at(): number | undefined {
    return this.#at ?? undefined
  }

  /** Sets the alarm for work in progress, unless the existing alarm is early enough. */
  setForWork(): void {
    this.set(Math.min(this.at ?? Number.POSITIVE_INFINITY, Date.now() + BACKSTOP_MS))
  }

  /** Sets the alarm for the next pass and pending list copies, unless it is early enough now. */
  setFor(next: number | undefined, copies: number | undefined): void {
    const isSet = this.at !== undefined && this.at > Date.now()
    const lacking = copies !== undefined && isSet ? Math.min(this.at, copies) : copies
    this.set(earliest(next, lacking))
  }

  /** Sets the alarm to a time in milliseconds since 1970; removes it if `at` is undefined. */
  set(at: number | undefined): void {
    if (this.#isRinging || at === this.#at || this.#comesBefore(at)) return
    this.#at = at
    if (at === undefined) void this.#storage.deleteAlarm()
    else void this.#storage.setAlarm(Math.max(at, Date.now()))
  }

  #comesBefore(at = Number.POSITIVE_INFINITY): boolean {
    const now = Date.now()
    return this.#at != null && this.#at > now && this.#at <= Math.min(at, now + SOON_MS)
  }

  /** Handles the fired alarm by running `act`; afterwards, the alarm can be set again. */
  async ring(act: () => Promise<void>): Promise<void> {
    this.#at = undefined
    this.#isRinging = true
    try {
      await act()
    } finally {
      this.#isRinging = false
    }
  }

  /** Restores the recorded time of the alarm that the object had set before its eviction. */
  restore(at: number | null): void {
    this.#at ??= at
  }

  /** Resets the recorded alarm time after all storage was deleted. */
  forget(): void {
    this.#at = undefined
  }
}
