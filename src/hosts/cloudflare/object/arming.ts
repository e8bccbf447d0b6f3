/**
 * The one alarm of an object. Each move of it is a row that is billed, so it is moved as rarely as
 * will do: one that comes soon is left where it is and sets the next when it comes, and while it
 * lasts none is set, because the platform repeats it should the object die.
 */

import type { ObjectStorage } from '../bindings/bindings.ts'
import { earliest } from '../bindings/timer.ts'

/**
 * An object that dies at work is called back within this, unless a call arrives before; later the
 * platform repeats the alarm that lasts as long as the work. Longer runs pay one alarm more.
 */
const BACKSTOP_MS = 5_000
/** An alarm that comes within this is left to come. */
const SOON_MS = 10_000

export class Arming {
  readonly #storage: ObjectStorage
  /** The time of the alarm; null: unknown. */
  #at: number | undefined | null = null
  #isRinging = false

  constructor(storage: ObjectStorage) {
    this.#storage = storage
  }

  /** The time of the alarm; undefined: none, or unknown. */
  get at(): number | undefined {
    return this.#at ?? undefined
  }

  /** While there is work it stays where it is, if it comes in time. */
  setForWork(): void {
    this.set(Math.min(this.at ?? Number.POSITIVE_INFINITY, Date.now() + BACKSTOP_MS))
  }

  /** For what lists lack, the alarm that is set will do, if it comes in time. */
  setFor(next: number | undefined, copies: number | undefined): void {
    const isSet = this.at !== undefined && this.at > Date.now()
    const lacking = copies !== undefined && isSet ? Math.min(this.at, copies) : copies
    this.set(earliest(next, lacking))
  }

  /** Ms since 1970; undefined: nothing waits. */
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

  /** In a new life: where the one before has set it. */
  restore(at: number | null): void {
    this.#at ??= at
  }

  /** With all that the object had. */
  forget(): void {
    this.#at = undefined
  }
}
