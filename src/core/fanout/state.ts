/**
 * State of a fan-out, folded from its facts. The fields `outbox`, `late_results`, and `epoch` are
 * stored in the head, as for a run.
 */

import type { LateResults } from '../late-results.ts'
import { NO_LATE_RESULTS } from '../late-results.ts'
import { LIMITS } from '../limits.ts'
import type { Usage } from '../message.ts'
import { NO_USAGE } from '../message.ts'
import type { Outbox } from '../outbox.ts'
import type { Budget } from '../run/log/fact-parts.ts'
import type { Announce, BarrierReleased, RunError } from '../run/log/facts.ts'
import type { FanoutExtended, FanoutOutput, FanoutSpec, PageEnd, TaskCounts } from './facts.ts'

type FanoutStatus = 'running' | 'completed' | 'failed' | 'cancelled'

/** State of a task, with its result. */
export interface Task {
  /** ID of the task's run; null until the run is created. */
  readonly run_id: string | null
  /** Notice of the task's end; null while the task is live. */
  readonly announce: Announce | PageEnd | null
  /** Task's share of the budget; absent if there is no budget. */
  readonly allotment?: Budget
  /** Reference to a page, in an open fan-out, where each task is a page. */
  readonly page?: PageRef
}
export type PageRef = Pick<FanoutExtended, 'page' | 'count' | 'tasks' | 'request'>
export const NOT_CREATED: Task = { run_id: null, announce: null }

/** Name that identifies the closing run among the children. */
export const CLOSING = 'then'

export interface FanoutState {
  readonly seq: number
  readonly spec: FanoutSpec | null
  readonly status: FanoutStatus
  readonly created_at: number
  readonly ended_at: number | null
  /** Tasks in request order; for an open fan-out, its pages in order of arrival. */
  readonly tasks: readonly Task[]
  /** Whether all pages have arrived. */
  readonly sealed: boolean
  /** Time when the last page arrived, or when the fan-out was created. */
  readonly extended_at: number
  /** State of the closing run. */
  readonly closing: Task
  /** Tasks that the fan-out no longer waits for; null while the barrier is closed. */
  readonly released: {
    readonly missing: readonly string[]
    readonly reason: BarrierReleased['reason']
  } | null
  readonly cancel: { readonly reason: string | null } | null
  readonly usage: Usage
  readonly output: FanoutOutput | null
  readonly error: RunError | null
  // The following fields are not folded from facts:
  readonly epoch: number
  readonly outbox: Outbox
  /** Results of tasks that arrived after the fan-out had ended. */
  readonly late_results: LateResults
  readonly busy: number
  readonly subscribed: readonly string[]
}

export const INITIAL_FANOUT: FanoutState = {
  seq: 0,
  spec: null,
  status: 'running',
  created_at: 0,
  ended_at: null,
  tasks: [],
  sealed: false,
  extended_at: 0,
  closing: NOT_CREATED,
  released: null,
  cancel: null,
  usage: NO_USAGE,
  output: null,
  error: null,
  epoch: 0,
  outbox: { webhook: [], cancel: [] },
  late_results: NO_LATE_RESULTS,
  busy: 0,
  subscribed: [],
}

const TASK = /^(?:0|[1-9]\d{0,3})$/

/** Returns the task or closing run with the name `call`, or undefined. */
export function taskOf(state: FanoutState, call: string): Task | undefined {
  if (call === CLOSING) return state.spec?.closing ? state.closing : undefined
  return TASK.test(call) ? state.tasks[Number(call)] : undefined
}

/** Returns the notice of the end of a task's run; null while the run is live, and for a page. */
export const toldBy = ({ announce }: Task): Announce | null =>
  announce === null || 'children' in announce ? null : announce

export const isLiveTask = ({ run_id, announce }: Task): boolean =>
  run_id !== null && announce === null

/** Returns the number of free slots for further children. */
export const room = (state: FanoutState): number =>
  (state.spec?.live_children ?? 0) - state.tasks.filter(isLiveTask).length

/**
 * Returns when the barrier stops waiting for tasks. The deadline is wall time, because all tasks
 * were requested at once.
 */
export function fanoutDeadline({ spec, created_at, released }: FanoutState): number | undefined {
  const seconds = spec?.join.deadline_seconds ?? null
  return seconds === null || released !== null ? undefined : created_at + seconds * 1000
}

/**
 * Returns the time when an open fan-out fails, unless another page arrives or the fan-out is
 * sealed.
 */
export function sealBy({ spec, sealed, extended_at, released }: FanoutState): number | undefined {
  if (!spec?.open || sealed || released !== null) return undefined
  return extended_at + LIMITS.open_fanout_seconds * 1000
}

/** Returns the next time at which the fan-out's state changes without mail. */
export function nextEnd(state: FanoutState): number | undefined {
  const ends = [fanoutDeadline(state), sealBy(state)].filter((end) => end !== undefined)
  return ends.length === 0 ? undefined : Math.min(...ends)
}

const NO_TASKS = { queued: 0, live: 0, completed: 0, failed: 0, cancelled: 0, timed_out: 0 }

export function taskCounts(state: FanoutState): TaskCounts {
  const out = { total: state.tasks.length, ...NO_TASKS }
  if (state.spec?.open) return addCounts(state.tasks.map((_, index) => pageCounts(state, index)))
  for (const index of state.tasks.keys()) out[taskStatus(state, index)] += 1
  return out
}

/**
 * Returns the task counts of a page. Tasks of an active page count as live, because only the page
 * knows their states.
 */
export function pageCounts(state: FanoutState, index: number): TaskCounts {
  const { page, announce } = state.tasks[index]!
  const end = announce ?? state.late_results.ends[index]
  if (end && 'children' in end && end.children) return end.children
  const total = page?.count ?? 0
  const status = taskStatus(state, index)
  return { total, ...NO_TASKS, [status]: total }
}

export function addCounts(all: readonly TaskCounts[]): TaskCounts {
  const sum = { total: 0, ...NO_TASKS }
  for (const counts of all) {
    for (const name of Object.keys(sum) as (keyof TaskCounts)[]) sum[name] += counts[name]
  }
  return sum
}

/**
 * Returns the status of a task. A task with a run is live until the run reports its end; a task
 * without a run may never start.
 */
export function taskStatus(state: FanoutState, index: number) {
  const { run_id, announce } = state.tasks[index]!
  const end = announce ?? state.late_results.ends[index]
  if (end !== undefined) return end.status
  if (run_id !== null) return 'live'
  // After the barrier has opened or the fan-out has ended, no task starts.
  return state.ended_at !== null || state.released !== null ? 'cancelled' : 'queued'
}
