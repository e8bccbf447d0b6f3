/**
 * Previews the due times of a schedule before it is created: the next slots, computed by the code
 * that fires them, and findings about clock changes and other rules that affect these slots.
 */

import { type ClockChange, clockChanges, cronNext, localIso } from '../../lib/cron.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { iso } from '../../lib/time.ts'
import type { Refusal } from '../problem.ts'
import { at, definitionFrom, endRefused, type ScheduleRequest } from './request.ts'
import { dueSlot, hasPassed, newSchedule, type Schedule } from './schedule.ts'
import { nextSlot } from './when.ts'

export interface ScheduleFinding {
  readonly code: 'skipped' | 'doubled' | 'jitter' | 'ends' | 'unchecked'
  readonly message: string
  /** Time of the clock change, or of the end; null for findings about every slot. */
  readonly at: string | null
}

export type TimingRequest = Pick<
  ScheduleRequest,
  'cron' | 'timezone' | 'at' | 'every' | 'ends_at' | 'jitter_seconds'
>

/** Maximum range in which clock changes are found, in milliseconds: ten years. */
const CHECKED_MS = 3_653 * 86_400_000
/** A repeated time precedes its clock change by less than this, in milliseconds. */
const REPEAT_MS = 3 * 3_600_000

/** Returns the preview of a schedule created at `now`, or the rejection of its creation. */
export function previewSchedule(request: TimingRequest, count: number, now: number) {
  const scheduled = scheduleOf(request, now)
  if (!scheduled.ok) return scheduled
  const schedule = scheduled.value
  const { when, ends_at } = schedule
  const zone = when.type === 'cron' ? when.timezone : 'UTC'
  const candidates = slotsOf(schedule, count + 1)
  const slots = candidates.slice(0, count)
  return ok({
    cron: when.type === 'cron' ? when.cron : null,
    timezone: when.type === 'cron' ? when.timezone : null,
    upcoming: slots.map((slot) => ({ at: iso(slot), local: localIso(slot, zone) })),
    has_more: candidates.length > count,
    findings: [
      ...clockFindings(schedule, now, slots.at(-1)),
      ...jitterFinding(schedule),
      ...(ends_at !== null && slots.length < count ? [endFinding(ends_at, slots.length)] : []),
    ],
  })
}

function scheduleOf(request: TimingRequest, now: number): Outcome<Schedule, Refusal> {
  // The input does not affect the due times.
  const definition = definitionFrom({ ...request, input: '-' }, now)
  if (!definition.ok) return definition
  const hasEnded = endRefused(definition.value, now)
  if (hasEnded) return fail(hasEnded)
  if (hasPassed(definition.value, now)) return fail(at('/at', 'must be in the future'))
  const name = 'preview'
  const identity = {
    id: name,
    name,
    kind: 'schedule',
    incarnation: name,
    created_by: null,
  } as const
  return ok(newSchedule(identity, definition.value, now))
}

/** Returns the slots that the schedule decides next, in order. */
function slotsOf(schedule: Schedule, count: number): number[] {
  const slots: number[] = []
  let cursor = schedule.cursor
  while (slots.length < count) {
    const slot = dueSlot({ ...schedule, cursor })
    if (slot === undefined) break
    slots.push(slot)
    cursor = slot
  }
  return slots
}

function clockFindings(
  { when }: Schedule,
  now: number,
  last: number | undefined,
): ScheduleFinding[] {
  if (when.type !== 'cron' || last === undefined) return []
  const upTo = Math.min(last + REPEAT_MS, now + CHECKED_MS)
  const findings = clockChanges(when.timezone, now, upTo).flatMap((change) => {
    const first = cronNext(when.cron, 'UTC', change.from - 1)
    if (first === undefined || first >= change.to) return []
    const code = change.kind === 'gap' ? 'skipped' : 'doubled'
    const message =
      change.kind === 'gap' ? gapMessage(when, change) : overlapMessage(when, change, first)
    return [{ code, message, at: iso(change.at) } as const]
  })
  if (last <= now + CHECKED_MS) return findings
  const message = 'Clock changes after this time were not checked.'
  return [...findings, { code: 'unchecked', message, at: iso(now + CHECKED_MS) }]
}

type CronWhen = Extract<Schedule['when'], { type: 'cron' }>

/** Formats a local time that is stored as if it were UTC: `2026-03-29 02:30`. */
const localText = (local: number): string => iso(local).slice(0, 16).replace('T', ' ')

function gapMessage(when: CronWhen, { at, from, to }: ClockChange): string {
  const gap = `clocks skip from ${localText(from)} to ${localText(to)}`
  // The first slot after the gap that the expression names by its local time.
  const namedLocal = cronNext(when.cron, 'UTC', to - 1)
  const slot = nextSlot(when, at - 1)
  const isMoved = slot !== undefined && slot - at + to !== namedLocal
  return isMoved
    ? `In ${when.timezone}, ${gap}; a slot in the skipped time is due at ` +
        `${localIso(slot, when.timezone)}.`
    : `In ${when.timezone}, ${gap}; no slot is due for the skipped time.`
}

function overlapMessage(when: CronWhen, { at, from, to }: ClockChange, first: number): string {
  const overlap = `clocks repeat the time from ${localText(from)} to ${localText(to)}`
  const second = at + (first - from)
  const isTwice = nextSlot(when, second - 1) === second
  const outcome = isTwice ? 'slots in it are due twice' : 'slots in it are due once, the first time'
  return `In ${when.timezone}, ${overlap}; ${outcome}.`
}

function jitterFinding({ jitter_seconds }: Schedule): ScheduleFinding[] {
  if (jitter_seconds === 0) return []
  const message =
    `Each slot starts up to ${jitter_seconds} seconds later, by an amount that is fixed for the ` +
    'schedule and the slot once the schedule exists.'
  return [{ code: 'jitter', message, at: null }]
}

function endFinding(endsAt: number, count: number): ScheduleFinding {
  const slots =
    count === 0 ? 'No slot is' : `Only ${count} ${count === 1 ? 'slot is' : 'slots are'}`
  return { code: 'ends', message: `${slots} due before the schedule ends.`, at: iso(endsAt) }
}
