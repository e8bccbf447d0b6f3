/**
 * Deletes a tenant with everything that has its name in front, pass by pass: the row of the tenant
 * has the alarm, so whoever dies in the middle is followed by the next pass. Nothing of the tenant
 * begins meanwhile; a last pass comes after all have read that, and finds what a late write left.
 * The order destroys the data key of an encrypted tenant, before anything else of it goes.
 */

import type { Refusal } from '../../core/problem.ts'
import { type Outcome, ok } from '../../lib/outcome.ts'
import { iso } from '../../lib/time.ts'
import type { StoredRows, World } from '../../ports/world.ts'
import { livePartition, parsePartition, ROWS_FOLDER, snapshotPartition } from '../partition/keys.ts'
import { forget } from '../partition/log.ts'
import { RENEW_MS } from '../partition/rows.ts'
import { update } from '../partition/update.ts'
import type { Asker } from '../tenant/audit.ts'
import { deleteObjects } from '../tenant/blobs.ts'
import { CACHE_MS, type Deletion, isGone, type StoredTenant } from '../tenant/state.ts'
import { findTenant, missing, noted, writeTenant } from './manage.ts'

/** Of one pass; the next one goes on. */
const PASS_MS = 2_000
const PAGE = 100
/** Workers see within this time that the tenant is gone, and end what they are at. */
const SETTLE_MS = RENEW_MS + 5_000
/** A wake that comes earlier was sent twice. */
const EARLY_MS = 1_000

const NOT_LISTED = [
  'Reservations of Idempotency-Keys, kept listings and marks of deleted runs: this host lists ' +
    'them nowhere; they go by themselves within 24 hours.',
  'Histories and authorizations at MCP servers that an earlier release wrote and nobody has ' +
    'changed since: this host lists them nowhere; their rows stay, and no key reads them.',
]

/** Says again how far it has come when it was ordered before. */
export async function deleteTenant(
  asker: Asker,
  id: string,
): Promise<Outcome<StoredTenant, Refusal>> {
  const { world } = asker
  const ordered = await update(world, `the tenant ${id}`, async () => {
    const found = await findTenant(world, id)
    if (!found) return 'missing'
    const { tenant: before, version } = found
    if (isGone(before.status)) return { tenant: before, number: version }
    const now = world.clock.now()
    const left = world.store.partitions ? [] : NOT_LISTED
    const deletion = { began_at: now, ended_at: null, rows: 0, objects: 0, empty_at: null, left }
    const tenant: StoredTenant = {
      ...{ ...before, status: 'deleting', deletion, wake_at: now, updated_at: iso(now) },
      sealed_key: undefined,
    }
    return (await writeTenant(world, tenant, version)) ? { tenant, number: version + 1 } : undefined
  })
  if (ordered === 'missing') return { ok: false, error: missing() }
  const { tenant, number } = ordered
  if (tenant.status === 'deleted') return ok(tenant)
  const detail = tenant.encrypted ? 'its data key is destroyed' : undefined
  await noted(asker, id, number, 'delete', detail, 'ordered')
  await send(world, id)
  return ok(tenant)
}

const send = ({ queue }: World, id: string, delayMs = 0) =>
  queue.send(
    [{ partition: `_/tenant/${id}`, lane: 'background', started: true, staleCount: 0 }],
    delayMs,
  )

/**
 * A pass. Two at once do the same twice, which is harmless; each adds what it has removed, also
 * when the tick or the other one has written the row meanwhile.
 */
export async function advanceTenant(world: World, partition: string): Promise<void> {
  const { id } = parsePartition(partition)
  const found = await findTenant(world, id)
  if (found?.tenant.status !== 'deleting') return
  const { deletion } = found.tenant
  const now = world.clock.now()
  if (!deletion) return
  if (deletion.empty_at !== null && now < deletion.empty_at + settleMs(world) - EARLY_MS) return
  const gone = await removeSome(world, id)
  const next = await update(world, `the tenant ${id}`, () => record(world, id, deletion, gone))
  if (next === 'over' || next.wake_at === null) return
  await send(world, id, Math.max(0, next.wake_at - world.clock.now()))
}

/** `began`: as the pass found it. Undefined: somebody else was first. */
async function record(
  world: World,
  id: string,
  began: Deletion,
  gone: Gone,
): Promise<StoredTenant | 'over' | undefined> {
  const found = await findTenant(world, id)
  if (found?.tenant.status !== 'deleting' || !found.tenant.deletion) return 'over'
  const { tenant, version } = found
  const { deletion } = tenant
  // Another pass has found nothing either, and its time to settle has only begun.
  if (gone.rows + gone.objects === 0 && deletion!.empty_at !== began.empty_at) return 'over'
  const next = after(world, tenant, deletion!, gone)
  if (next.status === 'deleted') {
    const asker = { world, tenant: '', by: 'system' }
    const { rows, objects } = next.deletion!
    const detail = `nothing is left: ${rows} rows, ${objects} objects`
    await noted(asker, id, version + 1, 'delete', detail, 'done')
  }
  return (await writeTenant(world, next, version)) ? next : undefined
}

/** Other processes believe for a while that the tenant is at work. */
const settleMs = ({ settings }: World): number =>
  settings.singleProcess ? SETTLE_MS : SETTLE_MS + CACHE_MS

function after(world: World, tenant: StoredTenant, deletion: Deletion, gone: Gone): StoredTenant {
  const now = world.clock.now()
  const isEmpty = gone.rows + gone.objects === 0
  const rows = deletion.rows + gone.rows
  const objects = deletion.objects + gone.objects
  const counted = { ...deletion, rows, objects }
  const updated = { ...tenant, updated_at: iso(now), redeliveries: 0 }
  if (!isEmpty) return { ...updated, deletion: { ...counted, empty_at: null }, wake_at: now }
  if (deletion.empty_at === null) {
    const wake_at = now + settleMs(world)
    return { ...updated, deletion: { ...counted, empty_at: now }, wake_at }
  }
  const done = { ...counted, ended_at: now }
  return { ...updated, name: null, status: 'deleted', deletion: done, wake_at: null, listed: null }
}

interface Gone {
  readonly rows: number
  readonly objects: number
}

async function removeSome(world: World, id: string): Promise<Gone> {
  const end = world.clock.monotonic() + PASS_MS
  const isOver = () => world.clock.monotonic() >= end
  let rows = 0
  for (const under of listsOf(id)) rows += await dropListed(world, id, under, isOver)
  rows += await dropNamed(world, id, isOver)
  // Counted before objects go: a pass that dies counts nothing.
  if (rows > 0) return { rows, objects: 0 }
  let objects = 0
  for (const prefix of [`${id}/`, `${ROWS_FOLDER}${id}/`])
    objects += await dropObjects(world, prefix, isOver)
  return { rows, objects }
}

/**
 * Keys, hooks and sign-ins first: they lie beside those of others, and lists alone say whose they
 * are.
 */
export const listsOf = (id: string): readonly string[] =>
  [
    ...[
      'keys',
      'hooks',
      'browser-sessions',
      'sign-in-links',
      'audit',
      'schedules',
      'wakeups',
      'endpoints',
      'sessions',
      'runs',
    ],
    ...['fanouts', 'deliveries', 'approvals/pending', 'approvals/decided', 'mcp-lists'],
    ...['authorizations', 'histories'],
  ].map((list) => `${id}/${list}`)

/** Partitions of a run or fan-out that no list shows, where the store does not list them either. */
export function besideOf({ store }: World, partition: string): readonly string[] {
  const { kind } = parsePartition(partition)
  if (store.partitions || (kind !== 'run' && kind !== 'fanout')) return []
  return [snapshotPartition(partition), livePartition(partition)]
}

/** Partitions outside of the tenant's own that its lists may name. */
export const BESIDE = /^_\/(?:key|hook|browser|link)\//

async function dropListed(
  world: World,
  id: string,
  under: string,
  isOver: () => boolean,
): Promise<number> {
  let count = 0
  let before: string | undefined
  while (!isOver()) {
    const rows = await asStored(world).list(under, before, PAGE)
    const named = new Set(rows.map(({ partition }) => partition))
    for (const partition of named) {
      if (!partition.startsWith(`${id}/`) && !BESIDE.test(partition)) continue
      const { kind, id: its } = parsePartition(partition)
      // Subagents have lists of their own, below the run that started them.
      if (kind === 'run' || kind === 'fanout')
        count += await dropListed(world, id, `${id}/runs/${its}`, isOver)
      for (const one of besideOf(world, partition)) await drop(world, one)
      await drop(world, partition)
      count += 1
    }
    before = rows.at(-1)?.at
    if (rows.length < PAGE) break
  }
  return count
}

/** Everything else, where the store can list its partitions; else those that are known by name. */
async function dropNamed(world: World, id: string, isOver: () => boolean): Promise<number> {
  const { store } = world
  if (!store.partitions) return dropKnown(world, id)
  let count = 0
  while (!isOver()) {
    const named = await store.partitions(`${id}/`, PAGE)
    for (const partition of named) await drop(world, partition)
    count += named.length
    if (named.length < PAGE) break
  }
  return count
}

/** Partitions of which a tenant has one. */
export const KNOWN = [
  ...(['policy/tenant', 'secrets/tenant', 'layers/stamp', 'chain/tip'] as const),
  ...(['quota/spending', 'quota/storage', 'quota/live-runs', 'quota/schedules'] as const),
  ...(['quota/endpoints', 'quota/keys', 'quota/hooks'] as const),
] as const

async function dropKnown(world: World, id: string): Promise<number> {
  const known = KNOWN.map((name) => `${id}/${name}`)
  for (let page = 0; ; page += 1) {
    const chain = `${id}/chain/p${String(page).padStart(8, '0')}`
    if ((await asStored(world).read(chain)).length === 0) break
    known.push(chain)
  }
  let count = 0
  for (const partition of known) {
    if ((await asStored(world).read(partition)).length === 0) continue
    await drop(world, partition)
    count += 1
  }
  return count
}

/** Its key is destroyed: nobody opens its rows any more. */
const asStored = (world: World): StoredRows => world.asStored ?? world.store

async function drop({ store }: World, partition: string): Promise<void> {
  await store.drop(partition)
  forget(store, partition)
}

async function dropObjects(world: World, prefix: string, isOver: () => boolean): Promise<number> {
  let count = 0
  while (!isOver()) {
    const { objects, cursor } = await world.objects.list(prefix)
    const keys = objects.map(({ key }) => key)
    await deleteObjects(world, keys)
    count += keys.length
    if (cursor === undefined) break
  }
  return count
}
