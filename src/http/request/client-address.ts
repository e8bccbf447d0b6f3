/**
 * Returns the client's address, which is the connection's. Senders can forge `X-Forwarded-For`, so
 * that header counts only if the operator states the number of proxies (`TRUSTED_PROXIES`). Each
 * proxy appends the address of its client.
 */

import type { Context } from 'hono'
import { plainAddress } from '../../lib/address-range.ts'
import type { World } from '../../ports/world.ts'
import type { Env } from './env.ts'

/**
 * Returns the address; undefined if unknown, and requests that depend on the address are then
 * refused.
 */
export function clientAddress(c: Context<Env>, { settings }: World): string | undefined {
  const proxies = settings.trustedProxies ?? 0
  if (proxies === 0) return plainAddress(c.env?.address ?? '')
  const forwarded = (c.req.header('x-forwarded-for') ?? '').split(',')
  // The address recorded by the outermost trusted proxy; fewer entries mean that a proxy was
  // bypassed.
  return plainAddress(forwarded.at(-proxies) ?? '')
}
