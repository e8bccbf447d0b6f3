/**
 * Connects an in-memory run to models and MCP servers: to real ones, to real ones while recording,
 * or only to a recording. Several runs may share traffic, such as a run and its judge.
 */

import type { MemoryClock } from '../hosts/memory/clock.ts'
import type { Model, Secrets, Tools, Web } from '../ports/world.ts'

/** Deployment settings as listed in the README: `OPENAI_API_KEY`, `STRATA_SECRETS` … */
export type TestSettings = Readonly<Record<string, string | undefined>>

/**
 * Error for web access. Recordings exclude web pages and webhooks, so tests do not depend on the
 * web.
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
  /** Returns the traffic's ports for a world with the given clock. */
  ports(clock: MemoryClock): TrafficPorts
  /**
   * Returns the number of pending real calls. While any call is pending, in-memory time advances
   * with real time.
   */
  underWay(): number
  /** Throws `ReplayError` if a call was outside of the recording. */
  check(): void
  /** Returns sentences about recorded calls that were not used; empty without a replay. */
  unplayed(): readonly string[]
  /** Closes the traffic's connections and writes the recording, unless no calls were made. */
  close(): Promise<void>
}
