/**
 * Checking data against a JSON Schema that somebody else wrote. Its patterns are regular
 * expressions of strangers: one that could take more than a moment is left out of the check, and
 * so are all of them when a text is long. What remains (types, names, bounds) is always checked.
 */

import type { Schema } from '@cfworker/json-schema'
import { Validator } from '@cfworker/json-schema'

type Plain = Readonly<Record<string, unknown>>

interface Checks {
  readonly whole: Validator
  readonly withoutPatterns: Validator
}

/** By the schema's own object: pins and tables keep theirs as long as they live. */
const known = new WeakMap<object, Checks>()

/** Characters of a text up to which patterns are tried, and of a pattern that is tried at all. */
const TEXT_LENGTH = 2_000
const PATTERN_LENGTH = 200
/** What a sentence quotes of names that a model made up. */
const NAMES_SHOWN = 20
const NAME_SHOWN = 64

/** What is wrong with the value, as `#/place: sentence`; undefined when nothing is. */
export function schemaError(schema: Plain, value: unknown): string | undefined {
  const { whole, withoutPatterns } = checksOf(schema)
  const { valid, errors } = (hasLongText(value) ? withoutPatterns : whole).validate(value)
  if (valid) return undefined
  const unknown = unknownNames(schema, value)
  if (unknown !== undefined) return unknown
  const last = errors.at(-1)
  return `${last?.instanceLocation ?? '#'}: ${last?.error ?? 'does not match the schema'}`
}

/** All names that a closed object does not know, in one sentence, so that one look repairs them. */
function unknownNames(schema: Plain, value: unknown): string | undefined {
  if (schema.additionalProperties !== false || schema.patternProperties !== undefined)
    return undefined
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  const known = Object.keys(schema.properties ?? {})
  const names = Object.keys(value).filter((name) => !known.includes(name))
  if (names.length === 0) return undefined
  const shown = names.slice(0, NAMES_SHOWN).map((name) => JSON.stringify(name.slice(0, NAME_SHOWN)))
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : ''
  return `#: there is no parameter ${shown.join(', ')}${more}; known: ${known.join(', ') || 'none'}`
}

function checksOf(schema: Plain): Checks {
  const found = known.get(schema)
  if (found) return found
  const validator = (kept: (pattern: string) => boolean): Validator =>
    new Validator(pruned(schema, kept) as Schema, '2020-12', true)
  const checks = { whole: validator(isQuick), withoutPatterns: validator(() => false) }
  known.set(schema, checks)
  return checks
}

/** A copy without the patterns that are not kept. */
function pruned(node: unknown, kept: (pattern: string) => boolean): unknown {
  if (Array.isArray(node)) return node.map((one) => pruned(one, kept))
  if (node === null || typeof node !== 'object') return node
  const out: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(node)) {
    // A property may itself be called `pattern`; its value is then a schema, not a text.
    if (key === 'pattern' && typeof value === 'string' && !kept(value)) continue
    if (key === 'patternProperties' && !Object.keys(value ?? {}).every(kept)) continue
    Object.defineProperty(out, key, { value: pruned(value, kept), enumerable: true })
  }
  return out
}

/** No group is repeated, nothing refers back, and at most two parts run without bound. */
function isQuick(pattern: string): boolean {
  if (pattern.length > PATTERN_LENGTH) return false
  if (/\)[*+{]|\\[1-9k]/.test(pattern)) return false
  return (pattern.match(/[*+]|\{\d*,\d*\}/g) ?? []).length <= 2
}

function hasLongText(value: unknown): boolean {
  if (typeof value === 'string') return value.length > TEXT_LENGTH
  if (value === null || typeof value !== 'object') return false
  return Object.entries(value).some(([key, one]) => key.length > TEXT_LENGTH || hasLongText(one))
}
