/**
 * Bucket areas that the sweep walks, in order: row bodies (some stores keep them in the bucket),
 * then bodies, workspaces, and pins of each tenant. Each area finds the objects without an owner.
 */

import { runOf } from '../../core/run/decide/child.ts'
import { isId } from '../../lib/id.ts'
import { iso } from '../../lib/time.ts'
import type { ListedObject, ObjectPage, World } from '../../ports/world.ts'
import { deleteFile, workspacesFolder } from '../layers/files.ts'
import { homesOf, ownerPartition, pinsOf } from '../partition/home.ts'
import { fanoutsList, ROWS_FOLDER, runPartition, runsList, WORKSPACES } from '../partition/keys.ts'
import { deleteObjects } from '../tenant/blobs.ts'

/** Position of the sweep: area, tenant, and key. */
export interface Position {
  readonly area: number
  readonly tenant?: string | undefined
  readonly cursor?: string | undefined
}

interface Area {
  readonly prefix: string
  /** Returns the keys without an owner, and the number of calls used. */
  orphans(world: World, objects: readonly ListedObject[]): Promise<Orphans>
  remove(world: World, keys: readonly string[]): Promise<unknown>
  /** Returns the next position; undefined at the end. */
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

/** Areas of a tenant; row bodies and the search for the tenant precede them. */
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

/** Returns the next tenant, which starts after the end of the previous tenant. */
function tenantIn({ objects: [first] }: ObjectPage): Position | undefined {
  const tenant = first?.key.split('/')[0]
  return tenant === undefined ? undefined : { area: FIRST, tenant }
}

/** Returns the position after an area; undefined at the end of the bucket. */
export function areaAfter({ area, tenant }: Position): Position | undefined {
  if (area === 0) return { area: 1 }
  if (tenant === undefined) return undefined
  if (area - FIRST + 1 < OF_TENANT.length) return { area: area + 1, tenant }
  // The character after the slash skips the remaining keys of the tenant.
  return { area: 1, cursor: `${tenant}0` }
}

/** Groups objects by the ID that follows the prefix. */
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
 * Finds owners without a head. `partitionsOf` returns the partitions of an owner; an empty list
 * means unknown.
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
    // An unstored session exists as long as its run.
    return owner.startsWith('ses_') ? [partition, runPartition(tenant, runOf(owner))] : [partition]
  }
  const orphans = (world: World, objects: readonly ListedObject[]) =>
    withoutHeads(world, byOwner(prefix, objects), partitionsOf)
  return { prefix, orphans }
}

/**
 * Checks workspaces; only folders with a run's name have an owner, since users may create others.
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
 * Checks pins; a month is over when no root created before its end is left, since its runs may have
 * started in that month.
 */
function pins(tenant: string) {
  const prefix = pinsOf(tenant)
  const orphans = async (world: World, objects: readonly ListedObject[]): Promise<Orphans> => {
    const orphanKeys: string[] = []
    const months = byOwner(prefix, objects)
    for (const [month, keys] of months) {
      const next = monthAfter(month)
      // Clock differences and list lag are below a day.
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

/** Returns the month after `YYYY-MM`; undefined for other text. */
function monthAfter(month: string): string | undefined {
  if (!/^\d{4}-\d{2}$/.test(month)) return undefined
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number < 12 ? `${year}-${String(number + 1).padStart(2, '0')}` : `${year + 1}-01`
}

/** Checks row bodies; a row body is an orphan when its partition has no rows. */
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
    // Some partitions have rows but no head.
    if ((await world.store.read(partition)).length === 0) orphanKeys.push(...keys)
  }
  return { gone: orphanKeys, calls: headless.calls + owners.size }
}
