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
  /** Beginning of the task text. */
  readonly task: string
  /** Things that the parent has and its layers lack; absent: none. */
  readonly missing?: readonly string[]
  /** Its end is the result of the call. Absent: the call is answered by this fact. */
  readonly wait?: true
}

export type TerminalStatus = 'completed' | 'failed' | 'cancelled' | 'timed_out'
export interface RunError {
  readonly code: string
  readonly message: string
}

/** A finished child's report to its parent. Status comes from the runtime, never from text. */
export interface Announce extends Pick<Checked, 'schema_error'>, Warned, Attached {
  readonly run_id: string
  readonly agent: string
  readonly label: string | null
  readonly task: string
  readonly status: TerminalStatus
  /** Why it ended; absent: recorded by an older release. */
  readonly stop_reason?: string
  /** Whether it was cancelled before it started. */
  readonly never_started?: true
  readonly steps: number
  /** The child's last assistant message; null unless it completed. */
  readonly result: Body | null
  readonly partial?: Body // what it had said last, when it ended before it was done
  readonly error: RunError | null
  readonly structured: unknown
  readonly duration_ms: number
  readonly usage: Usage
  /** The part of its allotment that live runs below it may still spend; absent: nothing. */
  readonly held?: Budget
  /** As its last call has shown. Absent: not measured. */
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
