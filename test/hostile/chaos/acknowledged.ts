/** What the server has promised: everything that it acknowledged, kept to be reconciled. */

import type { Event } from '../../../src/core/run/views/event.ts'

interface AcknowledgedRun {
  readonly id: string
  readonly name: string
  readonly session: string | undefined
  readonly webhook: boolean
}
export interface AcknowledgedFanout {
  readonly id: string
  readonly name: string
  readonly count: number
  readonly closes: boolean
  /** It was asked to stop; it may have ended before. */
  readonly cancelled: boolean
}
interface AcknowledgedCancel {
  readonly run: string
  /** Milliseconds since 1970, when the answer was in our hands. */
  readonly at: number
}
interface AcknowledgedMessage {
  readonly run: string
  readonly id: string
}
/** What one reader was shown, over all its connections. */
export interface Reading {
  readonly run: string
  readonly events: readonly Event[]
  readonly connections: number
}
interface AcknowledgedDecision {
  readonly run: string
  readonly approval: string
  readonly decision: 'approve' | 'deny'
}

export interface Ledger {
  readonly runs: AcknowledgedRun[]
  readonly fanouts: AcknowledgedFanout[]
  readonly cancels: AcknowledgedCancel[]
  readonly messages: AcknowledgedMessage[]
  readonly decisions: AcknowledgedDecision[]
  readonly readings: Reading[]
  /** What was wrong already when it happened. */
  readonly violations: string[]
  /** Requests sent again under the same key. */
  retries: number
}

export const newLedger = (): Ledger => ({
  runs: [],
  fanouts: [],
  cancels: [],
  messages: [],
  decisions: [],
  readings: [],
  violations: [],
  retries: 0,
})
