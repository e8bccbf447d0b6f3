/**
 * Law I10: an accepted event is not posted again by a worker that received the answer undisturbed.
 * Two workers that post at once break no law. Nor does a worker whose record of the answer loses
 * against the record of a worker that posted earlier and was slow to write.
 */

import type { Outcome } from '../../../src/lib/outcome.ts'
import type { WebAnswer } from '../../../src/ports/world.ts'
import type { Process } from '../world/process.ts'
import type { Sim } from '../world/sim.ts'

/** The endpoint's health first, then the delivery: a few operations, some of them repeated. */
const WRITTEN_MS = 2_000
/** Whoever read the delivery so long ago has posted by now. */
const FRESH_MS = 5_000
/** Posts this close to each other may rest on one look: then either answer may be the one that counts. */
const AT_ONCE_MS = 20_000

/** The time after which a slow worker has written the outcome of its post. */
const SLOW_MS = 120_000

export const isAccepted = (answer: Outcome<WebAnswer, string>): boolean =>
  answer.ok && answer.value.status >= 200 && answer.value.status < 300

export class Posts {
  readonly #sim: Sim
  /** By event and receiver: accepted, and nothing stood in the way of writing that down. */
  readonly #settled = new Map<string, number>()
  /** Posts by event and receiver: their times and workers. */
  readonly #posts = new Map<string, { readonly at: number; readonly by: Process }[]>()

  constructor(sim: Sim) {
    this.#sim = sim
  }

  heard(process: Process, event: string, answer: Outcome<WebAnswer, string>): void {
    const { schedule, faults } = this.#sim
    const before = faults.total
    // Who was slow may have looked before another one's attempt, which then is the one that counts.
    if (!isAccepted(answer) || process.troubledAt > schedule.now - AT_ONCE_MS) return
    const posted = this.#posts.get(event)?.at(-1)?.at ?? schedule.now
    schedule.after(WRITTEN_MS, null, '', () => {
      const { now } = schedule
      const calm = process.alive && process.pausedUntil < now && faults.total === before
      const posts = this.#posts.get(event) ?? []
      // Close to the one that was accepted, and not to this moment after it.
      const close = posts.filter(({ at }) => at > posted - AT_ONCE_MS)
      const isRivalled = posts.some(
        ({ at, by }) => by !== process && at > posted - SLOW_MS && by.troubledAt >= at,
      )
      if (calm && close.length < 2 && !isRivalled) this.#settled.set(event, now)
    })
  }

  /** `sent`: when it left the worker; it arrives now. */
  I10_acceptedIsSettled(process: Process, event: string, sent: number): void {
    const { schedule, law, inject } = this.#sim
    const posts = this.#posts.get(event) ?? []
    this.#posts.set(event, [...posts, { at: schedule.now, by: process }])
    if ((this.#settled.get(event) ?? Number.POSITIVE_INFINITY) > sent || inject) return
    const trouble = Math.max(process.troubledAt, process.pausedUntil)
    if (trouble > sent - FRESH_MS) return
    law.breach('I10_acceptedIsSettled', `${event} was accepted, and is posted again`)
  }
}
