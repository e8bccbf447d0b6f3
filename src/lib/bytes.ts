/**
 * Handles bytes and text: measures UTF-8 length, compares in constant time, and truncates at
 * character boundaries.
 */

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const encode = (text: string): Uint8Array => encoder.encode(text)
export const decode = (bytes: Uint8Array): string => decoder.decode(bytes)

/** Decodes UTF-8 and keeps a BOM; returns undefined if the bytes are invalid. */
export function decodeStrict(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

/** Returns the length of a text in UTF-8 bytes, without encoding short texts. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}

/** Returns the text's longest prefix of at most `max` bytes that ends at a character boundary. */
export function cut(text: string, max: number): string {
  if (text.length * 3 <= max || byteLength(text) <= max) return text
  const bytes = encoder.encode(text)
  let end = max
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return decoder.decode(bytes.subarray(0, end))
}

/** Reports whether two byte arrays are equal; not suitable for secrets. */
export const sameBytes = (left: Uint8Array, right: Uint8Array): boolean =>
  Buffer.compare(left, right) === 0

/** Compares texts of equal length in constant time; returns at once if the lengths differ. */
export function equalSecret(left: string, right: string): boolean {
  if (left.length !== right.length) return false
  let difference = 0
  for (let i = 0; i < left.length; i += 1) difference |= left.charCodeAt(i) ^ right.charCodeAt(i)
  return difference === 0
}

export const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
