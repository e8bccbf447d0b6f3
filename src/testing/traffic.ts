/**
 * How a run in memory reaches models and MCP servers: for real, for real with a recording of it, or
 * by a recording alone. Several runs may share one, such as a run and its judge.
 */

import type { MemoryClock } from '../hosts/memory/clock.ts'
import type { Model, Secrets, Tools, Web } from '../ports/world.ts'

/** Settings of a deployment as README lists them: `OPENAI_API_KEY`, `STRATA_SECRETS` … */
export type TestSettings = Readonly<Record<string, string | undefined>>

/** Web pages and webhooks are in no recording, so tests do not depend on them. */
export const NO_WEB = 'no web access: a run of strata/testing can reach only models and MCP servers'

export interface TrafficPorts {
  readonly model: Model
  readonly tools: Tools
  readonly secrets: Secrets
  readonly web: Web
  readonly settings: { readonly allowStdioMcp: boolean; readonly allowLoopback: boolean }
}

export interface Traffic {
  /** For a world with this clock. */
  ports(clock: MemoryClock): TrafficPorts
  /** Real calls that are under way: while there are some, time passes as on the wall. */
  underWay(): number
  /** Throws `ReplayError` when a call was made that the recording does not hold. */
  check(): void
  /** Recorded calls that no run has made, a sentence each; none when nothing is replayed. */
  unplayed(): readonly string[]
  /** Closes connections; a recording is written now, unless nothing was called. */
  close(): Promise<void>
}
