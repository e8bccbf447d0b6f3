/** Where this deployment is reached from outside: as its operator says, else as it was asked. */

import type { Context } from 'hono'
import type { World } from '../../ports/world.ts'

export const publicUrl = ({ c, world }: { readonly c: Context; readonly world: World }): string =>
  world.settings.publicUrl ?? new URL(c.req.url).origin
