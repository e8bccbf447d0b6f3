/**
 * Parses third-party JSON. Limits are checked before parsing. Objects with duplicate members are
 * rejected, because two parsers could use different ones. One pass counts the members in the text.
 * If the parsed value has fewer members, or too many to walk cheaply, a slower pass locates
 * duplicates.
 */

import { fail, type Outcome, ok } from './outcome.ts'

export interface JsonBounds {
  readonly depth: number
  /** Maximum total number of members and items in the JSON text. */
  readonly values: number
  /** Policy for duplicate members; `taken` accepts them, as in signed messages. */
  readonly duplicates?: 'taken'
}
export interface JsonFault {
  readonly kind: 'syntax' | 'depth' | 'values' | 'duplicate'
  readonly message: string
  /** JSON pointer (RFC 6901) to the duplicate member. */
  readonly pointer?: string
}

export function readJson(text: string, bounds: JsonBounds): Outcome<unknown, JsonFault> {
  const memberCount = count(text, bounds)
  if (typeof memberCount !== 'number') return fail(memberCount)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return fail({ kind: 'syntax', message: (error as Error).message })
  }
  if (bounds.duplicates === 'taken') return ok(value)
  if (memberCount <= MANY && members(value) === memberCount) return ok(value)
  const pointer = findDuplicate(text)
  if (pointer === undefined) return ok(value)
  const message = `Duplicate member ${pointer}.`
  return fail({ kind: 'duplicate', message, pointer })
}

/**
 * Number of members from which an object may be a hash table, which is slower to walk than the
 * text.
 */
const MANY = 20_000

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const ARRAY = 0x5b
const BACKSLASH = 0x5c
const ARRAY_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d

/**
 * Returns the index after the closing quote of the string that starts at `from`; past the end of
 * the text if the string is unclosed.
 */
function endOfText(text: string, from: number): number {
  let at = from + 1
  for (;;) {
    const end = text.indexOf('"', at)
    if (end === -1) return text.length
    let back = end
    while (text.charCodeAt(back - 1) === BACKSLASH) back -= 1
    if ((end - back) % 2 === 0) return end + 1
    at = end + 1
  }
}

/** Counts the members of a JSON text, or returns the exceeded limit. Does not check the syntax. */
function count(text: string, { depth, values }: JsonBounds): number | JsonFault {
  let deep = 0
  let colons = 0
  let separated = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfText(text, at) - 1
    else if (code === COLON) colons += 1
    else if (code === COMMA) separated += 1
    else if (code === ARRAY || code === OBJECT) {
      deep += 1
      if (deep > depth) {
        return { kind: 'depth', message: `The JSON is nested deeper than ${depth} levels.` }
      }
    } else if (code === ARRAY_END || code === OBJECT_END) deep -= 1
  }
  if (separated < values && colons <= values) return colons
  return { kind: 'values', message: `The JSON has more than ${values} values.` }
}

function members(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  let total = 0
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') total += members(item)
    return total
  }
  for (const name in value) {
    total += 1
    const member = (value as Record<string, unknown>)[name]
    if (typeof member === 'object') total += members(member)
  }
  return total
}

/** Returns the pointer of the first duplicate member in a valid JSON text, if any. */
function findDuplicate(text: string): string | undefined {
  const open: { names: Set<string> | undefined; at: string | number }[] = []
  let inside: (typeof open)[number] | undefined
  let expectsName = false
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfText(text, at)
        if (expectsName && inside?.names) {
          const name = nameIn(text.slice(at, end))
          inside.at = name
          if (inside.names.has(name)) return pointerTo(open.map((level) => level.at))
          inside.names.add(name)
          expectsName = false
        }
        at = end - 1
        break
      }
      case OBJECT:
      case ARRAY:
        expectsName = text.charCodeAt(at) === OBJECT
        inside = expectsName ? { names: new Set(), at: '' } : { names: undefined, at: 0 }
        open.push(inside)
        break
      case OBJECT_END:
      case ARRAY_END:
        open.pop()
        inside = open.at(-1)
        expectsName = false
        break
      case COMMA:
        if (!inside) break
        expectsName = inside.names !== undefined
        if (typeof inside.at === 'number') inside.at += 1
    }
  }
  return undefined
}

/** Decodes a member name from its JSON string; most names have no escapes. */
const nameIn = (literal: string): string =>
  literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1)

export const escapePointer = (name: string): string =>
  name.replaceAll('~', '~0').replaceAll('/', '~1')

/** Returns the JSON pointer (RFC 6901) of a path. */
const pointerTo = (path: readonly (string | number)[]): string =>
  path.map((step) => `/${escapePointer(String(step))}`).join('')
