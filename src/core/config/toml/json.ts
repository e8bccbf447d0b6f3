/**
 * Converts a TOML table to JSON and back, for etags and stored versions. JSON has neither integers
 * beyond 2^53 nor dates nor infinities: such a value is kept as TOML writes it, under its own mark.
 */

import { canonical } from '../../../lib/digest.ts'
import { isDate, parseToml } from './parse.ts'
import { renderValue, type Table } from './write.ts'

const MARK = '$toml'

/** The same text for the same table, whatever the order of its keys. */
export const tableJson = (table: Table): string => canonical(marked(table))

/** The table that `tableJson` made the text of. */
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
  // A table of the file that looks like ours is unchanged.
  return parsed.ok ? (parsed.value.t as Table).v : value
}

/** A key may be `__proto__`: members are defined, not set. */
const mapped = (value: object, change: (member: unknown) => unknown): Table =>
  Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member)]))
