/** Determines this deployment's public URL: the configured URL, or else the URL of the request. */

import type { Context } from 'hono'
import type { World } from '../../ports/world.ts'

export const publicUrl = ({ c, world }: { readonly c: Context; readonly world: World }): string =>
  world.settings.publicUrl ?? new URL(c.req.url).origin
