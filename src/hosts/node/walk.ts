/**
 * Lists the keys below a folder lazily and in key order, so a page reads only its own folders. A
 * folder sorts as `name/`, because `a-b` and `a.md` sort before `a/b`.
 */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { compareKeys } from '../../lib/order.ts'
import { hasCode, isReal } from './folders.ts'

/**
 * Walks a folder; `folder` is empty or ends in `/`. Yields names that start with `start` and keys
 * after `after`. Yields nothing if the folder is missing or behind a link.
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
 * Walks subfolders; their directory entries state the types, so no further link check is needed.
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
  // Most tenants lack most layers, and this check is much cheaper than an exception.
  if (!existsSync(path)) return false
  try {
    return isReal(path.endsWith('/') ? path.slice(0, -1) : path)
  } catch (error) {
    if (hasCode(error, ABSENT)) return false
    throw error
  }
}

/**
 * Returns files as `name` and folders as `name/`, in order; links and other entries are omitted.
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
