/**
 * Parses TOML text into tables, with the line of each error. The parser has no limits, so size,
 * nesting, and line count are checked first. A second pass over the text finds the lines of values,
 * because the parser does not record them.
 */

import TOML from '@iarna/toml'
import { byteLength } from '../../../lib/bytes.ts'
import { LIMITS } from '../../limits.ts'
import { error } from '../diagnostic.ts'
import type { Diagnostic } from '../types.ts'
import { withSafeKeys, withTrueKeys } from './keys.ts'

export type TomlResult =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>>; readonly text: string }
  | { readonly ok: false; readonly found: Diagnostic }

const DEPTH = 64

export function parseToml(source: string): TomlResult {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source
  const fault = boundsFault(text)
  if (fault !== undefined) return { ok: false, found: fault }
  try {
    const safe = withSafeKeys(text)
    // After a comment, the parser treats the CR of a CR LF as a bare CR, which TOML forbids.
    const parsed = TOML.parse(safe.replaceAll('\r\n', '\n'))
    const value = safe === text ? parsed : (withTrueKeys(parsed) as typeof parsed)
    const dated = Object.keys(value).find((key) => isDate(value[key]))
    if (dated === undefined) return { ok: true, value, text }
    const message = `\`${dated}\` is a date; this file does not support dates`
    return { ok: false, found: error('toml_date', message, { line: rootLine(text, dated) }) }
  } catch (cause) {
    return { ok: false, found: explain(cause, text) }
  }
}

/** Whether a value is a date created by the parser, which is not plain data. */
export const isDate = (value: unknown): boolean =>
  Object.prototype.toString.call(value) === '[object Date]'

function boundsFault(text: string): Diagnostic | undefined {
  if (byteLength(text) > LIMITS.toml_bytes) {
    return error('toml_too_large', `the file is larger than ${LIMITS.toml_bytes} bytes`)
  }
  const { toml_lines } = LIMITS
  if (text.split('\n', toml_lines + 1).length > toml_lines) {
    return error('toml_too_large', `the file has more than ${toml_lines} lines`)
  }
  return nestingFault(text)
}

/** Checks the nesting depth of brackets and dotted keys, outside of strings and comments. */
function nestingFault(text: string): Diagnostic | undefined {
  let depth = 0
  let parts = 1
  let values = 0
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]!
    if (char === '"' || char === "'") at = endOfText(text, at, char) - 1
    else if (char === '#') at = lineEnd(text, at) - 1
    else if (char === '.') parts += 1
    else if ('=,{[\n'.includes(char)) parts = 1
    if (char === ',' || char === '=') values += 1
    if (values > LIMITS.toml_values) {
      return error('toml_too_large', `the file has more than ${LIMITS.toml_values} values`)
    }
    if (char === '[' || char === '{') depth += 1
    else if ((char === ']' || char === '}') && depth > 0) depth -= 1
    if (depth <= DEPTH && parts <= LIMITS.toml_key_parts) continue
    const line = text.slice(0, at).split('\n').length
    const message =
      depth > DEPTH
        ? `nested more than ${DEPTH} levels deep`
        : `a key with more than ${LIMITS.toml_key_parts} parts`
    return error('toml_depth', message, { line })
  }
  return undefined
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

/**
 * Returns the position after a string's closing quotes, or the end of the line or file if there are
 * none.
 */
function endOfText(text: string, from: number, quote: string): number {
  const long = text.startsWith(quote.repeat(3), from)
  const close = long ? quote.repeat(3) : quote
  for (let at = from + close.length; at < text.length; at += 1) {
    if (text[at] === '\\' && quote === '"') at += 1
    else if (text.startsWith(close, at)) return at + close.length
    else if (!long && text[at] === '\n') return at
  }
  return text.length
}

function explain(cause: unknown, text: string): Diagnostic {
  const problem = cause as { line?: unknown; lineNumber?: unknown; message?: unknown }
  // The first parser counts lines from 0; the second parser counts from 1 and uses another property
  // name.
  const line =
    typeof problem.lineNumber === 'number'
      ? problem.lineNumber
      : typeof problem.line === 'number'
        ? problem.line + 1
        : null
  const message = String(problem.message ?? 'not valid TOML').split('\n')[0] ?? ''
  const reason = message.replace(/ at row \d+.*$/, '')
  if (/redefine|duplicate/i.test(reason)) {
    const duplicate = 'a key or table occurs twice, so all servers in this file are ignored'
    return error('duplicate_key', duplicate, { line, hint: 'keep only one of them' })
  }
  return error(
    'toml_invalid',
    `not valid TOML, so all servers in this file are ignored: ${reason}`,
    {
      line,
      hint: line === null ? null : pathHint(text.split('\n')[line - 1] ?? '', reason),
    },
  )
}

/**
 * Returns a hint about paths such as `"C:\Users"`, in which a backslash starts an escape. This is
 * the most frequently reported mistake.
 */
function pathHint(line: string, reason: string): string | null {
  if (!/unicode|escape/i.test(reason) || !line.includes('\\')) return null
  const fixed = line.replace(/"([^"]*)"/g, (literal, inner: string) => {
    if (!inner.includes('\\')) return literal
    return inner.includes("'") ? literal.replaceAll('\\', '\\\\') : `'${inner}'`
  })
  return fixed.trim()
}

/** Line numbers of the tables `[<table>.<name>]` and of the keys in these tables. */
export interface TableLines {
  readonly line: number | null
  readonly keys: ReadonlyMap<string, number>
}

export function tableLines(text: string, table: string): ReadonlyMap<string, TableLines> {
  const tables = new Map<string, { line: number | null; keys: Map<string, number> }>()
  let current: { line: number | null; keys: Map<string, number> } | undefined
  for (const [index, line] of text.split('\n').entries()) {
    const header = /^\[([^[\]]+)\]/.exec(line.trimStart())
    if (header !== null) {
      const path = segments((header[1] ?? '').trim())
      const [first, name, sub] = path
      current = undefined
      if (first !== table || name === undefined) continue
      current = tables.get(name) ?? { line: index + 1, keys: new Map() }
      tables.set(name, current)
      if (sub === undefined) continue
      current.keys.set(sub, index + 1)
      current = { line: null, keys: new Map() }
      continue
    }
    const key = /^(?:"([^"]+)"|'([^']+)'|([A-Za-z0-9_-]+))\s*(?:=|\.)/.exec(line.trimStart())
    const name = key?.[1] ?? key?.[2] ?? key?.[3]
    if (current !== undefined && name !== undefined) current.keys.set(name, index + 1)
  }
  return tables
}

const segments = (header: string): string[] =>
  [...header.matchAll(/"([^"]*)"|'([^']*)'|([^.\s]+)/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  )

/** Returns the line of a root-level key or table header, or null if the text has none. */
export function rootLine(text: string, key: string): number | null {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => {
    const inside = line.trimStart().replace(/^\[{1,2}/, '')
    const word = /^["']?([A-Za-z0-9_-]+)/.exec(inside.trimStart())
    return word?.[1] === key
  })
  return at === -1 ? null : at + 1
}
