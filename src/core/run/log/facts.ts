/**
 * The facts of a run. A run *is* its log of these facts; status, transcript, stream, webhooks and
 * audit are readings of it. A fact is immutable and must fold for ever.
 *
 * Adding a fact: 1 its type here or in a file like `approval-facts.ts`, and in the union below.
 * The compiler then asks for 2 `evolve.ts`, 3 `accepts.ts`, whether it counts when it comes twice,
 * late or after a cancel, 4 the event's data in `http/schemas/events/run-events.ts`,
 * 5 `test/golden.test.ts`, 6 the simulator's `test/sim/shadow/shadow.ts`; it does not ask for
 * 7 `event.ts`, when it has times, secrets or arguments, 8 its writer, 9 a scenario in
 * `test/tools/golden.ts`; then `npm run golden` and `npm run openapi`. A release reads a new fact
 * one version before any release writes it.
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

/** A fact with its place in the log. `seq` is dense from 1; `at` (ms since 1970) never goes back. */
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
  /** Context window of the model, in tokens. */
  readonly window: number
  readonly config_digest: string
  /** Blob of the run's pinned configuration (`pin.ts`). */
  readonly pin: string
  readonly max_steps: number
  readonly timeout_seconds: number
  /** How long an outage of the model is waited out; 0: three attempts. */
  readonly model_patience_seconds: number
  /** Memory notes shown at the start; absent: none. */
  readonly memory?: StartNotes
  /** When it really began, ms since 1970: the fact may be committed with the whole answer. */
  readonly began_at?: number
}

/** How one call of an answer will be treated; settled when the answer arrives. */
export interface CallPlan {
  readonly id: string
  readonly tool: string
  readonly mode: 'once' | 'repeatable' | 'write' | 'spawn' | 'question' | 'caller' | 'refused'
  /** Why the call is refused, as the model will read it. */
  readonly refusal?: string
  /** How the call differs from what the model wrote. */
  readonly mended?: string
  /** Rule that requires a person's approval. */
  readonly ask?: string
  /** With `question`: the user's question, and how long the answer is awaited. */
  readonly questions?: readonly Question[]
  readonly expires_in_seconds?: number
}
/** `structured_output`: the provider has refused the schema, which then went into the prompt. */
export interface AssistantMessage extends Checked, SchemaTold, Attempted, Timed, Reserved {
  readonly type: 'assistant.message'
  readonly step: number
  /** How many entries of the run's pending input the request contained. */
  readonly seen: number
  readonly parts: readonly AssistantPart[]
  readonly calls: readonly CallPlan[]
  readonly finish: 'stop' | 'calls' | 'length' | 'refusal' | 'other'
  readonly model: string
  readonly usage: Usage
}
/** The next call of the model does not fit into what is left of a budget that was handed down. */
export interface BudgetReached {
  readonly type: 'budget.reached'
  readonly step: number
  readonly limit: 'max_tokens' | 'max_cost_usd'
  /** Minimum cost of the call in tokens or US dollars, like `left`. */
  readonly needed: number
  readonly left: number
}
/** A billed model answer that does not count: another came first, or the attempt failed. */
interface AnswerDiscarded {
  readonly type: 'assistant.discarded'
  readonly step: number
  readonly model: string
  readonly usage: Usage
}
/**
 * A message from outside to a live run: the answer of the question that is open, else it enters
 * before the next model call.
 */
export interface MessageReceived {
  readonly type: 'message.received'
  /** Named by its idempotency key, so that a retry finds it. */
  readonly message_id: string
  readonly text: Body
  /** Sent by the model of the parent, which answers no question to the user. */
  readonly by?: 'parent'
  /** Originating span; absent: none, or the run's trace is not exported. */
  readonly caller?: { readonly trace: string; readonly span: string }
}
interface ToolCalled {
  readonly type: 'tool.call'
  readonly call: string
  readonly tool: string
  readonly mode: 'once' | 'repeatable' | 'write'
  /** The lease under which the call may be performed. */
  readonly epoch: number
  /** With `write`: what will be changed into what, so that doing it twice is doing it once. */
  readonly write?: WritePlan
}
export interface WritePlan {
  /** ETag of the replaced file; null: it did not exist. */
  readonly before: string | null
  /** SHA-256 of the file as it will be. */
  readonly after: string
}
export interface ToolResulted extends Pick<Timed, 'began_at'> {
  readonly type: 'tool.result'
  readonly call: string
  readonly tool: string
  readonly status: 'ok' | 'error' | 'unknown'
  readonly text: Body
  readonly duration_ms: number
  /** Keys that the run attaches to its output. */
  readonly attachments?: readonly string[]
  /** Deferred tools that the model is shown from now on. */
  readonly found?: readonly string[]
}
/**
 * The conversation exceeded the model's window. From now on the summary replaces everything before
 * step `kept_from`, the session's earlier runs included.
 */
export interface TranscriptCompacted {
  readonly type: 'transcript.compacted'
  /** The step that is due. */
  readonly step: number
  /** How many entries of the run's pending input were there. */
  readonly seen: number
  readonly kept_from: number
  readonly summary: Body
  /** The model that summarised; null: none could, so it is an excerpt. */
  readonly model: string | null
  readonly usage: Usage
}
/** A skill was opened: by the model's tool, or by `/name args` at the start of the input. */
export interface SkillActivated {
  readonly type: 'skill.activated'
  readonly skill: string
  readonly by: 'model' | 'user'
  /** The SHA-256 of its SKILL.md. */
  readonly file_digest: string
  /** The tool call; null when it was activated by hand. */
  readonly call: string | null
  readonly args: string
  /** For manual activation: the text that enters the transcript after the input. */
  readonly text: Body | null
}
export interface BarrierReleased {
  readonly type: 'barrier.released'
  /** Spawn calls whose results join now, in call order. */
  readonly calls: readonly string[]
  /** Spawn calls that count as timed out or are no longer waited for. */
  readonly missing: readonly string[]
  /** `budget`: of a fan-out, whose budget was spent before all tasks had begun. */
  readonly reason: 'joined' | 'deadline' | 'budget'
}
/** The wall clock jumped forward, or no process was running: this much of its time never passed. */
export interface ClockStepped {
  readonly type: 'clock.stepped'
  readonly ms: number
  /** The clock after the jump, ms since 1970. */
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
  /** The step whose model call failed for good. */
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
