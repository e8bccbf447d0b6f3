/**
 * Bucket areas that the sweep walks, in order: row bodies (some stores keep them in the bucket),
 * then each tenant's bodies, workspaces, and pins. Each area finds its objects that have no owner.
 */

import { runOf } from '../../core/run/decide/child.ts'
import { isId } from '../../lib/id.ts'
import { iso } from '../../lib/time.ts'
import type { ListedObject, ObjectPage, World } from '../../ports/world.ts'
import { deleteFile, workspacesFolder } from '../layers/files.ts'
import { homesOf, ownerPartition, pinsOf } from '../partition/home.ts'
import { fanoutsList, ROWS_FOLDER, runPartition, runsList, WORKSPACES } from '../partition/keys.ts'
import { deleteObjects } from '../tenant/blobs.ts'

/** Position of the sweep: area, tenant, and object key. */
export interface Position {
  readonly area: number
  readonly tenant?: string | undefined
  readonly cursor?: string | undefined
}

interface Area {
  readonly prefix: string
  /** Returns the keys of objects without an owner, and the number of storage calls used. */
  orphans(world: World, objects: readonly ListedObject[]): Promise<Orphans>
  remove(world: World, keys: readonly string[]): Promise<unknown>
  /** Returns the next position of the sweep; undefined at the end of the bucket. */
  next(page: ObjectPage): Position | undefined
}
interface Orphans {
  readonly gone: readonly string[]
  readonly calls: number
}

const NONE: Orphans = { gone: [], calls: 0 }

interface Owned extends Pick<Area, 'prefix' | 'orphans'> {
  readonly remove?: Area['remove']
}

/** Areas that the sweep walks per tenant, after the row bodies and the search for the tenant. */
const OF_TENANT: readonly ((tenant: string) => Owned)[] = [homes, workspaces, pins]
const FIRST = 2

export function areaOf(place: Position): Area {
  const { area, tenant = '' } = place
  const build = OF_TENANT[area - FIRST]
  if (build && tenant !== '') {
    const { prefix, orphans, remove = deleteObjects } = build(tenant)
    return {
      prefix,
      orphans,
      remove,
      next: ({ cursor }) => (cursor === undefined ? undefined : { ...place, cursor }),
    }
  }
  if (area === 0) {
    const next = ({ cursor }: ObjectPage) => (cursor === undefined ? undefined : { area, cursor })
    return { prefix: ROWS_FOLDER, orphans: rows, remove: deleteObjects, next }
  }
  return { prefix: '', orphans: async () => NONE, remove: deleteObjects, next: tenantIn }
}

/** Returns the position of the next tenant, after the last key of the previous tenant. */
function tenantIn({ objects: [first] }: ObjectPage): Position | undefined {
  const tenant = first?.key.split('/')[0]
  return tenant === undefined ? undefined : { area: FIRST, tenant }
}

/** Returns the sweep position after an area; undefined at the end of the bucket. */
export function areaAfter({ area, tenant }: Position): Position | undefined {
  if (area === 0) return { area: 1 }
  if (tenant === undefined) return undefined
  if (area - FIRST + 1 < OF_TENANT.length) return { area: area + 1, tenant }
  // The character after the slash (`0`) skips the remaining keys of the tenant.
  return { area: 1, cursor: `${tenant}0` }
}

/** Groups objects by the owner ID that follows the prefix in their keys. */
function byOwner(prefix: string, objects: readonly ListedObject[]): Map<string, string[]> {
  const owners = new Map<string, string[]>()
  for (const { key } of objects) {
    const owner = key.slice(prefix.length).split('/')[0]!
    const keys = owners.get(owner) ?? []
    keys.push(key)
    owners.set(owner, keys)
  }
  return owners
}

/**
 * Finds owners that have no head. `partitionsOf` returns the partitions of an owner; an empty list
 * means that they are unknown.
 */
async function withoutHeads(
  world: World,
  owners: ReadonlyMap<string, readonly string[]>,
  partitionsOf: (owner: string) => readonly string[],
): Promise<Orphans> {
  const queries = [...owners].map(([owner, keys]) => ({ keys, of: partitionsOf(owner) }))
  const ownedQueries = queries.filter(({ of }) => of.length > 0)
  const all = ownedQueries.flatMap(({ of }) => of)
  if (all.length === 0) return NONE
  const heads = await world.store.heads(all)
  const alive = new Set(all.filter((_, at) => heads[at] != null))
  const orphaned = ownedQueries.filter(({ of }) => !of.some((partition) => alive.has(partition)))
  return { gone: orphaned.flatMap(({ keys }) => keys), calls: all.length }
}

function homes(tenant: string) {
  const prefix = homesOf(tenant)
  const partitionsOf = (owner: string): string[] => {
    const partition = ownerPartition(tenant, owner)
    if (partition === undefined) return []
    // An unstored session exists as long as the run that defines it.
    return owner.startsWith('ses_') ? [partition, runPartition(tenant, runOf(owner))] : [partition]
  }
  const orphans = (world: World, objects: readonly ListedObject[]) =>
    withoutHeads(world, byOwner(prefix, objects), partitionsOf)
  return { prefix, orphans }
}

/**
 * Finds workspaces without an owner. Only folders with the name of a run have an owner, because
 * users may create other folders.
 */
function workspaces(tenant: string) {
  const prefix = workspacesFolder(tenant)
  const orphans = (world: World, objects: readonly ListedObject[]) =>
    withoutHeads(world, byOwner(prefix, objects), (owner) =>
      isId('run', owner) ? [runPartition(tenant, owner)] : [],
    )
  const files = workspacesFolder(tenant).length - WORKSPACES.length
  const remove = (world: World, keys: readonly string[]) =>
    Promise.all(keys.map((key) => deleteFile({ world, tenant }, key.slice(files), 'any')))
  return { prefix, orphans, remove }
}

const DAY_MS = 86_400_000

/**
 * Finds expired pins. The pins of a month are deleted when no root created before the month's end
 * remains, because the root's runs may have started in that month.
 */
function pins(tenant: string) {
  const prefix = pinsOf(tenant)
  const orphans = async (world: World, objects: readonly ListedObject[]): Promise<Orphans> => {
    const orphanKeys: string[] = []
    const months = byOwner(prefix, objects)
    for (const [month, keys] of months) {
      const next = monthAfter(month)
      // Clock differences and list lag stay below one day.
      if (next === undefined || iso(world.clock.now() - 2 * DAY_MS) < next) continue
      const cursor = `${next}-02`
      const lists = [runsList(tenant), fanoutsList(tenant)]
      const remaining = await Promise.all(lists.map((under) => world.store.list(under, cursor, 1)))
      if (remaining.every(({ length }) => length === 0)) orphanKeys.push(...keys)
    }
    return { gone: orphanKeys, calls: 2 * months.size }
  }
  return { prefix, orphans }
}

/** Returns the month that follows `YYYY-MM`; undefined if the text is not a month. */
function monthAfter(month: string): string | undefined {
  if (!/^\d{4}-\d{2}$/.test(month)) return undefined
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number < 12 ? `${year}-${String(number + 1).padStart(2, '0')}` : `${year + 1}-01`
}

/** Finds orphaned row bodies; a row body is an orphan if its partition has no rows. */
async function rows(world: World, objects: readonly ListedObject[]): Promise<Orphans> {
  const owners = new Map<string, string[]>()
  for (const { key } of objects) {
    const partition = key.slice(ROWS_FOLDER.length, key.lastIndexOf('/'))
    owners.set(partition, [...(owners.get(partition) ?? []), key])
  }
  const headless = await withoutHeads(world, owners, (partition) => [partition])
  const orphanKeys: string[] = []
  for (const [partition, keys] of owners) {
    if (!headless.gone.includes(keys[0]!)) continue
    // Some partitions have rows but no head, so the rows are read before their bodies count as
    // orphans.
    if ((await world.store.read(partition)).length === 0) orphanKeys.push(...keys)
  }
  return { gone: orphanKeys, calls: headless.calls + owners.size }
}
