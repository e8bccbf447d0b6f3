/**
 * Determines the client's address, by default the connection's address. Clients can forge
 * `X-Forwarded-For`, so the header is used only if the operator states the number of proxies
 * (`TRUSTED_PROXIES`). Each proxy appends the address of its client.
 */

import type { Context } from 'hono'
import { plainAddress } from '../../lib/address-range.ts'
import type { World } from '../../ports/world.ts'
import type { Env } from './env.ts'

/**
 * Returns the client's address; undefined if unknown. Requests that depend on an unknown address
 * are rejected.
 */
export function clientAddress(c: Context<Env>, { settings }: World): string | undefined {
  const proxies = settings.trustedProxies ?? 0
  if (proxies === 0) return plainAddress(c.env?.address ?? '')
  const forwarded = (c.req.header('x-forwarded-for') ?? '').split(',')
  // Address recorded by the outermost trusted proxy; fewer entries mean that a proxy was bypassed.
  return plainAddress(forwarded.at(-proxies) ?? '')
}
