/**
 * Parts of a message text, which contains text files as blocks, and other files as marks. The text
 * composed from the parts is the original text.
 */

import { byteLength, decodeStrict, encode } from '../lib/bytes.ts'
import { quoteText } from '../lib/invisible-characters.ts'
import { LIMITS } from './limits.ts'
import { type MediaRef, mediaMark, mediaTypeOf } from './media.ts'

/** Text file that is included in a message text. */
export interface TextFile {
  readonly name?: string | undefined
  readonly text: string
  readonly bytes: number
}
export type MessagePart = string | TextFile | MediaRef

export const isTextFile = (part: TextFile | MediaRef): part is TextFile => 'text' in part

/** Returns the block of a text file in a message text. */
export function textFileBlock({ name, text, bytes }: TextFile): string {
  const mark = `file${name ? ` ${quoteText(name)}` : ''}`
  return `[${mark}, ${bytes} bytes:]\n${text}\n[The end of this ${mark}.]`
}

/** Returns the text of a part as it stands in a message text. */
export const textOfPart = (part: MessagePart): string =>
  typeof part === 'string' ? part : isTextFile(part) ? textFileBlock(part) : mediaMark(part)

/**
 * Separates a message text at the marks of its media and the blocks of its text files. Returns
 * undefined if the text does not contain every mark as a part of its own.
 */
export function partsOf(
  text: string,
  media: readonly MediaRef[] = [],
): readonly MessagePart[] | undefined {
  const parts = atMarks(text, media, 0, new Set())
  return parts?.flatMap((part): readonly MessagePart[] =>
    typeof part === 'string' ? atBlocks(part) : [part],
  )
}

/** Number of equal marks tried for one file; more of them make a text that only resembles one. */
const TRIES = 16

const isBlank = (text: string): boolean => text.trim() === ''

/**
 * Separates a text at the marks of the media from `index` on. Texts between marks are not blank,
 * because a request accepts no blank text. `failed` contains the places that have no solution, so
 * that each place is visited once.
 */
function atMarks(
  text: string | undefined,
  media: readonly MediaRef[],
  index: number,
  failed: Set<string>,
): readonly (string | MediaRef)[] | undefined {
  const ref = media[index]
  if (ref === undefined) {
    if (text === undefined) return []
    return isBlank(text) && index > 0 ? undefined : [text]
  }
  const place = `${index} ${text?.length}`
  if (text === undefined || failed.has(place)) return undefined
  const mark = mediaMark(ref)
  let at = text.indexOf(mark)
  for (let tries = 0; at >= 0 && tries < TRIES; tries += 1, at = text.indexOf(mark, at + 1)) {
    const texts = around(text, at, at + mark.length)
    if (!texts) continue
    const { head, tail } = texts
    if (head !== undefined && isBlank(head)) continue
    const following = atMarks(tail, media, index + 1, failed)
    if (following) return [...(head === undefined ? [] : [head]), ref, ...following]
  }
  failed.add(place)
  return undefined
}

interface TextsAround {
  readonly head: string | undefined
  readonly tail: string | undefined
}

/**
 * Returns the texts before and after a part, which stands on lines of its own; each text is
 * undefined if there is none.
 */
function around(text: string, from: number, to: number): TextsAround | undefined {
  if (from > 0 && text[from - 1] !== '\n') return undefined
  if (to < text.length && text[to] !== '\n') return undefined
  return {
    head: from === 0 ? undefined : text.slice(0, from - 1),
    tail: to === text.length ? undefined : text.slice(to + 1),
  }
}

const BLOCK = /^\[file(?: ("(?:[^"\\]|\\.)*"))?, (\d{1,9}) bytes:\]\n/gm

/** Separates a text at the blocks of text files. */
function atBlocks(text: string): readonly (string | TextFile)[] {
  const parts: (string | TextFile)[] = []
  let tail: string | undefined = text
  let offset = 0
  for (const match of Array.from(text.matchAll(BLOCK)).slice(0, LIMITS.media_parts)) {
    if (match.index < offset || tail === undefined) continue
    const file = fileAt(text, match)
    if (!file) continue
    const from = match.index - offset
    const texts = around(tail, from, from + textFileBlock(file).length)
    if (!texts || [texts.head, texts.tail].some((part) => part !== undefined && isBlank(part))) {
      continue
    }
    if (texts.head !== undefined) parts.push(texts.head)
    parts.push(file)
    tail = texts.tail
    offset = text.length - (tail?.length ?? 0)
  }
  return tail === undefined ? parts : [...parts, tail]
}

/** Returns the text file whose block begins at a match; undefined if the block is not complete. */
function fileAt(text: string, match: RegExpExecArray): TextFile | undefined {
  const { 0: head, 1: quoted, 2: size, index } = match
  const bytes = Number(size)
  const start = index + head.length
  // A character has at most as many code units as bytes.
  const data = encode(text.slice(start, start + bytes)).subarray(0, bytes)
  const content = decodeStrict(data)
  if (content === undefined || content === '' || byteLength(content) !== bytes) return undefined
  if (content.includes('\u0000') || mediaTypeOf(data) !== undefined) return undefined
  const name = quoted === undefined ? undefined : nameIn(quoted)
  if (name === null) return undefined
  const file: TextFile = { name, text: content, bytes }
  return text.startsWith(textFileBlock(file), index) ? file : undefined
}

/** Maximum length of the name of a part in a request. */
const NAME_LENGTH = 200

/** Returns a quoted name; null if a request would not accept the name. */
function nameIn(quoted: string): string | null {
  try {
    const name: unknown = JSON.parse(quoted)
    return typeof name === 'string' && name !== '' && name.length <= NAME_LENGTH ? name : null
  } catch {
    return null
  }
}
