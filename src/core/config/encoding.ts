/**
 * Decodes files as UTF-8. For other encodings, the finding names the encoding and a fix, because
 * some editors and shells still write UTF-16 and Windows-1252.
 */

import { decodeStrict } from '../../lib/bytes.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { error } from './diagnostic.ts'
import type { Diagnostic } from './types.ts'

const SAVE = 'save it as UTF-8'
const BOM = '\uFEFF'
/** Size in bytes of the sample that distinguishes UTF-16 from text with NUL characters. */
const SAMPLE_BYTES = 4_096

/** Decodes a file as text, keeping a leading byte order mark, or returns a finding. */
export function textOfFile(bytes: Uint8Array): Outcome<string, Diagnostic> {
  const wide = wideEncoding(bytes)
  if (wide !== undefined) return fail(notUtf8(`it looks like ${wide}`, null))
  const text = decodeStrict(bytes)
  if (text === undefined) return fail(strayFault(bytes))
  const nul = nulFault(text)
  return nul === undefined ? ok(text) : fail(nul)
}

export function nulFault(text: string): Diagnostic | undefined {
  const nul = text.indexOf('\0')
  if (nul === -1) return undefined
  const message = 'the file contains a NUL character, which is not valid in text'
  const hint = `remove it and ${SAVE}; if the file is not text, store it elsewhere`
  return error('nul', message, { line: lineOf(text, nul), hint })
}

/** Describes the encoding error of bytes that are not UTF-8; undefined if they are UTF-8. */
export function encodingFault(bytes: Uint8Array): string | undefined {
  const text = textOfFile(bytes)
  return text.ok ? undefined : `${text.error.message}; ${text.error.hint}`
}

/**
 * Reports a byte order mark inside a text, which results from joined files or repeated conversion.
 */
export function markInside(
  text: string,
): { readonly line: number; readonly at: number } | undefined {
  const at = text.indexOf(BOM, 1)
  return at === -1 ? undefined : { line: lineOf(text, at), at }
}
export const MARK_INSIDE =
  'the text contains a byte order mark, which is typical of concatenated files'
export const MARK_HINT = 'remove it, and save the file as UTF-8 without a byte order mark'

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length

const notUtf8 = (reason: string, line: number | null): Diagnostic =>
  error('invalid_utf8', `the file is not UTF-8 text: ${reason}`, { line, hint: SAVE })

/** Detects UTF-16 or UTF-32 by its byte order mark, or by the zero bytes of ASCII characters. */
function wideEncoding(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 && bytes.length > 4 ? U32 : UTF_16_LE
  if (a === 0xfe && b === 0xff) return UTF_16_BE
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return U32
  const zeros = [0, 0, 0, 0]
  const size = Math.min(bytes.length, SAMPLE_BYTES) & ~3
  for (let at = 0; at < size; at += 1) if (bytes[at] === 0) zeros[at & 3]! += 1
  const [first = 0, second = 0, third = 0, fourth = 0] = zeros
  const even = first + third
  const odd = second + fourth
  // Spaces and line breaks are ASCII in every script, so some byte pairs of UTF-16 contain a zero.
  const some = Math.max(2, size / 40)
  if (Math.max(even, odd) < some) return undefined
  if (even + odd > size * 0.6) return U32
  if (odd > 9 * even) return `${UTF_16_LE} without a byte order mark`
  return even > 9 * odd ? `${UTF_16_BE} without a byte order mark` : undefined
}

const UTF_16_LE = 'UTF-16 (little endian)'
const UTF_16_BE = 'UTF-16 (big endian)'
const U32 = 'UTF-32'

/**
 * Maximum share of control characters in ordinary text, which may contain page breaks and DOS
 * end-of-file marks.
 */
const FEW_CONTROLS = 0.02

/**
 * Returns the finding about bytes that are not UTF-8: the probable encoding, and the first affected
 * line.
 */
function strayFault(bytes: Uint8Array): Diagnostic {
  const stats = strayBytes(bytes)
  const { first, stray: strayCount, valid, adjacent, undefinedIn1252 } = stats
  const line = countLines(bytes, first)
  const code = `0x${bytes[first]!.toString(16)}`
  const where = `, because of byte ${code}`
  if (stats.controls > bytes.length * FEW_CONTROLS) {
    const binary = notUtf8('it looks like a binary file', line)
    return { ...binary, hint: `if it should be text, ${SAVE}` }
  }
  if (valid > strayCount)
    return notUtf8(`it looks like UTF-8 with corrupt characters${where}`, line)
  if (adjacent * 2 > strayCount || undefinedIn1252) {
    const older = 'an older encoding, such as Windows-1251, GB18030, or Shift_JIS'
    return notUtf8(`it looks like ${older}${where}`, line)
  }
  // Windows-1252 encodes quotation marks and dashes as bytes that mean control characters in
  // Latin-1.
  if (stats.in1252) return notUtf8(`it looks like Windows-1252${where}`, line)
  return notUtf8(`it looks like Windows-1252 or Latin-1 (ISO 8859-1)${where}`, line)
}

const NOT_IN_1252: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])
const PLAIN_CONTROLS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d])

function strayBytes(bytes: Uint8Array) {
  const stats = { first: -1, stray: 0, valid: 0, adjacent: 0, controls: 0 }
  let undefinedIn1252 = false
  let in1252 = false
  let last = -2
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte < 0x20 && !PLAIN_CONTROLS.has(byte)) stats.controls += 1
    if (byte < 0x80) continue
    const length = sequenceLength(bytes, at)
    if (length > 0) {
      stats.valid += 1
      at += length - 1
      continue
    }
    if (stats.first === -1) stats.first = at
    stats.stray += 1
    if (last === at - 1) stats.adjacent += 1
    last = at
    if (byte < 0xa0) in1252 = true
    if (NOT_IN_1252.has(byte)) undefinedIn1252 = true
  }
  return { ...stats, first: Math.max(0, stats.first), in1252, undefinedIn1252 }
}

/**
 * Returns the length of the UTF-8 sequence that starts at `at`, or 0 if the sequence is invalid.
 */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!
  const length = lead > 0xf4 ? 0 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0
  const second = bytes[at + 1] ?? 0
  // The second byte excludes overlong forms, surrogates, and values beyond Unicode.
  if (second < (LEAST_SECOND[lead] ?? 0x80) || second > (MOST_SECOND[lead] ?? 0xbf)) return 0
  for (let next = at + 2; next < at + length; next += 1) {
    if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0
  }
  return length
}

const LEAST_SECOND: Readonly<Record<number, number>> = { 224: 0xa0, 240: 0x90 }
const MOST_SECOND: Readonly<Record<number, number>> = { 237: 0x9f, 244: 0x8f }

function countLines(bytes: Uint8Array, end: number): number {
  let lines = 1
  for (let at = 0; at < end; at += 1) if (bytes[at] === 0x0a) lines += 1
  return lines
}
