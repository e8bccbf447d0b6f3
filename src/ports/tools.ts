/**
 * Defines the tools port: lists and calls the tools of MCP servers. A call may pause for a person's
 * answer.
 */

import type { ServerEntry } from '../core/config/types.ts'
import type { Media } from '../core/media.ts'
import type { Replies } from '../core/run/human-input/reply.ts'
import type { ServerRequest } from '../core/run/log/question-facts.ts'
import type { Outcome } from '../lib/outcome.ts'
import type { Authorization } from './authorization.ts'

/** A tool as described by its server, already filtered by the lists of the server entry. */
export interface RemoteTool {
  readonly name: string
  readonly description: string
  readonly input_schema: Readonly<Record<string, unknown>>
  /**
   * True if the tool is read-only or idempotent by annotation, and therefore safe to retry after a
   * crash.
   */
  readonly repeatable: boolean
}
/** A finding about a list: an omitted or corrected tool, or the list as a whole. */
export interface ListFinding {
  /** Name of the tool; null for the list, or for an entry without a usable name. */
  readonly tool: string | null
  readonly left_out: boolean
  readonly message: string
}
/** Listed tools with the findings about them; absent findings mean none. */
export type ToolListing = Outcome<readonly RemoteTool[], string> & {
  readonly findings?: readonly ListFinding[]
}
export interface ToolOutcome {
  readonly text: string
  /** Images, audio, and files named in the text; absent if there are none. */
  readonly media?: readonly Media[]
  readonly is_error: boolean
  /** Questions to a person that the server needs answered before a result. */
  readonly asks?: ToolAsks
}
/**
 * Questions of a server; the call continues when repeated with the answers and the server's state.
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
  /** Trace header, also sent in `_meta`; absent without a trace. */
  readonly traceparent?: string | undefined
  /**
   * Returns whether a person can answer the questions; absent means never, and the server is
   * declined.
   */
  readonly mayAsk?: ((requests: readonly ServerRequest[], state?: string) => boolean) | undefined
  /** Replies to the server's last questions, with its state. */
  readonly answers?: { readonly replies: Replies; readonly state?: string | undefined } | undefined
}
export interface ToolFailure {
  /**
   * Code of the failure; `unsent` means certainly not executed, and `unknown` means possibly
   * executed.
   */
  readonly code: 'unsent' | 'unknown' | 'timeout'
  readonly message: string
}
/** Outcome of a connection test. */
interface ConnectionReport {
  readonly protocol_version: string | null
  readonly tools: readonly RemoteTool[]
  readonly findings?: readonly ListFinding[]
}
export interface Tools {
  /**
   * Lists the server's tools within its start-up time-out; an abort returns at once. Never throws.
   */
  list(tenant: string, server: ServerEntry, signal?: AbortSignal): Promise<ToolListing>
  /**
   * Calls a tool within the server's tool time-out; an abort returns at once. The key is sent in
   * `_meta`. Never throws.
   */
  call(
    tenant: string,
    server: ServerEntry,
    call: ToolCall,
  ): Promise<Outcome<ToolOutcome, ToolFailure>>
  /** Tests a new connection and returns its protocol and features. Never throws. */
  probe(
    tenant: string,
    server: ServerEntry,
    signal?: AbortSignal,
  ): Promise<Outcome<ConnectionReport, string>>
  /**
   * Drops cached data of a tenant's servers, in all processes, and closes idle connections; active
   * calls continue.
   */
  forget(tenant: string): void | Promise<void>
  /** OAuth at servers; absent means only configured tokens. */
  readonly authorization?: Authorization
}
