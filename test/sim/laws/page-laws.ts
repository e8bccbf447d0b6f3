/**
 * The laws of open fan-outs: no page and no task is lost or begun twice, whatever comes how often,
 * and only the whole is told of its end.
 */

import type { FanoutFact } from '../../../src/core/fanout/facts.ts'
import type { LateResults } from '../../../src/core/late-results.ts'
import type { Head } from '../../../src/engine/partition/format.ts'
import type { ShadowFanout } from '../shadow/fanout-shadow.ts'
import { TERMINAL } from '../shadow/shadow.ts'
import type { Sim } from '../world/sim.ts'

const isSpent = (fact: FanoutFact): boolean =>
  fact.type === 'barrier.released' && fact.reason === 'budget'

export class PageLaws {
  readonly #sim: Sim
  readonly #all: ReadonlyMap<string, ShadowFanout>
  readonly #pages = new Set<string>()
  readonly #sealed = new Set<string>()

  constructor(sim: Sim, all: ReadonlyMap<string, ShadowFanout>) {
    this.#sim = sim
    this.#all = all
  }

  /** A client was told that the page is durable. */
  acknowledged(partition: string, page: number): void {
    this.#pages.add(`${partition} ${page}`)
  }

  sealed(partition: string): void {
    this.#sealed.add(partition)
    this.#sim.rare('sealed')
  }

  /** The fan-out of a page was created. */
  born(page: ShadowFanout): void {
    const { call } = page.spec!.parent!
    const above = this.#above(page)
    if (!above) return this.#breach('I19_oneTenant', `${page.partition} has no fan-out here`)
    const living = this.#below(above).filter(
      ({ status, spec }) => !TERMINAL.has(status) && !above.missing?.includes(spec!.parent!.call),
    )
    if (above.status === 'running' && living.length > above.spec!.live_children) {
      this.#breach('I4_childrenAreBounded', `${above.partition}: ${living.length} pages`)
    }
    const ended = above.status === 'failed' || above.status === 'cancelled'
    const givenUp = above.missing?.includes(call)
    if ((ended || givenUp) && !above.outbox.cancel.includes(call)) {
      this.#breach('I12_noBirthAfterTheCascade', `${page.partition} is born too late`)
    }
  }

  atRest(): void {
    for (const entry of this.#pages) {
      const [partition = '', page] = entry.split(' ')
      if (!this.#all.get(partition)?.pages.has(Number(page))) {
        this.#breach('I11_acknowledgedIsKept', `${partition}: page ${page} is lost`)
      }
    }
    for (const partition of this.#sealed) {
      const shadow = this.#all.get(partition)
      if (!shadow?.sealed) this.#breach('I11_acknowledgedIsKept', `${partition}: the seal is lost`)
    }
    for (const shadow of this.#all.values()) {
      if (shadow.spec?.open) this.#I24_everyTaskOnce(shadow)
      if (shadow.spec?.parent) this.#I7_everyEndIsKnownOnce(shadow)
    }
  }

  /** A whole that completed has had a run for each task of each page, and for no task two. */
  #I24_everyTaskOnce(shadow: ShadowFanout): void {
    const { partition, status, missing = [], facts } = shadow
    const seen = new Map<string, string>()
    for (const run of this.#sim.law.runs.values()) {
      const { run_id, call } = run.spec?.parent ?? {}
      const page = this.#below(shadow).find(({ spec }) => spec!.id === run_id)
      if (!page || run.partition.split('/')[0] !== partition.split('/')[0]) continue
      const task = `${page.spec!.parent!.page} ${call}`
      const other = seen.get(task)
      if (other) this.#breach('I24_everyTaskOnce', `${run.partition} and ${other} are ${task}`)
      seen.set(task, run.partition)
    }
    const end = facts.at(-1)?.type
    if (end === 'fanout.failed') this.#sim.rare('an open fan-out failed')
    if (status !== 'completed' || missing.length > 0) return
    this.#sim.rare('an open fan-out completed')
    const whole = [...shadow.pages.values()].reduce((sum, count) => sum + count, 0)
    const stopped = this.#below(shadow).some(
      (page) => page.status !== 'completed' || page.facts.some(isSpent),
    )
    if (!stopped && seen.size !== whole) {
      this.#breach('I24_everyTaskOnce', `${partition}: ${seen.size} of ${whole} tasks have run`)
    }
  }

  /** In the log of the whole or, once it had ended, in its head; as it was. */
  #I7_everyEndIsKnownOnce(page: ShadowFanout): void {
    const above = this.#above(page)
    const row = above && this.#sim.store.head(above.partition)
    if (!above || !row || !TERMINAL.has(page.status)) return
    const { call } = page.spec!.parent!
    const after: LateResults | undefined = (JSON.parse(row.body) as Head).late_results
    const late = after?.ends[call]?.status
    const told = above.facts.flatMap((fact) =>
      fact.type === 'page.ended' && fact.announce.run_id === page.spec!.id
        ? [fact.announce.status]
        : [],
    )
    const all = late === undefined ? told : [...told, late]
    if (late) this.#sim.rare('a page ended after the end')
    if (all.length !== 1 || all[0] !== page.status) {
      this.#breach(
        'I7_everyEndIsKnownOnce',
        `${above.partition} knows ${page.partition} as ${all.join(' and ') || 'nothing'}`,
      )
    }
  }

  #above({ partition, spec }: ShadowFanout): ShadowFanout | undefined {
    return this.#all.get(`${partition.split('/')[0]}/fanout/${spec?.parent?.run_id}`)
  }

  #below(whole: ShadowFanout): ShadowFanout[] {
    return [...this.#all.values()].filter(
      ({ spec, partition }) =>
        spec?.parent?.run_id === whole.spec!.id &&
        partition.split('/')[0] === whole.partition.split('/')[0],
    )
  }

  #breach(id: string, message: string): void {
    this.#sim.law.breach(id, message)
  }
}
