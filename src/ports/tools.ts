/**
 * Defines the tools port, which lists and calls the tools of MCP servers. A call may pause for a
 * person's answer.
 */

import type { ServerEntry } from '../core/config/types.ts'
import type { Media } from '../core/media.ts'
import type { Replies } from '../core/run/human-input/reply.ts'
import type { ServerRequest } from '../core/run/log/question-facts.ts'
import type { Outcome } from '../lib/outcome.ts'
import type { Authorization } from './authorization.ts'

/** Tool as described by its MCP server, already filtered by the lists in the server entry. */
export interface RemoteTool {
  readonly name: string
  readonly description: string
  readonly input_schema: Readonly<Record<string, unknown>>
  /**
   * True if the tool's annotations declare it read-only or idempotent, so that it is safe to retry
   * after a crash.
   */
  readonly repeatable: boolean
}
/**
 * Finding about a tool list: a tool that was omitted or corrected, or a problem of the whole list.
 */
export interface ListFinding {
  /** Name of the affected tool; null for the whole list, or for an entry without a usable name. */
  readonly tool: string | null
  readonly left_out: boolean
  readonly message: string
}
/** Tools that a server lists, with findings about the list; if absent, there are no findings. */
export type ToolListing = Outcome<readonly RemoteTool[], string> & {
  readonly findings?: readonly ListFinding[]
}
export interface ToolOutcome {
  readonly text: string
  /** Images, audio, and files that the result text references; absent if it references none. */
  readonly media?: readonly Media[]
  readonly is_error: boolean
  /** Questions to a person that must be answered before the server returns a result. */
  readonly asks?: ToolAsks
}
/**
 * Questions of a server to a person. The call continues when it is repeated with the answers and
 * the server's state.
 */
export interface ToolAsks {
  readonly requests: readonly ServerRequest[]
  readonly state?: string | undefined
}
export interface ToolCall {
  readonly tool: string
  readonly arguments: Record<string, unknown>
  readonly key: string
  readonly signal: AbortSignal
  /** Trace header, also sent in `_meta`; absent if the run has no trace. */
  readonly traceparent?: string | undefined
  /**
   * Reports whether a person can answer the questions. If absent, the questions are always
   * declined.
   */
  readonly mayAsk?: ((requests: readonly ServerRequest[], state?: string) => boolean) | undefined
  /** Replies to the server's last questions, with the state that the server sent. */
  readonly answers?: { readonly replies: Replies; readonly state?: string | undefined } | undefined
}
export interface ToolFailure {
  /**
   * Code of the call's failure; `unsent` means certainly not executed, and `unknown` means possibly
   * executed.
   */
  readonly code: 'unsent' | 'unknown' | 'timeout'
  readonly message: string
}
/** Result of a connection test with an MCP server. */
interface ConnectionReport {
  readonly protocol_version: string | null
  readonly tools: readonly RemoteTool[]
  readonly findings?: readonly ListFinding[]
}
export interface Tools {
  /**
   * Lists the server's tools within the server's start-up time-out; returns at once if aborted.
   * Never throws.
   */
  list(tenant: string, server: ServerEntry, signal?: AbortSignal): Promise<ToolListing>
  /**
   * Calls a tool within the server's tool time-out; returns at once if aborted. The idempotency key
   * is sent in `_meta`. Never throws.
   */
  call(
    tenant: string,
    server: ServerEntry,
    call: ToolCall,
  ): Promise<Outcome<ToolOutcome, ToolFailure>>
  /**
   * Tests a new connection to a server and returns the server's protocol and features. Never
   * throws.
   */
  probe(
    tenant: string,
    server: ServerEntry,
    signal?: AbortSignal,
  ): Promise<Outcome<ConnectionReport, string>>
  /**
   * Drops cached data about a tenant's servers in all processes, and closes idle connections;
   * active calls continue.
   */
  forget(tenant: string): void | Promise<void>
  /** OAuth authorizations at MCP servers; if absent, only configured tokens are used. */
  readonly authorization?: Authorization
}
