/**
 * Connects an in-memory run to models and MCP servers: real ones, real ones with a recording, or
 * only a recording. Several runs may share traffic, such as a run and its judge.
 */

import type { MemoryClock } from '../hosts/memory/clock.ts'
import type { Model, Secrets, Tools, Web } from '../ports/world.ts'

/** Settings of a deployment as listed in the README: `OPENAI_API_KEY`, `STRATA_SECRETS` … */
export type TestSettings = Readonly<Record<string, string | undefined>>

/**
 * Error for web access: recordings exclude web pages and webhooks, so tests do not depend on them.
 */
export const NO_WEB = 'no web access; a run in strata/testing can reach only models and MCP servers'

export interface TrafficPorts {
  readonly model: Model
  readonly tools: Tools
  readonly secrets: Secrets
  readonly web: Web
  readonly settings: { readonly allowStdioMcp: boolean; readonly allowLoopback: boolean }
}

export interface Traffic {
  /** Returns the ports for a world with this clock. */
  ports(clock: MemoryClock): TrafficPorts
  /**
   * Returns the number of pending real calls; while there are any, in-memory time passes in real
   * time.
   */
  underWay(): number
  /** Throws `ReplayError` after a call outside of the recording. */
  check(): void
  /** Returns the unused recorded calls, a sentence each; empty without a replay. */
  unplayed(): readonly string[]
  /** Closes connections; a recording is written now, unless there were no calls. */
  close(): Promise<void>
}
