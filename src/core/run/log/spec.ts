/** The specification of a run: pinned in its first fact, never changed. */

import type { Body } from '../../message.ts'
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
  /** Wall time from the barrier's beginning; null: what remains of the run's own time. */
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
  /** Absent: what the agent, the policy or the deployment says. */
  readonly model_patience_seconds?: number
  readonly max_children: number
  readonly live_children: number
  readonly max_depth: number
}

/** The parent of this run, and the run's name there. */
interface Parent {
  /** A run, or the fan-out whose task it is. */
  readonly run_id: string
  /** The spawn call in the parent. */
  readonly call: string
  /** Null: a fan-out has no session. */
  readonly session_id: string | null
}

export interface RunWebhook extends Formatted {
  readonly url: string
  readonly events: readonly string[]
  /** Whether we made its secret. */
  readonly generated: boolean
}

/** The run's place in a session. */
interface RunTurn {
  readonly ticket: number
  /** False: it waits until the session gives it the turn. */
  readonly granted: boolean
  /** Segments of the transcript so far, when the turn was granted at once. */
  readonly history: readonly string[]
}

/**
 * Denials and approval rules from the agent files of all ancestors, which apply to every
 * descendant.
 */
export interface Inherited {
  readonly denied: readonly string[]
  readonly asks: readonly { readonly tool: string; readonly agent: string }[]
  /** Rules by the arguments of a call. Absent: none. */
  readonly argument_rules?: readonly (ArgumentRuling & { readonly tool: string })[]
}

/** The slot of a schedule that started this; the schedule gets the end by mail. */
interface RunSchedule {
  readonly id: string
  readonly name: string
  /** Ms since 1970. */
  readonly slot: number
}

/** The caller's request, pinned; `warnings` are those of acceptance. */
export interface RunSpec extends Shaped, Sliced, Warned, Tuned, Begins {
  readonly id: string
  readonly kind: RunKind
  readonly lane: RunLane
  readonly session_id: string
  /** Null: the run is the only one of its session. */
  readonly turn: RunTurn | null
  readonly root_run_id: string
  /** The fan-out that is the root of all this, where its bodies lie; absent: `root_run_id`. */
  readonly home?: string
  readonly depth: number
  readonly parent: Parent | null
  /** From the root to the parent. */
  readonly ancestors?: readonly PathNode[]
  /** The session at the root, below a subagent of it; absent: the parent's, or its own. */
  readonly owner_session?: string
  readonly agent: string
  /** The blob of an agent that only the parent's layers have; else the run's own layers count. */
  readonly agent_entry: string | null
  readonly label: string | null
  readonly role: string | null
  readonly repo_dir: string | null
  readonly base_dir: string | null
  readonly model: string | null
  /** Its children's ids say which are placed together. */
  readonly kin?: number
  /** The parent's model: what counts when neither the caller nor the file names one. */
  readonly inherited_model: string | null
  readonly tools: readonly string[] | null
  readonly disallowed_tools: readonly string[]
  /** Absent: nothing. */
  readonly above?: Inherited
  /** Things that the run that started it has and its own layers lack. Absent: none. */
  readonly missing?: readonly string[]
  readonly mcp_config_path: string | null
  readonly mcp_servers: Readonly<Record<string, unknown>> | null
  readonly strict: boolean
  readonly on_duplicate: 'shadow' | 'reject'
  readonly join: Join
  readonly limits: RunLimits
  readonly webhook: RunWebhook | null
  /** Absent: no schedule started it. */
  readonly schedule?: RunSchedule
  /** Absent: the defaults. */
  readonly approvals?: ApprovalSettings
  /** Number of inbound hooks in the chain before the one that started this run; absent: none. */
  readonly hops?: number
  /** Absent: it is in no trace. */
  readonly trace?: TraceContext
  /** The caller's addition to the prompt of the agent. Absent: none. */
  readonly instructions?: Body
  /** JSON of the tools that the caller performs itself (`ToolSpec[]`). Absent: none. */
  readonly caller_tools?: Body
  readonly metadata: Readonly<Record<string, string>>
  /** Messages at the start of the transcript; the last one is the user's. */
  readonly input: readonly { readonly role: 'user' | 'assistant'; readonly text: Body }[]
}
