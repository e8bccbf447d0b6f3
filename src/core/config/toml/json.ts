/**
 * Converts a TOML table to JSON and back, for ETags and stored versions. JSON cannot represent
 * integers beyond 2^53, dates, or infinities, so such a value is kept as TOML text in a marked
 * object.
 */

import { canonical } from '../../../lib/digest.ts'
import { isDate, parseToml } from './parse.ts'
import { renderValue, type Table } from './write.ts'

const MARK = '$toml'

/** Returns a table as canonical JSON: equal tables have the same text, regardless of key order. */
export const tableJson = (table: Table): string => canonical(marked(table))

/** Restores a table from the output of `tableJson`. */
export const tableOfJson = (text: string): Table => unmarked(JSON.parse(text)) as Table

function marked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(marked)
  const odd = typeof value === 'number' ? !Number.isFinite(value) : typeof value === 'bigint'
  if (odd || isDate(value)) return { [MARK]: renderValue(value) }
  if (typeof value !== 'object' || value === null) return value
  return mapped(value, marked)
}

function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked)
  if (typeof value !== 'object' || value === null) return value
  const text = Object.keys(value).length === 1 ? (value as Table)[MARK] : undefined
  if (typeof text !== 'string') return mapped(value, unmarked)
  const parsed = parseToml(`[t]\nv = ${text}`)
  // A table that only resembles the marked encoding is returned unchanged.
  return parsed.ok ? (parsed.value.t as Table).v : value
}

/**
 * Maps the members of an object; defines them without assignment, because a key may be `__proto__`.
 */
const mapped = (value: object, change: (member: unknown) => unknown): Table =>
  Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member)]))
