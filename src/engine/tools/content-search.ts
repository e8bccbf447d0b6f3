/** `content_search`: the lines that contain a text, of files that are not too large. */

import { contentSearch as tool } from '../../core/tools/builtin/content-search.ts'
import { decodeStrict } from '../../lib/bytes.ts'
import { contains } from '../../lib/find.ts'
import { Breath } from '../layers/breath.ts'
import { readFile } from '../layers/files.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'
import { matchingFiles } from './listing.ts'
import { type Folder, performed, spaceOf } from './tool.ts'

const MAX_SEARCHED = 500
const MAX_FILE_BYTES = 1_048_576
const MAX_HITS = 200
const MAX_LINE = 300
const AT_ONCE = 16

interface Given {
  readonly query: string
  readonly pattern?: string
  readonly ignore_case?: boolean
}

export const contentSearch = performed(tool, { perform: search })

async function search(folder: Folder, given: Given): Promise<ToolAnswer> {
  const found = await matchingFiles(folder, given.pattern ?? '**')
  if (typeof found === 'string') return bad(found)
  const fold = (text: string): string => (given.ignore_case ? text.toLowerCase() : text)
  const query = fold(given.query)
  const files = found.files.filter(({ size }) => size <= MAX_FILE_BYTES)
  const hits: string[] = []
  const breath = new Breath(folder.world.clock)
  for (
    let i = 0;
    i < Math.min(files.length, MAX_SEARCHED) && hits.length < MAX_HITS;
    i += AT_ONCE
  ) {
    const some = files.slice(i, Math.min(i + AT_ONCE, MAX_SEARCHED))
    const texts = await Promise.all(some.map(({ key }) => readFile(spaceOf(folder), key)))
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
