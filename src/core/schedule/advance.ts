/**
 * Advances a schedule: counts ended runs, and turns due slots into fires, or records them as
 * skipped or missed. Pure function; recomputed after a lost compare-and-swap. `cursor` never moves
 * back, so each slot is decided once and determines its run's ID (PROTOCOL.md rule 28).
 */

import { LIMITS } from '../limits.ts'
import type { RunError, TerminalStatus } from '../run/log/subagent-facts.ts'
import { dueSlot, type Fire, type FireOutcome, fireAt, paused, type Schedule } from './schedule.ts'
import { slotsIn } from './when.ts'

/** Run end as reported to the schedule by mail. */
export interface FireEnd {
  readonly run_id: string
  readonly status: TerminalStatus
  readonly at: number
  readonly error: RunError | null
}

/** Entry of a schedule's history. */
export interface FireRecord {
  readonly slot: number
  readonly manual: boolean
  readonly run_id: string | null
  readonly outcome: FireOutcome
  /** Time when the slot was decided, or when its run ended. */
  readonly at: number
  /** Reason why no run started, or why the run failed. */
  readonly reason: string | null
  /**
   * Number of missed slots, of which this entry names the newest. `more` means that earlier slots
   * were missed too. Present only with outcome `missed`.
   */
  readonly count?: number
  readonly more?: boolean
}

export interface Decided {
  readonly schedule: Schedule
  readonly records: readonly FireRecord[]
}

/**
 * Maximum delay of a slot that counts as on time. Later slots were missed, because the deployment
 * was down or its clock stopped.
 */
const ON_TIME_MS = LIMITS.schedule_grace_seconds * 1_000

export function decideSlots(
  schedule: Schedule,
  ends: readonly FireEnd[],
  now: number,
  runOf: (slot: number) => string,
): Decided {
  const records: FireRecord[] = []
  let next = schedule
  for (const end of ends) next = ended(next, end, now, records)
  next = fired(next, now, runOf, records)
  return { schedule: settled(next, now), records }
}

/** Counts a run's end, if this schedule started the run. */
function ended(schedule: Schedule, end: FireEnd, now: number, records: FireRecord[]): Schedule {
  const fire = schedule.fires.find(({ run_id }) => run_id === end.run_id)
  if (!fire) return schedule
  const { slot, manual, run_id } = fire
  const outcome = end.status
  const reason = end.error ? `${end.error.code}: ${end.error.message}` : null
  records.push({ slot, manual, run_id, outcome, at: end.at, reason })
  const failed = outcome === 'failed' || outcome === 'timed_out'
  const failures = failed ? schedule.failures + 1 : outcome === 'completed' ? 0 : schedule.failures
  const next: Schedule = {
    ...schedule,
    failures,
    fires: schedule.fires.filter((entry) => entry !== fire),
    last: { slot, run_id, outcome },
  }
  const gives = failures >= LIMITS.schedule_failures && schedule.pause === null
  return gives ? paused(next, 'failing', reason, now) : next
}

function fired(
  schedule: Schedule,
  now: number,
  runOf: (slot: number) => string,
  records: FireRecord[],
): Schedule {
  if (schedule.pause || schedule.ended_at !== null || schedule.deleted) return schedule
  const due = dueNow(schedule, now)
  if (due.slots.length === 0) return schedule
  const isFired = (slot: number): boolean => fires(schedule, due.slots, slot, now)
  const missed = due.slots.filter((slot) => !isFired(slot))
  const newest = missed.at(-1)
  if (newest !== undefined) {
    const missing = { slot: newest, manual: false, run_id: null, outcome: 'missed' } as const
    const reason = `the deployment was unavailable at that time and catch_up is ${schedule.catch_up}`
    records.push({ ...missing, at: now, reason, count: missed.length, more: due.more })
  }
  let next: Schedule = { ...schedule, cursor: due.slots.at(-1)! }
  if (newest !== undefined)
    next = { ...next, last: { slot: newest, run_id: null, outcome: 'missed' } }
  for (const slot of due.slots.filter(isFired)) {
    next = admit(next, { run_id: runOf(slot), slot, manual: false, phase: 'due' }, now, records)
  }
  return next
}

/**
 * Returns the due slots of a schedule, oldest first; `more` means that older slots exist but are
 * not counted.
 */
function dueNow(schedule: Schedule, now: number) {
  const { when, cursor, ends_at } = schedule
  const most = LIMITS.schedule_catch_up
  const upTo = ends_at === null ? now : Math.min(now, ends_at)
  const candidates = slotsIn(when, cursor, upTo, most)
  const waiting = candidates.findIndex((slot) => fireAt(schedule, slot) > now)
  const slots = waiting < 0 ? candidates : candidates.slice(0, waiting)
  return { slots, more: candidates.length === most }
}

/**
 * Whether a due slot starts a run: the newest slot if on time, and missed slots as `catch_up`
 * allows.
 */
function fires(schedule: Schedule, slots: readonly number[], slot: number, now: number): boolean {
  const late = now - fireAt(schedule, slot)
  const isNewest = slot === slots.at(-1)
  if (isNewest && late <= ON_TIME_MS) return true
  if (late > schedule.catch_up_window_seconds * 1_000) return false
  return schedule.catch_up === 'all' || (schedule.catch_up === 'latest' && isNewest)
}

const isActive = ({ phase }: Fire): boolean => phase !== 'waiting'

/**
 * Decides by `overlap` whether a fire starts, waits, or is skipped while other fires are in
 * progress.
 */
export function admit(
  schedule: Schedule,
  fire: Fire,
  now: number,
  records: FireRecord[],
): Schedule {
  const { slot, manual, run_id } = fire
  const { fires: previous, overlap } = schedule
  const active = previous.filter(isActive)
  const record = (outcome: FireOutcome, reason: string | null): void => {
    const run = outcome === 'skipped' ? null : run_id
    records.push({ slot, manual, run_id: run, outcome, at: now, reason })
  }
  const skip = (reason: string): Schedule => {
    record('skipped', reason)
    return { ...schedule, last: { slot, run_id: null, outcome: 'skipped' } }
  }
  // If a run with this ID is already in progress, this is the same fire.
  if (previous.some((entry) => entry.run_id === run_id)) return schedule
  const starts = previous.length === 0 || (overlap === 'allow' && active.length === previous.length)
  if (previous.length >= LIMITS.schedule_fires) return skip('too many of its runs are active')
  if (starts) {
    record('started', null)
    return { ...schedule, fires: [...previous, fire], last: { slot, run_id, outcome: 'started' } }
  }
  if (overlap === 'skip') return skip(`its previous run, ${previous[0]!.run_id}, had not ended`)
  record('waiting', `its previous run, ${previous[0]!.run_id}, has not ended`)
  const waiting: Fire = { ...fire, phase: 'waiting' }
  if (overlap !== 'cancel_previous') return { ...schedule, fires: [...previous, waiting] }
  for (const waitingFire of previous.filter((other) => !isActive(other))) {
    const skipped = {
      slot: waitingFire.slot,
      manual: waitingFire.manual,
      run_id: null,
      outcome: 'skipped',
    } as const
    records.push({ ...skipped, at: now, reason: 'a later slot was due before it could start' })
  }
  const cancelled = active.map((entry): Fire => ({ ...entry, cancel: true }))
  return { ...schedule, fires: [...cancelled, waiting] }
}

/** Starts the first waiting fire if no other is active. Ends a schedule without further slots. */
function settled(schedule: Schedule, now: number): Schedule {
  const { fires: all } = schedule
  const first = all.find(({ phase }) => phase === 'waiting')
  const isFree = first && !all.some(isActive) && !schedule.deleted
  const next = isFree
    ? {
        ...schedule,
        fires: all.map((entry) => (entry === first ? { ...entry, phase: 'due' as const } : entry)),
      }
    : schedule
  const isOver = next.ended_at === null && !next.deleted && dueSlot(next) === undefined
  return isOver ? { ...next, ended_at: now } : next
}
