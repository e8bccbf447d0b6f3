/**
 * Facts of a run. A run *is* its log of facts; status, transcript, stream, webhooks, and audit are
 * derived from it. Facts are immutable, and every release must be able to fold them.
 *
 * To add a fact: 1. its type, here or in a file like `approval-facts.ts`, and in the union below.
 * The compiler then requires 2. `evolve.ts`, 3. `accepts.ts` (whether duplicate, late, or
 * post-cancel facts count), 4. the event's data in `http/schemas/events/run-events.ts`, 5.
 * `test/golden.test.ts`, and 6. the simulator's `test/sim/shadow/shadow.ts`. Not checked: 7.
 * `event.ts`, for times, secrets, or arguments, 8. its writer, and 9. a scenario in
 * `test/tools/golden.ts`. Then run `npm run golden` and `npm run openapi`. A release reads a new
 * fact one version before any release writes it.
 */

import type { AssistantPart, Body, Usage } from '../../message.ts'
import type {
  ApprovalDecided,
  ApprovalRequested,
  SubagentResumed,
  SubagentWaiting,
} from './approval-facts.ts'
import type { Checked, Priced, Reserved, SchemaTold, Timed, Warned } from './fact-parts.ts'
import type { MemoryFlushed, MemoryNoted, StartNotes } from './memory-facts.ts'
import type { Attempted, Chained } from './models.ts'
import type {
  Question,
  QuestionAnswered,
  QuestionAsked,
  TodosUpdated,
  ToolPaused,
} from './question-facts.ts'
import type { RunSpec } from './spec.ts'
import type {
  RunError,
  SubagentAnnounced,
  SubagentFailed,
  SubagentSpawned,
} from './subagent-facts.ts'
import type { OutageFact, RunResumed, RunWaiting } from './waiting-facts.ts'

/**
 * Fact with its position in the log. `seq` counts from 1 without gaps; `at` (milliseconds since
 * 1970) never decreases.
 */
export interface LoggedFact<F> {
  readonly seq: number
  readonly at: number
  readonly fact: F
}

export type { RunWarning } from './fact-parts.ts'
export type * from './memory-facts.ts'
export type * from './spec.ts'
export { JOIN_DEFAULT } from './spec.ts'
export type * from './subagent-facts.ts'
export type * from './waiting-facts.ts'

interface RunCreated {
  readonly type: 'run.created'
  readonly run: RunSpec
}
export interface RunStarted extends Priced, Warned, SchemaTold, Chained {
  readonly type: 'run.started'
  readonly agent: string
  readonly model: string
  /** Size of the model's context window in tokens. */
  readonly window: number
  readonly config_digest: string
  /** Blob that contains the run's pinned configuration (`pin.ts`). */
  readonly pin: string
  readonly max_steps: number
  readonly timeout_seconds: number
  /** Maximum time in seconds to wait during a model outage; 0 means three attempts. */
  readonly model_patience_seconds: number
  /** Memory notes shown when the run started; absent if there are none. */
  readonly memory?: StartNotes
  /** Actual start time in milliseconds since 1970; the fact may be committed later. */
  readonly began_at?: number
}

/** Plan for one tool call of an answer, fixed when the answer arrives. */
export interface CallPlan {
  readonly id: string
  readonly tool: string
  readonly mode: 'once' | 'repeatable' | 'write' | 'spawn' | 'question' | 'caller' | 'refused'
  /** Reason why the call is rejected, as shown to the model. */
  readonly refusal?: string
  /** Description of how the executed call differs from what the model wrote. */
  readonly mended?: string
  /** Rule by which the call requires a person's approval. */
  readonly ask?: string
  /** Questions to the user, and how long the answer is awaited; only for mode `question`. */
  readonly questions?: readonly Question[]
  readonly expires_in_seconds?: number
}
/**
 * Answer of the model. `structured_output` is present if the provider rejected the schema, which
 * the prompt then contained.
 */
export interface AssistantMessage extends Checked, SchemaTold, Attempted, Timed, Reserved {
  readonly type: 'assistant.message'
  readonly step: number
  /** Number of pending input entries that the model request contained. */
  readonly seen: number
  readonly parts: readonly AssistantPart[]
  readonly calls: readonly CallPlan[]
  readonly finish: 'stop' | 'calls' | 'length' | 'refusal' | 'other'
  readonly model: string
  readonly usage: Usage
}
/** Fact that the next model call would exceed the remainder of an allotted budget. */
export interface BudgetReached {
  readonly type: 'budget.reached'
  readonly step: number
  readonly limit: 'max_tokens' | 'max_cost_usd'
  /** Minimum cost of the next call, in tokens or US dollars like `left`. */
  readonly needed: number
  readonly left: number
}
/** Billed model answer that does not count: another answer arrived first, or the attempt failed. */
interface AnswerDiscarded {
  readonly type: 'assistant.discarded'
  readonly step: number
  readonly model: string
  readonly usage: Usage
}
/**
 * Message sent to a live run from outside. It answers the open question, or else is added before
 * the next model call.
 */
export interface MessageReceived {
  readonly type: 'message.received'
  /** ID of the message, derived from the idempotency key, so that a retry finds the message. */
  readonly message_id: string
  readonly text: Body
  /** Whether the parent's model sent the message, which then answers no question to the user. */
  readonly by?: 'parent'
  /** Originating span; absent if there is none, or the run's trace is not exported. */
  readonly caller?: { readonly trace: string; readonly span: string }
}
interface ToolCalled {
  readonly type: 'tool.call'
  readonly call: string
  readonly tool: string
  readonly mode: 'once' | 'repeatable' | 'write'
  /** Epoch of the lease that permits performing the call. */
  readonly epoch: number
  /** Change that a call of mode `write` plans, which makes the call idempotent. */
  readonly write?: WritePlan
}
export interface WritePlan {
  /** ETag of the file before the write; null if the file did not exist. */
  readonly before: string | null
  /** SHA-256 of the file after the write. */
  readonly after: string
}
export interface ToolResulted extends Pick<Timed, 'began_at'> {
  readonly type: 'tool.result'
  readonly call: string
  readonly tool: string
  readonly status: 'ok' | 'error' | 'unknown'
  readonly text: Body
  readonly duration_ms: number
  /** Keys of the files that the run attaches to its output. */
  readonly attachments?: readonly string[]
  /** Names of deferred tools that the model sees from now on. */
  readonly found?: readonly string[]
}
/**
 * Fact that the conversation exceeded the model's window. From now on, a summary replaces
 * everything before step `kept_from`, including earlier runs of the session.
 */
export interface TranscriptCompacted {
  readonly type: 'transcript.compacted'
  /** Number of the step that is due. */
  readonly step: number
  /** Number of pending input entries when the conversation was compacted. */
  readonly seen: number
  readonly kept_from: number
  readonly summary: Body
  /** Model that wrote the summary; null if none could, so that the summary is an excerpt. */
  readonly model: string | null
  readonly usage: Usage
}
/**
 * Fact that a skill was opened: by the model's tool, or by `/name args` at the start of the input.
 */
export interface SkillActivated {
  readonly type: 'skill.activated'
  readonly skill: string
  readonly by: 'model' | 'user'
  /** SHA-256 of the skill's SKILL.md. */
  readonly file_digest: string
  /** ID of the tool call that opened the skill; null if a person opened it. */
  readonly call: string | null
  readonly args: string
  /** Text added to the transcript after the input if a person opened the skill. */
  readonly text: Body | null
}
export interface BarrierReleased {
  readonly type: 'barrier.released'
  /** Spawn calls whose results are added to the transcript now, in call order. */
  readonly calls: readonly string[]
  /** Spawn calls that timed out, or that the run no longer waits for. */
  readonly missing: readonly string[]
  /** Reason for the release; `budget`: spent before all tasks had started. */
  readonly reason: 'joined' | 'deadline' | 'budget'
}
/**
 * Fact that the wall clock jumped forward, or that no process was running. The elapsed time does
 * not count for the run.
 */
export interface ClockStepped {
  readonly type: 'clock.stepped'
  readonly ms: number
  /** Time that the clock showed after the jump, in milliseconds since 1970. */
  readonly to: number
}
export interface CancelRequested {
  readonly type: 'cancel.requested'
  readonly by: 'api' | 'parent'
  readonly reason: string | null
}
interface RunCompleted {
  readonly type: 'run.completed'
  readonly stop_reason: 'end_turn' | 'max_tokens' | 'max_steps' | 'budget' | 'refusal'
  readonly output: {
    readonly text: Body
    readonly structured: unknown
    readonly attachments: readonly string[]
  } & Pick<Checked, 'schema_error'>
}
interface RunFailed {
  readonly type: 'run.failed'
  readonly stop_reason: 'error' | 'denied'
  readonly error: RunError
  /** Number of the step whose model call failed permanently. */
  readonly step?: number
}
interface RunCancelled {
  readonly type: 'run.cancelled'
  readonly stop_reason: 'cancelled'
  readonly reason: string | null
}
interface RunTimedOut {
  readonly type: 'run.timed_out'
  readonly stop_reason: 'timeout'
  readonly error: RunError
}

export type RunFact =
  | RunCreated
  | RunStarted
  | AssistantMessage
  | AnswerDiscarded
  | MessageReceived
  | ToolCalled
  | ToolPaused
  | ToolResulted
  | TranscriptCompacted
  | MemoryNoted
  | MemoryFlushed
  | SkillActivated
  | ApprovalRequested
  | ApprovalDecided
  | QuestionAsked
  | QuestionAnswered
  | TodosUpdated
  | SubagentSpawned
  | SubagentWaiting
  | SubagentResumed
  | SubagentAnnounced
  | SubagentFailed
  | BarrierReleased
  | RunWaiting
  | RunResumed
  | BudgetReached
  | OutageFact
  | ClockStepped
  | CancelRequested
  | RunCompleted
  | RunFailed
  | RunCancelled
  | RunTimedOut

export type FactType = RunFact['type']

export const TERMINAL_FACTS = [
  'run.completed',
  'run.failed',
  'run.cancelled',
  'run.timed_out',
] as const satisfies readonly FactType[]
export type TerminalFact = RunCompleted | RunFailed | RunCancelled | RunTimedOut

export const isTerminalFact = (fact: RunFact): fact is TerminalFact =>
  (TERMINAL_FACTS as readonly string[]).includes(fact.type)
