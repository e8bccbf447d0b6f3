/** Time-outs for an MCP server, from its entry and at most the deployment's time-outs. */

import type { ServerEntry } from '../../core/config/types.ts'
import { LIMITS } from '../../core/limits.ts'

type Times = Pick<ServerEntry, 'startup_timeout_sec' | 'tool_timeout_sec'>

export const startupSeconds = ({ startup_timeout_sec }: Times): number =>
  Math.min(startup_timeout_sec, LIMITS.server_startup_seconds)

export const callSeconds = ({ tool_timeout_sec }: Times): number =>
  Math.min(tool_timeout_sec, LIMITS.tool_call_seconds)

export const startupMs = (server: Times): number => startupSeconds(server) * 1_000

/** Returns the time-out for discovery; the remaining time is for older revisions' handshake. */
export const discoveryMs = (server: Times): number =>
  Math.min(LIMITS.server_discovery_seconds * 1_000, startupMs(server) / 2)

export const callMs = (server: Times): number => callSeconds(server) * 1_000

/** Time in milliseconds to wait after a peer's time-out, because its error is more precise. */
export const AFTERWARDS_MS = 250

/**
 * Returns the final time-out of a call, well after that of the client library, whose error is
 * clearer than a broken stream.
 */
export const lastMs = (server: Times): number =>
  Math.max(startupMs(server), callMs(server)) + AFTERWARDS_MS
