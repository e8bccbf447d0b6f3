/**
 * Lists a layer in few calls. One listing of the layer's dot directories answers for nearly every
 * layer; when it is longer than a page, each directory that is read goes on by itself, in parallel,
 * so that a foreign one (`.git/`) costs nothing.
 */

import { isInstructions, ROOT_INSTRUCTIONS } from '../../core/config/layer/instructions.ts'
import { READ_PREFIXES } from '../../core/config/layer/layout.ts'
import { fileKey } from '../../lib/key.ts'
import type { ObjectInfo, ObjectPage, Objects, World } from '../../ports/world.ts'
import { cacheKey, cacheOf } from './cache.ts'

export interface ListedLayer {
  /** Ordered by key, without the tenant's prefix and the layer's. */
  readonly files: readonly ObjectInfo[]
}

/** Called for each page that is not the last, when the next one has been asked for. */
export type OnPage = (files: readonly ObjectInfo[]) => void

export interface LayerPlace {
  readonly tenant: string
  /** Ends with a slash. */
  readonly prefix: string
  /** The folder of skills by role, in the base layer. */
  readonly roleSkills: string | null
}

/** Objects of the layer that may matter, with keys relative to the layer. */
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

/** Nothing is read there, but who put files there expects it. */
const STRAY_FOLDERS = ['agents/', 'skills/']

/** A repository may have code by such a name: one page is enough to see what was meant. */
async function firstPage(objects: Objects, prefix: string): Promise<readonly ObjectInfo[]> {
  return (await objects.list(prefix)).objects.filter(({ key }) => /\.(?:md|toml)$/i.test(key))
}

/** They only make a warning, which may come so late where something else wrote them. */
const INSTRUCTIONS_MS = 30_000

/**
 * Instructions for agents at the root of a layer, which are not read: their names alone count. They
 * are asked for once in a while, since a listing is the dearest part of a resolve.
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

/** Whether at least one key lies under the prefix. */
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
  /** Ends at the first key that does not begin so. */
  readonly inside?: string | undefined
}

/** The pages from `cursor` on. */
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
