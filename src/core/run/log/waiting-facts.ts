/** Facts of a run that parks, resumes, or waits for an unavailable model. */

import type { RunError } from './subagent-facts.ts'

export interface RunWaiting {
  readonly type: 'run.waiting'
  readonly on: 'subagents' | 'approval' | 'input' | 'function' | 'session' | 'model'
  /**
   * Time when the wait expires, in milliseconds since 1970; with `model`, the time of the next
   * attempt to call it.
   */
  readonly until: number | null
  /**
   * Whether all subagents wait for people or a model, which stops the run's clock; only with
   * `subagents`.
   */
  readonly stopped?: true
  /** Step number, number of the failed attempt (from 1), and error; only with `model`. */
  readonly step?: number
  readonly attempt?: number
  readonly error?: RunError
  /**
   * Start of the model outage, and the time when the run stops waiting, in milliseconds since 1970;
   * only with `model`.
   */
  readonly since?: number
  readonly gives_up_at?: number
}
/**
 * Fact that two consecutive attempts to call the model have failed; recorded at most once per
 * outage.
 */
interface ModelUnavailable {
  readonly type: 'model.unavailable'
  readonly model: string
  readonly step: number
  /** Start of the model outage, in milliseconds since 1970. */
  readonly since: number
  readonly gives_up_at?: number
  readonly error: RunError
}
/** Fact that the model answered after a recorded outage. */
interface ModelRecovered {
  readonly type: 'model.recovered'
  readonly model: string
  readonly step: number
  /** Start of the model outage, in milliseconds since 1970. */
  readonly since: number
  readonly duration_ms: number
  /** Number of attempts that failed during the outage. */
  readonly attempts: number
}
export type OutageFact = ModelUnavailable | ModelRecovered
export interface RunResumed {
  readonly type: 'run.resumed'
  /** Set to `api` if a client requested the retry; absent if the wait simply ended. */
  readonly by?: 'api'
  /** Segments of the session's transcript, present when the session grants the turn. */
  readonly history?: readonly string[]
}
