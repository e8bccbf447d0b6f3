/** `file_read`, `file_write`, `file_edit`, `attach_file`: one file at a time, by etag. */

import { LIMITS } from '../../core/limits.ts'
import { byteLength, decodeStrict, encode } from '../../lib/bytes.ts'
import type { Expect, World } from '../../ports/world.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'
import type { Place } from './paths.ts'
import { locate } from './paths.ts'

export async function fileRead(
  world: World,
  place: Place,
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

export async function fileWrite(
  world: World,
  place: Place,
  given: { path: string; content: string },
): Promise<ToolAnswer> {
  const key = locate(place, given.path, 'write')
  if (!key.ok) return bad(key.error)
  const bytes = byteLength(given.content)
  if (bytes > LIMITS.file_body_bytes) return bad(tooLarge(bytes))
  const before = await world.objects.get(key.value)
  const expect: Expect = before ? { etag: before.etag } : 'absent'
  const put = await world.objects.put(key.value, encode(given.content), expect)
  if (put === 'conflict') return bad(CHANGED)
  return good(`${before ? 'Replaced' : 'Created'} ${given.path} (${bytes} bytes).`)
}

export async function fileEdit(
  world: World,
  place: Place,
  given: { path: string; old_text: string; new_text: string; all?: boolean },
): Promise<ToolAnswer> {
  const key = locate(place, given.path, 'write')
  if (!key.ok) return bad(key.error)
  const file = await textOf(world, key.value, given.path)
  if ('status' in file) return file
  const pieces = file.text.split(given.old_text)
  const found = pieces.length - 1
  if (found === 0) return bad(`not_found: the old text does not occur in ${given.path}.`)
  if (found > 1 && !given.all) {
    return bad(`ambiguous: the old text occurs ${found} times; give more of it, or set \`all\`.`)
  }
  const after = encode(pieces.join(given.new_text))
  if (after.length > LIMITS.file_body_bytes) return bad(tooLarge(after.length))
  const put = await world.objects.put(key.value, after, { etag: file.etag })
  if (put === 'conflict') return bad(CHANGED)
  return good(`Replaced ${found} ${found === 1 ? 'place' : 'places'} in ${given.path}.`)
}

export async function attachFile(
  world: World,
  place: Place,
  given: { path: string },
): Promise<ToolAnswer> {
  const key = locate(place, given.path, 'read')
  if (!key.ok) return bad(key.error)
  const file = await world.objects.get(key.value)
  if (!file) return bad(absent(given.path))
  const path = `${place.root}${given.path.replace(/^\.\//, '')}`
  return { status: 'ok', text: `Attached ${given.path}.`, attachments: [path] }
}

const CHANGED = 'conflict: the file was changed by somebody else meanwhile; read it again.'
const absent = (path: string): string => `not_found: there is no file ${JSON.stringify(path)}.`
const tooLarge = (bytes: number): string =>
  `too_large: ${bytes} bytes; a file has at most ${LIMITS.file_body_bytes}.`

async function textOf(
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
