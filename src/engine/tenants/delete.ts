/**
 * Deletes a tenant with all its data, in background passes. Its data key is destroyed first, with
 * the request, so that copies of encrypted data cannot be opened from then on. The row of the
 * tenant has the alarm, so another worker continues after a crash. No work of the tenant begins in
 * the meantime; a last pass follows when all processes have read that, and finds rows of late
 * writes.
 */

import { type Refusal, refusal } from '../../core/problem.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { iso } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { DEFAULT_TENANT, parsePartition, ROWS_FOLDER, tenantPrefix } from '../partition/keys.ts'
import { forget } from '../partition/log.ts'
import { RENEW_MS } from '../partition/rows.ts'
import { update } from '../partition/update.ts'
import { forgetKey } from '../tenant/api-keys.ts'
import type { Asker } from '../tenant/audit.ts'
import { deleteObjects } from '../tenant/blobs.ts'
import { type Deletion, isGone, STATE_MS, type StoredTenant } from '../tenant/state.ts'
import { partitionsOf, UNLISTED } from './data.ts'
import { auditTenant, findTenant, missingTenant, sendTenant, writeTenant } from './manage.ts'

/** Duration of one pass, in milliseconds; the next pass continues. */
const PASS_MS = 2_000
/** Time within which workers see the deletion and end their passes, in milliseconds. */
const SETTLE_MS = RENEW_MS + 5_000
/** Maximum time by which a wake may be early, in milliseconds; an earlier one was sent twice. */
const EARLY_MS = 1_000

const DEFAULT_KEPT = 'The default tenant cannot be deleted, because its keys manage the deployment.'

/** Starts the deletion; a repeated request returns its progress. */
export async function deleteTenant(
  asker: Asker,
  id: string,
): Promise<Outcome<StoredTenant, Refusal>> {
  const { world } = asker
  if (id === DEFAULT_TENANT) return fail(refusal('conflict', DEFAULT_KEPT))
  const requested = await update(world, `the tenant ${id}`, async () => {
    const existing = await findTenant(world, id)
    if (!existing) return 'missing'
    const { tenant: current, version } = existing
    if (isGone(current.status)) return { tenant: current, number: version }
    const now = world.clock.now()
    const left = world.store.partitions ? [] : UNLISTED
    const deletion = { began_at: now, ended_at: null, rows: 0, objects: 0, empty_at: null, left }
    const changes = { status: 'deleting', deletion, cancels: null, wake_at: now } as const
    const destroyed = current.encryption && { encryption: { sealed: null } }
    const tenant = { ...current, ...changes, ...destroyed, updated_at: iso(now) }
    return (await writeTenant(world, tenant, version)) ? { tenant, number: version + 1 } : undefined
  })
  if (requested === 'missing') return fail(missingTenant())
  const { tenant, number } = requested
  if (tenant.status === 'deleted') return ok(tenant)
  await auditTenant(asker, id, number, 'delete', 'requested', 'requested')
  await sendTenant(world, id)
  return ok(tenant)
}

/**
 * Makes a pass. Two concurrent passes delete the same data, which is harmless; each adds what it
 * has deleted to the count.
 */
export async function deleteSome(world: World, { id, deletion }: StoredTenant): Promise<void> {
  const now = world.clock.now()
  if (!deletion) return
  if (deletion.empty_at !== null && now < deletion.empty_at + settleMs(world) - EARLY_MS) return
  const removed = await removeSome(world, id)
  const next = await update(world, `the tenant ${id}`, () => record(world, id, deletion, removed))
  if (next === 'over' || next.wake_at === null) return
  await sendTenant(world, id, Math.max(0, next.wake_at - world.clock.now()))
}

/** Time until every process has seen the deletion; other processes cache the tenant's state. */
const settleMs = ({ settings }: World): number =>
  settings.singleProcess ? SETTLE_MS : SETTLE_MS + STATE_MS

interface Removed {
  readonly rows: number
  readonly objects: number
}

/** Records a pass that began with `earlier`; undefined after a conflict. */
async function record(
  world: World,
  id: string,
  earlier: Deletion,
  removed: Removed,
): Promise<StoredTenant | 'over' | undefined> {
  const existing = await findTenant(world, id)
  if (existing?.tenant.status !== 'deleting' || !existing.tenant.deletion) return 'over'
  const { tenant, version } = existing
  const { deletion } = existing.tenant
  // Another pass also found nothing, and its time to settle has only begun.
  if (removed.rows + removed.objects === 0 && deletion?.empty_at !== earlier.empty_at) return 'over'
  const next = progressOf(world, tenant, existing.tenant.deletion, removed)
  if (next.status === 'deleted' && next.deletion) {
    const { rows, objects } = next.deletion
    const detail = `complete: ${rows} partitions, ${objects} objects`
    await auditTenant({ world, by: 'system' }, id, version + 1, 'delete', detail, 'complete')
  }
  return (await writeTenant(world, next, version)) ? next : undefined
}

function progressOf(
  world: World,
  tenant: StoredTenant,
  deletion: Deletion,
  removed: Removed,
): StoredTenant {
  const now = world.clock.now()
  const rows = deletion.rows + removed.rows
  const objects = deletion.objects + removed.objects
  const counted = { ...deletion, rows, objects }
  const updated = { ...tenant, updated_at: iso(now), redeliveries: 0 }
  if (removed.rows + removed.objects > 0)
    return { ...updated, deletion: { ...counted, empty_at: null }, wake_at: now }
  if (deletion.empty_at === null) {
    const wake_at = now + settleMs(world)
    return { ...updated, deletion: { ...counted, empty_at: now }, wake_at }
  }
  const complete = { ...counted, ended_at: now }
  return {
    ...{ ...updated, name: null, status: 'deleted', deletion: complete },
    ...{ wake_at: null, listed: null },
  }
}

async function removeSome(world: World, id: string): Promise<Removed> {
  const end = world.clock.monotonic() + PASS_MS
  let rows = 0
  for await (const partition of partitionsOf(world, id)) {
    if ((await world.store.read(partition)).length > 0) rows += 1
    await drop(world, partition)
    if (world.clock.monotonic() >= end) break
  }
  // Rows go first and are counted before objects, so a pass that crashes loses no count of rows.
  if (rows > 0) return { rows, objects: 0 }
  let objects = 0
  for (const prefix of [tenantPrefix(id), `${ROWS_FOLDER}${tenantPrefix(id)}`])
    objects += await removeObjects(world, prefix, end)
  return { rows, objects }
}

async function drop(world: World, partition: string): Promise<void> {
  await world.store.drop(partition)
  forget(world.store, partition)
  const { kind, id } = parsePartition(partition)
  if (kind === 'key') forgetKey(world, id)
}

async function removeObjects(world: World, prefix: string, end: number): Promise<number> {
  let count = 0
  while (world.clock.monotonic() < end) {
    const { objects, cursor } = await world.objects.list(prefix)
    await deleteObjects(
      world,
      objects.map(({ key }) => key),
    )
    count += objects.length
    if (cursor === undefined) break
  }
  return count
}
