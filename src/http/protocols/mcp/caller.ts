/** Represents the caller of one MCP request: API key, tenant, and access to the routes. */

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
  /** Converts an exception to the error that the client receives. */
  readonly shownError: (error: unknown) => McpError
}
