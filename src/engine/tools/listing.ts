/** Lists the files of the working folder for the three search tools. */

import { Exhausted } from '../../lib/budget.ts'
import { globMatcher } from '../../lib/glob.ts'
import { filesBelow } from '../layers/files.ts'
import { isReserved, locateFolder } from './paths.ts'
import { type Folder, skillPlace, spaceOf } from './tool.ts'

/** Maximum number of files to search; the result of a larger folder says that it is partial. */
const MAX_FILES = 5_000

/** Returns the files whose paths match the glob, or the reason why the glob is invalid. */
export const matchingFiles = (folder: Folder, glob: string): Promise<FileListing | string> =>
  filtered(() => filesIn(folder, ''), glob, true)

async function filtered(
  listing: () => Promise<FileListing | string>,
  glob: string,
  expected: boolean,
): Promise<FileListing | string> {
  const matches = globMatcher(glob)
  if (!matches) return 'invalid_pattern: the glob is longer than 200 characters.'
  const all = await listing()
  if (typeof all === 'string') return all
  try {
    return { ...all, files: all.files.filter(({ path }) => matches(path) === expected) }
  } catch (error) {
    if (!(error instanceof Exhausted)) throw error
    return 'invalid_pattern: the glob is too slow on this folder; simplify it.'
  }
}

/**
 * Returns matching files below a folder, or one file. Uses `grep` globs: globs without a slash
 * match names at any depth, and a leading `!` excludes.
 */
export function matchingBelow(
  folder: Folder,
  path: string,
  glob: string,
): Promise<FileListing | string> {
  const isNot = glob.startsWith('!')
  const pattern = isNot ? glob.slice(1) : glob
  const fullPattern = pattern.includes('/') ? pattern.replace(/^\//, '') : `**/${pattern}`
  return filtered(() => filesAt(folder, path), fullPattern, !isNot)
}

/** Lists the files below a folder, or the single file that has this name. */
async function filesAt(folder: Folder, path: string): Promise<FileListing | string> {
  const below = await filesIn(folder, path)
  if (typeof below === 'string' || path === '' || below.files.length > 0) return below
  const name = path.replace(/^\.\//, '')
  const around = await filesIn(folder, name.slice(0, Math.max(0, name.lastIndexOf('/'))))
  if (typeof around === 'string') return around
  const files = around.files.filter((file) => file.path === name)
  return files.length > 0
    ? { files, notes: [] }
    : `not_found: ${JSON.stringify(path)} does not exist.`
}

export interface FileListing {
  readonly files: readonly { key: string; path: string; size: number }[]
  readonly notes: readonly string[]
}

export async function filesIn(folder: Folder, path: string): Promise<FileListing | string> {
  const place = skillPlace(folder, path)
  const prefix = locateFolder(place, path)
  if (!prefix.ok) return prefix.error
  const listing = await filesBelow(spaceOf(folder), prefix.value, MAX_FILES)
  const cut = place.root.length
  const files = listing.files
    .filter((file) => !isReserved(file.path, 'read'))
    .map((file) => ({ key: file.path, path: file.path.slice(cut), size: file.size }))
  return { files, notes: listing.isWhole ? [] : [`[only the first ${MAX_FILES} files]`] }
}
