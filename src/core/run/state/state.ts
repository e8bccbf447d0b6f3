/**
 * The state of a run, folded from its facts. Not folded: `epoch`, `outbox`, and `late_results` are
 * in the head row (they change without facts); `busy` and `subscribed` are local to the worker.
 */

import type { LateResults } from '../../late-results.ts'
import { NO_LATE_RESULTS } from '../../late-results.ts'
import type { AssistantPart, Body, Usage } from '../../message.ts'
import { NO_USAGE } from '../../message.ts'
import type { Outbox } from '../../outbox.ts'
import type { ApprovalDecided } from '../log/approval-facts.ts'
import type { Budget, Checked, RunWarning, SchemaTold } from '../log/fact-parts.ts'
import type {
  Announce,
  BarrierReleased,
  BudgetReached,
  CallPlan,
  RunError,
  RunSpec,
  RunStarted,
  TerminalStatus,
  WritePlan,
} from '../log/facts.ts'
import type { Flush } from '../log/memory-facts.ts'
import type { QuestionAnswered, Todo, ToolPaused } from '../log/question-facts.ts'
import { isPatient, type Outage } from './outage.ts'

export type RunStatus = 'queued' | 'running' | 'waiting' | TerminalStatus
/** Why a run is parked, each with the fields that only it has. */
export type Waiting =
  | { readonly on: 'subagents' | 'session' }
  /** Waiting for people, the caller, or subagents that do; the clock is stopped. */
  | { readonly on: 'approval' | 'input' | 'function' | 'subagents'; readonly since: number }
  /** Time of the next model call (ms since 1970). */
  | { readonly on: 'model'; readonly until: number | null }

export interface Step extends Checked, SchemaTold {
  readonly parts: readonly AssistantPart[]
  readonly calls: readonly string[]
  readonly seen: number
  readonly finish: string
  /** Prompt tokens for each byte, as the call has shown. Absent: not measured. */
  readonly tokens_per_byte?: number
  /** Its budget bounded the answer. */
  readonly is_bounded?: true
}

export interface Call extends CallPlan {
  readonly step: number
  readonly index: number
  readonly arguments: Body
  /** The epoch under which it may be performed, once it is committed. */
  readonly intent: number | null
  readonly write: WritePlan | null
  readonly result: CallResult | null
  readonly child: Child | null
  /** Set once a person's approval was requested. */
  readonly asked: AskedApproval | null
  /** Set once the user was asked. */
  readonly question: AskedQuestion | null
  /** Number of questions from its server to a person, and the outcome. Absent: none. */
  readonly pauses?: readonly Pause[]
}
/** A request of a server to a person: one of the two is set once a person was asked. */
export interface Pause extends Pick<ToolPaused, 'server' | 'on' | 'requests' | 'state'> {
  readonly asked: AskedApproval | null
  readonly question: AskedQuestion | null
}
interface CallResult {
  readonly text: Body
  readonly is_error: boolean
  /** Deferred tools that it has found. */
  readonly found?: readonly string[]
}
/** A question to the user: the first message after it, and how it was closed. */
export interface AskedQuestion {
  /** Milliseconds since 1970. */
  readonly asked_at: number
  readonly expires_at: number
  readonly answer: { readonly message_id: string; readonly text: Body } | null
  readonly outcome: QuestionAnswered['outcome'] | null
}
/** A call as shown to people, and their decision. */
export interface AskedApproval {
  readonly id: string
  readonly args_hash: string
  /** Milliseconds since 1970. */
  readonly requested_at: number
  readonly expires_at: number
  readonly decision: Decision | null
}
interface Decision extends Pick<ApprovalDecided, 'decision' | 'by' | 'reason'> {
  readonly at: number
  /** Instead of the model's own. */
  readonly arguments: Body | null
}
interface Child {
  readonly run_id: string
  readonly agent: string
  readonly label: string | null
  readonly task: string
  /** Null while it lives. */
  readonly announce: Announce | null
  /** Its end is the result of the call that started it. */
  readonly waited: boolean
  /** The parent no longer waits for it. */
  readonly given_up: boolean
  /** Set while it waits for a person or a model; `word`: the seq of the last word about this. */
  readonly waits: { readonly until: number | null; readonly on?: 'input' | 'model' } | null
  readonly word: number
  /** Its share of the parent's budget until it has announced its end. */
  readonly allotment: Budget | null
}

/**
 * Entries of the transcript besides the model's own turns, in order of arrival. A late entry enters
 * with the next model call if there is one, but causes none.
 */
export type InputEntry =
  | { readonly kind: 'announce'; readonly call: string; readonly late: boolean }
  | { readonly kind: 'missing'; readonly call: string; readonly late: false }
  | { readonly kind: 'message'; readonly id: string; readonly text: Body; readonly late: false }

const EMPTY_OUTBOX: Outbox = { parent: false, session: false, webhook: [], cancel: [] }
export interface Lease {
  readonly worker: string
  /** Milliseconds since 1970. */
  readonly until: number
}

interface RunOutput extends Pick<Checked, 'schema_error'> {
  readonly text: Body
  readonly structured: unknown
}

export interface RunState {
  readonly seq: number
  readonly spec: RunSpec | null
  readonly status: RunStatus
  /** Null unless `status` is `waiting`. */
  readonly waiting: Waiting | null
  readonly stop_reason: string | null
  readonly created_at: number
  /** Time of its turn, if it had to wait for one. */
  readonly turn_at: number
  readonly started_at: number | null
  readonly ended_at: number | null
  readonly started: RunStarted | null
  /** The text of the skill that the input activated by hand. */
  readonly activation: Body | null
  /** Skills whose instructions were opened, the last one at the end; absent: none. */
  readonly opened_skills?: readonly string[]
  readonly steps: readonly Step[]
  /** Calls by ID, in the order in which the model made them. */
  readonly calls: ReadonlyMap<string, Call>
  readonly pending_input: readonly InputEntry[]
  /** Segments (digests) of the session's transcript before this run. */
  readonly history: readonly string[]
  /** The last time that the conversation was shortened: at which step, and what is shown instead. */
  readonly compacted: {
    readonly at: number
    readonly kept_from: number
    readonly summary: Body
  } | null
  /** Last request for lasting notes; null: none. */
  readonly flush: Flush | null
  /** Failed attempts of the step that is due. */
  readonly attempts: number
  readonly outage: Outage | null
  /** How long the clock stood still for people and models before (ms). */
  readonly paused_ms: number
  /** The last jump of the wall clock that was counted: what it showed then. */
  readonly stepped_to: number
  /** When the run began to wait for its subagents with nothing else to do. */
  readonly barrier_since: number | null
  /** Start of the current step's wait for its calls' results. */
  readonly joining_since: number | null
  /** True between a released barrier and the next model call. */
  readonly barrier_open: boolean
  readonly barrier_reason: BarrierReleased['reason']
  /** Spawn calls from this one on belong to the next barrier. */
  readonly cohort_from: number
  readonly cancel: { readonly reason: string | null } | null
  readonly usage: Usage
  /** The call that did not fit into the rest of its budget. */
  readonly short: Pick<BudgetReached, 'limit' | 'needed'> | null
  /** Warnings received with answers. */
  readonly answerWarnings: readonly RunWarning[]
  readonly attachments: readonly string[]
  /** The list that it works by, and the call that made it. */
  readonly todos: {
    readonly list: readonly Todo[]
    readonly step: number
    readonly index: number
  } | null
  readonly output: RunOutput | null
  readonly error: RunError | null
  // Not folded:
  readonly epoch: number
  readonly outbox: Outbox
  /** Results of children that arrived after its end. */
  readonly late_results: LateResults
  /** Effects that this worker has under way. */
  readonly busy: number
  /** Types of events that the tenant's endpoints subscribe to. */
  readonly subscribed: readonly string[]
}

export const INITIAL: RunState = {
  seq: 0,
  spec: null,
  status: 'queued',
  waiting: null,
  stop_reason: null,
  created_at: 0,
  turn_at: 0,
  started_at: null,
  ended_at: null,
  started: null,
  activation: null,
  steps: [],
  calls: new Map(),
  pending_input: [],
  history: [],
  compacted: null,
  flush: null,
  attempts: 0,
  outage: null,
  paused_ms: 0,
  stepped_to: 0,
  barrier_since: null,
  joining_since: null,
  barrier_open: false,
  barrier_reason: 'joined',
  cohort_from: 0,
  cancel: null,
  usage: NO_USAGE,
  short: null,
  answerWarnings: [],
  attachments: [],
  todos: null,
  output: null,
  error: null,
  epoch: 0,
  outbox: EMPTY_OUTBOX,
  late_results: NO_LATE_RESULTS,
  busy: 0,
  subscribed: [],
}

const TERMINAL: readonly RunStatus[] = ['completed', 'failed', 'cancelled', 'timed_out']
export const isTerminal = (state: Pick<RunState, 'status'>): boolean =>
  TERMINAL.includes(state.status)

export const lastStep = (state: RunState): Step | undefined => state.steps.at(-1)

export const callOf = (state: Pick<RunState, 'calls'>, id: string): Call | undefined =>
  state.calls.get(id)

/** The calls of the last answer, in its order. */
export function currentCalls(state: RunState): Call[] {
  const step = lastStep(state)
  return step === undefined ? [] : step.calls.map((id) => state.calls.get(id)!)
}

/** Calls that started a subagent or may still do so. */
export function spawnCalls(state: RunState): Call[] {
  const calls: Call[] = []
  for (const call of state.calls.values()) if (call.mode === 'spawn') calls.push(call)
  return calls
}

export const isLive = (call: Call): boolean =>
  call.child !== null && call.child.announce === null && !call.child.given_up

/** A spawn that was neither refused nor has started its subagent, as far as is known. */
export const awaitsSpawn = ({ mode, result, child }: Call): boolean =>
  mode === 'spawn' && result === null && child === null

/** Its subagent lives, and its end is what the call waits for. */
export const isHeld = (call: Call): boolean =>
  call.result === null && call.child?.waited === true && isLive(call)

export const liveChildren = (state: RunState): Call[] => spawnCalls(state).filter(isLive)

type Stopped = Extract<Waiting, { readonly since: number }>

/** Whether it waits only for people or a model, which stops its clock. */
export const isStopped = (waiting: Waiting | null): waiting is Stopped =>
  waiting !== null && 'since' in waiting

/** When the run's time is over, ms since 1970; undefined while its clock does not run. */
export function deadline(state: RunState): number | undefined {
  if (state.started_at === null || state.started === null) return undefined
  if (isStopped(state.waiting) || isPatient(state)) return undefined
  return state.started_at + state.paused_ms + state.started.timeout_seconds * 1000
}
