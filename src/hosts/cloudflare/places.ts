/**
 * Placement of roots: those that an isolate accepts from a tenant within a short time share an
 * object, because creating one, arming it, and copying its lists costs as much as a short run. They
 * are few, so that a root that exhausts its object affects few others.
 */

import { bounded } from '../../lib/bounded.ts'
import { base32, KIN } from '../../lib/id.ts'

/** Roots of one object. */
const ROOTS = 16
const AGE_MS = 60_000
/** Tenants that an isolate remembers. */
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
  const open = bounded<Open>(TENANTS)
  return (tenant) => {
    const known = open.get(tenant)
    const isOpen = known && known.roots < ROOTS && clock.now() < known.since + AGE_MS
    const place = isOpen
      ? known
      : { kin: base32(clock.random(KIN), KIN), since: clock.now(), roots: 0 }
    place.roots += 1
    open.set(tenant, place)
    return place.kin
  }
}
