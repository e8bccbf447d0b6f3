/**
 * What a fan-out is, folded from its facts; `debts`, `after` and `epoch` stand in the head, as for
 * a run.
 */

import type { After, LateDebt } from '../after.ts'
import { NOTHING_AFTER } from '../after.ts'
import type { Usage } from '../message.ts'
import { NO_USAGE } from '../message.ts'
import type { Announce, RunError } from '../run/facts.ts'
import type { FanoutOutput, FanoutSpec, TaskCounts } from './facts.ts'

export type FanoutStatus = 'running' | 'completed' | 'failed' | 'cancelled'

/** One task and what became of it. */
export interface Task {
  /** Null until it was created. */
  readonly run_id: string | null
  /** Null while it lives. */
  readonly announce: Announce | null
}
export const NOT_CREATED: Task = { run_id: null, announce: null }

/** By this name the closing run stands among the children. */
export const CLOSING = 'then'

export interface FanoutDebts {
  /** Events (by seq) that the webhook must be told. */
  readonly webhook: readonly number[]
  /** Children that must be cancelled, whether or not they have been created. */
  readonly cancel: readonly string[]
  /** The tenant's endpoints have been told of everything before this fact. */
  readonly events?: number | null
  /** Children whose ends came after its own. */
  readonly late?: readonly LateDebt[]
}

export interface FanoutState {
  readonly seq: number
  readonly spec: FanoutSpec | null
  readonly status: FanoutStatus
  readonly created_at: number
  readonly ended_at: number | null
  /** In the order of the request. */
  readonly tasks: readonly Task[]
  /** The closing run. */
  readonly closing: Task
  /** Which tasks nobody waits for any more; null while the barrier is closed. */
  readonly released: {
    readonly missing: readonly string[]
    readonly reason: 'joined' | 'deadline'
  } | null
  readonly cancel: { readonly reason: string | null } | null
  readonly usage: Usage
  readonly output: FanoutOutput | null
  readonly error: RunError | null
  // Not folded:
  readonly epoch: number
  readonly debts: FanoutDebts
  /** What was heard of tasks since its end. */
  readonly after: After
  readonly busy: number
  readonly watched: readonly string[]
}

export const INITIAL_FANOUT: FanoutState = {
  seq: 0,
  spec: null,
  status: 'running',
  created_at: 0,
  ended_at: null,
  tasks: [],
  closing: NOT_CREATED,
  released: null,
  cancel: null,
  usage: NO_USAGE,
  output: null,
  error: null,
  epoch: 0,
  debts: { webhook: [], cancel: [] },
  after: NOTHING_AFTER,
  busy: 0,
  watched: [],
}

const TASK = /^(?:0|[1-9]\d{0,3})$/

/** The task or the closing run of this name; undefined when there is none. */
export function taskOf(state: FanoutState, call: string): Task | undefined {
  if (call === CLOSING) return state.spec?.closing ? state.closing : undefined
  return TASK.test(call) ? state.tasks[Number(call)] : undefined
}

export const isLiveTask = ({ run_id, announce }: Task): boolean =>
  run_id !== null && announce === null

/** How many places are free for the next children. */
export const room = (state: FanoutState): number =>
  (state.spec?.live_children ?? 0) - state.tasks.filter(isLiveTask).length

/** When the barrier gives up on the rest; wall time, since all tasks were asked for at once. */
export function fanoutDeadline({ spec, created_at, released }: FanoutState): number | undefined {
  const seconds = spec?.join.deadline_seconds ?? null
  return seconds === null || released !== null ? undefined : created_at + seconds * 1000
}

export function taskCounts(state: FanoutState): TaskCounts {
  const out = { queued: 0, live: 0, completed: 0, failed: 0, cancelled: 0, timed_out: 0 }
  for (const index of state.tasks.keys()) out[taskStatus(state, index)] += 1
  return { total: state.tasks.length, ...out }
}

/** A task that has a run lives until that has told its end; one that has none may never get one. */
export function taskStatus(state: FanoutState, index: number) {
  const { run_id, announce } = state.tasks[index]!
  const end = announce ?? state.after.ends[index]
  if (end !== undefined) return end.status
  if (run_id !== null) return 'live'
  // Once the barrier is open or all is over, no task is begun any more.
  return state.ended_at !== null || state.released !== null ? 'cancelled' : 'queued'
}
