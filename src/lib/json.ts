/**
 * JSON of strangers: bounded before it is parsed, and refused when an object names a member twice,
 * because two readers would take different ones for the value. One pass counts the members in the
 * text; if the parsed value has fewer, a slower pass finds where they went.
 */

import { fail, type Outcome, ok } from './outcome.ts'

export interface JsonBounds {
  readonly depth: number
  /** Members of all objects and items of all arrays. */
  readonly values: number
  /** Signed messages are taken as they were sent. */
  readonly duplicates?: 'taken'
}
export interface JsonFault {
  readonly kind: 'syntax' | 'depth' | 'values' | 'duplicate'
  readonly message: string
  /** RFC 6901; of the member that comes twice. */
  readonly pointer?: string
}

export function readJson(text: string, bounds: JsonBounds): Outcome<unknown, JsonFault> {
  const counted = count(text, bounds)
  if (typeof counted !== 'number') return fail(counted)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return fail({ kind: 'syntax', message: (error as Error).message })
  }
  if (bounds.duplicates === 'taken' || counted === 0 || members(value) === counted) return ok(value)
  const pointer = twice(text)
  const message = `The member ${pointer} comes twice.`
  return fail({ kind: 'duplicate', message, pointer })
}

/** Only such a text can hold a number that is too large for one: 200 digits, or a long exponent. */
const HUGE = /\d[eE]\+?\d{3}|\d{200}/

export interface Misfit {
  readonly kind: 'text' | 'number'
  /** RFC 6901. */
  readonly pointer: string
}

/**
 * The first value that was valid JSON and cannot be kept as it was sent: a text with half of a
 * surrogate pair, which UTF-8 does not have, or a number beyond all others, which would become
 * null.
 */
export const misfitIn = (text: string, value: unknown): Misfit | undefined =>
  text.includes('\\u') || HUGE.test(text) ? misfit(value, '') : undefined

function misfit(value: unknown, pointer: string): Misfit | undefined {
  if (typeof value === 'string') {
    return value.isWellFormed() ? undefined : { kind: 'text', pointer }
  }
  if (typeof value === 'number') {
    return Number.isFinite(value) ? undefined : { kind: 'number', pointer }
  }
  if (value === null || typeof value !== 'object') return undefined
  for (const [key, member] of Object.entries(value)) {
    if (!key.isWellFormed()) return { kind: 'text', pointer }
    const found = misfit(member, `${pointer}/${escapePointer(key)}`)
    if (found !== undefined) return found
  }
  return undefined
}

const QUOTE = 0x22

/** Where the text that begins at the quote ends, quote included; beyond the end when it does not. */
function endOfText(text: string, from: number): number {
  let at = from + 1
  for (;;) {
    const end = text.indexOf('"', at)
    if (end === -1) return text.length
    let back = end
    while (text.charCodeAt(back - 1) === 0x5c) back -= 1
    if ((end - back) % 2 === 0) return end + 1
    at = end + 1
  }
}

/** How many members objects have, or which bound is exceeded. Says nothing about the syntax. */
function count(text: string, { depth, values }: JsonBounds): number | JsonFault {
  let deep = 0
  let named = 0
  let separated = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfText(text, at) - 1
    else if (code === 0x3a) named += 1
    else if (code === 0x2c) separated += 1
    else if (code === 0x5b || code === 0x7b) {
      deep += 1
      if (deep > depth) {
        return { kind: 'depth', message: `It is nested deeper than ${depth} levels.` }
      }
    } else if (code === 0x5d || code === 0x7d) deep -= 1
  }
  if (separated < values && named <= values) return named
  return { kind: 'values', message: `It has more than ${values} values.` }
}

function members(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  let found = 0
  if (Array.isArray(value)) {
    for (const one of value) if (typeof one === 'object') found += members(one)
    return found
  }
  for (const name in value) {
    found += 1
    const one = (value as Record<string, unknown>)[name]
    if (typeof one === 'object') found += members(one)
  }
  return found
}

/** The place of the first member that comes twice, in a text that is JSON. */
function twice(text: string): string {
  const open: { names: Set<string> | undefined; at: string | number }[] = []
  let expectsName = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]!
    const inside = open.at(-1)
    if (char === '"') {
      const end = endOfText(text, at)
      if (expectsName && inside?.names) {
        const name = JSON.parse(text.slice(at, end)) as string
        inside.at = name
        if (inside.names.has(name)) return pointerTo(open.map((one) => one.at))
        inside.names.add(name)
        expectsName = false
      }
      at = end - 1
    } else if (char === '{') {
      open.push({ names: new Set(), at: '' })
      expectsName = true
    } else if (char === '[') {
      open.push({ names: undefined, at: 0 })
      expectsName = false
    } else if (char === '}' || char === ']') {
      open.pop()
      expectsName = false
    } else if (char === ',' && inside) {
      expectsName = inside.names !== undefined
      if (typeof inside.at === 'number') inside.at += 1
    }
  }
  return ''
}

export const escapePointer = (name: string): string =>
  name.replaceAll('~', '~0').replaceAll('/', '~1')

/** The JSON pointer (RFC 6901) of a path. */
const pointerTo = (path: readonly (string | number)[]): string =>
  path.map((one) => `/${escapePointer(String(one))}`).join('')
