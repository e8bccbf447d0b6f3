/** Facts of a run that asks a person. */

import type { Body } from '../../message.ts'

/** Settings for requests to people, for a run and everything below it. */
export interface ApprovalSettings {
  readonly expires_seconds: number
  readonly on_expiry: 'deny' | 'approve'
  /** No person is available: calls that require an approval are denied at once. */
  readonly unattended: boolean
}

/** A run on the path from the root to the run of the approval. */
export interface PathNode {
  readonly run_id: string
  readonly agent: string
  readonly label: string | null
}

export interface ApprovalRequested {
  readonly type: 'approval.requested'
  /** Named by (run, step, index). */
  readonly id: string
  readonly call: string
  readonly tool: string
  /** As the model wrote them: JSON text. */
  readonly arguments: Body
  /** SHA-256 of that text: what was shown is what will be performed. */
  readonly args_hash: string
  /** Whose rule it is. */
  readonly reason: string
  /** Milliseconds since 1970. */
  readonly expires_at: number
  /** From the root to this run. */
  readonly path: readonly PathNode[]
}

export interface ApprovalDecided {
  readonly type: 'approval.decided'
  readonly id: string
  readonly call: string
  readonly decision: 'approve' | 'deny' | 'expired'
  /** The id of the API key that decided; null when time did. */
  readonly by: string | null
  readonly reason: string | null
  /** Approved with these instead: JSON text. */
  readonly arguments?: Body
}

/** A subagent waits for a person or a model, directly or through a descendant. */
export interface SubagentWaiting {
  readonly type: 'subagent.waiting'
  readonly call: string
  readonly run_id: string
  /** The seq in the subagent's log: a later word replaces an earlier one. */
  readonly word: number
  /** When its waiting ends by itself, ms since 1970. */
  readonly until: number | null
  /** Only for answers of the user, or only for a model; absent: for an approval. */
  readonly on?: 'input' | 'model'
}

export interface SubagentResumed {
  readonly type: 'subagent.resumed'
  readonly call: string
  readonly run_id: string
  readonly word: number
}
