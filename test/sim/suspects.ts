/**
 * The laws of runs that may be killing their workers (I17, rule 34): looks at them back off, and one
 * fails as poison only after five looks without a fact over half an hour.
 */

import type { Claims } from '../../src/core/claims.ts'
import type { RunFact } from '../../src/core/run/facts.ts'
import type { Head } from '../../src/engine/log.ts'
import type { Sim } from './sim.ts'

const MINUTE = 60_000
/** Claims carry the clocks of two workers, each wrong by five seconds at most. */
const SKEW_MS = 10_000

export class Suspects {
  readonly #sim: Sim
  /** What the head said before the commit that is judged. */
  readonly #claims = new Map<string, Claims>()

  constructor(sim: Sim) {
    this.#sim = sim
  }

  /** Whether there is a run that goes alone: others wait for it. */
  some(): boolean {
    return [...this.#claims.values()].some(({ count }) => count >= 2)
  }

  /** A head was written; `facts`: the ones that came with it. */
  wrote(partition: string, facts: readonly { readonly type: string }[], head: Head): void {
    const was = this.#claims.get(partition)
    const { claims } = head
    if (claims) this.#claims.set(partition, claims)
    else this.#claims.delete(partition)
    for (const fact of facts) this.#I17_poisonOnlyByRule34(partition, fact as RunFact, was)
    if (claims && claims.count > (was?.count ?? 0)) this.#I17_looksBackOff(partition, claims, was)
  }

  #I17_looksBackOff(partition: string, now: Claims, was: Claims | undefined): void {
    if (now.count > 1) this.#sim.rare(`${now.count > 2 ? 'third' : 'second'} look at a suspect`)
    if (!was || was.count < 2) return
    const pause = MINUTE * 2 ** (was.count - 1)
    if (now.last - was.last >= pause - SKEW_MS) return
    const message = `${partition}: look ${now.count} came ${now.last - was.last} ms after the last`
    this.#sim.law.breach('I17_looksBackOff', message)
  }

  #I17_poisonOnlyByRule34(partition: string, fact: RunFact, was: Claims | undefined): void {
    if (fact.type !== 'run.failed' || fact.error.code !== 'poison') return
    this.#sim.rare('poison')
    const over = was ? was.last - was.since : 0
    if ((was?.count ?? 0) >= 5 && over >= 30 * MINUTE - SKEW_MS) return
    const message = `${partition} failed as poison after ${was?.count ?? 0} looks in ${over} ms`
    this.#sim.law.breach('I17_poisonOnlyByRule34', message)
  }
}
