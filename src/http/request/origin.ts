/** Origin of a request for the audit log: client address, protocol, and credential. */

import type { Context } from 'hono'
import type { Principal } from '../../engine/tenant/api-keys.ts'
import type { RequestOrigin, World } from '../../ports/world.ts'
import { clientAddress } from './client-address.ts'
import type { Env } from './env.ts'

/** Path prefixes of the routes that speak another protocol than this API. */
const CHANNELS: readonly (readonly [prefix: string, via: RequestOrigin['via']])[] = [
  ['/mcp', 'mcp'],
  ['/v1/a2a', 'a2a'],
  ['/v1/ag-ui', 'ag_ui'],
  ['/v1/responses', 'openai'],
  ['/v1/chat/', 'openai'],
  ['/decide/', 'link'],
]

/** Returns the world of a changing request; its audit entries state where the change came from. */
export function withOrigin(world: World, c: Context<Env>, principal: Principal): World {
  const { key_id, token, browser } = principal
  const address = clientAddress(c, world)
  const origin: RequestOrigin = {
    by: token?.id ?? key_id,
    request_id: c.get('requestId'),
    ...(address === undefined ? {} : { address }),
    via: c.env?.via ?? channelOf(c.get('route'), browser !== undefined),
    credential: credentialOf(principal),
  }
  return { ...world, origin }
}

const channelOf = (path: string, isBrowser: boolean): RequestOrigin['via'] =>
  CHANNELS.find(([prefix]) => path.startsWith(prefix))?.[1] ?? (isBrowser ? 'console' : 'api')

function credentialOf({ key_id, token, browser }: Principal): RequestOrigin['credential'] {
  if (token) return { type: 'token', id: token.id }
  return browser ? { type: 'browser_session', id: browser.id } : { type: 'key', id: key_id }
}
