/**
 * Single alarm of an object. Each change of the alarm is a billed row, so changes are minimized. An
 * alarm that is due soon stays unchanged and sets the next alarm when it fires. During the alarm
 * event no alarm is set, because the platform repeats the event if the object crashes.
 */

import type { ObjectStorage } from '../bindings/bindings.ts'
import { earliest } from '../bindings/timer.ts'

/**
 * Maximum time in milliseconds until a crashed object is restarted, unless a call arrives earlier.
 * Afterwards the platform repeats the alarm, which lasts as long as the work. Longer runs cost one
 * more alarm.
 */
const BACKSTOP_MS = 5_000
/** Time in milliseconds within which a due alarm stays unchanged. */
const SOON_MS = 10_000

export class Arming {
  readonly #storage: ObjectStorage
  /** Time of the alarm; null when unknown. */
  #at: number | undefined | null = null
  #isRinging = false

  constructor(storage: ObjectStorage) {
    this.#storage = storage
  }

  /** Returns the time of the alarm; undefined when not set, or unknown. */
  get at(): number | undefined {
    return this.#at ?? undefined
  }

  /** Sets the alarm for current work, unless the existing alarm is early enough. */
  setForWork(): void {
    this.set(Math.min(this.at ?? Number.POSITIVE_INFINITY, Date.now() + BACKSTOP_MS))
  }

  /** Sets the alarm for pending list copies, unless the existing alarm is early enough. */
  setFor(next: number | undefined, copies: number | undefined): void {
    const isSet = this.at !== undefined && this.at > Date.now()
    const lacking = copies !== undefined && isSet ? Math.min(this.at, copies) : copies
    this.set(earliest(next, lacking))
  }

  /** Sets the alarm in milliseconds since 1970; undefined when no work is pending. */
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

  /** Handles the alarm with `act`; afterwards it can be set again. */
  async ring(act: () => Promise<void>): Promise<void> {
    this.#at = undefined
    this.#isRinging = true
    try {
      await act()
    } finally {
      this.#isRinging = false
    }
  }

  /** Restores the alarm that the object had before its eviction. */
  restore(at: number | null): void {
    this.#at ??= at
  }

  /** Resets the alarm after all storage was deleted. */
  forget(): void {
    this.#at = undefined
  }
}
