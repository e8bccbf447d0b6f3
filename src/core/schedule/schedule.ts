/**
 * A schedule: when it is due, the run that each slot starts, and how far it has come. The small
 * state stands in the head of its partition under compare-and-swap (protocol rule 24). Times are
 * milliseconds since 1970; the caller supplies the clock.
 */

import { digest } from '../../lib/digest.ts'
import type { ModelSettings } from '../model-settings.ts'
import type { ApprovalSettings } from '../run/log/approval-facts.ts'
import type { TerminalStatus } from '../run/log/subagent-facts.ts'
import type { Formatted } from '../webhook/format.ts'
import { nextSlot, type When } from './when.ts'

export const OVERLAPS = ['skip', 'queue', 'cancel_previous', 'allow'] as const
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/
export const NAME_FAULT = '1 to 64 of a-z, 0-9, and -, without - at its ends'
export const isScheduleName = (text: string): boolean => NAME.test(text)

export const CATCH_UPS = ['none', 'latest', 'all'] as const

/** The run of a slot; `input` is a template (`template.ts`). */
export interface ScheduledRun {
  readonly input: string
  readonly agent: string
  readonly label?: string | undefined
  readonly role?: string | undefined
  readonly repo_dir?: string | undefined
  readonly base_dir?: string | undefined
  readonly session_id?: string | undefined
  readonly model?: string | undefined
  readonly model_settings?: ModelSettings | undefined
  readonly tools?: readonly string[] | undefined
  readonly disallowed_tools?: readonly string[] | undefined
  readonly limits?: Readonly<Record<string, number | undefined>> | undefined
  readonly approvals?: ApprovalSettings | undefined
  readonly webhook?: Formatted & {
    readonly url: string
    readonly events?: readonly string[] | undefined
  }
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

/** The part of a schedule that people decide. */
export interface Definition {
  readonly description: string | null
  readonly when: When
  readonly run: ScheduledRun
  readonly overlap: (typeof OVERLAPS)[number]
  readonly catch_up: (typeof CATCH_UPS)[number]
  readonly catch_up_window_seconds: number
  readonly jitter_seconds: number
  /** No slot is due after it; null: it has no end. */
  readonly ends_at: number | null
}

/** `source`: the file that defines it is gone or wrong. */
export type PauseReason = 'by_hand' | 'failing' | 'source'

/** The file that defines a schedule, in the layers that its runs have too. */
export interface ScheduleSource {
  readonly role?: string | undefined
  readonly repo_dir?: string | undefined
  readonly base_dir?: string | undefined
  /** Its name without `.md`. */
  readonly file: string
  /** Key of the file when it was last read, below the tenant's space. */
  readonly key: string
  readonly digest: string
  readonly read_at: number
}

/** A fire in progress. */
export interface Fire {
  /** The id of its run, by schedule and slot: firing twice is firing once (protocol rule 28). */
  readonly run_id: string
  readonly slot: number
  /** A manual start; its slot is the time of the request. */
  readonly manual: boolean
  /** `due`: its run is to be created. `waiting`: another run has to end first. */
  readonly phase: 'due' | 'running' | 'waiting'
  /** Its run is to be cancelled, and does not know it yet. */
  readonly cancel?: true
  /** Since when its run cannot be created, because something is not there for a while. */
  readonly tried_since?: number
}

export interface Schedule extends Definition {
  readonly id: string
  readonly name: string
  readonly kind: 'schedule' | 'wakeup'
  /** Absent: requests define it. */
  readonly source?: ScheduleSource | undefined
  /** Tells it from one of the same name that was deleted. */
  readonly incarnation: string
  /** The run whose model made it. */
  readonly created_by: string | null
  readonly pause: {
    readonly reason: PauseReason
    readonly detail: string | null
    readonly at: number
  } | null
  /** No further slot is due; retained for a while for readers. */
  readonly ended_at: number | null
  readonly deleted: boolean
  /** Increases with every change that was made or must be seen: the ETag. */
  readonly revision: number
  readonly created_at: number
  /** Latest decided slot. Never moves back, even if the clock does. */
  readonly cursor: number
  readonly fires: readonly Fire[]
  /** Runs in a row that failed. */
  readonly failures: number
  readonly last: {
    readonly slot: number
    readonly run_id: string | null
    readonly outcome: FireOutcome
  } | null
}

/** The outcome of a slot. */
export type FireOutcome = 'started' | 'waiting' | 'skipped' | 'missed' | TerminalStatus

export type ScheduleIdentity = Pick<Schedule, 'id' | 'name' | 'kind' | 'incarnation' | 'created_by'>

export const newSchedule = (
  identity: ScheduleIdentity,
  definition: Definition,
  now: number,
): Schedule => ({
  ...identity,
  ...definition,
  pause: null,
  ended_at: null,
  deleted: false,
  revision: 1,
  created_at: now,
  // A moment that has just passed is still due; crons count from now on.
  cursor: definition.when.type === 'at' ? Math.min(now, definition.when.at - 1) : now,
  fires: [],
  failures: 0,
  last: null,
})

const DEFINITION = [
  'description',
  'when',
  'run',
  'overlap',
  'catch_up',
  'catch_up_window_seconds',
  'jitter_seconds',
  'ends_at',
] as const satisfies readonly (keyof Definition)[]

const definitionOf = (schedule: Definition): Definition =>
  Object.fromEntries(DEFINITION.map((name) => [name, schedule[name]])) as unknown as Definition

export const isSame = (left: Definition, right: Definition): boolean =>
  digest(clean(definitionOf(left))) === digest(clean(definitionOf(right)))

/** Without members that say nothing. */
const clean = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/**
 * Applies a new definition from the next slot on. A changed time starts now, and never before what
 * was decided.
 */
export function redefined(schedule: Schedule, definition: Definition, now: number): Schedule {
  const newWhen = definition.when
  const oldWhen = schedule.when
  const isUnchanged =
    newWhen.type === 'every' && oldWhen.type === 'every' && newWhen.every_ms === oldWhen.every_ms
  const when = isUnchanged ? oldWhen : newWhen
  const isOther = digest(when) !== digest(oldWhen)
  const cursor = isOther ? Math.max(schedule.cursor, now) : schedule.cursor
  const from = when.type === 'at' && isOther ? Math.min(cursor, when.at - 1) : cursor
  const next = { ...schedule, ...definition, when, cursor: from, revision: schedule.revision + 1 }
  return next.ended_at !== null && dueSlot(next) !== undefined ? { ...next, ended_at: null } : next
}

export const paused = (
  schedule: Schedule,
  reason: PauseReason,
  detail: string | null,
  now: number,
): Schedule => ({
  ...schedule,
  pause: { reason, detail, at: now },
  revision: schedule.revision + 1,
})

/** Slots that were due while it was paused are not caught up with. */
export const resumed = (schedule: Schedule, now: number): Schedule => ({
  ...schedule,
  pause: null,
  failures: 0,
  cursor: Math.max(schedule.cursor, schedule.when.type === 'at' ? schedule.cursor : now),
  revision: schedule.revision + 1,
})

export const statusOf = ({ ended_at, pause }: Schedule): 'active' | 'paused' | 'ended' =>
  ended_at !== null ? 'ended' : pause ? 'paused' : 'active'

/** The next slot that is not decided; undefined: there will be none. */
export function dueSlot({ when, cursor, ends_at }: Schedule): number | undefined {
  const slot = nextSlot(when, cursor)
  return slot === undefined || (ends_at !== null && slot > ends_at) ? undefined : slot
}

/**
 * When the slot fires: delayed by its own part of the jitter, which is the same for every reader.
 */
export function fireAt({ id, jitter_seconds }: Schedule, slot: number): number {
  if (jitter_seconds === 0) return slot
  const share = Number.parseInt(digest([id, slot]).slice(0, 8), 16) / 0x1_0000_0000
  return slot + Math.floor(share * jitter_seconds * 1_000)
}
