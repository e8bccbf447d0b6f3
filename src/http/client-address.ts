/**
 * The address that a request comes from: that of its connection, as the host knows it. A header
 * says whatever its sender likes, so `X-Forwarded-For` counts only where the operator says how many
 * proxies stand in front (`TRUSTED_PROXIES`), each of which appends the address that it saw.
 */

import { plainAddress } from '../lib/address.ts'
import type { World } from '../ports/world.ts'

/** A request, as far as it says where it comes from. */
interface Received {
  readonly env?: { readonly address?: string | undefined; readonly viaEdge?: true } | undefined
  readonly req: { header(name: string): string | undefined }
}

/** Undefined: it is not known, and nothing that depends on it is allowed. */
export function clientAddress(
  c: Received,
  { settings }: Pick<World, 'settings'>,
): string | undefined {
  // Under tests there is no host, and nothing is known.
  const { address, viaEdge } = c.env ?? {}
  const proxies = viaEdge ? 0 : (settings.trustedProxies ?? 0)
  if (proxies === 0) return address === undefined ? undefined : plainAddress(address)
  const forwarded = (c.req.header('x-forwarded-for') ?? '').split(',')
  // The one that the outermost proxy of ours has seen; with fewer, somebody went around one.
  return plainAddress(forwarded.at(-proxies) ?? '')
}
