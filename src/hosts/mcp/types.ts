/** Types for the MCP implementation of the tools port; importing this module loads no code. */

import type { AuthorizationChange, Clock, Store, Tools, Web } from '../../ports/world.ts'
import type { Connecting } from './connect.ts'
import type { SharedLists } from './shared-lists.ts'

export interface McpOptions extends Connecting {
  /** Time before an idle connection is closed, in milliseconds; 0: it ends with the request. */
  readonly idleMs?: number
  /** Default lifetime in milliseconds of a tool list for which the server declares no lifetime. */
  readonly listMs?: number
  /** OAuth options; if absent, OAuth is disabled. */
  readonly oauth?: OAuthOptions | undefined
  /** Tool lists of HTTP servers, shared by all processes. */
  readonly shared?: SharedLists | undefined
}

export interface OAuthOptions {
  readonly store: Store
  readonly clock: Clock
  /** Returns why the outbound rules reject a URL, judged by the URL alone. */
  readonly check: Web['check']
  /** Reports changes of an authorization to the audit log. */
  readonly onChange: (tenant: string, change: AuthorizationChange) => Promise<void>
}

export interface McpTools extends Tools {
  /** Closes every connection and ends every local server process. */
  close(): Promise<void>
}
