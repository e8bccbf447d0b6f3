/**
 * What can happen to a fan-out: many tasks, each a run of its own, started by a caller that is no
 * model. What its children say is said in the words of a run's log (`core/run/facts.ts`).
 *
 * A task is named by its place in the list (`0`, `1`, …), the closing run by `then`: these stand
 * where a parent run has the id of a spawn call.
 */

import type { Body, Usage } from '../message.ts'
import type {
  BarrierReleased,
  CancelRequested,
  Join,
  RunError,
  RunWebhook,
  SubagentAnnounced,
  SubagentFailed,
  SubagentSpawned,
} from '../run/facts.ts'

/** One task as it was accepted. A thousand of them stand in one blob, not in a fact. */
export interface TaskPlan {
  readonly agent: string
  readonly label: string | null
  readonly role: string | null
  readonly repo_dir: string | null
  /** How the task begins, for people. */
  readonly task: string
  /** The first message; a large context that tasks share is one blob (protocol rule 20). */
  readonly input: Body
}

/** What the caller asked for, pinned. */
export interface FanoutSpec {
  readonly id: string
  /** How many tasks, and the blob that lists them. */
  readonly count: number
  readonly tasks: string
  readonly join: Join
  /** The run that gets all results; null: there is none. */
  readonly closing: { readonly agent: string; readonly input: Body } | null
  readonly webhook: RunWebhook | null
  readonly strict: boolean
  readonly on_duplicate: 'shadow' | 'reject'
  /** Children created and live at once; the next follow as they end (protocol rule 19). */
  readonly live_children: number
  readonly max_depth: number
}

export interface FanoutCreated {
  readonly type: 'fanout.created'
  readonly fanout: FanoutSpec
}

/** How many tasks stand where. */
export interface TaskCounts {
  readonly total: number
  /** Not created: they wait for a place, or nobody waits for them any more. */
  readonly queued: number
  readonly live: number
  readonly completed: number
  readonly failed: number
  readonly cancelled: number
  readonly timed_out: number
}
interface Ended {
  readonly children: TaskCounts
  /** Of all children that told their end. */
  readonly usage: Usage
}
export interface FanoutOutput {
  /** The closing run. */
  readonly run_id: string
  readonly text: Body
  readonly structured: unknown
}
export interface FanoutCompleted extends Ended {
  readonly type: 'fanout.completed'
  /** What the closing run said; null when there was none. */
  readonly output: FanoutOutput | null
}
export interface FanoutFailed extends Ended {
  readonly type: 'fanout.failed'
  readonly error: RunError
}
export interface FanoutCancelled extends Ended {
  readonly type: 'fanout.cancelled'
  readonly reason: string | null
}

export type FanoutFact =
  | FanoutCreated
  | SubagentSpawned
  | SubagentAnnounced
  | SubagentFailed
  | BarrierReleased
  | CancelRequested
  | FanoutCompleted
  | FanoutFailed
  | FanoutCancelled

export type TerminalFanoutFact = FanoutCompleted | FanoutFailed | FanoutCancelled

export const TERMINAL_FANOUT_FACTS = [
  'fanout.completed',
  'fanout.failed',
  'fanout.cancelled',
] as const satisfies readonly FanoutFact['type'][]

export const isTerminalFanoutFact = (fact: FanoutFact): fact is TerminalFanoutFact =>
  (TERMINAL_FANOUT_FACTS as readonly string[]).includes(fact.type)
