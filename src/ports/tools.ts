/** Tools of MCP servers: listing them and calling one, which may pause for a person's answer. */

import type { ServerEntry } from '../core/config/types.ts'
import type { Media } from '../core/media.ts'
import type { Replies } from '../core/run/human-input/reply.ts'
import type { ServerRequest } from '../core/run/log/question-facts.ts'
import type { Outcome } from '../lib/outcome.ts'
import type { Authorization } from './authorization.ts'

/** A tool as its server describes it, already filtered by the lists of the server entry. */
export interface RemoteTool {
  readonly name: string
  readonly description: string
  readonly input_schema: Readonly<Record<string, unknown>>
  /** Read-only or idempotent by annotation: may be called again after a crash. */
  readonly repeatable: boolean
}
/** An oddity of a list: a tool that was left out or mended, or the list as a whole. */
export interface ListFinding {
  /** Null: the list, or an entry without a usable name. */
  readonly tool: string | null
  readonly left_out: boolean
  readonly message: string
}
/** The findings go with the tools; absent: nothing is odd. */
export type ToolListing = Outcome<readonly RemoteTool[], string> & {
  readonly findings?: readonly ListFinding[]
}
export interface ToolOutcome {
  readonly text: string
  /** Pictures, sound and files that the text names. Absent: none. */
  readonly media?: readonly Media[]
  readonly is_error: boolean
  /** Set: there is no result yet, the server wants something of a person first. */
  readonly asks?: ToolAsks
}
/** The call goes on when it is made again with the answers and the server's own state. */
export interface ToolAsks {
  readonly requests: readonly ServerRequest[]
  readonly state?: string | undefined
}
export interface ToolCall {
  readonly tool: string
  readonly arguments: Record<string, unknown>
  readonly key: string
  readonly signal: AbortSignal
  /** Travels in `_meta` too; absent: it is in no trace. */
  readonly traceparent?: string | undefined
  /** Whether a person can be asked this; absent: never, and the server is declined. */
  readonly mayAsk?: ((requests: readonly ServerRequest[], state?: string) => boolean) | undefined
  /** The replies to the server's last wishes, with the state that it gave. */
  readonly answers?: { readonly replies: Replies; readonly state?: string | undefined } | undefined
}
export interface ToolFailure {
  /** `unsent`: surely not executed. `unknown`: it may have been. */
  readonly code: 'unsent' | 'unknown' | 'timeout'
  readonly message: string
}
/** The outcome of a connection test. */
interface ConnectionReport {
  readonly protocol_version: string | null
  readonly tools: readonly RemoteTool[]
  readonly findings?: readonly ListFinding[]
}
export interface Tools {
  /**
   * The server's tools within its start-up time-out; who aborts is answered at once. Never throws.
   */
  list(tenant: string, server: ServerEntry, signal?: AbortSignal): Promise<ToolListing>
  /**
   * Calls a tool within the server's tool time-out; the key is sent in `_meta`; an abort returns at
   * once. Never throws.
   */
  call(
    tenant: string,
    server: ServerEntry,
    call: ToolCall,
  ): Promise<Outcome<ToolOutcome, ToolFailure>>
  /** Connects anew, for a person who wants to know: what is spoken and offered. Never throws. */
  probe(
    tenant: string,
    server: ServerEntry,
    signal?: AbortSignal,
  ): Promise<Outcome<ConnectionReport, string>>
  /**
   * Drops what is known of a tenant's servers, also for other processes, and closes idle
   * connections; calls go on.
   */
  forget(tenant: string): void | Promise<void>
  /** OAuth at servers. Absent: tokens are named in configurations only. */
  readonly authorization?: Authorization
}
