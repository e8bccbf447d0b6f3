/**
 * The laws of LAWS.md, judged at every commit and at every effect. A function that carries
 * an invariant's id in its name judges that invariant; the first breach ends the seed.
 *
 * Of I4 only the bound on children is judged, lanes are a
 * host's. I19 is judged at every access (`tenancy.ts`). I23 is `--twice`.
 */

import type { RunFact } from '../../../src/core/run/log/facts.ts'
import type { Head } from '../../../src/engine/partition/format.ts'
import type { Shadow } from '../shadow/shadow.ts'
import { fold, hasOpen, newShadow, TERMINAL } from '../shadow/shadow.ts'
import { CANARY } from '../world/canary.ts'
import { factWords, nameOf, short } from '../world/names.ts'
import type { Process } from '../world/process.ts'
import type { Sim } from '../world/sim.ts'
import type { Applied } from '../world/store.ts'
import { Alarms } from './alarms.ts'
import { Awake } from './awake.ts'
import { Belongings } from './belongings.ts'
import { Births } from './births.ts'
import { Bodies } from './bodies.ts'
import { Cancels } from './cancels.ts'
import { Company } from './company.ts'
import { Deliveries } from './deliveries.ts'
import { Effects } from './effects.ts'
import { breaches } from './facts.ts'
import { Fanouts } from './fanouts.ts'
import { Halts } from './halts.ts'
import { Healing } from './healing.ts'
import { Holders } from './holders.ts'
import { I6_lastingIsWrittenFirst } from './memory.ts'
import { ObjectLaws } from './objects.ts'
import { Places } from './places.ts'
import { Promptness } from './promptness.ts'
import { Retention } from './retention.ts'
import { Schedules } from './schedules.ts'
import { Sessions } from './sessions.ts'
import { Suspects } from './suspects.ts'

/** 2 KB of a result, and what stands around it. */
const LETTER_BYTES = 4_096

export interface Violation {
  readonly id: string
  readonly message: string
  readonly at: number
}

export class Invariants {
  readonly violations: Violation[] = []
  readonly runs = new Map<string, Shadow>()
  /** By call id, to find the log of an effect. */
  readonly callOwner = new Map<string, Shadow>()
  readonly acknowledged = new Set<string>()
  /** Messages to live runs that were acknowledged. */
  readonly messages: { readonly partition: string; readonly text: string }[] = []
  readonly alarms: Alarms
  readonly awake: Awake
  readonly bodies: Bodies
  readonly belongings: Belongings
  readonly births: Births
  readonly company: Company
  readonly cancels: Cancels
  readonly deliveries: Deliveries
  readonly effects: Effects
  readonly fanouts: Fanouts
  readonly halts: Halts
  readonly healing: Healing
  readonly holders: Holders
  readonly objects: ObjectLaws
  readonly places: Places
  readonly promptness: Promptness
  readonly retention: Retention
  readonly schedules: Schedules
  readonly sessions: Sessions
  readonly suspects: Suspects
  /** Partitions that a newer release has written to: nobody here may advance them. */
  readonly newer = new Set<string>()
  commits = 0
  readonly #sim: Sim

  constructor(sim: Sim) {
    this.#sim = sim
    this.alarms = new Alarms(sim)
    this.awake = new Awake(sim)
    this.bodies = new Bodies(sim)
    this.belongings = new Belongings(sim)
    this.births = new Births(sim)
    this.company = new Company(sim)
    this.cancels = new Cancels(sim)
    this.deliveries = new Deliveries(sim)
    this.effects = new Effects(sim)
    this.fanouts = new Fanouts(sim)
    this.halts = new Halts(sim)
    this.healing = new Healing(sim)
    this.holders = new Holders(sim)
    this.objects = new ObjectLaws(sim)
    this.places = new Places(sim)
    this.promptness = new Promptness(sim)
    this.retention = new Retention(sim)
    this.schedules = new Schedules(sim)
    this.sessions = new Sessions(sim)
    this.suspects = new Suspects(sim)
    sim.schedule.onEvent = () => {
      this.awake.I18_somebodyLooks()
      this.company.settled()
      this.places.check()
      this.objects.I18_theDeadHoldNothing()
    }
    sim.schedule.onSpin = () =>
      this.breach('I18_nobodySpins', 'time stands still, or the world does not end')
  }

  breach(id: string, message: string): void {
    const { schedule } = this.#sim
    this.violations.push({ id, message, at: schedule.now })
    schedule.note(`*** ${id}: ${short(message)}`)
    schedule.stop()
  }

  rare(name: string): void {
    this.#sim.rare(name)
  }

  // ── After every commit ───────────────────────────────────────────────────────────────────────

  committed(applied: Applied): void {
    this.commits += 1
    const { partition, writes, head } = applied
    this.belongings.committed(applied)
    for (const body of writes.flatMap((one) => (one.op === 'put' ? one.body : []))) {
      this.I22_noSecret(body, partition)
      this.#sim.schedule.mark(body)
    }
    if (head) this.I22_noSecret(head.body, partition)
    if (head) this.#sim.schedule.mark(head.body)
    this.alarms.committed(partition)
    const isLog = /\/(?:run|fanout)\//.test(partition)
    if (!isLog || writes.some(({ key }) => key.startsWith('f/'))) this.places.cameOn(partition)
    this.I21_onlyKnownVersions(applied)
    const kind = partition.split('/')[1]
    if (kind === 'run') this.#commit(applied)
    if (kind === 'fanout') this.fanouts.committed(applied)
    if (kind === 'fanout' && head) this.suspects.wrote(partition, [], JSON.parse(head.body) as Head)
    if (kind === 'run' || kind === 'fanout') this.awake.committed(applied)
    if (kind === 'schedule') this.schedules.committed(applied)
    if (kind === 'session') this.sessions.committed(applied)
    if (kind === 'delivery' && head) this.alarms.I15_pendingDeliveryHasAnAlarm(partition, head)
    if (kind === 'delivery' && head) this.deliveries.committed(partition, head)
    if (kind !== 'run' && head && (JSON.parse(head.body) as Head).redeliveries === 0)
      this.alarms.moved(partition)
  }

  /** A log that a newer release has written to is read by nobody here, let alone advanced. */
  I21_onlyKnownVersions({ partition, writes }: Applied): void {
    if (!this.newer.has(partition)) return
    const fact = writes.find(({ op, key }) => op === 'put' && key.startsWith('f/'))
    if (fact) this.breach('I21_onlyKnownVersions', `${partition} ${fact.key} was written`)
  }

  #commit({ partition, writes, head, before }: Applied): void {
    const shadow = this.runs.get(partition) ?? newShadow(partition)
    this.runs.set(partition, shadow)
    const known = shadow.facts.length
    for (const write of writes) {
      if (write.op === 'put' && write.key.startsWith('mail/')) this.#mail(shadow, write)
      if (write.key.startsWith('f/'))
        this.I6_rowsNeverChange(shadow, write.key, before.has(write.key))
    }
    for (const write of writes) {
      if (write.op === 'put' && write.key.startsWith('f/')) this.#facts(shadow, write.body)
    }
    const fresh = shadow.facts.slice(known)
    this.promptness.committed(shadow, fresh)
    if (!head) return
    const now = JSON.parse(head.body) as Head
    this.suspects.wrote(partition, fresh, now)
    this.healing.wrote(shadow, fresh, now)
    this.objects.wrote(shadow, fresh, now)
    this.I9_headCountsTheLog(shadow, now)
    this.holders.wrote(shadow, now)
    this.alarms.I15_alarmIsSet(shadow, now, head)
    if (now.redeliveries === 0) this.alarms.moved(partition)
  }

  #facts(shadow: Shadow, body: string): void {
    const row = JSON.parse(body) as { first: number; at: number; facts: RunFact[] }
    if (row.first !== shadow.facts.length + 1) {
      this.breach('I9_seqIsDense', `${shadow.partition}: ${row.first} after ${shadow.facts.length}`)
      return
    }
    const last = shadow.times.at(-1) ?? 0
    if (row.at < last)
      this.breach('I9_timeNeverGoesBack', `${shadow.partition}: ${row.at} < ${last}`)
    for (const fact of row.facts) {
      const { schedule } = this.#sim
      const seq = shadow.facts.length + 1
      schedule.note(`    ${nameOf(shadow.partition)} ${seq} ${factWords(fact)}`)
      const broken = breaches(shadow, fact, row.at)
      const early = I6_lastingIsWrittenFirst(shadow, fact, this.#sim.remembers)
      if (early) this.breach('I6_lastingIsWrittenFirst', `${shadow.partition}: ${early}`)
      for (const [id, message] of broken) this.breach(id, `${shadow.partition}: ${message}`)
      if (broken.length > 0) return
      fold(shadow, fact, row.at, schedule.now)
      this.#index(shadow, fact)
    }
  }

  #index(shadow: Shadow, fact: RunFact): void {
    if (fact.type === 'assistant.message') {
      for (const { id } of fact.calls) {
        if (this.callOwner.has(id)) this.breach('I6_callIdsAreUnique', `${id} stands in two runs`)
        this.callOwner.set(id, shadow)
      }
    }
    if (fact.type === 'run.created') this.schedules.born(shadow)
    this.schedules.I14_nothingBeginsBeforeItsTime(shadow, fact)
    this.schedules.I14_nothingBeginsTooLate(shadow, fact)
    if (fact.type === 'run.created') this.births.I5_onePlanOneRun(shadow)
    if (fact.type === 'run.started') this.sessions.began(shadow, this.births.planOf(shadow))
    this.#count(shadow, fact)
  }

  #count(shadow: Shadow, fact: RunFact): void {
    if (fact.type === 'approval.decided') this.rare(`decision: ${fact.decision}`)
    if (fact.type === 'assistant.message' && fact.tried) this.rare('a fallback answers')
    if (fact.type === 'tool.paused') this.effects.paused(fact.call)
    if (fact.type === 'question.answered' && fact.outcome === 'expired')
      this.rare('a question expires')
    if (fact.type === 'cancel.requested') this.cancels.requested(shadow)
    if (fact.type === 'run.cancelled') this.cancels.I12_theHolderStops(shadow)
    if (fact.type === 'model.recovered') this.rare('an outage was waited out')
    if (fact.type === 'approval.requested') this.rare('a person is asked')
    if (fact.type === 'message.received') this.rare('message to a live run')
    if (fact.type === 'run.completed' && fact.stop_reason === 'budget') this.rare('budget used up')
    if (fact.type === 'tool.result' && fact.status === 'ok')
      this.effects.I6_resultsAreWhatWasSaid(fact.call, fact.text)
    if (fact.type === 'tool.result' && fact.status === 'unknown') {
      this.rare('unknown outcome')
      this.effects.I8_answersAreNotLost(fact.call)
    }
    if (fact.type === 'barrier.released' && fact.missing.length > 0)
      this.rare(hasOpen(shadow) ? 'a step goes on without some' : 'released without some')
    if (fact.type === 'tool.result' && shadow.calls.get(fact.call)?.waited)
      this.rare('a child answers its call')
    if (fact.type === 'run.cancelled' && shadow.steps === 0) this.rare('cancelled before it began')
    if (fact.type === 'run.cancelled' && shadow.facts.length === 2) this.rare('tombstone')
    if (fact.type === 'run.timed_out') {
      this.rare('timed out')
      this.births.I15_nobodyWaitsForTheDead(shadow)
    }
  }

  #mail(parent: Shadow, write: { key: string; alarm?: unknown; body: string }): void {
    if (!write.alarm) this.breach('I15_letterHasAnAlarm', `${parent.partition} ${write.key}`)
    const mail = JSON.parse(write.body) as { type: string; call: string }
    this.I5_lettersAreSmall(parent, write)
    const call = parent.calls.get(mail.call)
    // Who was heard of already, or was never to be, moves nothing.
    const refused = call !== undefined && !call.child && call.result !== undefined
    const news = call?.announced === undefined && !refused
    if (news && /announced|failed/.test(mail.type)) this.promptness.mail(parent)
    else if (news) this.promptness.word(parent)
    if (news && /announced|failed|resumed/.test(mail.type)) this.suspects.mail(parent)
    if (!call?.child) this.rare('letter before the child is recorded')
    else if (parent.status === 'running') this.rare('child done before the parent parks')
    if (call?.announced) this.rare('letter repeated after it was read')
    if (TERMINAL.has(parent.status)) this.rare('letter to a parent that has ended')
  }

  /** Rule 20: what is longer goes by digest. */
  I5_lettersAreSmall(parent: Shadow, { key, body }: { key: string; body: string }): void {
    if (body.length <= LETTER_BYTES) return
    this.breach('I5_lettersAreSmall', `${parent.partition} ${key}: ${body.length} bytes`)
  }

  I6_rowsNeverChange(shadow: Shadow, key: string, existed: boolean): void {
    if (existed) this.breach('I6_rowsNeverChange', `${shadow.partition} ${key} was written again`)
  }

  I9_headCountsTheLog(shadow: Shadow, head: Head): void {
    if (head.seq === shadow.facts.length) return
    const message = `${shadow.partition}: the head says ${head.seq}, the log has ${shadow.facts.length}`
    this.breach('I9_headCountsTheLog', message)
  }

  I22_noSecret(text: string, where: string): void {
    if (text.includes(CANARY)) this.breach('I22_noSecret', `a secret stands in ${where}`)
  }

  wrote(key: string, body: Uint8Array): void {
    if (body.length >= 200_000) return
    const text = Buffer.from(body).toString('latin1')
    this.I22_noSecret(text, key)
    this.belongings.I19_nothingOfAnother(key.split('/')[0], text, key)
  }

  threw(process: Process, where: string, error: unknown): void {
    const { name, message } = error as Error
    this.holders.gaveUp(where)
    this.I22_noSecret(String((error as Error).stack), `an error (${where})`)
    this.#sim.schedule.note(`    ${process.name} threw ${name}: ${message} (${short(where)})`)
    // A newer release wrote while it was at it: what brings the run back is its alarm.
    if (name === 'Throttled' || name === 'UnknownFormat') return
    this.rare(`threw: ${message.replace(/\S*\/\S*|run_\w+/g, '…')}`)
    const weather = WEATHER.test(message)
    if (!weather) this.breach('I17_noBugIsThrown', `${where}: ${(error as Error).stack}`)
  }
}

/** Storage that stays in trouble for longer than anybody waits. */
const WEATHER =
  /Network connection lost|did not complete in time|the partition does not exist|without a gap|consecutive conflicts|took longer than|could not be written|could not store/
