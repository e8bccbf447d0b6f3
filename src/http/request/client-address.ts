/**
 * Returns the client's address, which is the connection's. Senders can forge `X-Forwarded-For`, so
 * it counts only if the operator states the number of proxies (`TRUSTED_PROXIES`), each of which
 * appends the address that it saw.
 */

import type { Context } from 'hono'
import { plainAddress } from '../../lib/address-range.ts'
import type { World } from '../../ports/world.ts'
import type { Env } from './env.ts'

/** Undefined: the address is not known, and nothing that depends on it is allowed. */
export function clientAddress(c: Context<Env>, { settings }: World): string | undefined {
  const proxies = settings.trustedProxies ?? 0
  if (proxies === 0) return plainAddress(c.env?.address ?? '')
  const forwarded = (c.req.header('x-forwarded-for') ?? '').split(',')
  // The address that the outermost trusted proxy saw; with fewer entries a proxy was bypassed.
  return plainAddress(forwarded.at(-proxies) ?? '')
}
