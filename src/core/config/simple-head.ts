/**
 * The shape that most heads have: `key: words` on every line, nothing that YAML could mean
 * otherwise. Reading it directly is some fifty times cheaper than a full parse, which is what
 * keeps a cold layer of thousands of skills quick. Anything unusual is left to the parser; a
 * property test holds both to the same answer.
 */

import type { Head, HeadEntry } from './yaml.ts'

/** A plain value begins with a letter, so it is no number, date, bracket, quote or anchor. */
const LINE =
  /^([A-Za-z][A-Za-z0-9_-]*): (?:([A-Za-z][ -~\u00A1-\u1FFF\u3000-\uD7FF]*)|"([^"\\\p{Cc}]*)")$/u
/** Words that YAML 1.2 reads as something else than a text. */
const TYPED = /^(?:null|true|false)$/i

/** The head, or undefined when it needs the parser. `firstLine` is the file's line of the text's first. */
export function simpleHead(text: string, firstLine: number): Head | undefined {
  const head = new Map<string, HeadEntry>()
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    // gray-matter leaves the rest of the opening line in front and an empty line at the end.
    if (line === '' && (index === 0 || index === lines.length - 1)) continue
    const match = LINE.exec(line)
    if (match === null) return undefined
    const [, key = '', plain, quoted] = match
    if (head.has(key)) return undefined
    if (plain !== undefined && unusual(plain)) return undefined
    const text = plain ?? quoted ?? ''
    head.set(key, { value: text, line: firstLine + index, text, plain: plain !== undefined })
  }
  return head
}

const unusual = (plain: string): boolean =>
  plain.endsWith(' ') ||
  plain.endsWith(':') ||
  plain.includes(': ') ||
  plain.includes(' #') ||
  TYPED.test(plain)
