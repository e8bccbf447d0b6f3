/** The listing of the working folder, which three tools search. */

import { Exhausted } from '../../lib/budget.ts'
import { globMatcher } from '../../lib/glob.ts'
import type { ObjectInfo } from '../../ports/world.ts'
import { isReserved, locateFolder } from './paths.ts'
import type { Folder } from './tool.ts'

/** A folder larger than this is searched only in part, and the answer says so. */
const MAX_FILES = 5_000

/** The files whose paths match, or why the glob cannot be used. */
export async function matchingFiles(folder: Folder, glob: string): Promise<Found | string> {
  const matches = globMatcher(glob)
  if (!matches) return 'invalid_pattern: the glob is longer than 200 characters.'
  const found = await filesBelow(folder, '')
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

export async function filesBelow({ world, place }: Folder, path: string): Promise<Found | string> {
  const prefix = locateFolder(place, path)
  if (!prefix.ok) return prefix.error
  const root = locateFolder(place, '')
  const cut = root.ok ? root.value.length : 0
  const objects: ObjectInfo[] = []
  let cursor: string | undefined
  do {
    const page = await world.objects.list(prefix.value, cursor)
    objects.push(...page.objects)
    cursor = page.cursor
  } while (cursor !== undefined && objects.length < MAX_FILES)
  const files = objects
    .slice(0, MAX_FILES)
    .map(({ key, size }) => ({ key, path: key.slice(cut), size }))
    .filter(({ path }) => !isReserved(`${place.root}${path}`, 'read'))
  const whole = cursor === undefined && objects.length <= MAX_FILES
  return { files, notes: whole ? [] : [`[only the first ${MAX_FILES} files]`] }
}
