/**
 * Fast parser for common front matter: `key: words`, a short list, one level of indented keys or
 * items, and folded text, all unambiguous in YAML. It is about fifty times faster than a full
 * parse, which keeps loading thousands of skills fast. Other input goes to the full parser; a
 * property test verifies equal results.
 */

import type { Head, HeadEntry, Plain } from './head.ts'

const WORDS = String.raw`[A-Za-z][ -~\u00A1-\u1FFF\u2010-\u2027\u2030-\u2FFF\u3000-\uD7FF]*`
/**
 * Pattern of a scalar that starts with a letter, so that it cannot be a number, date, or sign.
 * Versions are allowed too.
 */
const SCALAR = String.raw`(?:(${WORDS}|\d+\.\d+\.\d+)|"([^"\\\p{Cc}]*)")`
const KEY = '([A-Za-z][A-Za-z0-9_-]*)'
const PAIR = new RegExp(`^${KEY}: ${SCALAR}$`, 'u')
const OPEN = new RegExp(`^${KEY}:(?: ([|>]-?))?$`, 'u')
const LIST = new RegExp(String.raw`^${KEY}: \[([^\[\]]*)\]$`, 'u')
const LONE = new RegExp(`^${SCALAR}$`, 'u')
/** Matches an item of a bracketed list. */
const ITEM = /^(?:([A-Za-z][A-Za-z0-9_./@+-]*(?: [A-Za-z0-9_./@+-]+)*)|"([^"\\\p{Cc}]*)")$/u
const TEXT_LINE = /^[!-~\u00A1-\u1FFF][ -~\u00A1-\u1FFF\u2010-\u2027\u2030-\u2FFF\u3000-\uD7FF]*$/u
/** Matches words that YAML 1.2 parses as null or booleans. */
const TYPED = /^(?:null|true|false)$/i

/**
 * Returns the front matter, or undefined if the full parser is required. `firstLine` is the line
 * number of the text's first line.
 */
export function simpleHead(text: string, firstLine: number): Head | undefined {
  const head = new Map<string, HeadEntry>()
  const lines = text.split('\n')
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!
    // If the text ends with a line break, its last line is empty.
    if (line === '' && (index === 0 || index === lines.length - 1)) continue
    const place = firstLine + index
    const pair = PAIR.exec(line)
    if (pair !== null) {
      const [, key = '', plain, quotedText] = pair
      if (head.has(key) || (plain !== undefined && unusual(plain))) return undefined
      const value = plain ?? quotedText ?? ''
      head.set(key, { value, line: place, text: value, plain: plain !== undefined })
      continue
    }
    const [, listKey, inner = ''] = LIST.exec(line) ?? []
    const [, opened, sign] = listKey === undefined ? (OPEN.exec(line) ?? []) : []
    const key = listKey ?? opened
    if (key === undefined || head.has(key)) return undefined
    const nested = listKey === undefined ? indented(lines, index + 1) : []
    const value = listKey === undefined ? nestedValue(nested, sign) : flowList(inner)
    if (value === undefined) return undefined
    const scalar = typeof value === 'string'
    head.set(key, { value, line: place, text: scalar ? value : null, plain: false })
    index += nested.length
  }
  return head
}

/** Returns the lines below a key that have the same indentation as the first of them. */
function indented(lines: readonly string[], from: number): readonly string[] {
  const indent = /^ +/.exec(lines[from] ?? '')?.[0] ?? ''
  if (indent === '') return []
  let to = from
  while (lines[to]?.startsWith(indent)) to += 1
  return lines.slice(from, to).map((line) => line.slice(indent.length))
}

function nestedValue(lines: readonly string[], sign: string | undefined): Plain | undefined {
  if (lines.length === 0) return undefined
  if (sign !== undefined) {
    if (!lines.every((line) => TEXT_LINE.test(line) && !line.endsWith(' '))) return undefined
    return lines.join(sign.startsWith('>') ? ' ' : '\n') + (sign.endsWith('-') ? '' : '\n')
  }
  return lines[0]?.startsWith('- ') ? blockList(lines) : blockMap(lines)
}

function blockList(lines: readonly string[]): Plain | undefined {
  const list: string[] = []
  for (const line of lines) {
    const [, plain, quotedText] = line.startsWith('- ') ? (LONE.exec(line.slice(2)) ?? []) : []
    const item = plain ?? quotedText
    if (item === undefined || (plain !== undefined && unusual(plain))) return undefined
    list.push(item)
  }
  return list
}

function blockMap(lines: readonly string[]): Plain | undefined {
  const map: Record<string, Plain> = Object.create(null)
  for (const line of lines) {
    const [, key, plain, quotedText] = PAIR.exec(line) ?? []
    const [, listKey, inner = ''] = key === undefined ? (LIST.exec(line) ?? []) : []
    const name = key ?? listKey
    if (name === undefined || name in map || (plain !== undefined && unusual(plain)))
      return undefined
    const value = key === undefined ? flowList(inner) : (plain ?? quotedText ?? '')
    if (value === undefined) return undefined
    map[name] = value
  }
  return map
}

function flowList(between: string): Plain | undefined {
  const inner = trimmed(between)
  if (inner === '') return []
  const list: string[] = []
  for (const piece of inner.split(',')) {
    const [, plain, quotedText] = ITEM.exec(piece.trim()) ?? []
    const item = plain ?? quotedText
    if (item === undefined || (plain !== undefined && TYPED.test(plain))) return undefined
    list.push(item)
  }
  return list
}

/** Removes spaces at both ends, but no other characters that JavaScript treats as white space. */
function trimmed(text: string): string {
  let [from, to] = [0, text.length]
  while (text[from] === ' ') from += 1
  while (to > from && text[to - 1] === ' ') to -= 1
  return text.slice(from, to)
}

const unusual = (plain: string): boolean =>
  plain.endsWith(' ') ||
  plain.endsWith(':') ||
  plain.includes(': ') ||
  plain.includes(' #') ||
  TYPED.test(plain)
