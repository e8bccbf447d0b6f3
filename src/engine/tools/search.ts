/** `file_list`, `file_search`, `content_search`: over the listing of the working folder. */

import { Exhausted } from '../../lib/budget.ts'
import { decodeStrict } from '../../lib/bytes.ts'
import { contains } from '../../lib/find.ts'
import { globMatcher } from '../../lib/glob.ts'
import type { ObjectInfo, World } from '../../ports/world.ts'
import { Breath } from '../layers/breath.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'
import type { WorkingFolder } from './paths.ts'
import { isReserved, locateFolder } from './paths.ts'

/** A folder larger than this is searched only in part, and the answer says so. */
const MAX_FILES = 5_000
const MAX_SEARCHED = 500
const MAX_FILE_BYTES = 1_048_576
const MAX_HITS = 200
const MAX_LINE = 300
const AT_ONCE = 16

export async function fileList(
  world: World,
  place: WorkingFolder,
  given: { path?: string },
): Promise<ToolAnswer> {
  const found = await filesBelow(world, place, given.path ?? '')
  if (typeof found === 'string') return bad(found)
  const lines = found.files.map(({ path, size }) => `${path} (${size})`)
  return good(lines.length === 0 ? 'No files.' : [...lines, ...found.notes].join('\n'))
}

export async function fileSearch(
  world: World,
  place: WorkingFolder,
  given: { pattern: string },
): Promise<ToolAnswer> {
  const found = await matchingFiles(world, place, given.pattern)
  if (typeof found === 'string') return bad(found)
  const paths = found.files.map(({ path }) => path)
  return good(paths.length === 0 ? 'No file matches.' : [...paths, ...found.notes].join('\n'))
}

export async function contentSearch(
  world: World,
  place: WorkingFolder,
  given: { query: string; pattern?: string; ignore_case?: boolean },
): Promise<ToolAnswer> {
  const found = await matchingFiles(world, place, given.pattern ?? '**')
  if (typeof found === 'string') return bad(found)
  const fold = (text: string): string => (given.ignore_case ? text.toLowerCase() : text)
  const query = fold(given.query)
  const files = found.files.filter(({ size }) => size <= MAX_FILE_BYTES)
  const hits: string[] = []
  const breath = new Breath(world.clock)
  for (
    let i = 0;
    i < Math.min(files.length, MAX_SEARCHED) && hits.length < MAX_HITS;
    i += AT_ONCE
  ) {
    const some = files.slice(i, Math.min(i + AT_ONCE, MAX_SEARCHED))
    const texts = await Promise.all(some.map(({ key }) => world.objects.get(key)))
    for (const [index, file] of texts.entries()) {
      const found = await breath.run(() => {
        const text = file ? decodeStrict(file.body) : undefined
        return text === undefined ? [] : linesWith(some[index]!.path, text, query, fold)
      })
      for (const hit of found) hits.push(hit)
    }
  }
  const notes = [...found.notes]
  if (files.length > MAX_SEARCHED) notes.push(`[only ${MAX_SEARCHED} of ${files.length} files]`)
  if (hits.length > MAX_HITS) notes.push(`[only ${MAX_HITS} of ${hits.length} lines]`)
  if (hits.length === 0) return good(['Nothing found.', ...notes].join('\n'))
  return good([...hits.slice(0, MAX_HITS), ...notes].join('\n'))
}

function linesWith(
  path: string,
  text: string,
  query: string,
  fold: (text: string) => string,
): string[] {
  // Most files have no such line: one search of the whole is cheaper than one of each.
  if (!contains(fold(text), query)) return []
  return text
    .split('\n')
    .flatMap((line, index) =>
      contains(fold(line), query)
        ? [`${path}:${index + 1}: ${line.trim().slice(0, MAX_LINE)}`]
        : [],
    )
}

/** The files whose paths match, or why the glob cannot be used. */
async function matchingFiles(
  world: World,
  place: WorkingFolder,
  glob: string,
): Promise<Found | string> {
  const matches = globMatcher(glob)
  if (!matches) return 'invalid_pattern: the glob is longer than 200 characters.'
  const found = await filesBelow(world, place, '')
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

async function filesBelow(
  world: World,
  place: WorkingFolder,
  folder: string,
): Promise<Found | string> {
  const prefix = locateFolder(place, folder)
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
