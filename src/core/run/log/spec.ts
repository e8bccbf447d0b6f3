/** Specification of a run, pinned in its first fact and never changed. */

import type { Body } from '../../message.ts'
import type { QuotaKey } from '../../tenant-quotas.ts'
import type { ArgumentRuling } from '../../tools/ruling.ts'
import type { TraceContext } from '../../trace/context.ts'
import type { Formatted } from '../../webhook/format.ts'
import type { ApprovalSettings, PathNode } from './approval-facts.ts'
import type { Begins, Budget, Shaped, Sliced, Warned } from './fact-parts.ts'
import type { Tuned } from './models.ts'

type RunKind = 'main' | 'subagent' | 'schedule' | 'hook'
export type RunLane = 'main' | 'subagent' | 'background'

export interface Join {
  readonly policy: 'all' | 'any' | { readonly quorum: number }
  /** Maximum wall time in seconds that the barrier waits; null for the run's remaining time. */
  readonly deadline_seconds: number | null
  readonly on_child_failure: 'continue' | 'fail'
  readonly cancel_rest: boolean
}
export const JOIN_DEFAULT: Join = {
  policy: 'all',
  deadline_seconds: null,
  on_child_failure: 'continue',
  cancel_rest: true,
}

interface RunLimits extends Budget {
  readonly max_steps: number | null
  readonly timeout_seconds: number | null
  /**
   * Maximum time in seconds to wait for an unavailable model; if absent, the value of the agent,
   * policy, or deployment.
   */
  readonly model_patience_seconds?: number
  readonly max_children: number
  readonly live_children: number
  readonly max_depth: number
}

/** Parent of the run, and the spawn call that created the run. */
interface Parent {
  /** ID of the parent run, or of the fan-out whose task the run is. */
  readonly run_id: string
  /** ID of the spawn call in the parent run. */
  readonly call: string
  /** Session of the parent; null for a fan-out, which has no session. */
  readonly session_id: string | null
}

export interface RunWebhook extends Formatted {
  readonly url: string
  readonly events: readonly string[]
  /** Whether Strata generated the webhook's secret. */
  readonly generated: boolean
}

/** Position of the run in a session. */
interface RunTurn {
  readonly ticket: number
  /**
   * Whether the run may start its turn; if false, the run waits until the session grants the turn.
   */
  readonly granted: boolean
  /** Segments of the session's transcript so far, if the turn was granted immediately. */
  readonly history: readonly string[]
}

/**
 * Denials and approval rules from the agent files of all ancestors, which apply to every
 * descendant.
 */
export interface Inherited {
  readonly denied: readonly string[]
  readonly asks: readonly { readonly tool: string; readonly agent: string }[]
  /** Rules that depend on a call's arguments; absent if there are none. */
  readonly argument_rules?: readonly (ArgumentRuling & { readonly tool: string })[]
}

/** Schedule slot that started the run; the schedule is notified by mail of the run's end. */
interface RunSchedule {
  readonly id: string
  readonly name: string
  /** Due time of the slot, in milliseconds since 1970. */
  readonly slot: number
}

/** Caller's request, pinned in the log. `warnings` are the warnings from acceptance. */
export interface RunSpec extends Shaped, Sliced, Warned, Tuned, Begins {
  readonly id: string
  readonly kind: RunKind
  readonly lane: RunLane
  readonly session_id: string
  /** Position of the run in a session; null if the run is the only one in its session. */
  readonly turn: RunTurn | null
  readonly root_run_id: string
  /**
   * Root fan-out under which message bodies are stored; if absent, they are stored under
   * `root_run_id`.
   */
  readonly home?: string
  readonly depth: number
  readonly parent: Parent | null
  /** Path from the root run to the parent run. */
  readonly ancestors?: readonly PathNode[]
  /**
   * Session of the root run, for descendants of subagents; if absent, the parent's session or the
   * run's own session.
   */
  readonly owner_session?: string
  readonly agent: string
  /** Blob with an agent that only the parent's layers define; null to use the run's own layers. */
  readonly agent_entry: string | null
  readonly label: string | null
  readonly role: string | null
  readonly repo_dir: string | null
  readonly base_dir: string | null
  readonly model: string | null
  /** Number of children stored together in one object, as encoded in their IDs. */
  readonly kin?: number
  /** Model of the parent, used if neither the caller nor the agent file names a model. */
  readonly inherited_model: string | null
  readonly tools: readonly string[] | null
  readonly disallowed_tools: readonly string[]
  /** Rules inherited from the run's ancestors; absent if there are none. */
  readonly above?: Inherited
  /**
   * Tools and servers of the parent run that this run's layers do not define; absent if there are
   * none.
   */
  readonly missing?: readonly string[]
  readonly mcp_config_path: string | null
  readonly mcp_servers: Readonly<Record<string, unknown>> | null
  readonly strict: boolean
  readonly on_duplicate: 'shadow' | 'reject'
  readonly join: Join
  readonly limits: RunLimits
  readonly webhook: RunWebhook | null
  /** Schedule that started the run; absent if none did. */
  readonly schedule?: RunSchedule
  /** Approval settings of the run; if absent, the defaults apply. */
  readonly approvals?: ApprovalSettings
  /**
   * Number of inbound hooks in the chain of causes that led to this run; absent if there are none.
   */
  readonly hops?: number
  /** Trace context of the run; absent if it is not traced. */
  readonly trace?: TraceContext
  /** Instructions that the caller adds to the agent's prompt; absent if there are none. */
  readonly instructions?: Body
  /** Tools that the caller performs itself, as JSON (`ToolSpec[]`); absent if there are none. */
  readonly caller_tools?: Body
  readonly metadata: Readonly<Record<string, string>>
  /** End user whose secrets take precedence over those of the tenant; absent if there is none. */
  readonly subject?: string
  /** API key that started the run, if the key had quotas; otherwise absent. */
  readonly key?: QuotaKey
  /** Messages at the start of the transcript; the last message is from the user. */
  readonly input: readonly { readonly role: 'user' | 'assistant'; readonly text: Body }[]
}
