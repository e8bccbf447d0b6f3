/**
 * Audit log of a tenant: who changed which resource. The change of a row has its audit entry in the
 * same commit (`auditRow`). Other changes, and changes of short-lived rows, are written to a
 * separate partition afterwards (`audit`).
 */

import type { AuditChange } from '../../core/audit-change.ts'
import { derivedId, random } from '../../lib/id.ts'
import { iso } from '../../lib/time.ts'
import type { RequestOrigin, World, Write } from '../../ports/world.ts'
import { auditList, auditPartition } from '../partition/keys.ts'
import { processMemory } from '../partition/process.ts'
import { stored } from '../partition/stored.ts'
import { update } from '../partition/update.ts'

/** Author of a change, and the tenant to which it belongs. */
export interface Asker {
  readonly world: World
  readonly tenant: string
  /** ID of the API key that made the change. */
  readonly by: string
}

/** Change to record. Its origin is set if the entry is written after its request. */
export interface Audited extends Partial<Omit<RequestOrigin, 'by'>> {
  readonly kind:
    | 'endpoint'
    | 'hook'
    | 'policy'
    | 'file'
    | 'memory'
    | 'approval'
    | 'run'
    | 'retry'
    | 'fanout'
    | 'session'
    | 'schedule'
    | 'delivery'
    | 'authorization'
    | 'key'
    | 'browser_session'
    | 'sign_in_link'
    | 'token'
    | 'tenant'
    | 'secret'
  /** Name, ID, or path of the changed resource. */
  readonly name: string
  readonly action:
    | 'create'
    | 'update'
    | 'put'
    | 'rotate'
    | 'disable'
    | 'delete'
    | 'refuse'
    | 'approve'
    | 'deny'
    | 'cancel'
    | 'cancel_children'
    | 'pause'
    | 'resume'
    | 'run'
    | 'retry'
    | 'replay'
    | 'authorize'
    | 'refresh_failed'
    | 'forget'
    | 'fork'
    | 'suspend'
    | 'export'
    | 'import'
    | 'read'
    | 'reseal'
  /** Author of the change: API key, run, or `system`. */
  readonly by: string
  /** Change number of the resource; 0 for resources whose changes are not counted. */
  readonly number: number
  /** Optional short detail of the change, such as the given reason. */
  readonly detail?: string | undefined
  /** Files that the change wrote, with the digests of their content. */
  readonly files?: readonly { readonly path: string; readonly digest: string }[]
  /** Digests of the resource and its changed members (`core/audit-change.ts`). */
  readonly before?: string | null
  readonly after?: string | null
  readonly changes?: AuditChange['changes']
}

/** Stored audit entry: of this module, or of a version in `manage/history.ts`. */
export type StoredAuditEntry = Readonly<
  Record<'version' | 'kind' | 'name' | 'action' | 'by' | 'created_at', string>
>

/** Parses a stored audit entry, including the entries of `manage/history.ts`. */
export const auditEntryOf = (body: string): StoredAuditEntry =>
  stored<StoredAuditEntry>('an audit entry', body, {
    ...{ version: 'string', kind: 'string', action: 'string', created_at: 'string' },
  })

/** Returns the version in the key of an entry's row, without reading the entry. */
export const versionOfKey = (key: string): string => key.slice(key.lastIndexOf('/') + 1)

/** Tenants with new entries for which this process has requested no pass (`audit/seal.ts`). */
export const unsealedTenants = processMemory('unsealed', () => new Set<string>())

/** Returns the origin of a change, if the request that this world serves made the change. */
export function originOf(
  { origin }: Pick<World, 'origin'>,
  by: string,
): Partial<Omit<RequestOrigin, 'by'>> {
  if (origin?.by !== by) return {}
  const { by: _, ...members } = origin
  return members
}

export const auditRow = (world: World, tenant: string, entry: Audited): Write =>
  rowOf(world, tenant, random('ver', world.clock.random(17)), entry)

function rowOf(
  world: Pick<World, 'clock' | 'store' | 'origin'>,
  tenant: string,
  version: string,
  entry: Audited,
): Write {
  unsealedTenants(world.store).add(tenant)
  const created_at = iso(world.clock.now())
  const origin = originOf(world, entry.by)
  const body = { version, ...entry, ...origin, layer: '', created_at, files: entry.files ?? [] }
  // The change number orders audit entries that have the same time.
  const order = String(entry.number).padStart(10, '0')
  const listing = { under: auditList(tenant), at: `${created_at} ${order} ${version}` }
  return {
    op: 'put',
    key: `a/${version}`,
    body: JSON.stringify(body),
    expect: 'absent',
    listed: listing,
  }
}

/**
 * Writes an audit entry. `once` identifies an action that may be reported repeatedly but happens
 * once, such as a decision or a cancel. Throws `Unavailable` on failure, so that a retry writes the
 * entry.
 */
export async function audit(
  world: Pick<World, 'store' | 'clock' | 'origin'>,
  tenant: string,
  entry: Audited,
  once?: string,
): Promise<void> {
  const version =
    once === undefined
      ? random('ver', world.clock.random(17))
      : derivedId('ver', tenant, entry.kind, entry.name, once)
  const partition = auditPartition(tenant, version)
  const row = rowOf(world, tenant, version, entry)
  await update(world, `the audit entry for ${entry.kind} ${entry.name}`, async () => {
    if ((await world.store.commit(partition, [row])) === 'ok') return true
    // A rejected write means that the entry exists, or that the store failed.
    return (await world.store.read(partition)).length > 0 || undefined
  })
}
