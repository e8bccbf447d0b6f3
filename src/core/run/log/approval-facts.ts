/** Facts of a run that asks a person for a decision or an answer. */

import type { Body } from '../../message.ts'

/** Settings for requests to people, which apply to a run and all its descendants. */
export interface ApprovalSettings {
  readonly expires_seconds: number
  readonly on_expiry: 'deny' | 'approve'
  /** Whether no person is available; calls that require an approval are then denied immediately. */
  readonly unattended: boolean
}

/** Run on the path from the root run to the run that requests the approval. */
export interface PathNode {
  readonly run_id: string
  readonly agent: string
  readonly label: string | null
}

export interface ApprovalRequested {
  readonly type: 'approval.requested'
  /** ID of the approval, derived from (run, step, index). */
  readonly id: string
  readonly call: string
  readonly tool: string
  /** Arguments of the call as the model wrote them: JSON text. */
  readonly arguments: Body
  /** SHA-256 of the arguments, which proves that the executed arguments are the arguments shown. */
  readonly args_hash: string
  /** Source of the rule that made the approval necessary. */
  readonly reason: string
  /** Expiry time of the approval, in milliseconds since 1970. */
  readonly expires_at: number
  /** Path from the root run to this run. */
  readonly path: readonly PathNode[]
}

export interface ApprovalDecided {
  readonly type: 'approval.decided'
  readonly id: string
  readonly call: string
  readonly decision: 'approve' | 'deny' | 'expired'
  /** ID of the API key that decided the approval; null if it expired. */
  readonly by: string | null
  readonly reason: string | null
  /** Arguments that replaced the original ones when the call was approved: JSON text. */
  readonly arguments?: Body
}

/** Fact that a subagent waits for a person or a model, directly or through a descendant. */
export interface SubagentWaiting {
  readonly type: 'subagent.waiting'
  readonly call: string
  readonly run_id: string
  /**
   * Sequence number of the notice in the subagent's log; a later notice replaces an earlier one.
   */
  readonly word: number
  /** Time when the wait expires, in milliseconds since 1970. */
  readonly until: number | null
  /**
   * Reason for the wait: only user answers (`input`) or only a model (`model`); absent if an
   * approval is pending.
   */
  readonly on?: 'input' | 'model'
}

export interface SubagentResumed {
  readonly type: 'subagent.resumed'
  readonly call: string
  readonly run_id: string
  readonly word: number
}
