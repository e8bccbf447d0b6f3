/**
 * Validates keys and paths; every object name is validated here before storage. A key path has 1–16
 * segments of well-formed NFC text, without characters that URLs, file systems, or users could
 * misread. The tenant's prefix is added afterwards.
 */

import { byteLength } from './bytes.ts'
import { fail, type Outcome, ok } from './outcome.ts'

export const KEY_BYTES = 512
export const KEY_SEGMENTS = 16
export const KEY_SEGMENT_BYTES = 128

/** Matches characters that separate, quote, escape, or match in URLs, shells, or file systems. */
const RESERVED = /[\\:*?"<>|%#]/
/**
 * Matches control, format (bidi, zero-width, tag), and private-use characters, and line separators.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0]/u

/** Explains why a text is not a valid key segment; returns undefined if it is valid. */
export function segmentFault(segment: string): string | undefined {
  if (segment === '') return 'a segment is empty'
  if (!segment.isWellFormed()) return 'a segment is not well-formed Unicode'
  if (byteLength(segment) > KEY_SEGMENT_BYTES)
    return `a segment is longer than ${KEY_SEGMENT_BYTES} bytes`
  if (/^\.+$/.test(segment)) return 'a segment consists only of dots'
  if (segment !== segment.trim()) return 'a segment starts or ends with whitespace'
  if (segment.endsWith('.')) return 'a segment ends with a dot'
  if (RESERVED.test(segment)) return 'a segment contains one of \\ : * ? " < > | % #'
  if (INVISIBLE.test(segment)) return 'a segment contains an invisible or private-use character'
  if (segment !== segment.normalize('NFC')) return 'a segment is not in Unicode form NFC'
  if (segment !== segment.normalize('NFKC')) return 'a segment is not in Unicode form NFKC'
  return undefined
}

/**
 * Validates a key path for storage; the failure explains why the path is invalid. Invalid paths are
 * never repaired.
 */
export function keyPath(text: string): Outcome<string, string> {
  if (text === '') return fail('the key is empty')
  // Length limits are checked first, because the cost of later checks grows with the length.
  if (text.length > KEY_BYTES || byteLength(text) > KEY_BYTES) {
    return fail(`the key is longer than ${KEY_BYTES} bytes`)
  }
  const segments = text.split('/')
  if (segments.length > KEY_SEGMENTS) return fail(`the key has more than ${KEY_SEGMENTS} segments`)
  for (const segment of segments) {
    const fault = segmentFault(segment)
    if (fault !== undefined) return fail(fault)
  }
  return ok(text)
}

/**
 * Validates a key prefix from a caller (`repo_dir`, `base_dir`, `?layer=`). Returns whole segments
 * without a leading slash and with one trailing slash, so that `app` never matches `app2/`.
 */
export function keyPrefix(text: string): Outcome<string, string> {
  const trimmed = text.trim()
  if (trimmed.startsWith('/')) return fail('a prefix must not start with a slash')
  const path = keyPath(trimmed.endsWith('/') ? trimmed.slice(0, -1) : trimmed)
  return path.ok ? ok(`${path.value}/`) : path
}

/**
 * Returns the object key of a tenant's file. The tenant and the file key must already be validated.
 */
export const fileKey = (tenant: string, key: string): string => `${tenant}/files/${key}`

/**
 * Returns the object key of a tenant's derived data, which is outside of every layer and can be
 * recreated.
 */
export const indexKey = (tenant: string, key: string): string => `${tenant}/index/${key}`
