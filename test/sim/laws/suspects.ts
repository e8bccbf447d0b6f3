/**
 * The laws of runs that may be killing their workers (I17, rule 34): looks at them back off, and one
 * fails as poison only after five looks without a fact over half an hour. What comes for one that
 * waits is read when its pause is over (I18).
 */

import { type CrashCount, POISON_CRASHES } from '../../../src/core/crash-count.ts'
import type { RunFact } from '../../../src/core/run/log/facts.ts'
import type { Head } from '../../../src/engine/partition/format.ts'
import type { Shadow } from '../shadow/shadow.ts'
import { EPOCH } from '../world/process.ts'
import type { Sim } from '../world/sim.ts'

const MINUTE = 60_000
/** It waits for its neighbours, and they wait for it. */
const ALONE_MS = 75_000
/** Claims carry the clocks of two workers, each wrong by five seconds at most. */
const SKEW_MS = 10_000
/** Longer pauses than a queue can wait are the minute clock's. */
const NEAR_MS = 14 * MINUTE

interface Letter {
  /** When it may be read: a suspect has its pause first. */
  readonly due: number
  readonly at: number
  readonly faults: number
}

export class Suspects {
  readonly #sim: Sim
  /** What the head said before the commit that is judged. */
  readonly #claims = new Map<string, CrashCount>()
  /** Of suspects that wait: since when a letter lies there that moves them. */
  readonly #mail = new Map<string, Letter>()
  /** When each was last looked at alone. */
  readonly #alone = new Map<string, number>()

  constructor(sim: Sim) {
    this.#sim = sim
  }

  /** Whether a run goes alone, or went since then: others wait for it. */
  some(since: number): boolean {
    if (Math.max(...this.#alone.values()) + ALONE_MS > since) return true
    return [...this.#claims.values()].some(({ count }) => count >= 2)
  }

  isOne(partition: string): boolean {
    return (this.#claims.get(partition)?.count ?? 0) >= 2
  }

  /** A head was written; `facts`: the ones that came with it. */
  wrote(partition: string, facts: readonly { readonly type: string }[], head: Head): void {
    const was = this.#claims.get(partition)
    const { crashes: claims } = head
    if (claims) this.#claims.set(partition, claims)
    else this.#claims.delete(partition)
    for (const fact of facts) this.#I17_poisonOnlyByRule34(partition, fact as RunFact, was)
    if (facts.length > 0) this.#I18_suspectsReadTheirLetters(partition)
    if (claims && claims.count > (was?.count ?? 0)) this.#I17_looksBackOff(partition, claims, was)
  }

  /** A letter that moves a waiting run: a child has ended, or it is its turn. */
  mail({ partition, status }: Shadow): void {
    const { law, schedule, faults } = this.#sim
    const claims = this.#claims.get(partition)
    if (!claims || claims.count < 2 || claims.count > 4 || status !== 'waiting') return
    if (law.holders.headOf(partition)?.lease || law.newer.has(partition)) return
    if (this.#mail.has(partition) || law.holders.orphaned) return
    const { now } = schedule
    const due = Math.max(now, claims.last - EPOCH + MINUTE * 2 ** (claims.count - 1))
    if (due - now > NEAR_MS) return
    this.#sim.rare('letter to a suspect')
    this.#mail.set(partition, { due, at: now, faults: faults.total })
  }

  #I18_suspectsReadTheirLetters(partition: string): void {
    const mail = this.#mail.get(partition)
    this.#mail.delete(partition)
    if (!mail) return
    const { processes, broker, schedule, faults, inject, law } = this.#sim
    const { due, at } = mail
    const trouble = Math.max(...processes.map((one) => Math.max(one.troubledAt, one.pausedUntil)))
    const calm = faults.total === mail.faults && !inject && !law.newer.has(partition)
    if (!calm || trouble > at || broker.crowdedAt >= at || broker.down) return
    // One after the other goes alone.
    const others = [...this.#alone].flatMap(([other, time]) => (other === partition ? [] : [time]))
    const late = schedule.now - Math.max(due, ...others)
    if (late < ALONE_MS) return
    const message = `${partition} read a letter ${late} ms after its pause`
    law.breach('I18_suspectsReadTheirLetters', message)
  }

  #I17_looksBackOff(partition: string, now: CrashCount, was: CrashCount | undefined): void {
    if (now.count > 1) this.#sim.rare(`${now.count > 2 ? 'third' : 'second'} look at a suspect`)
    if (!was || was.count < 2) return
    this.#alone.set(partition, this.#sim.schedule.now)
    this.#sim.law.company.counted(this.#sim.law.holders.committer, partition)
    if (now.count > POISON_CRASHES) {
      this.#sim.law.breach('I17_poisonInTime', `${partition}: look ${now.count} at it`)
    }
    const pause = MINUTE * 2 ** (was.count - 1)
    if (now.last - was.last >= pause - SKEW_MS) return
    const message = `${partition}: look ${now.count} came ${now.last - was.last} ms after the last`
    this.#sim.law.breach('I17_looksBackOff', message)
  }

  #I17_poisonOnlyByRule34(partition: string, fact: RunFact, was: CrashCount | undefined): void {
    if (fact.type !== 'run.failed' || fact.error.code !== 'poison') return
    this.#sim.rare('poison')
    const over = was ? EPOCH + this.#sim.schedule.now - was.since : 0
    if ((was?.count ?? 0) >= 5 && over >= 30 * MINUTE - SKEW_MS) return
    const message = `${partition} failed as poison after ${was?.count ?? 0} looks in ${over} ms`
    this.#sim.law.breach('I17_poisonOnlyByRule34', message)
  }
}
