/**
 * `file_write`, `file_edit`: first what will be changed into what, then the change under exactly
 * that condition. Repeated after a crash, a file that is already as it should be is done, so no
 * edit is made twice and no write of somebody else is lost (protocol rule 14).
 */

import { LIMITS } from '../../core/limits.ts'
import type { WritePlan } from '../../core/run/facts.ts'
import { decodeStrict, encode } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import { placesOf } from '../../lib/find.ts'
import { unescaped } from '../../lib/visible.ts'
import type { StoredObject, World } from '../../ports/world.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'
import { textOf } from './files.ts'
import type { WorkingFolder } from './paths.ts'
import { locate } from './paths.ts'

interface WriteGiven {
  readonly path: string
  readonly content: string
}
interface EditGiven {
  readonly path: string
  readonly old_text: string
  readonly new_text: string
  readonly all?: boolean
}

export async function planWrite(
  world: World,
  place: WorkingFolder,
  given: WriteGiven,
): Promise<WritePlan | ToolAnswer> {
  const key = locate(place, given.path, 'write')
  if (!key.ok) return bad(key.error)
  const after = encode(given.content)
  if (after.length > LIMITS.file_body_bytes) return bad(tooLarge(after.length))
  const before = await world.objects.get(key.value)
  return { before: before?.etag ?? null, after: sha256(after) }
}

export async function fileWrite(
  world: World,
  place: WorkingFolder,
  given: WriteGiven,
  told: WritePlan | null,
): Promise<ToolAnswer> {
  const plan = told ?? (await planWrite(world, place, given))
  if ('status' in plan) return plan
  const body = encode(given.content)
  const done = `${plan.before === null ? 'Created' : 'Replaced'} ${given.path} (${body.length} bytes).`
  return change(world, place, given.path, plan, { done, body: () => body })
}

export async function planEdit(
  world: World,
  place: WorkingFolder,
  given: EditGiven,
): Promise<WritePlan | ToolAnswer> {
  const key = locate(place, given.path, 'write')
  if (!key.ok) return bad(key.error)
  const file = await textOf(world, key.value, given.path)
  if ('status' in file) return file
  const found = placesOf(meant(file.text, given).old_text, file.text).length
  if (found === 0) return bad(`not_found: the old text does not occur in ${given.path}.`)
  if (found > 1 && !given.all) {
    return bad(`ambiguous: the old text occurs ${found} times; give more of it, or set \`all\`.`)
  }
  // Counted before it is made: a letter replaced by a page would fill the memory.
  const grown = file.text.length + found * (given.new_text.length - given.old_text.length)
  if (grown > LIMITS.file_body_bytes) return bad(tooLarge(grown))
  const after = edited(file.text, given)
  if (after.length > LIMITS.file_body_bytes) return bad(tooLarge(after.length))
  return { before: file.etag, after: sha256(after) }
}

export async function fileEdit(
  world: World,
  place: WorkingFolder,
  given: EditGiven,
  told: WritePlan | null,
): Promise<ToolAnswer> {
  const plan = told ?? (await planEdit(world, place, given))
  if ('status' in plan) return plan
  const done = `Edited ${given.path}.`
  const body = (current: StoredObject | null): Uint8Array =>
    edited((current && decodeStrict(current.body)) ?? '', given)
  return change(world, place, given.path, plan, { done, body })
}

function edited(text: string, given: EditGiven): Uint8Array {
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
function meant(text: string, { old_text, new_text }: EditGiven) {
  const read = unescaped(old_text)
  if (read === old_text || text.includes(old_text) || !text.includes(read)) {
    return { old_text, new_text }
  }
  const kept = new Set(old_text.match(WRITTEN))
  const back = (written: string) => (kept.has(written) ? unescaped(written) : written)
  return { old_text: read, new_text: new_text.replace(WRITTEN, back) }
}

const WRITTEN = /\\u\{[0-9A-F]{1,6}\}/g

interface Change {
  readonly done: string
  /** The new content, made from the one that the plan was made for. */
  readonly body: (current: StoredObject | null) => Uint8Array
}

async function change(
  world: World,
  place: WorkingFolder,
  path: string,
  plan: WritePlan,
  { done, body }: Change,
): Promise<ToolAnswer> {
  const key = locate(place, path, 'write')
  if (!key.ok) return bad(key.error)
  const current = await world.objects.get(key.value)
  if (isAfter(current, plan)) return good(done)
  if ((current?.etag ?? null) !== plan.before) return bad(CHANGED)
  const expect = current === null ? 'absent' : { etag: current.etag }
  const put = await world.objects.put(key.value, body(current), expect)
  if (put !== 'conflict') return good(done)
  // It may have been ourselves, a moment ago and without an answer.
  return isAfter(await world.objects.get(key.value), plan) ? good(done) : bad(CHANGED)
}

const isAfter = (current: StoredObject | null, { after }: WritePlan): boolean =>
  current !== null && sha256(current.body) === after

const CHANGED = 'conflict: the file was changed by somebody else meanwhile; read it again.'
const tooLarge = (bytes: number): string =>
  `too_large: ${bytes} bytes; a file has at most ${LIMITS.file_body_bytes}.`
