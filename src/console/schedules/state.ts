/** Schedules as the page edits them: their form, the changes to send, and the past slots. */

import type { components } from '../../client/index.ts'
import { localTime, momentOf } from '../text/local-time.ts'

type Schemas = components['schemas']
export type Schedule = Schemas['Schedule']
export type Fire = Schemas['ScheduleFire']
export type Outcome = Fire['outcome']

export const TIMINGS = ['cron', 'every', 'at'] as const
export type Timing = (typeof TIMINGS)[number]

/** Members of the run that the form edits as texts. */
export const RUN_FIELDS = ['role', 'repo_dir', 'session_id', 'model', 'label', 'subject'] as const
export const OVERLAPS = ['skip', 'queue', 'cancel_previous', 'allow'] as const
export const CATCH_UPS = ['latest', 'all', 'none'] as const

type Field =
  | ('name' | 'description' | 'input' | 'agent' | (typeof RUN_FIELDS)[number])
  | ('cron' | 'timezone' | 'every' | 'at' | 'ends_at')
  | ('overlap' | 'catch_up' | 'jitter_seconds')

/** Values of the form. Times are local times of the browser, as their fields have them. */
export type Draft = Readonly<Record<Field, string>> & { readonly timing: Timing }

/** Returns the expression without a first field that names second 0. */
export const shortCron = (cron: string): string =>
  cron.split(' ').length === 6 ? cron.replace(/^0 /, '') : cron

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'm'],
] as const

/** Returns an interval as the API reads it, in the largest unit that divides it: `15m`. */
export function intervalText(seconds: number): string {
  const unit = UNITS.find(([size]) => seconds % size === 0)
  return unit ? `${seconds / unit[0]}${unit[1]}` : `${seconds}s`
}

function timingOf({ at, every_seconds }: Schedule): Timing {
  if (at !== null) return 'at'
  return every_seconds === null ? 'cron' : 'every'
}

/** Returns the values of the form of a schedule, or of a new one. */
export function draftOf(schedule: Schedule | undefined, zone: string): Draft {
  const run = schedule?.run
  return {
    ...{ name: schedule?.name ?? '', description: schedule?.description ?? '' },
    timing: schedule ? timingOf(schedule) : 'cron',
    cron: schedule ? shortCron(schedule.cron ?? '') : '0 9 * * 1-5',
    timezone: schedule?.timezone ?? zone,
    every: intervalText(schedule?.every_seconds ?? 3_600),
    at: localTime(schedule?.at ?? undefined),
    ends_at: localTime(schedule?.ends_at ?? undefined),
    ...{ input: run?.input ?? '', agent: run?.agent ?? '', role: run?.role ?? '' },
    ...{ repo_dir: run?.repo_dir ?? '', session_id: run?.session_id ?? '' },
    ...{ model: run?.model ?? '', label: run?.label ?? '', subject: run?.subject ?? '' },
    overlap: schedule?.overlap ?? 'skip',
    catch_up: schedule?.catch_up ?? 'latest',
    jitter_seconds: String(schedule?.jitter_seconds ?? 0),
  }
}

/** Returns the members that decide about the slots. */
function whenOf({ timing, cron, timezone, every, at }: Draft) {
  if (timing === 'every') return { every: every.trim() }
  if (timing === 'at') return { at: momentOf(at) }
  return { cron: cron.trim(), ...(timezone.trim() && { timezone: timezone.trim() }) }
}

const secondsOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

/** Returns the due times to preview; undefined while the field of the timing is empty. */
export function previewOf(draft: Draft): Schemas['SchedulePreviewInput'] | undefined {
  if (draft[draft.timing].trim() === '') return undefined
  const jitter = secondsOf(draft.jitter_seconds)
  return {
    ...whenOf(draft),
    ...(draft.ends_at && { ends_at: momentOf(draft.ends_at) }),
    ...(jitter && { jitter_seconds: jitter }),
  }
}

const TEXTS = ['description', 'agent', ...RUN_FIELDS] as const

export function inputOf(draft: Draft): Schemas['ScheduleInput'] {
  const texts = (['name', ...TEXTS] as const).map((name) => [name, draft[name].trim()] as const)
  return {
    input: draft.input,
    overlap: draft.overlap as Schedule['overlap'],
    catch_up: draft.catch_up as Schedule['catch_up'],
    ...previewOf(draft),
    ...Object.fromEntries(texts.filter(([, text]) => text !== '')),
  }
}

/**
 * Returns only the changed members, so that the schedule keeps changes of other members. An empty
 * field removes a member; the agent has no empty value, so it then stays unchanged.
 */
export function patchOf(schedule: Schedule, draft: Draft, zone: string): Schemas['SchedulePatch'] {
  const previous = draftOf(schedule, zone)
  const isChanged = (...names: readonly (keyof Draft)[]): boolean =>
    names.some((name) => draft[name] !== previous[name])
  const { timing } = draft
  const texts = TEXTS.filter((name) => isChanged(name))
    .map((name) => [name, draft[name].trim()] as const)
    .filter(([name, text]) => name !== 'agent' || text !== '')
    .map(([name, text]) => [name, text === '' ? null : text] as const)
  return {
    ...((isChanged('timing', timing) || (timing === 'cron' && isChanged('timezone'))) &&
      whenOf(draft)),
    ...(isChanged('input') && { input: draft.input }),
    ...(isChanged('overlap') && { overlap: draft.overlap as Schedule['overlap'] }),
    ...(isChanged('catch_up') && { catch_up: draft.catch_up as Schedule['catch_up'] }),
    ...(isChanged('jitter_seconds') && { jitter_seconds: secondsOf(draft.jitter_seconds) }),
    ...(isChanged('ends_at') && { ends_at: draft.ends_at ? momentOf(draft.ends_at) : null }),
    ...Object.fromEntries(texts),
  }
}

/** Moves the edited values of a form from the schedule that it began with to a later state. */
export function rebasedDraft(draft: Draft, from: Schedule, to: Schedule, zone: string): Draft {
  const [previous, next] = [draftOf(from, zone), draftOf(to, zone)]
  const edited = Object.entries(draft).filter(
    ([name, value]) => value !== previous[name as keyof Draft],
  )
  return { ...next, ...Object.fromEntries(edited) }
}

/** Fields of the form that can have an error of the API, by their JSON pointers. */
const FIELD_ERRORS = {
  ...{ '/cron': 'when', '/every': 'when', '/at': 'when', '/timezone': 'timezone' },
  ...{ '/ends_at': 'ends_at', '/jitter_seconds': 'jitter_seconds' },
} as const
type WrongField = (typeof FIELD_ERRORS)[keyof typeof FIELD_ERRORS]

interface PointedError {
  readonly pointer: string
  readonly message: string
}

/** Returns the sentences of the API by the fields to which they belong. */
export function fieldErrors(
  errors: readonly PointedError[],
): Readonly<Partial<Record<WrongField, string>>> {
  const pairs = errors.flatMap(({ pointer, message }) =>
    pointer in FIELD_ERRORS
      ? [[FIELD_ERRORS[pointer as keyof typeof FIELD_ERRORS], sentenceOf(message)] as const]
      : [],
  )
  return Object.fromEntries(pairs)
}

const sentenceOf = (message: string): string =>
  `${message.slice(0, 1).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`

/** Returns the number of slots with each outcome, the most frequent first. */
export function outcomeCounts(fires: readonly Fire[]): readonly (readonly [Outcome, number])[] {
  const counts = new Map<Outcome, number>()
  for (const { outcome, count } of fires)
    counts.set(outcome, (counts.get(outcome) ?? 0) + Math.max(1, count))
  return [...counts].toSorted(([, a], [, b]) => b - a)
}

/** Whether a slot's outcome is listed with its reason. */
export const isUnusual = ({ outcome, reason }: Fire): boolean =>
  !['started', 'waiting', 'completed'].includes(outcome) || reason !== null
