/**
 * The address that a request comes from: that of its connection, as the platform knows it. A header
 * says whatever its sender likes, so `X-Forwarded-For` counts only where the operator says how many
 * proxies are in front (`TRUSTED_PROXIES`), each of which appends the address that it saw.
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
