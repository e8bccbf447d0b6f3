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

/** Returns the world of a request; its audit entries state where the request came from. */
export function withOrigin(
  world: World,
  c: Context<Env>,
  principal: Omit<Principal, 'scopes'>,
): World {
  const { key_id, token, browser, identity } = principal
  const via = c.env?.via ?? channelOf(c.req.path, browser !== undefined)
  const credential = credentialOf(principal)
  const origin = { ...base(world, c), by: token?.id ?? key_id, via, credential }
  const more = { origin, ...(identity ? {} : { keyId: key_id }) }
  const { attended } = world
  const waiting = attended ? { attended: () => ({ ...attended(), ...more }) } : {}
  return { ...world, ...waiting, ...more }
}

/** Returns the world of a message to a hook, whose sender has no credential of the tenant. */
export const withSender = (world: World, c: Context<Env>): World => ({
  ...world,
  origin: { ...base(world, c), by: 'system', via: 'hook' },
})

function base(world: World, c: Context<Env>): Pick<RequestOrigin, 'address' | 'request_id'> {
  const address = clientAddress(c, world)
  return { request_id: c.get('requestId'), ...(address === undefined ? {} : { address }) }
}

const channelOf = (path: string, isBrowser: boolean): RequestOrigin['via'] =>
  CHANNELS.find(([prefix]) => path.startsWith(prefix))?.[1] ?? (isBrowser ? 'console' : 'api')

function credentialOf({
  key_id,
  token,
  browser,
  identity,
}: Omit<Principal, 'scopes'>): NonNullable<RequestOrigin['credential']> {
  if (token) return { type: 'token', id: token.id }
  if (identity) {
    const { issuer, subject } = identity
    return { type: 'identity', id: key_id, issuer, subject }
  }
  return browser ? { type: 'browser_session', id: browser.id } : { type: 'key', id: key_id }
}
