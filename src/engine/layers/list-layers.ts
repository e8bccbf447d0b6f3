/**
 * Lists the tenant's layers: the prefixes with files. The bucket has no folders, so the keys are
 * listed in order, and a large layer is skipped after its first page. The cost depends on the
 * number of layers, not on the number of files.
 */

import { planLayer } from '../../core/config/layer/layer.ts'
import { holdsEntry, isManagedPath, VALID_PLACES } from '../../core/config/layer/layout.ts'
import { IMPORTS, layerKind, WORKSPACES } from '../../core/config/layer/select.ts'
import { LIMITS } from '../../core/limits.ts'
import { MEMORY } from '../../core/memory/scope.ts'
import { fileKey } from '../../lib/key.ts'
import { readPolicy } from '../tenant/policy.ts'
import { type FileSpace, listFiles } from './files.ts'

interface LayerInfo {
  /** Key prefix of the layer, with a trailing slash. */
  readonly layer: string
  readonly kind: 'base' | 'role' | 'repo'
  /** Number of the counted files. */
  readonly files: number
  /** Whether the layer may have more files than were counted. */
  readonly more_files: boolean
  /** Whether the layer has a config file or any file in a folder of agents, skills, or schedules. */
  readonly valid: boolean
}

/** Section of the list: its layers, each with the position behind it, and where it stopped. */
export interface LayerSection {
  readonly found: readonly { readonly at: string; readonly item: LayerInfo }[]
  readonly reached?: string | undefined
}

/** Consecutive paths with the same layer; `prefix` is null for files outside of every layer. */
interface Group {
  readonly prefix: string | null
  readonly paths: string[]
}

/**
 * Lists the layers after a position, as far as one page of the bucket contains them. Without
 * `hasRawAccess`, only files are counted that the management operations return.
 */
export async function layersAfter(
  space: FileSpace,
  last: string | undefined,
  hasRawAccess: boolean,
): Promise<LayerSection> {
  const { world, tenant } = space
  const cursor = last === undefined ? undefined : fileKey(tenant, last)
  const [page, { policy }] = await Promise.all([
    listFiles(space, '', cursor),
    readPolicy(world, tenant),
  ])
  const groups = groupsOf(page.files.map(({ path }) => path))
  const open = page.cursor === undefined ? undefined : groups.at(-1)
  // The last layer may continue on the next page. It is read again from its beginning, unless it
  // filled this page.
  const isSplit = open !== undefined && open.prefix !== null && groups.length > 1
  const complete = isSplit ? groups.slice(0, -1) : groups
  const infos = complete.map((group) =>
    infoOf(space, group, {
      isOpen: group === open,
      dir: policy.skills_role_dir,
      hasRawAccess,
    }),
  )
  const items = (await Promise.all(infos)).flatMap((item) =>
    item === undefined ? [] : [{ at: behind(item.layer), item }],
  )
  return { found: items, reached: open === undefined ? undefined : endOf(complete) }
}

function groupsOf(paths: readonly string[]): readonly Group[] {
  const groups: Group[] = []
  for (const path of paths) {
    const prefix = layerOfPath(path)
    const group = groups.at(-1)
    if (group !== undefined && group.prefix === prefix) group.paths.push(path)
    else groups.push({ prefix, paths: [path] })
  }
  return groups
}

/** Matches the prefix of a layer: a folder of roles or repositories, or another first folder. */
const LAYER = /^(?:(?:roles|repos)\/[^/]+\/|(?!(?:roles|repos)\/)[^/]+\/)/

/** Folders whose files are in no layer. */
const OUTSIDE: readonly string[] = [IMPORTS, WORKSPACES, MEMORY]

/** Returns the layer that contains a path; null for files that no layer contains. */
function layerOfPath(path: string): string | null {
  const prefix = LAYER.exec(path)?.[0]
  return prefix === undefined || OUTSIDE.includes(prefix) ? null : prefix
}

/** Returns the position behind all keys with a prefix. */
const behind = (prefix: string): string => `${prefix}\u{10ffff}`

/** Returns the position behind the last group. Folders outside of layers are skipped as a whole. */
function endOf(groups: readonly Group[]): string {
  const group = groups.at(-1)!
  if (group.prefix !== null) return behind(group.prefix)
  const path = group.paths.at(-1)!
  const folder = OUTSIDE.find((prefix) => path.startsWith(prefix))
  return folder === undefined ? path : behind(folder)
}

interface Counting {
  /** Whether the layer may have more files than the page contains. */
  readonly isOpen: boolean
  /** Folder with older skills by role, in the base layer. */
  readonly dir: string
  readonly hasRawAccess: boolean
}

async function infoOf(
  space: FileSpace,
  { prefix, paths }: Group,
  { isOpen, dir, hasRawAccess }: Counting,
): Promise<LayerInfo | undefined> {
  if (prefix === null) return undefined
  const kind = layerKind(prefix)
  const roles = { dir, role: null }
  const counted = isOpen ? paths.slice(0, LIMITS.layer_files_counted) : paths
  const inLayer = counted.map((path) => path.slice(prefix.length))
  const files = inLayer.map((path) => ({ path, etag: '', size: 0 }))
  const { valid: isValid } = planLayer(kind, prefix, files, roles)
  const valid = isValid || (isOpen && (await holdsEntryAnywhere(space, prefix)))
  const visible = hasRawAccess
    ? inLayer
    : inLayer.filter((path) => isManagedPath(path, roles, kind === 'base'))
  if (visible.length === 0 && !(isOpen && valid)) return undefined
  return { layer: prefix, kind, files: visible.length, more_files: isOpen, valid }
}

/** Searches the places that make a layer valid, in a layer of which only the first files are known. */
async function holdsEntryAnywhere(space: FileSpace, prefix: string): Promise<boolean> {
  const pages = await Promise.all(VALID_PLACES.map((place) => listFiles(space, prefix + place)))
  return pages.some(({ files }) => files.some(({ path }) => holdsEntry(path.slice(prefix.length))))
}
