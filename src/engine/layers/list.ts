/**
 * Lists a layer with few requests. One listing of the dot directories is enough for nearly every
 * layer. If that listing exceeds a page, only the relevant directories are listed, in parallel, so
 * that unrelated ones (`.git/`) cost nothing.
 */

import { isInstructions, ROOT_INSTRUCTIONS } from '../../core/config/layer/instructions.ts'
import { READ_PREFIXES } from '../../core/config/layer/layout.ts'
import { fileKey } from '../../lib/key.ts'
import type { ObjectInfo, ObjectPage, Objects, World } from '../../ports/world.ts'
import { cacheKey, cacheOf } from './cache.ts'

export interface ListedLayer {
  /** Files of the layer, ordered by key, without the prefixes of tenant and layer. */
  readonly files: readonly ObjectInfo[]
}

/** Receives each listing page except the last, after the next page has been requested. */
export type OnPage = (files: readonly ObjectInfo[]) => void

export interface LayerPlace {
  readonly tenant: string
  /** Key prefix of the layer, with a trailing slash. */
  readonly prefix: string
  /** Folder with older skills by role, in the base layer; null in other layers. */
  readonly roleSkills: string | null
}

/** Lists a layer's relevant objects, with keys relative to the layer. */
export async function listLayer(
  objects: Objects,
  { tenant, prefix, roleSkills }: LayerPlace,
  onPage: OnPage,
): Promise<ListedLayer> {
  const root = fileKey(tenant, prefix)
  const relative = (list: readonly ObjectInfo[]): ObjectInfo[] =>
    list.map((object) => ({ ...object, key: object.key.slice(root.length) }))
  const onRelativePage: OnPage = (page) => onPage(relative(page))
  const folders = [...(roleSkills === null ? [] : [`${roleSkills}/`])]
  const [dots, ...folderFiles] = await Promise.all([
    listDots(objects, root, onRelativePage),
    ...folders.map((folder) => listWhile(objects, { prefix: root + folder }, onRelativePage)),
    ...STRAY_FOLDERS.filter((folder) => !folders.includes(folder)).map((folder) =>
      firstPage(objects, root + folder),
    ),
  ])
  return { files: relative([...dots, ...folderFiles.flat()]) }
}

/** Folders whose files are not read, although users expect them to be. */
const STRAY_FOLDERS = ['agents/', 'skills/']

/** Lists one page of a folder only, because a repository may have a large code folder there. */
async function firstPage(objects: Objects, prefix: string): Promise<readonly ObjectInfo[]> {
  return (await objects.list(prefix)).objects.filter(({ key }) => /\.(?:md|toml)$/i.test(key))
}

/**
 * Cache lifetime of an instruction listing, in milliseconds. The listing only produces a warning,
 * so a delay is acceptable.
 */
const INSTRUCTIONS_MS = 30_000

/**
 * Lists instruction files at the root of a layer. These files are reported but not read. The result
 * is cached, because listings are the most expensive part of a resolve.
 */
export async function listInstructions(
  { objects, clock }: Pick<World, 'objects' | 'clock'>,
  { tenant, prefix }: Pick<LayerPlace, 'tenant' | 'prefix'>,
): Promise<readonly ObjectInfo[]> {
  const { instructions } = cacheOf(objects)
  const slot = cacheKey(tenant, prefix)
  const cached = instructions.get(slot)
  const at = clock.now()
  if (cached && Math.abs(at - cached.at) < INSTRUCTIONS_MS) return cached.files
  const root = fileKey(tenant, prefix)
  const pages = await Promise.all(ROOT_INSTRUCTIONS.map((name) => objects.list(root + name)))
  const names = pages.flatMap((page) => page.objects.map(({ key }) => key.slice(root.length)))
  const files = names
    .filter((name) => !name.includes('/') && isInstructions(name))
    .map((key) => ({ key, etag: '', size: 0 }))
  instructions.set(slot, { at, files })
  return files
}

/** Returns whether at least one of the tenant's keys has the prefix. */
export async function prefixExists(
  objects: Objects,
  tenant: string,
  prefix: string,
): Promise<boolean> {
  const page = await objects.list(fileKey(tenant, prefix))
  return page.objects.length > 0
}

async function listDots(objects: Objects, root: string, onPage: OnPage): Promise<ObjectInfo[]> {
  const first = await objects.list(`${root}.`)
  if (first.cursor === undefined) return [...first.objects]
  const last = first.objects.at(-1)?.key ?? root
  const current = READ_PREFIXES.find((prefix) => last.startsWith(root + prefix))
  const later = READ_PREFIXES.filter((prefix) => prefix !== current && root + prefix > last)
  const inside = current === undefined ? undefined : root + current
  const from = { prefix: `${root}.`, cursor: first.cursor, inside }
  const listings = [
    ...(inside === undefined ? [] : [listWhile(objects, from, onPage)]),
    ...later.map((prefix) => listWhile(objects, { prefix: root + prefix }, onPage)),
  ]
  onPage(first.objects)
  return [...first.objects, ...(await Promise.all(listings)).flat()]
}

interface From {
  readonly prefix: string
  readonly cursor?: string | undefined
  /** Prefix that limits the listing. The listing stops at the first key without this prefix. */
  readonly inside?: string | undefined
}

/** Lists all pages of a prefix, starting at `cursor`. */
async function listWhile(
  objects: Objects,
  { prefix, cursor, inside = prefix }: From,
  onPage: OnPage,
): Promise<ObjectInfo[]> {
  const matches: ObjectInfo[] = []
  let coming: Promise<ObjectPage> | undefined = objects.list(prefix, cursor)
  while (coming !== undefined) {
    const page: ObjectPage = await coming
    const within = page.objects.filter((object) => object.key.startsWith(inside))
    matches.push(...within)
    const ends = page.cursor === undefined || within.length < page.objects.length
    coming = ends ? undefined : objects.list(prefix, page.cursor)
    if (!ends) onPage(within)
  }
  return matches
}
