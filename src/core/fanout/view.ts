/** API view of a fan-out, and its facts as events. Times are RFC 3339 in UTC. */

import { iso } from '../../lib/time.ts'
import type { Body, Usage } from '../message.ts'
import { addUsage, preview } from '../message.ts'
import type { Budget, TaskWarning, Warned } from '../run/log/fact-parts.ts'
import type { BarrierReleased, Join, LoggedFact, RunError } from '../run/log/facts.ts'
import { warned } from '../run/state/warning.ts'
import { type Budgeted, budgetView } from '../run/views/budget.ts'
import { type Event, eventWith } from '../run/views/event.ts'
import { heldByTasks } from './budget.ts'
import { fanoutChildId } from './child.ts'
import type { FanoutFact, TaskCounts, TaskPlan } from './facts.ts'
import { takesPages } from './open.ts'
import type { FanoutState } from './state.ts'
import { CLOSING, taskCounts, taskStatus, toldBy } from './state.ts'

export interface FanoutView extends Budgeted {
  readonly id: string
  readonly object: 'fanout'
  readonly status: string
  readonly label: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly limits: Required<Budget>
  /** Whether the fan-out accepts more pages of tasks. */
  readonly open: boolean
  /** Number of pages received; null if the fan-out was created with all its tasks. */
  readonly pages: number | null
  /** ID of the open fan-out that this page belongs to. */
  readonly parent_fanout_id: string | null
  /** Reason why the fan-out no longer waits for tasks. */
  readonly released_by: BarrierReleased['reason'] | null
  readonly join: Join
  readonly children: TaskCounts
  readonly closing_run_id: string | null
  readonly output: {
    readonly text: string
    readonly structured: unknown
    readonly attachments: readonly string[]
    readonly attachments_left_out: number
  } | null
  readonly error: RunError | null
  readonly usage: Usage
  /** Warnings about the tasks; absent if there are none. */
  readonly warnings?: readonly TaskWarning[]
  readonly created_at: string
  readonly ended_at: string | null
}

/**
 * Returns the API view of a fan-out. `text` returns the full text of a loaded body; listings pass
 * `preview`.
 */
export function fanoutView(state: FanoutState, text: (body: Body) => string = preview): FanoutView {
  const { id, join, warnings, label = null, metadata = {}, limits, open, parent } = state.spec!
  const { output } = state
  const usage = addUsage(state.usage, state.late_results.usage)
  return {
    id,
    object: 'fanout',
    status: state.status,
    label,
    metadata,
    limits: {
      max_tokens: limits?.max_tokens ?? null,
      max_model_calls: limits?.max_model_calls ?? null,
      max_cost_usd: limits?.max_cost_usd ?? null,
    },
    open: takesPages(state),
    pages: open ? state.tasks.length : null,
    parent_fanout_id: parent?.run_id ?? null,
    released_by: state.released?.reason ?? null,
    join,
    children: taskCounts(state),
    closing_run_id: state.closing.run_id,
    output: output && {
      text: text(output.text),
      structured: output.structured,
      attachments: output.attachments ?? [],
      attachments_left_out: output.attachments_left_out ?? 0,
    },
    error: state.error,
    usage,
    ...budgetView(limits, usage, {
      held: heldByTasks(state),
      isOver: state.released?.reason === 'budget',
    }),
    ...(warnings === undefined ? {} : { warnings }),
    created_at: iso(state.created_at),
    ended_at: state.ended_at === null ? null : iso(state.ended_at),
  }
}

/** Task with its result. A long result is truncated; the task's run has the full text. */
export interface TaskView extends Warned {
  readonly index: number
  readonly run_id: string | null
  readonly agent: string
  readonly label: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly task: string
  readonly status: string
  /** Reason why the task's run ended; null if the run has not ended or has not reported its end. */
  readonly stop_reason: string | null
  /** Whether the task ended after the fan-out; its result is then available only from its run. */
  readonly late: boolean
  readonly result: string | null
  /** Last text of a task that ended before it completed. */
  readonly partial?: string
  readonly structured: unknown
  /** Reason why the task's answer does not match the requested schema. */
  readonly schema_error: string | null
  /** Keys of the attached files, followed by the number of omitted files. */
  readonly attachments: readonly string[]
  readonly attachments_left_out: number
  readonly error: RunError | null
  readonly usage: Usage | null
  readonly duration_ms: number | null
  readonly truncated: boolean
}

/** Returns the API view of a task; `first` is the index of the first task in the list. */
export function taskView(
  state: FanoutState,
  { agent, label, task: text, metadata = {}, warnings }: TaskPlan,
  at: number,
  first = 0,
): TaskView {
  const task = state.tasks[at]!
  const announce = toldBy(task)
  const result = announce?.result ?? null
  const partial = announce?.partial
  return {
    index: first + at,
    run_id: task.run_id ?? lateRun(state, at),
    agent: announce?.agent ?? agent,
    label,
    metadata,
    task: text,
    status: taskStatus(state, at),
    stop_reason: announce?.stop_reason ?? null,
    late: state.late_results.ends[at] !== undefined,
    result: result === null ? null : preview(result),
    ...(partial === undefined ? {} : { partial: preview(partial) }),
    structured: announce?.structured ?? null,
    schema_error: announce?.schema_error ?? null,
    attachments: announce?.attachments ?? [],
    attachments_left_out: announce?.attachments_left_out ?? 0,
    error: announce?.error ?? null,
    usage: announce?.usage ?? null,
    ...warned(announce === null ? warnings : announce.warnings),
    duration_ms: announce?.duration_ms ?? null,
    truncated: announce !== null && (announce.truncated || isSpilled(result ?? partial)),
  }
}

/** Whether a long text is stored outside the log; the log then contains only its beginning. */
const isSpilled = (body: Body | undefined): boolean => typeof body === 'object'

/**
 * Returns the run ID of a task whose creation was not recorded in time; the notice of the run's end
 * contains the ID.
 */
const lateRun = ({ spec, late_results: after }: FanoutState, index: number): string | null =>
  after.ends[index] === undefined ? null : fanoutChildId(spec!, String(index))

/**
 * Returns a fact as an event with the same fields. `run_id` is the fan-out's ID; the log is
 * numbered like a run's log.
 */
export const fanoutEvent = (id: string, entry: LoggedFact<FanoutFact>): Event =>
  eventWith(id, entry, dataOf(id, entry.fact))

function dataOf(id: string, fact: FanoutFact): Record<string, unknown> {
  if (fact.type === 'fanout.created') {
    const { count, join, closing: last, strict, on_duplicate } = fact.fanout
    const { approvals, warnings, label, metadata, limits, open, parent } = fact.fanout
    const closing = last && { agent: last.agent, run_id: fanoutChildId(fact.fanout, CLOSING) }
    const members = Object.entries({ approvals, warnings, label, metadata, limits, open, parent })
    const present = Object.fromEntries(members.filter(([, value]) => value !== undefined))
    return { id, tasks: count, join, closing, ...present, strict, on_duplicate }
  }
  if (fact.type === 'fanout.extended') return { page: fact.page, tasks: fact.count }
  const { type: _, ...data } = fact
  return data
}
