/** Facts of a run that requests a person's decision or answer. */

import type { Body } from '../../message.ts'

/** Settings for requests to people, for a run and all its descendants. */
export interface ApprovalSettings {
  readonly expires_seconds: number
  readonly on_expiry: 'deny' | 'approve'
  /** Whether no person is available, so that calls requiring an approval are denied immediately. */
  readonly unattended: boolean
}

/** Run on the path from the root to the run that requests the approval. */
export interface PathNode {
  readonly run_id: string
  readonly agent: string
  readonly label: string | null
}

export interface ApprovalRequested {
  readonly type: 'approval.requested'
  /** Approval ID, derived from (run, step, index). */
  readonly id: string
  readonly call: string
  readonly tool: string
  /** Arguments as the model wrote them: JSON text. */
  readonly arguments: Body
  /** SHA-256 of the arguments, which proves that the executed arguments are the ones shown. */
  readonly args_hash: string
  /** Source of the rule that requires the approval. */
  readonly reason: string
  /** Expiry time, in milliseconds since 1970. */
  readonly expires_at: number
  /** Path from the root to this run. */
  readonly path: readonly PathNode[]
}

export interface ApprovalDecided {
  readonly type: 'approval.decided'
  readonly id: string
  readonly call: string
  readonly decision: 'approve' | 'deny' | 'expired'
  /** ID of the API key that decided; null if the approval expired. */
  readonly by: string | null
  readonly reason: string | null
  /** Replacement arguments with which the call was approved: JSON text. */
  readonly arguments?: Body
}

/** Fact that a subagent waits for a person or a model, directly or through a descendant. */
export interface SubagentWaiting {
  readonly type: 'subagent.waiting'
  readonly call: string
  readonly run_id: string
  /** Sequence number in the subagent's log; a later notice replaces an earlier one. */
  readonly word: number
  /** Time when the wait expires, in milliseconds since 1970. */
  readonly until: number | null
  /**
   * Reason for the wait: only user answers (`input`), or only a model (`model`); absent for an
   * approval.
   */
  readonly on?: 'input' | 'model'
}

export interface SubagentResumed {
  readonly type: 'subagent.resumed'
  readonly call: string
  readonly run_id: string
  readonly word: number
}
