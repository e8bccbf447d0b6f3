/** Facts in a parent's log about its subagents: their start and their end. */

import type { Body, Usage } from '../../message.ts'
import type { Attached } from './attachments.ts'
import type { Allotted, Budget, Checked, Warned } from './fact-parts.ts'
import type { RunLane } from './spec.ts'

export interface SubagentSpawned extends Allotted, Warned {
  readonly type: 'subagent.spawned'
  readonly call: string
  readonly run_id: string
  readonly session_id: string
  readonly agent: string
  readonly label: string | null
  readonly lane: RunLane
  /** Beginning of the subagent's task text. */
  readonly task: string
  /**
   * Tools and servers of the parent run that the subagent's layers do not define; absent if there
   * are none.
   */
  readonly missing?: readonly string[]
  /**
   * Whether the subagent's end becomes the result of the spawn call; if absent, this fact is the
   * result.
   */
  readonly wait?: true
}

export type TerminalStatus = 'completed' | 'failed' | 'cancelled' | 'timed_out'
export interface RunError {
  readonly code: string
  readonly message: string
}

/**
 * Notice of a child's end, sent to its parent. The status comes from the runtime, never from text.
 */
export interface Announce extends Pick<Checked, 'schema_error'>, Warned, Attached {
  readonly run_id: string
  readonly agent: string
  readonly label: string | null
  readonly task: string
  readonly status: TerminalStatus
  /** Reason why the child ended; absent if recorded by an older release. */
  readonly stop_reason?: string
  /** Whether the child was cancelled before it started. */
  readonly never_started?: true
  readonly steps: number
  /** Last assistant message of the child; null unless the child completed. */
  readonly result: Body | null
  readonly partial?: Body // Last text of a child that ended before it completed.
  readonly error: RunError | null
  readonly structured: unknown
  readonly duration_ms: number
  readonly usage: Usage
  /**
   * Part of the child's allotment that its live descendants may still spend; absent if there is
   * none.
   */
  readonly held?: Budget
  /** Tokens per byte of prompt, measured by the child's last call; absent if not measured. */
  readonly tokens_per_byte?: number
  readonly truncated: boolean
}
export interface SubagentAnnounced {
  readonly type: 'subagent.announced'
  readonly call: string
  readonly announce: Announce
}
export interface SubagentFailed {
  readonly type: 'subagent.failed'
  readonly call: string
  readonly announce: Announce
}
