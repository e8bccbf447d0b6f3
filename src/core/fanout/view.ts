/** A fan-out as the API shows it, and its facts as events. Times are RFC 3339 in UTC. */

import { iso } from '../../lib/time.ts'
import type { Body, Usage } from '../message.ts'
import { addUsage, preview } from '../message.ts'
import { type Event, eventWith } from '../run/event.ts'
import type { Join, RunError, Stamped } from '../run/facts.ts'
import { fanoutChildId } from './child.ts'
import type { FanoutFact, TaskCounts, TaskPlan } from './facts.ts'
import type { FanoutState } from './state.ts'
import { CLOSING, taskCounts, taskStatus } from './state.ts'

export interface FanoutView {
  readonly id: string
  readonly object: 'fanout'
  readonly status: string
  readonly join: Join
  readonly children: TaskCounts
  readonly closing_run_id: string | null
  readonly output: { readonly text: string; readonly structured: unknown } | null
  readonly error: RunError | null
  readonly usage: Usage
  readonly created_at: string
  readonly ended_at: string | null
}

/** `text` gives a body's full text where it is loaded; listings pass `preview`. */
export function fanoutView(state: FanoutState, text: (body: Body) => string = preview): FanoutView {
  const { id, join } = state.spec!
  const { output } = state
  return {
    id,
    object: 'fanout',
    status: state.status,
    join,
    children: taskCounts(state),
    closing_run_id: state.closing.run_id,
    output: output && { text: text(output.text), structured: output.structured },
    error: state.error,
    usage: addUsage(state.usage, state.after.usage),
    created_at: iso(state.created_at),
    ended_at: state.ended_at === null ? null : iso(state.ended_at),
  }
}

/** One task and what came of it; a long result is shortened, its run has it whole. */
export interface TaskView {
  readonly index: number
  readonly run_id: string | null
  readonly agent: string
  readonly label: string | null
  readonly task: string
  readonly status: string
  /** Its end came after the fan-out's: what it said stands in its run alone. */
  readonly late: boolean
  readonly result: string | null
  readonly structured: unknown
  readonly error: RunError | null
  readonly usage: Usage | null
  readonly duration_ms: number | null
  readonly truncated: boolean
}

export const taskViews = (state: FanoutState, plans: readonly TaskPlan[]): TaskView[] =>
  state.tasks.map((task, index) => {
    const { agent, label, task: text } = plans[index]!
    const { run_id, announce } = task
    const result = announce?.result ?? null
    return {
      index,
      run_id: run_id ?? lateRun(state, index),
      agent: announce?.agent ?? agent,
      label,
      task: text,
      status: taskStatus(state, index),
      late: state.after.ends[index] !== undefined,
      result: result === null ? null : preview(result),
      structured: announce?.structured ?? null,
      error: announce?.error ?? null,
      usage: announce?.usage ?? null,
      duration_ms: announce?.duration_ms ?? null,
      truncated:
        announce !== null &&
        (announce.truncated || (typeof result === 'object' && result !== null)),
    }
  })

/** One whose creation was not recorded in time is known since it told its end. */
const lateRun = ({ spec, after }: FanoutState, index: number): string | null =>
  after.ends[index] === undefined ? null : fanoutChildId(spec!.id, String(index))

/** The same entry and name; `run_id` is the fan-out's id, since its log is numbered like a run's. */
export const fanoutEvent = (id: string, stamped: Stamped<FanoutFact>): Event =>
  eventWith(id, stamped, dataOf(id, stamped.fact))

function dataOf(id: string, fact: FanoutFact): Record<string, unknown> {
  if (fact.type === 'fanout.created') {
    const { count, join, closing: last, strict, on_duplicate } = fact.fanout
    const closing = last && { agent: last.agent, run_id: fanoutChildId(id, CLOSING) }
    return { id, tasks: count, join, closing, strict, on_duplicate }
  }
  const { type: _, ...data } = fact
  return data
}
