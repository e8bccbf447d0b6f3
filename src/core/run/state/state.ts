/**
 * State of a run, folded from its facts. Some fields are not folded: `epoch`, `outbox`, and
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
/** Reason why a run is parked, each with its specific fields. */
export type Waiting =
  | { readonly on: 'subagents' | 'session' }
  /** Wait for people, the caller, or subagents that wait for people; the clock is stopped. */
  | { readonly on: 'approval' | 'input' | 'function' | 'subagents'; readonly since: number }
  /** Wait for a model; `until` is the time of the next call, in milliseconds since 1970. */
  | { readonly on: 'model'; readonly until: number | null }

export interface Step extends Checked, SchemaTold {
  readonly parts: readonly AssistantPart[]
  readonly calls: readonly string[]
  readonly seen: number
  readonly finish: string
  /** Prompt tokens per byte, measured by the call; absent if not measured. */
  readonly tokens_per_byte?: number
  /** Whether the budget limited the length of the answer. */
  readonly is_bounded?: true
}

export interface Call extends CallPlan {
  readonly step: number
  readonly index: number
  readonly arguments: Body
  /** Epoch under which the call may be performed, once committed. */
  readonly intent: number | null
  readonly write: WritePlan | null
  readonly result: CallResult | null
  readonly child: Child | null
  /** Requested approval; null until requested. */
  readonly asked: AskedApproval | null
  /** Question to the user; null until asked. */
  readonly question: AskedQuestion | null
  /** Requests of the call's server to a person, with their outcomes; absent if there are none. */
  readonly pauses?: readonly Pause[]
}
/** Request of a server to a person; `asked` or `question` is set once the person was asked. */
export interface Pause extends Pick<ToolPaused, 'server' | 'on' | 'requests' | 'state'> {
  readonly asked: AskedApproval | null
  readonly question: AskedQuestion | null
}
interface CallResult {
  readonly text: Body
  readonly is_error: boolean
  /** Deferred tools that the call has found. */
  readonly found?: readonly string[]
}
/** Question to the user, with the first message after it and how it was closed. */
export interface AskedQuestion {
  /** Time of the question, in milliseconds since 1970. */
  readonly asked_at: number
  readonly expires_at: number
  readonly answer: { readonly message_id: string; readonly text: Body } | null
  readonly outcome: QuestionAnswered['outcome'] | null
}
/** Call as shown to people, and their decision. */
export interface AskedApproval {
  readonly id: string
  readonly args_hash: string
  /** Time of the request, in milliseconds since 1970. */
  readonly requested_at: number
  readonly expires_at: number
  readonly decision: Decision | null
}
interface Decision extends Pick<ApprovalDecided, 'decision' | 'by' | 'reason'> {
  readonly at: number
  /** Replacement for the model's arguments; null if unchanged. */
  readonly arguments: Body | null
}
interface Child {
  readonly run_id: string
  readonly agent: string
  readonly label: string | null
  readonly task: string
  /** Reported end; null while the child lives. */
  readonly announce: Announce | null
  /** Whether the child's end is the result of the call that started it. */
  readonly waited: boolean
  /** Whether the parent no longer waits for the child. */
  readonly given_up: boolean
  /** Present while the child waits; `word` numbers its notices. */
  readonly waits: { readonly until: number | null; readonly on?: 'input' | 'model' } | null
  readonly word: number
  /** Share of the parent's budget; null once the child has announced its end. */
  readonly allotment: Budget | null
}

/**
 * Entries of the transcript besides the model's own turns, in order of arrival. A late entry is
 * included in the next model call, if any, but does not cause one.
 */
export type InputEntry =
  | { readonly kind: 'announce'; readonly call: string; readonly late: boolean }
  | { readonly kind: 'missing'; readonly call: string; readonly late: false }
  | { readonly kind: 'message'; readonly id: string; readonly text: Body; readonly late: false }

const EMPTY_OUTBOX: Outbox = { parent: false, session: false, webhook: [], cancel: [] }
export interface Lease {
  readonly worker: string
  /** End of the wait, in milliseconds since 1970. */
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
  /** Current wait; null unless `status` is `waiting`. */
  readonly waiting: Waiting | null
  readonly stop_reason: string | null
  readonly created_at: number
  /** Time when the turn was granted, if the run had to wait for its turn. */
  readonly turn_at: number
  readonly started_at: number | null
  readonly ended_at: number | null
  readonly started: RunStarted | null
  /** Text of the skill that the input activated. */
  readonly activation: Body | null
  /** Skills whose instructions were opened, in order; absent if there are none. */
  readonly opened_skills?: readonly string[]
  readonly steps: readonly Step[]
  /** Calls by ID, in the order in which the model made them. */
  readonly calls: ReadonlyMap<string, Call>
  readonly pending_input: readonly InputEntry[]
  /** Segments (digests) of the session's transcript before this run. */
  readonly history: readonly string[]
  /** Last compaction of the conversation: the step, and the replacement text. */
  readonly compacted: {
    readonly at: number
    readonly kept_from: number
    readonly summary: Body
  } | null
  /** Last request for lasting notes; null if there was none. */
  readonly flush: Flush | null
  /** Number of failed attempts of the step that is due. */
  readonly attempts: number
  readonly outage: Outage | null
  /** Total time for which the clock was stopped for people and models, in milliseconds. */
  readonly paused_ms: number
  /** Clock reading after the last counted jump of the wall clock. */
  readonly stepped_to: number
  /** Time when the run started to wait for its subagents without other work. */
  readonly barrier_since: number | null
  /** Start of the current step's wait for the results of its calls. */
  readonly joining_since: number | null
  /** Whether a barrier was released and the next model call has not happened yet. */
  readonly barrier_open: boolean
  readonly barrier_reason: BarrierReleased['reason']
  /** Index of the first spawn call that belongs to the next barrier. */
  readonly cohort_from: number
  readonly cancel: { readonly reason: string | null } | null
  readonly usage: Usage
  /** Call that exceeded the remaining budget; null if none did. */
  readonly short: Pick<BudgetReached, 'limit' | 'needed'> | null
  /** Warnings received with answers. */
  readonly answerWarnings: readonly RunWarning[]
  readonly attachments: readonly string[]
  /** Task list of the run, and the call that created it. */
  readonly todos: {
    readonly list: readonly Todo[]
    readonly step: number
    readonly index: number
  } | null
  readonly output: RunOutput | null
  readonly error: RunError | null
  // Fields that are not folded from facts:
  readonly epoch: number
  readonly outbox: Outbox
  /** Results of children that arrived after the run's end. */
  readonly late_results: LateResults
  /** Number of effects that this worker has in progress. */
  readonly busy: number
  /** Event types that the tenant's endpoints subscribe to. */
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

/** Returns the calls of the last answer, in order. */
export function currentCalls(state: RunState): Call[] {
  const step = lastStep(state)
  return step === undefined ? [] : step.calls.map((id) => state.calls.get(id)!)
}

/** Returns calls that started a subagent or may still do so. */
export function spawnCalls(state: RunState): Call[] {
  const calls: Call[] = []
  for (const call of state.calls.values()) if (call.mode === 'spawn') calls.push(call)
  return calls
}

export const isLive = (call: Call): boolean =>
  call.child !== null && call.child.announce === null && !call.child.given_up

/** Whether a spawn call was neither rejected nor, as far as recorded, has started its subagent. */
export const awaitsSpawn = ({ mode, result, child }: Call): boolean =>
  mode === 'spawn' && result === null && child === null

/** Whether the call waits for the end of its live subagent. */
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
