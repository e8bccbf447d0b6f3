/**
 * Decodes the bytes of a document to text. A byte order mark overrides the header, and the header
 * overrides the document's `meta` or `?xml` declaration (WHATWG Encoding, HTML 13.2.3).
 */

import type { DocumentRequest } from '../../ports/documents.ts'

/** Number of leading bytes searched for the encoding declaration of an HTML document. */
const SNIFFED = 1_024

export interface Decoded {
  readonly text: string
  readonly notes: readonly string[]
}

export function decoded({ bytes, type }: DocumentRequest): Decoded {
  const label = byMark(bytes) ?? byHeader(type) ?? byDocument(bytes) ?? 'utf-8'
  try {
    return { text: new TextDecoder(label).decode(bytes), notes: [] }
  } catch {
    const note = `Its encoding ${JSON.stringify(label.slice(0, 40))} is unknown; UTF-8 was used.`
    return { text: new TextDecoder().decode(bytes), notes: [note] }
  }
}

function byMark(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined
}

const byHeader = (type: string): string | undefined =>
  /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1]

function byDocument(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, SNIFFED))
  return (
    /<meta[^>]+charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(start)?.[1] ??
    /^<\?xml[^>]+encoding\s*=\s*["']([^"']+)/i.exec(start)?.[1]
  )
}
