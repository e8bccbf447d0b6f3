/** Represents the caller of one MCP request: key, tenant, and access to the routes. */

import type { OperationContext } from '../../../engine/manage/place.ts'
import type { World } from '../../../ports/world.ts'
import type { Route } from '../../request/route.ts'
import type { Ask, McpError } from './ask.ts'

export interface Caller {
  readonly world: World
  readonly routes: readonly Route[]
  readonly ask: Ask
  readonly scopes: readonly string[]
  readonly operations: OperationContext
  /** Returns the client's error for an exception. */
  readonly shownError: (error: unknown) => McpError
}
