/**
 * Schedule: its due times, the run that each slot starts, and its progress. The small state is in
 * the head of the schedule's partition, under compare-and-swap (PROTOCOL.md rule 24). Times are
 * milliseconds since 1970; the caller supplies the clock.
 */

import { digest } from '../../lib/digest.ts'
import type { ModelSettings } from '../model-settings.ts'
import type { ApprovalSettings } from '../run/log/approval-facts.ts'
import type { TerminalStatus } from '../run/log/subagent-facts.ts'
import type { QuotaKey } from '../tenant-quotas.ts'
import type { Formatted } from '../webhook/format.ts'
import { nextSlot, type When } from './when.ts'

export const OVERLAPS = ['skip', 'queue', 'cancel_previous', 'allow'] as const
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/
export const NAME_FAULT =
  'use 1 to 64 characters from a-z, 0-9, and -, without a leading or trailing -'
export const isScheduleName = (text: string): boolean => NAME.test(text)

export const CATCH_UPS = ['none', 'latest', 'all'] as const

/** Run that each slot of a schedule starts; `input` is a template (`template.ts`). */
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
  /** End user on whose behalf the runs act; absent if there is none. */
  readonly subject?: string | undefined
}

/** User-defined part of a schedule. */
export interface Definition {
  readonly description: string | null
  readonly when: When
  readonly run: ScheduledRun
  readonly overlap: (typeof OVERLAPS)[number]
  readonly catch_up: (typeof CATCH_UPS)[number]
  readonly catch_up_window_seconds: number
  readonly jitter_seconds: number
  /** Time after which no slot is due; null if the schedule has no end. */
  readonly ends_at: number | null
}

/** Reason why a schedule is paused; `source` means that its file is missing or invalid. */
export type PauseReason = 'by_hand' | 'failing' | 'source'

/** File that defines a schedule, in the layers that its runs use. */
export interface ScheduleSource {
  readonly role?: string | undefined
  readonly repo_dir?: string | undefined
  readonly base_dir?: string | undefined
  /** Name of the defining file, without `.md`. */
  readonly file: string
  /** Key of the defining file when last read, below the tenant's prefix. */
  readonly key: string
  readonly digest: string
  readonly read_at: number
}

/** Fire in progress: the run of one slot. */
export interface Fire {
  /**
   * ID of the fire's run. Derived from the schedule and slot, so that firing is idempotent
   * (PROTOCOL.md rule 28).
   */
  readonly run_id: string
  readonly slot: number
  /** Whether the fire was started manually. If so, its slot is the time of the request. */
  readonly manual: boolean
  /**
   * Phase of the fire: `due` means that its run must be created; `waiting` means that another run
   * must end first.
   */
  readonly phase: 'due' | 'running' | 'waiting'
  /** Whether the fire's run must still be notified of its cancellation. */
  readonly cancel?: true
  /**
   * Time since which the fire's run cannot be created, because a dependency is temporarily
   * unavailable.
   */
  readonly tried_since?: number
  /** Reason why the fire's run cannot be created yet, such as a quota. */
  readonly delay_reason?: string
  /** API key with quotas that started the fire manually; its quotas count the run. */
  readonly key?: QuotaKey
}

export interface Schedule extends Definition {
  readonly id: string
  readonly name: string
  readonly kind: 'schedule' | 'wakeup'
  /** File that defines the schedule; absent if requests define it. */
  readonly source?: ScheduleSource | undefined
  /** Identifier that distinguishes the schedule from a deleted one with the same name. */
  readonly incarnation: string
  /** ID of the run whose model created the schedule. */
  readonly created_by: string | null
  /**
   * API key with quotas that last changed the schedule, or whose run created the wakeup; its quotas
   * count the runs.
   */
  readonly key?: QuotaKey
  readonly pause: {
    readonly reason: PauseReason
    readonly detail: string | null
    readonly at: number
  } | null
  /** Time when the schedule's last slot was decided. Ended schedules stay readable for a while. */
  readonly ended_at: number | null
  readonly deleted: boolean
  /** Revision number of the schedule for its ETag; increases with every visible change. */
  readonly revision: number
  readonly created_at: number
  /** Latest slot that was decided. Never decreases, even if the clock goes back. */
  readonly cursor: number
  readonly fires: readonly Fire[]
  /** Number of consecutive failed runs of the schedule. */
  readonly failures: number
  readonly last: {
    readonly slot: number
    readonly run_id: string | null
    readonly outcome: FireOutcome
  } | null
}

/** Outcome of a schedule slot. */
export type FireOutcome = 'started' | 'waiting' | 'skipped' | 'missed' | TerminalStatus

export type ScheduleIdentity = Pick<
  Schedule,
  'id' | 'name' | 'kind' | 'incarnation' | 'created_by' | 'key'
>

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
  // A single time that has just passed is still due. Cron expressions count from now on.
  cursor: definition.when.type === 'at' ? Math.min(now, definition.when.at - 1) : now,
  fires: [],
  failures: 0,
  last: null,
})

/** Returns whether the only slot of a schedule has passed. */
export const hasPassed = ({ when }: Definition, now: number): boolean =>
  when.type === 'at' && when.at <= now

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

/** Removes members with undefined values. */
const clean = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/**
 * Applies a new schedule definition from the next slot on. Changed due times apply from now, and
 * never to slots that were already decided.
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

/** Resumes a paused schedule. Slots that were due during the pause are not caught up. */
export const resumed = (schedule: Schedule, now: number): Schedule => ({
  ...schedule,
  pause: null,
  failures: 0,
  cursor: Math.max(schedule.cursor, schedule.when.type === 'at' ? schedule.cursor : now),
  revision: schedule.revision + 1,
})

export const statusOf = ({ ended_at, pause }: Schedule): 'active' | 'paused' | 'ended' =>
  ended_at !== null ? 'ended' : pause ? 'paused' : 'active'

/** Returns the schedule's next undecided slot, or undefined if there is none. */
export function dueSlot({ when, cursor, ends_at }: Schedule): number | undefined {
  const slot = nextSlot(when, cursor)
  return slot === undefined || (ends_at !== null && slot > ends_at) ? undefined : slot
}

/** Returns when a slot fires, including a jitter that is the same for every reader. */
export function fireAt({ id, jitter_seconds }: Schedule, slot: number): number {
  if (jitter_seconds === 0) return slot
  const share = Number.parseInt(digest([id, slot]).slice(0, 8), 16) / 0x1_0000_0000
  return slot + Math.floor(share * jitter_seconds * 1_000)
}
