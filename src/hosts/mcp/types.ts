/** Types of the tools port on MCP servers; importing this module loads no code. */

import type { AuthorizationChange, Clock, Store, Tools, Web } from '../../ports/world.ts'
import type { Connecting } from './connect.ts'
import type { SharedLists } from './shared-lists.ts'

export interface McpOptions extends Connecting {
  /** Time before an unused connection is closed; 0 if connections end with the request. */
  readonly idleMs?: number
  /** Default lifetime of a list without a declared lifetime. */
  readonly listMs?: number
  /** Absent disables OAuth. */
  readonly oauth?: OAuthOptions | undefined
  /** Lists of HTTP servers, shared by all processes. */
  readonly shared?: SharedLists | undefined
}

export interface OAuthOptions {
  readonly store: Store
  readonly clock: Clock
  /** Returns why the outbound rules refuse a URL, judged by the URL alone. */
  readonly check: Web['check']
  /** Reports changes to the audit log. */
  readonly onChange: (tenant: string, change: AuthorizationChange) => Promise<void>
}

export interface McpTools extends Tools {
  /** Closes every connection and ends every local server. */
  close(): Promise<void>
}
