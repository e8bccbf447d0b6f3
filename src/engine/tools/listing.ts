/** The listing of the working folder, which three tools search. */

import { Exhausted } from '../../lib/budget.ts'
import { globMatcher } from '../../lib/glob.ts'
import { filesBelow } from '../layers/files.ts'
import { isReserved, locateFolder } from './paths.ts'
import { type Folder, spaceOf } from './tool.ts'

/** A folder larger than this is searched only in part, and the answer says so. */
const MAX_FILES = 5_000

/** The files whose paths match, or why the glob cannot be used. */
export async function matchingFiles(folder: Folder, glob: string): Promise<Found | string> {
  const matches = globMatcher(glob)
  if (!matches) return 'invalid_pattern: the glob is longer than 200 characters.'
  const found = await filesIn(folder, '')
  if (typeof found === 'string') return found
  try {
    return { ...found, files: found.files.filter(({ path }) => matches(path)) }
  } catch (error) {
    if (!(error instanceof Exhausted)) throw error
    return 'invalid_pattern: the glob takes too long on this folder; write a simpler one.'
  }
}

interface Found {
  readonly files: readonly { key: string; path: string; size: number }[]
  readonly notes: readonly string[]
}

export async function filesIn(folder: Folder, path: string): Promise<Found | string> {
  const prefix = locateFolder(folder.place, path)
  if (!prefix.ok) return prefix.error
  const found = await filesBelow(spaceOf(folder), prefix.value, MAX_FILES)
  const cut = folder.place.root.length
  const files = found.files
    .filter((file) => !isReserved(file.path, 'read'))
    .map((file) => ({ key: file.path, path: file.path.slice(cut), size: file.size }))
  return { files, notes: found.isWhole ? [] : [`[only the first ${MAX_FILES} files]`] }
}
