/** An entry of the tenant's audit, written in the same commit as the change that it tells of. */

import { random } from '../lib/id.ts'
import { iso } from '../lib/time.ts'
import type { World, Write } from '../ports/world.ts'
import { auditList } from './names.ts'

export interface Audited {
  readonly kind: 'endpoint' | 'hook'
  readonly name: string
  readonly action: 'create' | 'update' | 'rotate' | 'disable' | 'delete' | 'refuse'
  /** An API key, or `system`. */
  readonly by: string
  /** Rises with each change of the thing. */
  readonly number: number
}

export function auditRow(world: World, tenant: string, entry: Audited): Write {
  const version = random('ver', world.clock.random(17))
  const created_at = iso(world.clock.now())
  const body = { version, ...entry, layer: '', created_at, files: [] }
  // Changes of the same moment stand in their order.
  const order = String(entry.number).padStart(10, '0')
  const listed = { under: auditList(tenant), at: `${created_at} ${order} ${version}` }
  return { op: 'put', key: `a/${version}`, body: JSON.stringify(body), expect: 'absent', listed }
}
