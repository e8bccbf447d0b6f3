/** Types of the tools port on MCP servers; importing them loads nothing. */

import type { AuthorizationChange, Clock, Store, Tools, Web } from '../../ports/world.ts'
import type { Connecting } from './connect.ts'
import type { SharedLists } from './shared-lists.ts'

export interface McpOptions extends Connecting {
  /** How long an unused connection stays open; 0 where connections die with the request. */
  readonly idleMs?: number
  /** How long a list is believed when the server does not say. */
  readonly listMs?: number
  /** Absent: no OAuth. */
  readonly oauth?: OAuthOptions | undefined
  /** Lists of servers over HTTP, for all processes. */
  readonly shared?: SharedLists | undefined
}

export interface OAuthOptions {
  readonly store: Store
  readonly clock: Clock
  /** Why the outbound door refuses a URL, by its text alone. */
  readonly check: Web['check']
  /** For the audit. */
  readonly onChange: (tenant: string, change: AuthorizationChange) => Promise<void>
}

export interface McpTools extends Tools {
  /** Closes every connection and ends every local server. */
  close(): Promise<void>
}
