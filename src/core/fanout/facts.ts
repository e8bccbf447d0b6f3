/**
 * Facts of a fan-out: many tasks, each a separate run, started by a caller that is not a model.
 * Facts about its children use the vocabulary of a run's log (`core/run/log/facts.ts`).
 *
 * A task is identified by its list position (`0`, `1`, …), and the closing run by `then`. These
 * replace the ID of a spawn call in a parent run.
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

/** Accepted task. A thousand tasks are stored in one blob, not in a fact. */
export interface TaskPlan extends Warned {
  readonly agent: string
  readonly label: string | null
  readonly role: string | null
  readonly repo_dir: string | null
  /** Tools that the caller requested; absent if not specified. */
  readonly tools?: readonly string[]
  readonly disallowed_tools?: readonly string[]
  readonly model?: string
  readonly model_settings?: ModelSettings
  readonly timeout_seconds?: number
  readonly model_patience_seconds?: number
  readonly output_schema?: Readonly<Record<string, unknown>>
  readonly output_schema_required?: true
  readonly metadata?: Readonly<Record<string, string>>
  /** Beginning of the task, for display. */
  readonly task: string
  /** First message; a large context shared by tasks is a single blob (protocol rule 20). */
  readonly input: Body
}

/** Caller's request, pinned at acceptance. */
export interface FanoutSpec extends Sliced {
  readonly id: string
  /** Number of children stored together in one object, as encoded in their IDs. */
  readonly kin?: number
  /** Whether tasks arrive in pages until the fan-out is sealed; each page is a child fan-out. */
  readonly open?: true
  /** Open fan-out that this page belongs to. */
  readonly parent?: { readonly run_id: string; readonly call: string; readonly page: number }
  /** Number of tasks, and the blob that lists them; absent for an open fan-out. */
  readonly count: number
  readonly tasks: string
  readonly join: Join
  /** Run that receives all results; null if there is none. */
  readonly closing: { readonly agent: string; readonly input: Body } | null
  readonly webhook: RunWebhook | null
  /** Approval settings; if absent, the defaults apply. */
  readonly approvals?: ApprovalSettings
  /** Warnings from acceptance; absent if there are none. */
  readonly warnings?: readonly TaskWarning[]
  readonly strict: boolean
  readonly on_duplicate: 'shadow' | 'reject'
  /**
   * Maximum number of live children; further children are created as others end (protocol rule 19).
   */
  readonly live_children: number
  /**
   * Maximum number of active tasks across all pages, for an open fan-out, whose children are pages.
   */
  readonly page_children?: number
  readonly max_depth: number
  /** Trace context; absent if the fan-out is not traced. */
  readonly trace?: TraceContext
  /** Amount that all children together may spend; absent if unlimited. */
  readonly limits?: Budget
  /** Start conditions of the tasks; `priority` also applies to the closing run. */
  readonly begins?: Begins
  /** Display label; absent if there is none. */
  readonly label?: string
  readonly metadata?: Readonly<Record<string, string>>
}

interface FanoutCreated {
  readonly type: 'fanout.created'
  readonly fanout: FanoutSpec
}

/** Page of an open fan-out; pages are numbered, so that a repeated page is recognized. */
export interface FanoutExtended {
  readonly type: 'fanout.extended'
  readonly page: number
  readonly count: number
  /** Blob that lists the page's tasks. */
  readonly tasks: string
  /** SHA-256 of the caller's request. */
  readonly request: string
}
/** Fact that all pages have arrived, numbered from 0. */
export interface FanoutSealed {
  readonly type: 'fanout.sealed'
  readonly pages: number
  readonly tasks: number
}
/** Fact that the fan-out of a page was created; `call` is the sequence number of the page. */
export interface PageStarted extends Allotted {
  readonly type: 'page.started'
  readonly call: string
  readonly page: number
  /** ID of the page's fan-out. */
  readonly run_id: string
}
/** Report of an ended page to its fan-out. */
export interface PageEnd {
  readonly run_id: string
  readonly status: TerminalStatus
  readonly error: RunError | null
  readonly children: TaskCounts
  /** Whether some tasks did not start because the budget was spent. */
  readonly spent?: true
  readonly usage: Usage
  /** Amount that surviving descendants may still spend. */
  readonly held?: Budget
  /** Maximum tokens per byte that its tasks measured; absent if not measured. */
  readonly tokens_per_byte?: number
}
export interface PageEnded {
  readonly type: 'page.ended'
  readonly call: string
  readonly announce: PageEnd
}

/** Number of tasks by state. */
export interface TaskCounts {
  readonly total: number
  /** Number of tasks not created, which wait for a slot or are no longer waited for. */
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
  /** ID of the closing run. */
  readonly run_id: string
  readonly text: Body
  readonly structured: unknown
}
interface FanoutCompleted extends Ended {
  readonly type: 'fanout.completed'
  /** Output of the closing run; null if there is none. */
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
