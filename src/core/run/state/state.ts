/**
 * Run state, folded from the run's facts. Some fields are not folded: `epoch`, `outbox`, and
 * `late_results` are in the head row (they change without facts), and `busy` and `subscribed` are
 * local to the worker.
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
/** Reason why a run is parked, with fields specific to each reason. */
export type Waiting =
  | { readonly on: 'subagents' | 'session' }
  /** Wait for people, the caller, or subagents that wait for people; the run's clock is stopped. */
  | { readonly on: 'approval' | 'input' | 'function' | 'subagents'; readonly since: number }
  /** Wait for an unavailable model; `until` is the time of the next call, in ms since 1970. */
  | { readonly on: 'model'; readonly until: number | null }

export interface Step extends Checked, SchemaTold {
  readonly parts: readonly AssistantPart[]
  readonly calls: readonly string[]
  readonly seen: number
  readonly finish: string
  /** Prompt tokens per byte, measured by the step's model call; absent if not measured. */
  readonly tokens_per_byte?: number
  /** Whether the run's budget limited the length of the answer. */
  readonly is_bounded?: true
}

export interface Call extends CallPlan {
  readonly step: number
  readonly index: number
  readonly arguments: Body
  /** Epoch under which the committed call may be performed; null until committed. */
  readonly intent: number | null
  readonly write: WritePlan | null
  readonly result: CallResult | null
  readonly child: Child | null
  /** Approval requested for the call; null until requested. */
  readonly asked: AskedApproval | null
  /** Question that the call asks the user; null until asked. */
  readonly question: AskedQuestion | null
  /** Requests of the call's MCP server to a person, with outcomes; absent if there are none. */
  readonly pauses?: readonly Pause[]
}
/** Request of an MCP server to a person; `asked` or `question` is set once the person was asked. */
export interface Pause extends Pick<ToolPaused, 'server' | 'on' | 'requests' | 'state'> {
  readonly asked: AskedApproval | null
  readonly question: AskedQuestion | null
}
interface CallResult {
  readonly text: Body
  readonly is_error: boolean
  /** Names of the deferred tools that the call has found. */
  readonly found?: readonly string[]
}
/** Question to the user, with the first message after the question and how it was closed. */
export interface AskedQuestion {
  /** Time when the question was asked, in milliseconds since 1970. */
  readonly asked_at: number
  readonly expires_at: number
  readonly answer: { readonly message_id: string; readonly text: Body } | null
  readonly outcome: QuestionAnswered['outcome'] | null
}
/** Tool call as shown to people for approval, and their decision. */
export interface AskedApproval {
  readonly id: string
  readonly args_hash: string
  /** Time when approval was requested, in milliseconds since 1970. */
  readonly requested_at: number
  readonly expires_at: number
  readonly decision: Decision | null
}
interface Decision extends Pick<ApprovalDecided, 'decision' | 'by' | 'reason'> {
  readonly at: number
  /** Person's replacement for the model's arguments; null if unchanged. */
  readonly arguments: Body | null
}
interface Child {
  readonly run_id: string
  readonly agent: string
  readonly label: string | null
  readonly task: string
  /** Reported end of the child run; null while the child lives. */
  readonly announce: Announce | null
  /** Whether the child's outcome is the result of the call that started it. */
  readonly waited: boolean
  /** Whether the parent no longer waits for the child. */
  readonly given_up: boolean
  /** Wait reported by the child; null if it does not wait. `word` numbers the child's notices. */
  readonly waits: { readonly until: number | null; readonly on?: 'input' | 'model' } | null
  readonly word: number
  /** Child's share of the parent's budget; null once the child has announced its end. */
  readonly allotment: Budget | null
}

/**
 * Transcript entries besides the model's own answers, in order of arrival. A late entry is included
 * in the next model call, if any, but does not cause one.
 */
export type InputEntry =
  | { readonly kind: 'announce'; readonly call: string; readonly late: boolean }
  | { readonly kind: 'missing'; readonly call: string; readonly late: false }
  | { readonly kind: 'message'; readonly id: string; readonly text: Body; readonly late: false }

const EMPTY_OUTBOX: Outbox = { parent: false, session: false, webhook: [], cancel: [] }
export interface Lease {
  readonly worker: string
  /** End of the child's wait, in milliseconds since 1970. */
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
  /** Run's current wait; null unless `status` is `waiting`. */
  readonly waiting: Waiting | null
  readonly stop_reason: string | null
  readonly created_at: number
  /** Time when the session's turn was granted, if the run had to wait for it. */
  readonly turn_at: number
  readonly started_at: number | null
  readonly ended_at: number | null
  readonly started: RunStarted | null
  /** Text of the skill that the run's input activated. */
  readonly activation: Body | null
  /** Names of skills whose instructions were opened, in order; absent if there are none. */
  readonly opened_skills?: readonly string[]
  readonly steps: readonly Step[]
  /** Tool calls by ID, in the order in which the model made them. */
  readonly calls: ReadonlyMap<string, Call>
  readonly pending_input: readonly InputEntry[]
  /** Digests of the segments that form the session's transcript before this run. */
  readonly history: readonly string[]
  /** Last compaction of the conversation: its step, and the replacement text. */
  readonly compacted: {
    readonly at: number
    readonly kept_from: number
    readonly summary: Body
  } | null
  /** Last request to the model to save lasting notes; null if there was none. */
  readonly flush: Flush | null
  /** Number of failed attempts of the next step. */
  readonly attempts: number
  readonly outage: Outage | null
  /** Total time for which the run's clock was stopped for people and models, in milliseconds. */
  readonly paused_ms: number
  /** Clock reading after the last counted jump of the wall clock. */
  readonly stepped_to: number
  /** Time when the run, without other work, started to wait for its subagents. */
  readonly barrier_since: number | null
  /** Time when the current step started to wait for the results of its calls. */
  readonly joining_since: number | null
  /** Whether a barrier was released and no model call has followed yet. */
  readonly barrier_open: boolean
  readonly barrier_reason: BarrierReleased['reason']
  /** Index of the first spawn call that belongs to the next barrier. */
  readonly cohort_from: number
  readonly cancel: { readonly reason: string | null } | null
  readonly usage: Usage
  /** Model call that exceeded the remaining budget; null if none did. */
  readonly short: Pick<BudgetReached, 'limit' | 'needed'> | null
  /** Warnings received with the model's answers. */
  readonly answerWarnings: readonly RunWarning[]
  readonly attachments: readonly string[]
  /** Run's task list, and the call that created it. */
  readonly todos: {
    readonly list: readonly Todo[]
    readonly step: number
    readonly index: number
  } | null
  readonly output: RunOutput | null
  readonly error: RunError | null
  // The following fields are not folded from facts.
  readonly epoch: number
  readonly outbox: Outbox
  /** Results of children that arrived after the run's end. */
  readonly late_results: LateResults
  /** Number of this run's effects that the worker has in progress. */
  readonly busy: number
  /** Event types to which the tenant's webhook endpoints subscribe. */
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

/** Returns the tool calls of the last answer, in order. */
export function currentCalls(state: RunState): Call[] {
  const step = lastStep(state)
  return step === undefined ? [] : step.calls.map((id) => state.calls.get(id)!)
}

/** Returns the run's calls that started a subagent or may still do so. */
export function spawnCalls(state: RunState): Call[] {
  const calls: Call[] = []
  for (const call of state.calls.values()) if (call.mode === 'spawn') calls.push(call)
  return calls
}

export const isLive = (call: Call): boolean =>
  call.child !== null && call.child.announce === null && !call.child.given_up

/** Whether a spawn call is still open: not rejected, and without a recorded subagent. */
export const awaitsSpawn = ({ mode, result, child }: Call): boolean =>
  mode === 'spawn' && result === null && child === null

/** Whether a call waits for the end of its live subagent. */
export const isHeld = (call: Call): boolean =>
  call.result === null && call.child?.waited === true && isLive(call)

export const liveChildren = (state: RunState): Call[] => spawnCalls(state).filter(isLive)

type Stopped = Extract<Waiting, { readonly since: number }>

/** Whether the run waits only for people or a model, which stops its clock. */
export const isStopped = (waiting: Waiting | null): waiting is Stopped =>
  waiting !== null && 'since' in waiting

/** Returns when the run times out (milliseconds since 1970), unless its clock is stopped. */
export function deadline(state: RunState): number | undefined {
  if (state.started_at === null || state.started === null) return undefined
  if (isStopped(state.waiting) || isPatient(state)) return undefined
  return state.started_at + state.paused_ms + state.started.timeout_seconds * 1000
}
