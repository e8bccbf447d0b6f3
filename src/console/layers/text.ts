/** Texts of files in bytes: their size, its limit, and the judgment whether bytes are a text. */

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

/** Returns the size of a text in bytes of UTF-8. */
export const sizeOf = (text: string): number => encoder.encode(text).length

/** Returns the text in bytes; null if they are no UTF-8 text. */
export function textIn(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

const UNITS = ['B', 'KiB', 'MiB'] as const

/** Formats a size in bytes with a binary unit. */
export function sizeText(bytes: number): string {
  const power = bytes < 1_024 ? 0 : bytes < 1_048_576 ? 1 : 2
  const value = bytes / 1_024 ** power
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`
}

/** Largest file in bytes that the API writes (`file_body_bytes` of `GET /v1/limits`). */
export const MOST_BYTES = 1_048_576
