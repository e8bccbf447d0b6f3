/**
 * Facts of a fan-out: many tasks, each a separate run, started by a caller that is not a model.
 * Facts about children use the vocabulary of a run's log (`core/run/log/facts.ts`).
 *
 * A task is identified by its list position (`0`, `1`, …), and the closing run by `then`. These
 * names replace the spawn call ID in a parent run.
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
import type { QuotaKey } from '../tenant-quotas.ts'
import type { TraceContext } from '../trace/context.ts'

/** Accepted task of a fan-out. The tasks are stored together in one blob, not in a fact. */
export interface TaskPlan extends Warned {
  readonly agent: string
  readonly label: string | null
  readonly role: string | null
  readonly repo_dir: string | null
  /** Tools that the caller requested for the task; absent if not specified. */
  readonly tools?: readonly string[]
  readonly disallowed_tools?: readonly string[]
  readonly model?: string
  readonly model_settings?: ModelSettings
  readonly timeout_seconds?: number
  readonly model_patience_seconds?: number
  readonly output_schema?: Readonly<Record<string, unknown>>
  readonly output_schema_required?: true
  readonly metadata?: Readonly<Record<string, string>>
  /** Beginning of the task text, for display. */
  readonly task: string
  /**
   * First message of the task's run. A large context shared by tasks is a single blob (PROTOCOL.md
   * rule 20).
   */
  readonly input: Body
}

/** Caller's request for a fan-out, pinned at acceptance. */
export interface FanoutSpec extends Sliced {
  readonly id: string
  /** Number of children stored together in one object, as encoded in their IDs. */
  readonly kin?: number
  /**
   * Whether tasks arrive in pages until the caller seals the fan-out; each page is a child fan-out.
   */
  readonly open?: true
  /** Open fan-out that the page belongs to. */
  readonly parent?: { readonly run_id: string; readonly call: string; readonly page: number }
  /** Number of tasks, and the blob that lists them; 0 and empty for an open fan-out. */
  readonly count: number
  readonly tasks: string
  readonly join: Join
  /** Closing run, which receives all results; null if there is none. */
  readonly closing: { readonly agent: string; readonly input: Body } | null
  readonly webhook: RunWebhook | null
  /** Approval settings of the tasks; if absent, the defaults apply. */
  readonly approvals?: ApprovalSettings
  /** Warnings recorded at acceptance; absent if there are none. */
  readonly warnings?: readonly TaskWarning[]
  readonly strict: boolean
  readonly on_duplicate: 'shadow' | 'reject'
  /**
   * Maximum number of live children; further children are created as live ones end (PROTOCOL.md
   * rule 19).
   */
  readonly live_children: number
  /**
   * Maximum number of active tasks across all pages of an open fan-out, whose children are pages.
   */
  readonly page_children?: number
  readonly max_depth: number
  /** Trace context of the fan-out; absent if it is not traced. */
  readonly trace?: TraceContext
  /** Amount that all children together may spend; absent if unlimited. */
  readonly limits?: Budget
  /** Start conditions of the tasks; their `priority` also applies to the closing run. */
  readonly begins?: Begins
  /** Display label of the fan-out; absent if there is none. */
  readonly label?: string
  readonly metadata?: Readonly<Record<string, string>>
  /** End user whose secrets the tasks use; absent if there is none. */
  readonly subject?: string
  /** API key that started the fan-out, if the key had quotas; otherwise absent. */
  readonly key?: QuotaKey
}

interface FanoutCreated {
  readonly type: 'fanout.created'
  readonly fanout: FanoutSpec
}

/**
 * Fact that a page of an open fan-out arrived. Pages are numbered, so that a repeated page is
 * recognized.
 */
export interface FanoutExtended {
  readonly type: 'fanout.extended'
  readonly page: number
  readonly count: number
  /** Blob that lists the page's tasks. */
  readonly tasks: string
  /** SHA-256 of the caller's request that added the page. */
  readonly request: string
}
/** Fact that all pages of an open fan-out have arrived; pages are numbered from 0. */
export interface FanoutSealed {
  readonly type: 'fanout.sealed'
  readonly pages: number
  readonly tasks: number
}
/** Fact that a page's fan-out was created; `call` is the sequence number of the page. */
export interface PageStarted extends Allotted {
  readonly type: 'page.started'
  readonly call: string
  readonly page: number
  /** ID of the page's fan-out. */
  readonly run_id: string
}
/** Notice of a page's end, sent to the open fan-out. */
export interface PageEnd {
  readonly run_id: string
  readonly status: TerminalStatus
  readonly error: RunError | null
  readonly children: TaskCounts
  /** Whether some tasks of the page did not start because the budget was spent. */
  readonly spent?: true
  readonly usage: Usage
  /** Amount that live descendants of the page's tasks may still spend. */
  readonly held?: Budget
  /** Highest number of tokens per byte that the page's tasks measured; absent if not measured. */
  readonly tokens_per_byte?: number
}
export interface PageEnded {
  readonly type: 'page.ended'
  readonly call: string
  readonly announce: PageEnd
}

/** Number of a fan-out's tasks by state. */
export interface TaskCounts {
  readonly total: number
  /**
   * Number of tasks without a run: they wait for a slot, or the fan-out no longer waits for them.
   */
  readonly queued: number
  readonly live: number
  readonly completed: number
  readonly failed: number
  readonly cancelled: number
  readonly timed_out: number
}
interface Ended {
  readonly children: TaskCounts
  /** Total usage of the children whose end was reported. */
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
