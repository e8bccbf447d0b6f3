/**
 * The keys below a folder in the order of the keys, lazily: a page costs the folders it lies in,
 * not the tree. A folder sorts as `name/`, since `a-b` and `a.md` come before `a/b`.
 */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { compareKeys } from '../../lib/order.ts'
import { hasCode, isReal } from './folders.ts'

/**
 * `folder` is there, and is empty or ends in `/`. Only names that begin with `start` count, and only
 * keys after `after`. The folders below are found by their entries, which say what they are.
 */
export function* walk(
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
      yield* walk(base, key, '', after)
    }
  }
}

const ABSENT = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']

/** False also for a folder that lies behind a link. */
export function isThere(path: string): boolean {
  // Most layers of most tenants are not there: asking is much cheaper than an exception.
  if (!existsSync(path)) return false
  try {
    return isReal(path.endsWith('/') ? path.slice(0, -1) : path)
  } catch (error) {
    if (hasCode(error, ABSENT)) return false
    throw error
  }
}

/** Files as `name`, folders as `name/`, in order; links and everything else are left out. */
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
