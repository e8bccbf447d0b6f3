/** `file_edit`: plans the edit (digests before and after), then changes the file (`change.ts`). */

import { LIMITS } from '../../core/limits.ts'
import type { WritePlan } from '../../core/run/log/facts.ts'
import { fileEdit as tool } from '../../core/tools/builtin/file-edit.ts'
import { decodeStrict, encode } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import { placesOf } from '../../lib/find.ts'
import { unescaped } from '../../lib/invisible-characters.ts'
import type { StoredObject } from '../../ports/world.ts'
import type { ToolAnswer } from './answer.ts'
import { bad } from './answer.ts'
import { change, tooLarge } from './change.ts'
import { locate } from './paths.ts'
import { textOf } from './text-of.ts'
import { type Folder, performed, spaceOf } from './tool.ts'

interface Args {
  readonly path: string
  readonly old_text: string
  readonly new_text: string
  readonly all?: boolean
}

export const fileEdit = performed(tool, { plan, perform: edit })

async function plan(folder: Folder, args: Args): Promise<WritePlan | ToolAnswer> {
  const key = locate(folder.place, args.path, 'write')
  if (!key.ok) return bad(key.error)
  const file = await textOf(spaceOf(folder), key.value, args.path)
  if ('status' in file) return file
  const count = placesOf(intendedEdit(file.text, args).old_text, file.text).length
  if (count === 0) return bad(`not_found: the old text does not occur in ${args.path}.`)
  if (count > 1 && !args.all) {
    return bad(
      `ambiguous: the old text occurs ${count} times; include more context, or set \`all\`.`,
    )
  }
  // The new length is checked in advance, because replacing one character with a page of text could
  // exhaust memory.
  const newLength = file.text.length + count * (args.new_text.length - args.old_text.length)
  if (newLength > LIMITS.file_body_bytes) return bad(tooLarge(newLength))
  const after = edited(file.text, args)
  if (after.length > LIMITS.file_body_bytes) return bad(tooLarge(after.length))
  return { before: file.etag, after: sha256(after) }
}

async function edit(folder: Folder, args: Args, storedPlan: WritePlan | null): Promise<ToolAnswer> {
  const planned = storedPlan ?? (await plan(folder, args))
  if ('status' in planned) return planned
  const done = `Edited ${args.path}.`
  const body = (current: StoredObject | null): Uint8Array =>
    edited((current && decodeStrict(current.body)) ?? '', args)
  return change(folder, args.path, planned, { done, body })
}

function edited(text: string, args: Args): Uint8Array {
  const { old_text, new_text } = intendedEdit(text, args)
  const pieces: string[] = []
  let from = 0
  for (const at of placesOf(old_text, text)) {
    pieces.push(text.slice(from, at))
    from = at + old_text.length
  }
  return encode([...pieces, text.slice(from)].join(new_text))
}

/**
 * Returns the edit that the model intends. Models see hidden characters escaped. If the old text
 * matches only when unescaped, it is unescaped, and hidden characters that the new text keeps stay
 * in the file.
 */
function intendedEdit(text: string, { old_text, new_text }: Args) {
  const read = unescaped(old_text)
  if (read === old_text || text.includes(old_text) || !text.includes(read)) {
    return { old_text, new_text }
  }
  const keptEscapes = new Set(old_text.match(ESCAPES))
  const back = (sequence: string) => (keptEscapes.has(sequence) ? unescaped(sequence) : sequence)
  return { old_text: read, new_text: new_text.replace(ESCAPES, back) }
}

const ESCAPES = /\\u\{[0-9A-F]{1,6}\}/g
