/** Helpers for schemas and values, shared by schema validation and schema preparation. */

import type { Automaton } from '../../lib/automaton.ts'
import type { Budget } from '../../lib/budget.ts'

export type Schema = Readonly<Record<string, unknown>>

/** JSON Schema with the locations of its anchors. */
export interface Document {
  readonly root: Schema
  readonly anchors: ReadonlyMap<string, unknown>
}

/** Input of a schema check besides the value. */
export interface Means extends Document {
  readonly budget: Budget
  /** Supported patterns by their source text. Other patterns are not checked. */
  readonly patterns: ReadonlyMap<string, Automaton>
}

/**
 * Returns the schema that a reference names, or undefined if the document does not contain that
 * schema.
 */
export function resolved({ root, anchors }: Document, ref: string): unknown {
  if (ref === '#') return root
  if (!ref.startsWith('#')) return undefined
  if (!ref.startsWith('#/')) return anchors.get(ref.slice(1))
  let node: unknown = root
  for (const part of ref.slice(2).split('/')) {
    const key = unescaped(part)
    if (key === undefined || typeof node !== 'object' || node === null) return undefined
    if (!Object.hasOwn(node, key)) return undefined
    node = (node as Schema)[key]
  }
  return typeof node === 'boolean' || isMap(node) ? node : undefined
}

function unescaped(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return undefined
  }
}

export const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
export const isMap = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const entries = (value: unknown): [string, unknown][] =>
  isMap(value) ? Object.entries(value) : []

export const below = (size: number, bound: unknown): boolean =>
  typeof bound === 'number' && size < bound
export const above = (size: number, bound: unknown): boolean =>
  typeof bound === 'number' && size > bound

export function isOf(type: unknown, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isMap(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

/** Maximum length of a schema or name quoted in an error message. */
const MAX_QUOTED = 200

/** Quotes a value for an error message. Only the beginning of the value is converted to text. */
export function quoteValue(value: unknown): string {
  const text = JSON.stringify(Array.isArray(value) ? value.slice(0, 20) : value) ?? ''
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text
}

/** Check result: the error, and the members that were evaluated (for `unevaluated…`). */
export interface CheckResult {
  readonly error?: string
  readonly seen: EvaluatedKeys
}
export type EvaluatedKeys = ReadonlySet<string | number>

export const NONE: EvaluatedKeys = new Set()

export const wrong = (at: string, error: string): CheckResult => ({
  error: error.startsWith('#') ? error : `${at}: ${error}`,
  seen: NONE,
})
