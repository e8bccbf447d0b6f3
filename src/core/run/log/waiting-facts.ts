/** Facts of a run that parks, resumes, or waits for a model that is unavailable. */

import type { RunError } from './subagent-facts.ts'

export interface RunWaiting {
  readonly type: 'run.waiting'
  readonly on: 'subagents' | 'approval' | 'input' | 'function' | 'session' | 'model'
  /** When the wait ends by itself, ms since 1970; on `model`: the next attempt. */
  readonly until: number | null
  /** With `subagents`, when all of them wait for people or a model, which stops the clock. */
  readonly stopped?: true
  /** With `model`: the step, the attempt that failed (from 1) and why. */
  readonly step?: number
  readonly attempt?: number
  readonly error?: RunError
  /** With `model`: the start of the outage, and the end of the patience (ms since 1970). */
  readonly since?: number
  readonly gives_up_at?: number
}
/** Two consecutive attempts have failed; once for each outage. */
interface ModelUnavailable {
  readonly type: 'model.unavailable'
  readonly model: string
  readonly step: number
  /** Ms since 1970. */
  readonly since: number
  readonly gives_up_at?: number
  readonly error: RunError
}
/** The model answers after an outage that the log has. */
interface ModelRecovered {
  readonly type: 'model.recovered'
  readonly model: string
  readonly step: number
  /** Ms since 1970. */
  readonly since: number
  readonly duration_ms: number
  /** Failed attempts. */
  readonly attempts: number
}
export type OutageFact = ModelUnavailable | ModelRecovered
export interface RunResumed {
  readonly type: 'run.resumed'
  /** A client requested a retry. Absent: the wait is over. */
  readonly by?: 'api'
  /** With the turn of a session: the segments of its transcript. */
  readonly history?: readonly string[]
}
