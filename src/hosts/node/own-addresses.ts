/**
 * The addresses at which this process answers, known without configuration: the ports it listens
 * on, and the addresses of the machine's interfaces, which may change. Names and addresses in front
 * of it (a proxy, a router) are unknown here: those stand in STRATA_OWN_HOSTS.
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
