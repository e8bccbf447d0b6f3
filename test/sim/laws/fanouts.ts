/**
 * The laws of fan-outs: a second reading of their logs, judged at every commit like those of runs.
 * What concerns a child as a run is judged with the runs; here is what it is to its fan-out.
 */

import type { FanoutFact } from '../../../src/core/fanout/facts.ts'
import type { RunWebhook } from '../../../src/core/run/log/facts.ts'
import type { Head } from '../../../src/engine/partition/format.ts'
import {
  CLOSING,
  countOf,
  FANOUT_LAWS,
  foldFanout,
  newFanout,
  type ShadowFanout,
} from '../shadow/fanout-shadow.ts'
import type { Shadow } from '../shadow/shadow.ts'
import { TERMINAL } from '../shadow/shadow.ts'
import { factWords, nameOf } from '../world/names.ts'
import type { Sim } from '../world/sim.ts'
import type { Applied } from '../world/store.ts'
import { PageLaws } from './page-laws.ts'

export class Fanouts {
  readonly byPartition = new Map<string, ShadowFanout>()
  readonly pages: PageLaws
  readonly #sim: Sim

  constructor(sim: Sim) {
    this.#sim = sim
    this.pages = new PageLaws(sim, this.byPartition)
  }

  /** An open one, or a page of one. */
  isOfPages(partition: string): boolean {
    const spec = this.byPartition.get(partition)?.spec
    return spec?.open === true || spec?.parent !== undefined
  }

  committed({ partition, writes, head }: Applied): void {
    const known = this.byPartition.get(partition)
    const shadow = known ?? newFanout(partition)
    this.byPartition.set(partition, shadow)
    for (const write of writes) {
      if (write.op !== 'put') continue
      if (write.key.startsWith('f/')) this.#facts(shadow, write.body)
      if (write.key.startsWith('mail/') && !write.alarm) {
        this.#breach('I15_letterHasAnAlarm', `${partition} ${write.key}`)
      }
    }
    if (!head) return
    const now = JSON.parse(head.body) as Head<unknown>
    if (now.seq !== shadow.facts.length) {
      this.#breach('I9_headCountsTheLog', `${partition}: ${now.seq} of ${shadow.facts.length}`)
    }
    const was = shadow.outbox
    shadow.outbox = now.outbox
    if (shadow.status !== 'running' && was !== now.outbox) this.I12_anEndOwesItsCascade(shadow)
    const { webhook, cancel, events = null, late = [], parent = false } = now.outbox
    const lists = webhook.length + cancel.length + late.length
    const owes = lists > 0 || events !== null || parent
    const rests = shadow.status !== 'running' && !owes
    if (rests) this.#sim.law.retention.I15_restIsRest(shadow, now as Head, head)
    if (rests && now.lease) this.#breach('I15_noLeaseAtRest', `${partition} rests and is leased`)
    if (!rests && !head.alarm) this.#breach('I15_alarmIsSet', `${partition} has none`)
  }

  #facts(shadow: ShadowFanout, body: string): void {
    const { first, at, facts } = JSON.parse(body) as {
      first: number
      at: number
      facts: FanoutFact[]
    }
    if (first !== shadow.facts.length + 1) {
      return this.#breach('I9_seqIsDense', `${shadow.partition}: ${first}`)
    }
    for (const fact of facts) {
      const seq = shadow.facts.length + 1
      this.#sim.schedule.note(`    ${nameOf(shadow.partition)} ${seq} ${factWords(fact)}`)
      for (const law of FANOUT_LAWS) {
        const message = law(shadow, fact, at)
        if (message) return this.#breach(law.name, `${shadow.partition}: ${message}`)
      }
      foldFanout(shadow, fact, at)
      if (fact.type === 'fanout.created' && fact.fanout.parent) this.pages.born(shadow)
      if (fact.type === 'barrier.released' && fact.missing.length > 0) {
        this.#sim.rare('fan-out released without some')
      }
      if (fact.type.startsWith('fanout.')) this.#sim.rare(fact.type)
    }
  }

  /** Every end but `completed`, and a release that cancels the rest, owes each its cancellation. */
  I12_anEndOwesItsCascade(shadow: ShadowFanout): void {
    const { status, outbox, tasks, partition } = shadow
    if (status !== 'failed' && status !== 'cancelled') return
    const just = shadow.facts.at(-1)?.type === `fanout.${status}`
    if (!just || this.#cascaded.has(partition)) return
    this.#cascaded.add(partition)
    for (const [call, { announced }] of tasks) {
      if (announced === undefined && !outbox.cancel.includes(call)) {
        this.#breach('I12_anEndOwesItsCascade', `${partition}: ${call} is left alone`)
      }
    }
  }
  readonly #cascaded = new Set<string>()

  /** A run was created whose parent is a fan-out. */
  born(child: Shadow): void {
    const { run_id, call } = child.spec!.parent!
    const partition = `${child.partition.split('/')[0]}/fanout/${run_id}`
    const shadow = this.byPartition.get(partition)
    if (!shadow) return this.#breach('I19_oneTenant', `${child.partition} has no fan-out here`)
    this.#I4_childrenAreBounded(shadow)
    const ended = shadow.status === 'failed' || shadow.status === 'cancelled'
    // Also without `cancel_rest`: what had not begun when the barrier opened never does.
    const givenUp = shadow.missing?.includes(call)
    if ((ended || givenUp) && !shadow.outbox.cancel.includes(call)) {
      this.#breach('I12_noBirthAfterTheCascade', `${partition}: ${call} is born too late`)
    }
  }

  /** Rule 19: so many children live at once, and no more. */
  #I4_childrenAreBounded({ partition, spec, missing, status }: ShadowFanout): void {
    if (status !== 'running') return
    const living = this.#childrenOf(partition).filter(({ status, spec }) => {
      const call = spec?.parent?.call ?? ''
      return !TERMINAL.has(status) && call !== CLOSING && !missing?.includes(call)
    })
    if (living.length > spec!.live_children) {
      this.#breach('I4_childrenAreBounded', `${partition}: ${living.length}`)
    }
  }

  #childrenOf(partition: string): Shadow[] {
    const [tenant, , id] = partition.split('/')
    return [...this.#sim.law.runs.values()].filter(
      (run) => run.partition.startsWith(`${tenant}/`) && run.spec?.parent?.run_id === id,
    )
  }

  /** When faults have stopped and everything has come to rest. */
  atRest(settled: (event: SettledLog) => void): void {
    for (const shadow of this.byPartition.values()) {
      this.I15_everyFanoutEnds(shadow)
      this.I7_everyChildIsAccountedFor(shadow)
      const { spec, facts, partition } = shadow
      const below = spec?.parent !== undefined
      if (spec) settled({ id: spec.id, webhook: spec.webhook, facts, partition, below })
    }
    this.pages.atRest()
  }

  I15_everyFanoutEnds({ partition, status }: ShadowFanout): void {
    if (status === 'running') this.#breach('I15_everyFanoutEnds', `${partition} never ends`)
    if (this.#sim.law.retention.isGone(partition)) return
    const row = this.#sim.store.head(partition)
    const { lease, outbox } = JSON.parse(row!.body) as Head<unknown>
    const { webhook, cancel, late = [], parent } = outbox
    if (lease || webhook.length + cancel.length + late.length > 0 || parent) {
      this.#breach('I15_nothingIsHeld', `${partition} is leased or owes ${JSON.stringify(outbox)}`)
    }
    const mail = this.#sim.store.read(partition).filter(({ key }) => key.startsWith('mail/'))
    if (mail.length > 0) this.#breach('I15_nothingIsHeld', `${partition} has unread letters`)
  }

  I7_everyChildIsAccountedFor(shadow: ShadowFanout): void {
    const { partition, status, tasks, missing = [], spec } = shadow
    if (status === 'completed') {
      for (const [call, { announced, child }] of tasks) {
        if (announced === undefined && !missing.includes(call)) {
          this.#breach('I7_everyChildReported', `${partition}: ${child} was never heard of`)
        }
      }
      if (tasks.size + missing.length < countOf(shadow)) {
        this.#breach('I7_everyTaskIsDone', `${partition}: tasks were forgotten`)
      }
    }
    for (const run of this.#childrenOf(partition)) {
      const { call } = run.spec!.parent!
      if (!TERMINAL.has(run.status)) {
        this.#breach('I12_theWholeTreeEnds', `${run.partition} lives on`)
      }
      const unknown = tasks.get(call)?.child !== run.spec!.id && !missing.includes(call)
      if (status === 'completed' && unknown) {
        this.#breach('I7_noOrphans', `${run.partition} is unknown to ${partition}`)
      }
      if (missing.includes(call) && spec?.join.cancel_rest && run.status === 'completed') {
        this.#sim.rare('a task ended before its cancel')
      }
    }
  }

  #breach(id: string, message: string): void {
    this.#sim.law.breach(id, message)
  }
}

/** A log whose webhook must have been told. */
export interface SettledLog {
  readonly id: string
  readonly webhook: RunWebhook | null
  readonly facts: readonly { readonly type: string }[]
  readonly partition: string
  /** It is no root: of its own end only what is above hears. */
  readonly below?: boolean
}
