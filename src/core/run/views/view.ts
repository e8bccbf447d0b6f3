/** Run as shown by the API. Times are RFC 3339 in UTC. */

import { iso } from '../../../lib/time.ts'
import { LIMITS } from '../../limits.ts'
import type { Body, Usage } from '../../message.ts'
import { addUsage, preview } from '../../message.ts'
import { shownTask } from '../../prompt.ts'
import { isFanoutId } from '../decide/child.ts'
import { questionOf, questionsOf } from '../human-input/pause.ts'
import { openQuestion } from '../human-input/question.ts'
import { attachedOf } from '../log/attachments.ts'
import type { Warned } from '../log/fact-parts.ts'
import type { Announce, RunError } from '../log/facts.ts'
import type { Question, Todo } from '../log/question-facts.ts'
import { partialText } from '../prompt/transcript.ts'
import { heldAtEnd, heldBelow, perByte, tokensPerByte } from '../state/budget.ts'
import type { RunState } from '../state/state.ts'
import { isTerminal, spawnCalls } from '../state/state.ts'
import { toldWarnings, warningsOf } from '../state/warning.ts'
import { type Budgeted, budgetView } from './budget.ts'

/** Function call that the run's caller performs, and whose result the caller sends. */
export interface FunctionCall {
  readonly call: string
  readonly name: string
  /**
   * Arguments as the model wrote them or as a person changed them; a string if they are not valid
   * JSON.
   */
  readonly arguments: unknown
  /** Time when the call expires; null while the run has other work. */
  readonly expires_at: string | null
}

export interface RunView extends Budgeted, Warned {
  readonly id: string
  readonly object: 'run'
  readonly kind: string
  readonly status: string
  readonly waiting_on: string | null
  /** Model outage of the run; absent while the model is available. */
  readonly outage?: OutageView
  readonly stop_reason: string | null
  readonly agent: string
  /** Model that the run uses; null before the start. */
  readonly model: string | null
  /** Beginning of the last input message. */
  readonly input: string
  readonly label: string | null
  readonly role: string | null
  readonly repo_dir: string | null
  readonly session_id: string
  readonly parent_run_id: string | null
  /** ID of the fan-out that started the run, if any. */
  readonly fanout_id?: string
  readonly root_run_id: string
  readonly requester_session_id: string | null
  readonly depth: number
  readonly lane: string
  readonly config_digest: string | null
  readonly created_at: string
  /** Earliest start of the run; absent for an immediate start. */
  readonly start_at?: string
  readonly expires_at?: string
  readonly priority?: number
  readonly started_at: string | null
  readonly ended_at: string | null
  readonly output: OutputView | null
  /** Last text of a run that ended without an output. */
  readonly partial?: string
  readonly error: RunError | null
  /** Number of model answers so far. */
  readonly steps: number
  readonly usage: Usage
  /** Cost of the run by the policy's prices, including subagents; null if no price is known. */
  readonly cost: number | null
  readonly children: ChildCounts
  /** Open question to the user; absent if there is none. */
  readonly question?: QuestionView
  /** Run's task list; absent in list responses, or if there is none. */
  readonly todos?: readonly Todo[]
  /**
   * Function calls for the caller to perform; only in single-run responses, and absent if there are
   * none.
   */
  readonly function_calls?: readonly FunctionCall[]
  readonly metadata: Readonly<Record<string, string>>
  /** End user whose secrets the run uses; absent if there is none. */
  readonly subject?: string
}
interface QuestionView {
  readonly call: string
  readonly questions: readonly Question[]
  readonly asked_at: string
  readonly expires_at: string
}
interface OutageView {
  readonly since: string
  /** Time of the next model call attempt; null during a call. */
  readonly retry_at: string | null
  /** Time when the run stops retrying; null if limited to three attempts. */
  readonly gives_up_at: string | null
  /** Number of failed model call attempts. */
  readonly attempts: number
  readonly error: RunError
}
interface OutputView {
  readonly text: string
  readonly structured: unknown
  readonly attachments: readonly string[]
  /** Reason why `structured` is missing although a schema was requested. */
  readonly schema_error?: string
}
interface ChildCounts {
  readonly total: number
  readonly live: number
  readonly completed: number
  readonly failed: number
  readonly cancelled: number
  readonly timed_out: number
  /** Number of completed subagents whose late results entered no conversation. */
  readonly dropped?: number
}

const time = (ms: number | null): string | null => (ms === null ? null : iso(ms))

/**
 * Returns the API view of a run. `text` returns the full text of a loaded body; listings pass
 * `preview`.
 */
export function view(state: RunState, text: (body: Body) => string = preview): RunView {
  const spec = state.spec!
  const usage = addUsage(state.usage, state.late_results.usage)
  const fanout = spec.parent && isFanoutId(spec.parent.run_id) ? spec.parent.run_id : null
  return {
    id: spec.id,
    object: 'run',
    kind: spec.kind,
    status: state.status,
    waiting_on: state.waiting?.on ?? null,
    ...outageOf(state),
    stop_reason: state.stop_reason,
    agent: state.started?.agent ?? spec.agent,
    model: state.started?.model ?? null,
    input: beginning(spec.input.at(-1)?.text ?? ''),
    label: spec.label,
    role: spec.role,
    repo_dir: spec.repo_dir,
    session_id: spec.session_id,
    parent_run_id: fanout === null ? (spec.parent?.run_id ?? null) : null,
    ...(fanout === null ? {} : { fanout_id: fanout }),
    root_run_id: spec.root_run_id,
    requester_session_id: spec.parent?.session_id ?? null,
    depth: spec.depth,
    lane: spec.lane,
    config_digest: state.started?.config_digest ?? null,
    created_at: time(state.created_at)!,
    ...(spec.start_at === undefined ? {} : { start_at: iso(spec.start_at) }),
    ...(spec.expires_at === undefined ? {} : { expires_at: iso(spec.expires_at) }),
    ...(spec.priority === undefined ? {} : { priority: spec.priority }),
    started_at: time(state.started_at),
    ended_at: time(state.ended_at),
    output: state.output && {
      text: text(state.output.text),
      structured: state.output.structured,
      attachments: state.attachments,
      ...(state.output.schema_error === undefined
        ? {}
        : { schema_error: state.output.schema_error }),
    },
    ...partialOf(state, text),
    error: state.error,
    steps: state.steps.length,
    usage,
    cost: usage.list_price ?? null,
    ...budgetView(spec.limits, usage, {
      held: heldBelow(state),
      isOver: state.stop_reason === 'budget',
      short: state.short?.limit,
    }),
    children: counts(state),
    ...openIn(state),
    ...warningsOf(state),
    metadata: spec.metadata,
    ...(spec.subject === undefined ? {} : { subject: spec.subject }),
  }
}

function outageOf({ outage, waiting, attempts }: RunState): Pick<RunView, 'outage'> {
  if (!outage) return {}
  const { since, gives_up_at, error } = outage
  const retry_at = waiting?.on === 'model' ? time(waiting.until) : null
  const ends = time(gives_up_at ?? null)
  return { outage: { since: iso(since), retry_at, gives_up_at: ends, attempts, error } }
}

function openIn(state: RunState): Pick<RunView, 'question'> {
  const open = isTerminal(state) || state.cancel ? undefined : openQuestion(state)
  const question = open && questionOf(open)
  if (!question) return {}
  const times = { asked_at: iso(question.asked_at), expires_at: iso(question.expires_at) }
  return { question: { call: open.id, questions: questionsOf(open), ...times } }
}

function partialOf(state: RunState, text: (body: Body) => string): Pick<RunView, 'partial'> {
  const partial = isTerminal(state) ? partialText(state) : null
  return partial === null ? {} : { partial: text(partial) }
}

const INPUT_SHOWN = 500

/** Avoids splitting a character. */
const beginning = (text: Body): string => {
  const start = preview(text).slice(0, INPUT_SHOWN)
  return start.isWellFormed() ? start : start.slice(0, -1)
}

function counts(state: RunState): ChildCounts {
  const out = { total: 0, live: 0, completed: 0, failed: 0, cancelled: 0, timed_out: 0 }
  let droppedCount = 0
  for (const { id, child } of spawnCalls(state)) {
    // If a child's creation was not recorded in time, the child is known only from its announced
    // end.
    const late = state.late_results.ends[id]
    if (!child && !late) continue
    out.total += 1
    out[child?.announce?.status ?? late?.status ?? 'live'] += 1
    if (late?.dropped) droppedCount += 1
  }
  return droppedCount === 0 ? out : { ...out, dropped: droppedCount }
}

type Shorten = (body: Body) => { body: Body; truncated: boolean }

function shortenedPartial(state: RunState, shorten: Shorten): ReturnType<Shorten> | null {
  const partial = partialText(state)
  return partial === null ? null : shorten(partial)
}

/** Report of an ended run to its parent; the caller's `shorten` truncates long text. */
export function announceOf(state: RunState, shorten: Shorten): Announce {
  const spec = state.spec!
  const result = state.output === null ? null : shorten(state.output.text)
  const partial = shortenedPartial(state, shorten)
  const data = JSON.stringify(state.output?.structured ?? null)
  const fits = data.length * 3 <= LIMITS.announce_structured_bytes
  return {
    run_id: spec.id,
    agent: state.started?.agent ?? spec.agent,
    label: spec.label,
    task: shownTask(spec.input.at(-1)?.text),
    status: state.status as Announce['status'],
    ...(state.stop_reason === null ? {} : { stop_reason: state.stop_reason }),
    ...(state.status === 'cancelled' && state.started === null ? { never_started: true } : {}),
    steps: state.steps.length,
    result: result?.body ?? null,
    ...(partial === null ? {} : { partial: partial.body }),
    error: state.error,
    structured: fits ? (state.output?.structured ?? null) : null,
    ...(state.output?.schema_error === undefined
      ? {}
      : { schema_error: state.output.schema_error }),
    duration_ms: (state.ended_at ?? 0) - (state.started_at ?? state.created_at),
    usage: addUsage(state.usage, state.late_results.usage),
    ...heldAtEnd(state),
    ...perByte(tokensPerByte(state)),
    ...toldWarnings(state),
    ...(state.output === null ? {} : attachedOf(state.attachments)),
    truncated: !fits || (result?.truncated ?? false),
  }
}
