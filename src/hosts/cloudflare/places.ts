/**
 * Where roots are put: those that one isolate accepts from one tenant within a short time share an
 * object, because to make one, to arm it and to copy its lists costs as much as a short run. They
 * are few, so that one that exhausts its object takes few along.
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
