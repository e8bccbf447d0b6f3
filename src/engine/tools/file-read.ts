/** `file_read`: one file at a time, perhaps some of its lines. */

import { fileRead as tool } from '../../core/tools/builtin/file-read.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'
import { locate } from './paths.ts'
import { textOf } from './text-of.ts'
import { type Caller, handedPlace, performed, spaceOf } from './tool.ts'

interface Given {
  readonly path: string
  readonly offset?: number
  readonly limit?: number
}

export const fileRead = performed(tool, { perform: read })

async function read(caller: Caller, given: Given): Promise<ToolAnswer> {
  const key = locate(await handedPlace(caller, given.path), given.path, 'read')
  if (!key.ok) return bad(key.error)
  const file = await textOf(spaceOf(caller), key.value, given.path)
  if ('status' in file) return file
  if (given.offset === undefined && given.limit === undefined) return good(file.text)
  const lines = file.text.split('\n')
  const from = (given.offset ?? 1) - 1
  return good(lines.slice(from, from + (given.limit ?? lines.length)).join('\n'))
}
