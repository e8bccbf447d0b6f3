/** The caller of one MCP request: its key, its tenant, its way to the routes. */

import type { OperationContext } from '../../../engine/manage/place.ts'
import type { World } from '../../../ports/world.ts'
import type { Route } from '../../request/route.ts'
import type { Ask } from './ask.ts'

export interface Caller {
  readonly world: World
  readonly routes: readonly Route[]
  readonly ask: Ask
  readonly scopes: readonly string[]
  readonly operations: OperationContext
}

export const allows = (scopes: readonly string[], needed: string): boolean =>
  ['*', needed, `${needed.split(':')[0]}:*`].some((scope) => scopes.includes(scope))
