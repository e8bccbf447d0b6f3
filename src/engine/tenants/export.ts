/**
 * All that a tenant has, as lines for its operator: rows as they are stored, secrets in them sealed
 * as they were, and objects. Each partition and each object is read at its own moment, so what
 * changes meanwhile comes as it is then. It is whole only with its last line.
 */

import { LIMITS } from '../../core/limits.ts'
import { iso } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { DEFAULT_TENANT, parsePartition } from '../partition/keys.ts'
import { type Asker, audit } from '../tenant/audit.ts'
import { BESIDE, besideOf, KNOWN, listsOf } from './delete.ts'
import { findTenant } from './manage.ts'

type ExportedLine =
  | { readonly object: 'tenant_export'; readonly tenant: string; readonly exported_at: string }
  | {
      readonly object: 'tenant_row'
      readonly partition: string
      readonly key: string
      readonly version: number
      readonly body: string
    }
  | {
      readonly object: 'tenant_object'
      readonly key: string
      readonly size: number
      readonly modified_at: string
      readonly body: string
    }
  | {
      readonly object: 'tenant_export_end'
      readonly rows: number
      readonly objects: number
      readonly left: readonly string[]
    }

const PAGE = 100
const UNLISTED =
  'Reservations of Idempotency-Keys, kept listings and marks of deleted runs; histories and ' +
  'authorizations at MCP servers that an earlier release wrote and nobody has changed since: ' +
  'this host lists them nowhere.'
const MORE = `Rows of more than ${LIMITS.export_partitions} partitions: so many are listed.`

/** Undefined: there is no such tenant, or nothing of it is left. */
export async function exportTenant(
  { world, by }: Asker,
  id: string,
): Promise<AsyncGenerator<ExportedLine> | undefined> {
  const found = await findTenant(world, id)
  if (!found || found.tenant.status === 'deleted') return undefined
  const entry = { kind: 'tenant', name: id, action: 'read', by, number: found.version } as const
  await audit(world, DEFAULT_TENANT, { ...entry, detail: 'exported' })
  return linesOf(world, id)
}

async function* linesOf(world: World, id: string): AsyncGenerator<ExportedLine> {
  yield { object: 'tenant_export', tenant: id, exported_at: iso(world.clock.now()) }
  const left: string[] = []
  let rows = 0
  for await (const partition of partitionsOf(world, id, left)) {
    for (const { key, version, body } of await world.store.read(partition)) {
      rows += 1
      yield { object: 'tenant_row', partition, key, version, body }
    }
  }
  let objects = 0
  let cursor: string | undefined
  do {
    const page: Awaited<ReturnType<World['objects']['list']>> = await world.objects.list(
      `${id}/`,
      cursor,
    )
    for (const { key, modified } of page.objects) {
      const stored = await world.objects.get(key)
      // Deleted since it was listed.
      if (!stored) continue
      objects += 1
      const body = Buffer.from(stored.body).toString('base64')
      const about = { key, size: stored.body.byteLength, modified_at: iso(modified) }
      yield { object: 'tenant_object', ...about, body }
    }
    cursor = page.cursor
  } while (cursor !== undefined)
  yield { object: 'tenant_export_end', rows, objects, left }
}

/** Each once; `left` takes sentences about those that are not among them. */
async function* partitionsOf(world: World, id: string, left: string[]): AsyncGenerator<string> {
  const seen = new Set<string>()
  const first = (partition: string): boolean => !seen.has(partition) && seen.add(partition).size > 0
  for (const under of listsOf(id)) {
    for await (const one of listed(world, id, under)) if (first(one)) yield one
  }
  if (world.store.partitions) {
    const all = await world.store.partitions(`${id}/`, LIMITS.export_partitions)
    if (all.length >= LIMITS.export_partitions) left.push(MORE)
    yield* all.filter(first)
    return
  }
  yield* KNOWN.map((name) => `${id}/${name}`).filter(first)
  for await (const page of chainOf(world, id)) if (first(page)) yield page
  left.push(UNLISTED)
}

async function* listed(world: World, id: string, under: string): AsyncGenerator<string> {
  let before: string | undefined
  do {
    const rows = await world.store.list(under, before, PAGE)
    for (const partition of new Set(rows.map((row) => row.partition))) {
      if (!partition.startsWith(`${id}/`) && !BESIDE.test(partition)) continue
      yield partition
      yield* besideOf(world, partition)
      const { kind, id: its } = parsePartition(partition)
      if (kind === 'run' || kind === 'fanout') yield* listed(world, id, `${id}/runs/${its}`)
    }
    before = rows.length < PAGE ? undefined : rows.at(-1)?.at
  } while (before !== undefined)
}

/** Pages of the sealed audit that are left. */
async function* chainOf({ store }: World, id: string): AsyncGenerator<string> {
  for (let page = 0; ; page += 1) {
    const chain = `${id}/chain/p${String(page).padStart(8, '0')}`
    if ((await store.read(chain)).length === 0) return
    yield chain
  }
}
