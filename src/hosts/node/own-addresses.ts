/**
 * Lists the addresses at which this process is reachable: its ports and the addresses of the
 * network interfaces, which may change. Addresses of a proxy or router in front are unknown here
 * and are configured in STRATA_OWN_HOSTS.
 */

import { networkInterfaces } from 'node:os'
import type { OwnAddresses } from '../outbound/guard.ts'

const RECHECK_MS = 10_000

export interface LocalAddresses extends OwnAddresses {
  readonly ports: Set<number>
}

export function ownAddresses(interfaces = networkInterfaces): LocalAddresses {
  let addresses: ReadonlySet<string> = new Set()
  let lookedAt = Number.NEGATIVE_INFINITY
  return {
    ports: new Set<number>(),
    has(address) {
      const now = performance.now()
      if (now - lookedAt > RECHECK_MS) {
        const all = Object.values(interfaces()).flatMap((list) => list ?? [])
        addresses = new Set(all.map((entry) => entry.address.replace(/%.*$/, '').toLowerCase()))
        lookedAt = now
      }
      return addresses.has(address.replace(/^::ffff:(?=\d+\.)/i, '').toLowerCase())
    },
  }
}
