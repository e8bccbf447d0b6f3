/**
 * Exports a tenant as lines: rows as they are stored, with sealed secrets and hashed keys, and then
 * objects. Each partition and object is read at its own time; suspend the tenant for an export of
 * one point in time. An export is complete only if it has its last line.
 */

import { iso } from '../../lib/time.ts'
import type { IndexedRow, World } from '../../ports/world.ts'
import { ROWS_FOLDER, tenantPrefix } from '../partition/keys.ts'
import type { Asker } from '../tenant/audit.ts'
import { isGone, type StoredTenant } from '../tenant/state.ts'
import { partitionsOf, UNLISTED } from './data.ts'
import { auditTenant, findTenant } from './manage.ts'

/** Version of the format of exports. */
export const EXPORT_FORMAT = 1

export interface ExportStart {
  readonly object: 'tenant_export'
  readonly format: number
  readonly tenant: string
  readonly exported_at: string
}
interface ExportedRow extends IndexedRow {
  readonly object: 'tenant_row'
  readonly partition: string
}
interface ExportedObject {
  readonly object: 'tenant_object'
  readonly key: string
  readonly size: number
  /** Bytes of the object in base64. */
  readonly body: string
}
export interface ExportEnd {
  readonly object: 'tenant_export_end'
  readonly rows: number
  readonly objects: number
  /** Sentences about data that the export lacks. */
  readonly left: readonly string[]
}
export type ExportLine = ExportStart | ExportedRow | ExportedObject | ExportEnd

const NO_INDEX = 'Lists, alarms, and expiry times of rows: this store cannot read them.'

/** Returns the lines of an export; undefined if the tenant does not exist or is deleted. */
export async function exportTenant(
  { world, by }: Asker,
  id: string,
): Promise<AsyncGenerator<ExportLine> | undefined> {
  const existing = await findTenant(world, id)
  if (!existing || isGone(existing.tenant.status)) return undefined
  await auditTenant({ world, by }, id, existing.version, 'export')
  return linesOf(world, existing.tenant)
}

async function* linesOf(world: World, tenant: StoredTenant): AsyncGenerator<ExportLine> {
  const { id } = tenant
  const exported_at = iso(world.clock.now())
  yield { object: 'tenant_export', format: EXPORT_FORMAT, tenant: id, exported_at }
  let rows = 0
  for await (const partition of partitionsOf(world, id)) {
    for (const row of await rowsOf(world, partition)) {
      rows += 1
      yield { object: 'tenant_row', partition, ...row }
    }
  }
  let objects = 0
  // Bodies that the store keeps in the bucket are encrypted; the rows above contain them.
  const bodies = tenant.encryption ? [] : [`${ROWS_FOLDER}${tenantPrefix(id)}`]
  for (const prefix of [tenantPrefix(id), ...bodies]) {
    for await (const object of objectsBelow(world, prefix)) {
      objects += 1
      yield object
    }
  }
  const left = [
    ...(world.store.partitions ? [] : UNLISTED),
    ...(world.store.readIndexed ? [] : [NO_INDEX]),
  ]
  yield { object: 'tenant_export_end', rows, objects, left }
}

const rowsOf = ({ store }: World, partition: string): Promise<readonly IndexedRow[]> =>
  store.readIndexed ? store.readIndexed(partition) : store.read(partition)

async function* objectsBelow(world: World, prefix: string): AsyncGenerator<ExportedObject> {
  let cursor: string | undefined
  do {
    const page = await listObjects(world, prefix, cursor)
    for (const { key } of page.objects) {
      const stored = await world.objects.get(key)
      // The object was deleted after it was listed.
      if (!stored) continue
      const body = Buffer.from(stored.body).toString('base64')
      yield { object: 'tenant_object', key, size: stored.body.byteLength, body }
    }
    cursor = page.cursor
  } while (cursor !== undefined)
}

const listObjects = ({ objects }: World, prefix: string, cursor: string | undefined) =>
  objects.list(prefix, cursor)
