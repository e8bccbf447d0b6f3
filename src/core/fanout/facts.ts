/**
 * The facts of a fan-out: many tasks, each a run of its own, started by a caller that is no model.
 * Facts about its children share the words of a run's log (`core/run/log/facts.ts`).
 *
 * A task is named by its place in the list (`0`, `1`, …), the closing run by `then`: these stand
 * where a parent run has the id of a spawn call.
 */

import type { Body, Usage } from '../message.ts'
import type { ModelSettings } from '../model-settings.ts'
import type { ApprovalSettings } from '../run/log/approval-facts.ts'
import type { Attached } from '../run/log/attachments.ts'
import type {
  Allotted,
  Begins,
  Budget,
  Sliced,
  TaskWarning,
  Warned,
} from '../run/log/fact-parts.ts'
import type {
  BarrierReleased,
  CancelRequested,
  Join,
  RunError,
  RunWebhook,
  SubagentAnnounced,
  SubagentFailed,
  SubagentSpawned,
  TerminalStatus,
} from '../run/log/facts.ts'
import type { TraceContext } from '../trace/context.ts'

/** A task as it was accepted. A thousand of them are stored in one blob, not in a fact. */
export interface TaskPlan extends Warned {
  readonly agent: string
  readonly label: string | null
  readonly role: string | null
  readonly repo_dir: string | null
  /** The caller's; absent: none. */
  readonly tools?: readonly string[]
  readonly disallowed_tools?: readonly string[]
  readonly model?: string
  readonly model_settings?: ModelSettings
  readonly timeout_seconds?: number
  readonly model_patience_seconds?: number
  readonly output_schema?: Readonly<Record<string, unknown>>
  readonly output_schema_required?: true
  readonly metadata?: Readonly<Record<string, string>>
  /** How the task begins, for people. */
  readonly task: string
  /** The first message; a large context that tasks share is one blob (protocol rule 20). */
  readonly input: Body
}

/** The caller's request, pinned. */
export interface FanoutSpec extends Sliced {
  readonly id: string
  /** Its children's ids say which are placed together. */
  readonly kin?: number
  /** Its tasks come by pages until it is sealed: each page is a fan-out of its own, its child. */
  readonly open?: true
  /** The open fan-out whose page this is. */
  readonly parent?: { readonly run_id: string; readonly call: string; readonly page: number }
  /** How many tasks, and the blob that lists them; none when it is open. */
  readonly count: number
  readonly tasks: string
  readonly join: Join
  /** The run that gets all results; null: there is none. */
  readonly closing: { readonly agent: string; readonly input: Body } | null
  readonly webhook: RunWebhook | null
  /** Absent: the defaults. */
  readonly approvals?: ApprovalSettings
  /** Warnings of acceptance; absent: nothing odd. */
  readonly warnings?: readonly TaskWarning[]
  readonly strict: boolean
  readonly on_duplicate: 'shadow' | 'reject'
  /** Children created and live at once; the next follow as they end (protocol rule 19). */
  readonly live_children: number
  /** For an open fan-out, whose children are pages: number of active tasks in all of them. */
  readonly page_children?: number
  readonly max_depth: number
  /** Absent: it is in no trace. */
  readonly trace?: TraceContext
  /** The amount that all children together may spend; absent: no limit. */
  readonly limits?: Budget
  /** When its tasks may begin; `priority` is that of its closing run too. */
  readonly begins?: Begins
  /** For people and their lists; absent: none. */
  readonly label?: string
  readonly metadata?: Readonly<Record<string, string>>
}

interface FanoutCreated {
  readonly type: 'fanout.created'
  readonly fanout: FanoutSpec
}

/** A page of an open fan-out; pages have numbers, so that one that comes twice is known. */
export interface FanoutExtended {
  readonly type: 'fanout.extended'
  readonly page: number
  readonly count: number
  /** The blob that lists its tasks. */
  readonly tasks: string
  /** SHA-256 of what the caller sent. */
  readonly request: string
}
/** All pages are there, from 0 on. */
export interface FanoutSealed {
  readonly type: 'fanout.sealed'
  readonly pages: number
  readonly tasks: number
}
/** The fan-out of a page was created; `call`: the how manieth page that came. */
export interface PageStarted extends Allotted {
  readonly type: 'page.started'
  readonly call: string
  readonly page: number
  /** The id of that fan-out. */
  readonly run_id: string
}
/** The report of an ended page to its fan-out. */
export interface PageEnd {
  readonly run_id: string
  readonly status: TerminalStatus
  readonly error: RunError | null
  readonly children: TaskCounts
  /** Not all of its tasks were begun, because the budget was spent. */
  readonly spent?: true
  readonly usage: Usage
  /** The amount that survivors may still spend. */
  readonly held?: Budget
  /** The most that its tasks have shown. Absent: not measured. */
  readonly tokens_per_byte?: number
}
export interface PageEnded {
  readonly type: 'page.ended'
  readonly call: string
  readonly announce: PageEnd
}

/** How many tasks stand where. */
export interface TaskCounts {
  readonly total: number
  /** Not created: they wait for a slot, or are no longer waited for. */
  readonly queued: number
  readonly live: number
  readonly completed: number
  readonly failed: number
  readonly cancelled: number
  readonly timed_out: number
}
interface Ended {
  readonly children: TaskCounts
  /** Usage of all children that have announced their end. */
  readonly usage: Usage
}
export interface FanoutOutput extends Attached {
  /** The closing run. */
  readonly run_id: string
  readonly text: Body
  readonly structured: unknown
}
interface FanoutCompleted extends Ended {
  readonly type: 'fanout.completed'
  /** The closing run's answer; null when there was none. */
  readonly output: FanoutOutput | null
}
interface FanoutFailed extends Ended {
  readonly type: 'fanout.failed'
  readonly error: RunError
}
interface FanoutCancelled extends Ended {
  readonly type: 'fanout.cancelled'
  readonly reason: string | null
}

export type FanoutFact =
  | FanoutCreated
  | FanoutExtended
  | FanoutSealed
  | PageStarted
  | PageEnded
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
