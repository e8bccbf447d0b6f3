/** `file_edit`: first the plan (digests before and after), then the change (`change.ts`). */

import { LIMITS } from '../../core/limits.ts'
import type { WritePlan } from '../../core/run/log/facts.ts'
import { fileEdit as tool } from '../../core/tools/builtin/file-edit.ts'
import { decodeStrict, encode } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import { placesOf } from '../../lib/find.ts'
import { unescaped } from '../../lib/visible.ts'
import type { StoredObject } from '../../ports/world.ts'
import type { ToolAnswer } from './answer.ts'
import { bad } from './answer.ts'
import { change, tooLarge } from './change.ts'
import { locate } from './paths.ts'
import { textOf } from './text-of.ts'
import { type Folder, performed, spaceOf } from './tool.ts'

interface Given {
  readonly path: string
  readonly old_text: string
  readonly new_text: string
  readonly all?: boolean
}

export const fileEdit = performed(tool, { plan, perform: edit })

async function plan(folder: Folder, given: Given): Promise<WritePlan | ToolAnswer> {
  const key = locate(folder.place, given.path, 'write')
  if (!key.ok) return bad(key.error)
  const file = await textOf(spaceOf(folder), key.value, given.path)
  if ('status' in file) return file
  const found = placesOf(meant(file.text, given).old_text, file.text).length
  if (found === 0) return bad(`not_found: the old text does not occur in ${given.path}.`)
  if (found > 1 && !given.all) {
    return bad(
      `ambiguous: the old text occurs ${found} times; include more context, or set \`all\`.`,
    )
  }
  // Counted before it is made: a letter replaced by a page would fill the memory.
  const grown = file.text.length + found * (given.new_text.length - given.old_text.length)
  if (grown > LIMITS.file_body_bytes) return bad(tooLarge(grown))
  const after = edited(file.text, given)
  if (after.length > LIMITS.file_body_bytes) return bad(tooLarge(after.length))
  return { before: file.etag, after: sha256(after) }
}

async function edit(folder: Folder, given: Given, told: WritePlan | null): Promise<ToolAnswer> {
  const planned = told ?? (await plan(folder, given))
  if ('status' in planned) return planned
  const done = `Edited ${given.path}.`
  const body = (current: StoredObject | null): Uint8Array =>
    edited((current && decodeStrict(current.body)) ?? '', given)
  return change(folder, given.path, planned, { done, body })
}

function edited(text: string, given: Given): Uint8Array {
  const { old_text, new_text } = meant(text, given)
  const pieces: string[] = []
  let from = 0
  for (const at of placesOf(old_text, text)) {
    pieces.push(text.slice(from, at))
    from = at + old_text.length
  }
  return encode([...pieces, text.slice(from)].join(new_text))
}

/**
 * A model was shown hidden characters written out. Where the old text occurs only when they are
 * read back, they are, and those of them that the new text keeps stay in the file.
 */
function meant(text: string, { old_text, new_text }: Given) {
  const read = unescaped(old_text)
  if (read === old_text || text.includes(old_text) || !text.includes(read)) {
    return { old_text, new_text }
  }
  const kept = new Set(old_text.match(WRITTEN))
  const back = (written: string) => (kept.has(written) ? unescaped(written) : written)
  return { old_text: read, new_text: new_text.replace(WRITTEN, back) }
}

const WRITTEN = /\\u\{[0-9A-F]{1,6}\}/g
