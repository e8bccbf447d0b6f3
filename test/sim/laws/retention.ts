/**
 * What has ended goes after its time, with everything below it and not before (rule 40, I15): the
 * children first and the root last, because it holds the debt. Nothing of it ever comes back.
 */

import type { Outbox } from '../../../src/core/outbox.ts'
import { runOf } from '../../../src/core/run/child.ts'
import type { Head } from '../../../src/engine/partition/format.ts'
import {
  logPartition,
  parsePartition,
  runPartition,
  sessionPartition,
  snapshotPartition,
  workspace,
} from '../../../src/engine/partition/keys.ts'
import type { SessionHead } from '../../../src/engine/session/store.ts'
import { fileKey } from '../../../src/lib/key.ts'
import type { HeadWrite } from '../../../src/ports/world.ts'
import type { ShadowFanout } from '../shadow/fanout-shadow.ts'
import type { Shadow } from '../shadow/shadow.ts'
import { TERMINAL } from '../shadow/shadow.ts'
import { EPOCH } from '../world/process.ts'
import type { Sim } from '../world/sim.ts'
import { GRACE_MS } from './holders.ts'

type Log = Shadow | ShadowFanout
/** The tick's pushes move what could not be done yet. */
const PUSHED_MS = 900_000
const LOOK_MS = 60_000
/** More than an outage of an hour brings. */
const PUSHES = 15

export class Retention {
  readonly #sim: Sim
  readonly #gone = new Set<string>()

  constructor(sim: Sim) {
    this.#sim = sim
  }

  isGone(partition: string): boolean {
    return this.#gone.has(partition)
  }

  /**
   * A session that a client has known for so long: it went with its run, or after its time. One that
   * still stands is not gone, whatever its answer says.
   */
  isSessionGone(tenant: string, id: string, knownMs: number): boolean {
    const row = this.#sim.store.head(sessionPartition(tenant, id))
    if (row && !(JSON.parse(row.body) as SessionHead).session.deleted) return false
    const kept = this.#sim.settings.retentionMs ?? Number.POSITIVE_INFINITY
    return this.isGone(runPartition(tenant, runOf(id))) || knownMs >= kept
  }

  /** It has ended and owes nobody anything: a root has an alarm for its deletion, others have none. */
  I15_restIsRest(log: Log, head: Head, { alarm }: HeadWrite): void {
    const { retentionMs } = this.#sim.settings
    const { partition } = log
    if (retentionMs === null || parentOf(log) !== undefined) {
      if (alarm) this.#breach('I15_restIsRest', `${partition} rests and has an alarm`)
      return
    }
    const goes = head.at + retentionMs
    if (head.redeliveries > PUSHES) {
      this.#breach(
        'I18_restIsLeftAlone',
        `${partition} rests and was pushed ${head.redeliveries} times`,
      )
    }
    // What a letter keeps due is pushed, and looked at before its time.
    const pushed = head.redeliveries > 0
    // Whoever is at it when it is due is waited for.
    const soon = EPOCH + this.#sim.schedule.now + (pushed ? PUSHED_MS : LOOK_MS)
    const last = Math.max(goes, soon)
    if (alarm && (pushed || alarm.at >= goes - GRACE_MS) && alarm.at <= last + GRACE_MS) return
    const when = alarm ? `${alarm.at - goes} ms after its time` : 'never'
    this.#breach('I15_itsDeletionIsOwed', `${partition} goes ${when}`)
  }

  /** All rows of a partition are about to go. */
  dropping(partition: string): void {
    const log = this.#logOf(partition)
    if (!log || this.#gone.has(partition)) return
    this.#gone.add(partition)
    this.#sim.rare(parentOf(log) === undefined ? 'deleted' : 'deleted with its root')
    this.#I11_theLivingAreKept(log)
    this.#I15_theRootGoesLast(log)
    const root = this.#rootOf(log)
    if (!root) return
    const { retentionMs } = this.#sim.settings
    const row = this.#sim.store.head(root.partition)
    if (!row) return
    const left =
      (JSON.parse(row.body) as Head).at +
      (retentionMs ?? Number.POSITIVE_INFINITY) -
      EPOCH -
      this.#sim.schedule.now
    if (left > GRACE_MS) this.#breach('I11_keptForItsTime', `${partition} goes ${left} ms early`)
  }

  #I11_theLivingAreKept({ partition, status }: Log): void {
    if (!TERMINAL.has(status)) this.#breach('I11_theLivingAreKept', `${partition} is ${status}`)
    const row = this.#sim.store.head(partition)
    const outbox = row && (JSON.parse(row.body) as Head).outbox
    if (outbox && owes(outbox)) {
      this.#breach('I10_debtsArePaidFirst', `${partition} goes and owes ${JSON.stringify(outbox)}`)
    }
  }

  #I15_theRootGoesLast(log: Log): void {
    const above = this.#above(log)
    if (above === undefined || !this.#gone.has(above)) return
    this.#breach('I15_theRootGoesLast', `${log.partition} goes after ${above}`)
  }

  /** When everything has come to rest: who is kept for ever is there, nothing else is. */
  atRest(): void {
    for (const log of this.#logs()) {
      const root = this.#rootOf(log)
      if (!root || !TERMINAL.has(root.status)) continue
      const there = (this.#sim.store.partitions.get(log.partition)?.size ?? 0) > 0
      if (this.#sim.settings.retentionMs === null) {
        if (!there) this.#breach('I11_acknowledgedIsKept', `${log.partition} has gone`)
      } else if (there) this.#breach('I15_whatHasEndedGoes', `${log.partition} stays for ever`)
      else this.#I15_nothingIsLeft(log)
    }
  }

  #I15_nothingIsLeft({ partition }: Log): void {
    const { tenant, id } = parsePartition(partition)
    const folded = this.#sim.store.partitions.get(snapshotPartition(partition))?.size ?? 0
    if (folded > 0) this.#breach('I15_nothingIsLeft', `${partition} leaves its snapshot`)
    const [file] = this.#sim.objects.list(fileKey(tenant, workspace(id))).objects
    if (file) this.#breach('I15_nothingIsLeft', `${partition} leaves ${file.key}`)
  }

  #logs(): Log[] {
    const { runs, fanouts } = this.#sim.law
    return [...runs.values(), ...fanouts.byPartition.values()]
  }

  #logOf(partition: string): Log | undefined {
    const { runs, fanouts } = this.#sim.law
    return runs.get(partition) ?? fanouts.byPartition.get(partition)
  }

  #above(log: Log): string | undefined {
    const id = parentOf(log)
    return id === undefined ? undefined : logPartition(log.partition.split('/')[0]!, id)
  }

  #rootOf(log: Log): Log | undefined {
    const above = this.#above(log)
    if (above === undefined) return log
    const next = this.#logOf(above)
    return next && this.#rootOf(next)
  }

  #breach(id: string, message: string): void {
    this.#sim.law.breach(id, message)
  }
}

const parentOf = ({ spec }: Log): string | undefined =>
  spec && 'parent' in spec ? spec.parent?.run_id : undefined

/** Of a run or a fan-out. */
export const owes = (outbox: Partial<Outbox>): boolean => {
  const { parent, session, notice: tell, events, webhook = [], cancel = [], late = [] } = outbox
  const words = parent || session || tell != null || events != null
  return words || webhook.length + cancel.length + late.length > 0
}
