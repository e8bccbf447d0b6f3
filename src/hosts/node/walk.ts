/**
 * Lists the keys below a folder lazily and in key order, so a page reads only the folders it needs.
 * A folder sorts as `name/`, because `a-b` and `a.md` sort before `a/b`.
 */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { compareKeys } from '../../lib/order.ts'
import { hasCode, isReal } from './folders.ts'

/**
 * Walks a folder, given as an empty string or with a trailing `/`. Yields keys whose names start
 * with `start` and that sort after `after`. Yields nothing if the folder is missing or reached
 * through a link.
 */
export function* walk(
  base: string,
  folder: string,
  start: string,
  after: string | undefined,
): Generator<string> {
  if (isThere(join(base, folder))) yield* descend(base, folder, start, after)
}

/**
 * Walks subfolders. Their directory entries state the types, so no further link check is needed.
 */
function* descend(
  base: string,
  folder: string,
  start: string,
  after: string | undefined,
): Generator<string> {
  for (const name of names(join(base, folder))) {
    if (!name.startsWith(start)) continue
    const key = folder + name
    const passed = after !== undefined && compareKeys(key, after) <= 0
    if (!name.endsWith('/')) {
      if (!passed) yield key
    } else if (!passed || after.startsWith(key)) {
      yield* descend(base, key, '', after)
    }
  }
}

const ABSENT = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']

function isThere(path: string): boolean {
  // Most tenants lack most layers, and this check costs much less than an exception.
  if (!existsSync(path)) return false
  try {
    return isReal(path.endsWith('/') ? path.slice(0, -1) : path)
  } catch (error) {
    if (hasCode(error, ABSENT)) return false
    throw error
  }
}

/**
 * Returns the entries of a folder in key order, files as `name` and folders as `name/`. Links and
 * other entries are omitted.
 */
function names(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .sort(compareKeys)
  } catch (error) {
    if (hasCode(error, ABSENT)) return []
    throw error
  }
}
