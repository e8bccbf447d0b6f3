/**
 * How soon what is ready begins (I18): within seconds by the queue, where nothing goes wrong and
 * somebody is free. A wake that was never sent would otherwise hide behind the minute clock. Where
 * one single fault was injected, that clock has brought it back in time.
 */

import type { RunFact } from '../../../src/core/run/log/facts.ts'
import type { Wake } from '../../../src/ports/world.ts'
import type { Shadow } from '../shadow/shadow.ts'
import { isDisturbed, type Since, sinceNow } from '../world/calm.ts'
import { EPOCH, type Process } from '../world/process.ts'
import type { Sim } from '../world/sim.ts'

/** The queue's own way, a look, and a store that is asked a few times. */
const SOON_MS = 3_000
/** A letter's alarm is a minute away. */
const BY_TICK_MS = 55_000
const KNOWN_MS = 20_000
/** By the first tick that sends it again, or by whoever comes after one that died. */
const RESENT_MS = 130_000
const HEALED_MS = 150_000
/** An operation that is slow takes so much longer at most. */
const SLOW_MS = 95_000

export class Promptness {
  readonly #sim: Sim
  readonly #ready = new Map<string, Since>()
  /** Parents, and since when a child's letter lies there. */
  readonly #mail = new Map<string, Since>()
  /** Parents, and since when a child's word lies there: its end is left to the wake of that. */
  readonly #words = new Map<string, Since>()

  constructor(sim: Sim) {
    this.#sim = sim
  }

  /** After each commit: what it made ready, what it shows to have begun. */
  committed(shadow: Shadow, facts: readonly RunFact[]): void {
    const { partition } = shadow
    for (const fact of facts) {
      const sent = this.#sim.inject !== undefined || !this.#sim.law.holders.orphaned
      if (fact.type === 'run.created' && sent) this.#ready.set(partition, sinceNow(this.#sim))
      // Another one gives the turn, and cancels need no start.
      if (fact.type === 'run.waiting' || fact.type === 'cancel.requested') {
        this.#ready.delete(partition)
      }
      if (fact.type === 'run.started') this.#I18_readyWorkStarts(shadow, fact.began_at)
      if (fact.type === 'subagent.waiting' || fact.type === 'subagent.resumed')
        this.#words.delete(partition)
      if (fact.type === 'subagent.announced' || fact.type === 'subagent.failed') {
        this.#I18_lettersAreRead(partition)
      }
    }
  }

  /** A newer release has it now: what happens then is not ours. */
  forget(partition: string): void {
    this.#ready.delete(partition)
    this.#mail.delete(partition)
    this.#words.delete(partition)
  }

  word({ partition }: Shadow): void {
    if (!this.#words.has(partition)) this.#words.set(partition, sinceNow(this.#sim))
  }

  mail(parent: Shadow): void {
    const { newer, holders } = this.#sim.law
    if (parent.waitingOn !== 'subagents' || newer.has(parent.partition)) return
    if (holders.orphaned && !this.#sim.inject) return
    if (this.#mail.has(parent.partition)) return
    const now = sinceNow(this.#sim)
    const word = this.#words.get(parent.partition)
    this.#mail.set(parent.partition, { ...now, faults: word?.faults ?? now.faults })
  }

  /** Rule 32: what has started goes before what waits to, so a wake must say which it is. */
  I18_wakesSayWhatHasStarted(process: Process, { partition, started }: Wake): void {
    const { law, schedule } = this.#sim
    const run = law.runs.get(partition)
    const since = run?.begunAt
    // A session may give a turn twice and does not look whether it has been taken.
    if (run?.spec?.turn) return
    if (started || since === undefined || schedule.now - since < KNOWN_MS) return
    if (schedule.now - process.troubledAt < 120_000) return
    law.breach('I18_wakesSayWhatHasStarted', `${partition} has started long ago`)
  }

  #I18_readyWorkStarts({ partition }: Shadow, began: number | undefined): void {
    const since = this.#ready.get(partition)
    this.#ready.delete(partition)
    if (!since || began === undefined || this.#sim.skews) return
    if (this.#sim.law.halts.wasHalted(partition)) return
    const late = began - EPOCH - since.at
    if (late < this.#bound(since, SOON_MS)) return
    this.#sim.law.breach('I18_readyWorkStarts', `${partition} began after ${late} ms`)
  }

  #I18_lettersAreRead(partition: string): void {
    const since = this.#mail.get(partition)
    this.#mail.delete(partition)
    this.#words.delete(partition)
    if (!since || this.#sim.law.halts.wasHalted(partition)) return
    const { schedule, settings } = this.#sim
    const late = schedule.now - since.at
    if (late > BY_TICK_MS) this.#sim.rare('released by the tick only')
    // It may go on at once and commit that it was told with what comes next.
    if (late < this.#bound(since, SOON_MS) + settings.flushMs) return
    this.#sim.law.breach('I18_lettersAreRead', `${partition} was told after ${late} ms`)
  }

  /** From when on it is too late: `soon` in peace, later after one fault, never after more. */
  #bound(since: Since, soon: number): number {
    const { inject } = this.#sim
    if (!inject) return isDisturbed(this.#sim, since) ? Number.POSITIVE_INFINITY : soon
    const [only, more] = inject
    if (!only || more) return Number.POSITIVE_INFINITY
    const healed = only.kind.startsWith('crash') ? HEALED_MS : RESENT_MS
    return only.kind === 'slow' ? healed + SLOW_MS : healed
  }
}
