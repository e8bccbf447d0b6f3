/**
 * Placement of root runs: roots that an isolate accepts from a tenant within a short time share an
 * object. Creating an object, setting its alarm, and copying its lists costs as much as a short
 * run. The number of roots per object is small, so that a root that exhausts its object affects few
 * others.
 */

import { AFFINITY_LENGTH, base32 } from '../../lib/id.ts'
import { boundedCache } from '../../lib/lru-cache.ts'

/** Maximum number of root runs per object. */
const ROOTS = 16
const AGE_MS = 60_000
/** Maximum number of tenants whose current object an isolate remembers. */
const TENANTS = 1_000

interface Open {
  readonly kin: string
  readonly since: number
  roots: number
}

export function sharedPlaces(clock: {
  now(): number
  random(bytes: number): Uint8Array
}): (tenant: string) => string {
  const open = boundedCache<Open>(TENANTS)
  return (tenant) => {
    const current = open.get(tenant)
    const isOpen = current && current.roots < ROOTS && clock.now() < current.since + AGE_MS
    const place = isOpen
      ? current
      : {
          kin: base32(clock.random(AFFINITY_LENGTH), AFFINITY_LENGTH),
          since: clock.now(),
          roots: 0,
        }
    place.roots += 1
    open.set(tenant, place)
    return place.kin
  }
}
