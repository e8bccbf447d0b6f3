/** Checks of the JSON Schema keywords for strings and numbers. */

import { format as formats } from '@cfworker/json-schema'
import type { Means, Schema } from './schema-values.ts'
import { above, below, quoteValue } from './schema-values.ts'

/** Formats that are checked, in linear time. Other formats are annotations, as in the standard. */
const FORMATS = new Set(
  'date time date-time duration email hostname ipv4 ipv6 uuid json-pointer'.split(' '),
)
const FORMAT_LENGTH = 1_000

export function textFault(schema: Schema, value: string, means: Means): string | undefined {
  const { minLength, maxLength, pattern, format } = schema
  if (minLength !== undefined || maxLength !== undefined) {
    means.budget.spend(value.length / 4)
    const length = codePoints(value)
    if (below(length, minLength)) return `it must have at least ${minLength} characters`
    if (above(length, maxLength)) return `it must have at most ${maxLength} characters`
  }
  if (
    typeof pattern === 'string' &&
    means.patterns.get(pattern)?.matches(value, means.budget) === false
  ) {
    return `it must match the pattern ${quoteValue(pattern)}`
  }
  if (typeof format !== 'string' || value.length > FORMAT_LENGTH) return undefined
  if (format === 'uri' || format === 'url') {
    return URL.canParse(value) ? undefined : `it must be of the format ${format}`
  }
  if (!FORMATS.has(format)) return undefined
  means.budget.spend(value.length)
  return formats[format]!(value) ? undefined : `it must be of the format ${format}`
}

export function numberFault(schema: Schema, value: number): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  if (below(value, minimum)) return `it must be at least ${minimum}`
  if (above(value, maximum)) return `it must be at most ${maximum}`
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) {
    return `it must be greater than ${exclusiveMinimum}`
  }
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) {
    return `it must be less than ${exclusiveMaximum}`
  }
  if (typeof multipleOf !== 'number' || multipleOf <= 0) return undefined
  const times = value / multipleOf
  // Tolerates binary rounding, so that 0.3 counts as a multiple of 0.1.
  const near = Math.abs(times - Math.round(times)) <= Math.abs(times) * 2 ** -50
  return near ? undefined : `it must be a multiple of ${multipleOf}`
}

function codePoints(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += 1) {
    const high = (text.charCodeAt(at) & 0xfc00) === 0xd800
    if (high && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) at += 1
    count += 1
  }
  return count
}
