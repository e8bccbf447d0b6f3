/** `file_read`, `attach_file`: one file at a time. */

import { decodeStrict } from '../../lib/bytes.ts'
import type { World } from '../../ports/world.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'
import type { WorkingFolder } from './paths.ts'
import { locate } from './paths.ts'

export async function fileRead(
  world: World,
  place: WorkingFolder,
  given: { path: string; offset?: number; limit?: number },
): Promise<ToolAnswer> {
  const key = locate(place, given.path, 'read')
  if (!key.ok) return bad(key.error)
  const file = await textOf(world, key.value, given.path)
  if ('status' in file) return file
  if (given.offset === undefined && given.limit === undefined) return good(file.text)
  const lines = file.text.split('\n')
  const from = (given.offset ?? 1) - 1
  return good(lines.slice(from, from + (given.limit ?? lines.length)).join('\n'))
}

export async function attachFile(
  world: World,
  place: WorkingFolder,
  given: { path: string },
): Promise<ToolAnswer> {
  const key = locate(place, given.path, 'read')
  if (!key.ok) return bad(key.error)
  const file = await world.objects.get(key.value)
  if (!file) return bad(absent(given.path))
  const path = `${place.root}${given.path.replace(/^\.\//, '')}`
  return { status: 'ok', text: `Attached ${given.path}.`, attachments: [path] }
}

const absent = (path: string): string => `not_found: there is no file ${JSON.stringify(path)}.`

/** The text of a file with its etag, or the answer that there is none. */
export async function textOf(
  world: World,
  key: string,
  path: string,
): Promise<{ text: string; etag: string } | ToolAnswer> {
  const file = await world.objects.get(key)
  if (!file) return bad(absent(path))
  const text = decodeStrict(file.body)
  if (text === undefined) return bad(`not_text: ${path} is not UTF-8 (${file.body.length} bytes).`)
  return { text, etag: file.etag }
}
