/**
 * Listing a layer in few calls. One listing of the layer's dot directories answers for nearly every
 * layer; when it is longer than a page, each directory that is read goes on by itself, in parallel,
 * so that a foreign one (`.git/`) costs nothing.
 */

import { READ_PREFIXES } from '../../core/config/layout.ts'
import { fileKey } from '../../lib/key.ts'
import type { ObjectInfo, Objects } from '../../ports/world.ts'

export interface ListedLayer {
  /** Ordered by key, without the tenant's prefix and the layer's. */
  readonly files: readonly ObjectInfo[]
}

/** Objects of the layer that may matter, with keys relative to the layer. */
export async function listLayer(
  objects: Objects,
  tenant: string,
  prefix: string,
  withLegacySkills: boolean,
): Promise<ListedLayer> {
  const root = fileKey(tenant, prefix)
  const [dots, legacy] = await Promise.all([
    listDots(objects, root),
    withLegacySkills ? listAll(objects, `${root}skills/main/`) : [],
  ])
  const files = [...dots, ...legacy].map((one) => ({ ...one, key: one.key.slice(root.length) }))
  return { files }
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

async function listDots(objects: Objects, root: string): Promise<ObjectInfo[]> {
  const first = await objects.list(`${root}.`)
  if (first.cursor === undefined) return [...first.objects]
  const last = first.objects.at(-1)?.key ?? root
  const current = READ_PREFIXES.find((one) => last.startsWith(root + one))
  const later = READ_PREFIXES.filter((one) => one !== current && root + one > last)
  const [rest, ...others] = await Promise.all([
    current === undefined ? [] : listWhile(objects, `${root}.`, first.cursor, root + current),
    ...later.map((one) => listAll(objects, root + one)),
  ])
  return [...first.objects, ...(rest ?? []), ...others.flat()]
}

/** The pages after `cursor`, for as long as keys begin with `inside`. */
async function listWhile(
  objects: Objects,
  prefix: string,
  cursor: string,
  inside: string,
): Promise<ObjectInfo[]> {
  const found: ObjectInfo[] = []
  let next: string | undefined = cursor
  while (next !== undefined) {
    const page = await objects.list(prefix, next)
    const within = page.objects.filter((one) => one.key.startsWith(inside))
    found.push(...within)
    next = within.length === page.objects.length ? page.cursor : undefined
  }
  return found
}

async function listAll(objects: Objects, prefix: string): Promise<ObjectInfo[]> {
  const found: ObjectInfo[] = []
  let next: string | undefined
  do {
    const page = await objects.list(prefix, next)
    found.push(...page.objects)
    next = page.cursor
  } while (next !== undefined)
  return found
}
