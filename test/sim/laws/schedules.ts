/**
 * The laws of schedules (I14): each slot has one run, none is lost, and runs of a schedule overlap
 * only where that was asked for. Slots are counted here from the schedule's creation, one a minute.
 */

import type { RunFact } from '../../../src/core/run/log/facts.ts'
import type { HeadWrite } from '../../../src/ports/world.ts'
import { type Shadow, TERMINAL } from '../shadow/shadow.ts'
import { EPOCH } from '../world/process.ts'
import type { Sim } from '../world/sim.ts'
import type { Applied } from '../world/store.ts'

const MINUTE = 60_000
/** Two clocks, each wrong by five seconds at most. */
const SKEW_MS = 10_000

interface Fire {
  readonly run_id: string
  readonly slot: number
  readonly manual: boolean
  readonly phase: string
  readonly cancel?: true
}
interface Head {
  readonly redeliveries: number
  readonly schedule: {
    readonly name: string
    readonly overlap: string
    readonly catch_up: string
    readonly when: { readonly from: number; readonly every_ms: number }
    readonly ends_at: number | null
    readonly ended_at: number | null
    readonly deleted: boolean
    readonly pause: { readonly reason: string } | null
    readonly cursor: number
    readonly fires: readonly Fire[]
    readonly failures: number
  }
}
interface Record {
  readonly slot: number
  readonly manual: boolean
  readonly run_id: string | null
  readonly outcome: string
  readonly count?: number
}
interface Known {
  /** As it was last while it was not deleted. */
  live: Head['schedule'] | undefined
  deleted: boolean
  /** Everything that was ever decided, by run. */
  readonly decided: Map<string, Fire>
  readonly runs: Map<string, Shadow>
  readonly records: Map<string, Record>
}

export class Schedules {
  readonly #sim: Sim
  readonly #known = new Map<string, Known>()

  constructor(sim: Sim) {
    this.#sim = sim
  }

  #of(partition: string): Known {
    const known = this.#known.get(partition) ?? {
      live: undefined,
      deleted: false,
      decided: new Map(),
      runs: new Map(),
      records: new Map(),
    }
    this.#known.set(partition, known)
    return known
  }

  committed({ partition, writes, head }: Applied): void {
    const known = this.#of(partition)
    for (const write of writes) {
      if (write.op === 'put' && write.key.startsWith('a/'))
        known.records.set(write.key, JSON.parse(write.body) as Record)
      if (write.op === 'put' && write.key.startsWith('mail/') && !write.alarm)
        this.#sim.law.breach('I14_anEndHasAnAlarm', `${partition} ${write.key}`)
    }
    if (!head) return
    const now = JSON.parse(head.body) as Head
    const { schedule } = now
    if (known.live && schedule.cursor < known.live.cursor)
      this.#breach('I14_theCursorNeverGoesBack', `${partition}: ${schedule.cursor}`)
    this.#I14_overlapIsObeyed(partition, schedule)
    for (const fire of schedule.fires) known.decided.set(fire.run_id, fire)
    if (schedule.deleted) known.deleted = true
    else known.live = schedule
    if (now.redeliveries === 0) this.#I14_whatIsDueHasAnAlarm(partition, schedule, head)
  }

  /** With `skip` and `allow` nobody waits, with `cancel_previous` one at most. */
  #I14_overlapIsObeyed(partition: string, { overlap, fires }: Head['schedule']): void {
    const waiting = fires.filter(({ phase }) => phase === 'waiting').length
    const most = { skip: 0, allow: 0, cancel_previous: 1 }[overlap] ?? waiting
    if (waiting > most) this.#breach('I14_overlapIsObeyed', `${partition}: ${waiting} wait`)
  }

  /** A decided fire within a minute, the next slot at its time. */
  #I14_whatIsDueHasAnAlarm(partition: string, schedule: Head['schedule'], head: HeadWrite): void {
    if (schedule.deleted) return
    const now = EPOCH + this.#sim.schedule.now
    const pending = schedule.fires.some(({ phase, cancel }) => phase === 'due' || cancel)
    const next = this.#slotsOf(schedule).find((slot) => slot > schedule.cursor)
    const by = pending ? now + MINUTE : schedule.pause ? undefined : next
    if (by === undefined) return
    if (head.alarm && head.alarm.at <= Math.max(by, now) + SKEW_MS) return
    this.#breach('I14_whatIsDueHasAnAlarm', `${partition}: ${head.alarm?.at ?? 'none'} for ${by}`)
  }

  #slotsOf({ when, ends_at }: Head['schedule']): number[] {
    const slots: number[] = []
    for (let slot = when.from + when.every_ms; slot <= (ends_at ?? 0); slot += when.every_ms)
      slots.push(slot)
    return slots
  }

  /** A run of a schedule was created. */
  born(run: Shadow): void {
    const { spec, partition } = run
    if (!spec?.schedule) return
    const [tenant] = partition.split('/')
    const known = this.#of(`${tenant}/schedule/${spec.schedule.id}`)
    const { slot } = spec.schedule
    const fire = known.decided.get(spec.id)
    if (!fire) return this.#breach('I14_decidedFirst', `${partition} is no fire of its schedule`)
    if (fire.slot !== slot) this.#breach('I14_slotsAreNominal', `${partition}: ${slot}`)
    this.#sim.rare('a slot fired')
    if (!fire.manual && known.live && !this.#slotsOf(known.live).includes(slot))
      this.#breach('I14_slotsAreNominal', `${partition}: ${slot} is no slot`)
    for (const other of known.runs.values()) {
      if (!fire.manual && other.spec?.schedule?.slot === slot && !this.#isManual(known, other))
        this.#breach('I14_oneRunPerSlot', `${partition} and ${other.partition}`)
      if (known.live?.overlap !== 'allow' && !TERMINAL.has(other.status))
        this.#breach('I14_runsDoNotOverlap', `${partition} beside ${other.partition}`)
    }
    known.runs.set(spec.id, run)
  }

  #isManual = (known: Known, run: Shadow): boolean =>
    known.decided.get(run.spec!.id)?.manual === true

  /** A run that is to begin later has begun. */
  I14_nothingBeginsBeforeItsTime(run: Shadow, fact: RunFact): void {
    const start = run.spec?.start_at
    if (start === undefined || fact.type !== 'run.started') return
    this.#sim.rare('a run began at its time')
    const now = EPOCH + this.#sim.schedule.now
    if (now < start - SKEW_MS) this.#breach('I14_nothingBeginsBeforeItsTime', run.partition)
  }

  /** One that has not begun in time never begins. */
  I14_nothingBeginsTooLate(run: Shadow, fact: RunFact): void {
    const until = run.spec?.expires_at
    const began = fact.type === 'run.started' ? fact.began_at : undefined
    if (until !== undefined && began !== undefined && began > until + SKEW_MS)
      this.#breach('I14_nothingBeginsTooLate', `${run.partition} began ${began - until} ms late`)
    if (fact.type !== 'run.timed_out') return
    if (fact.error.code !== 'expired' && run.startedAt === undefined)
      this.#breach('I14_nothingBeginsTooLate', `${run.partition} timed out and never began`)
    if (fact.error.code !== 'expired') return
    this.#sim.rare('a run expired')
    if (run.startedAt !== undefined)
      this.#breach('I14_nothingBeginsTooLate', `${run.partition} had begun`)
    if (EPOCH + this.#sim.schedule.now < (run.spec?.expires_at ?? 0) - SKEW_MS)
      this.#breach('I14_nothingBeginsTooLate', `${run.partition} was wanted still`)
  }

  atRest(): void {
    for (const [partition, known] of this.#known) {
      const { live } = known
      if (!live) continue
      if (!known.deleted) this.#breach('I14_deletedIsDeleted', `${partition} is there for ever`)
      this.#I14_everyEndIsCounted(partition, known, live)
      if (live.pause) this.#sim.rare('a schedule paused itself')
      else this.#I14_noSlotIsLost(partition, known, live)
      this.#I14_failuresPause(partition, known, live)
    }
  }

  #I14_everyEndIsCounted(partition: string, known: Known, live: Head['schedule']): void {
    const left = live.fires.map(({ run_id }) => run_id)
    if (left.length > 0) this.#breach('I14_everyEndIsCounted', `${partition} waits for ${left}`)
    for (const record of known.records.values()) {
      const run = record.run_id === null ? undefined : known.runs.get(record.run_id)
      if (run && record.outcome !== run.status)
        this.#breach('I14_everyEndIsCounted', `${run.partition} is told as ${record.outcome}`)
    }
  }

  #I14_noSlotIsLost(partition: string, known: Known, live: Head['schedule']): void {
    const records = [...known.records.values()].filter(({ manual }) => !manual)
    const of = (outcome: string) => records.filter((record) => record.outcome === outcome)
    const missed = of('missed').reduce((sum, { count = 1 }) => sum + count, 0)
    const skipped = of('skipped').length
    const ran = [...known.runs.values()].filter((run) => !this.#isManual(known, run)).length
    const wanted = this.#slotsOf(live).length
    if (missed > 0) this.#sim.rare('a slot was missed')
    if (skipped > 0) this.#sim.rare('a slot was skipped')
    if (ran + missed + skipped !== wanted) {
      const sum = `${ran} ran, ${missed} missed, ${skipped} skipped of ${wanted}`
      this.#breach('I14_noSlotIsLost', `${partition}: ${sum}`)
    }
    const all = live.catch_up === 'all' && /allow|queue/.test(live.overlap)
    if (all && ran !== wanted) this.#breach('I14_noSlotIsLost', `${partition}: ${ran} of ${wanted}`)
  }

  #I14_failuresPause(partition: string, known: Known, live: Head['schedule']): void {
    const ends = [...known.runs.values()].map(({ status }) => status)
    const failed = ends.length >= 10 && ends.every((status) => /failed|timed_out/.test(status))
    if (failed && live.pause?.reason !== 'failing')
      this.#breach('I14_failuresPause', `${partition} goes on after ${ends.length} failures`)
  }

  #breach(id: string, message: string): void {
    this.#sim.law.breach(id, message)
  }
}
