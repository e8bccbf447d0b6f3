/**
 * Checks data against a third-party JSON Schema in bounded time. `schema-lint.ts` determines the
 * usable parts once. A check that exceeds its step limit fails with an error. Never throws, for any
 * schema or value.
 */

import { Budget, Exhausted } from '../../lib/budget.ts'
import { Check } from './schema-check.ts'
import { usable } from './schema-lint.ts'
import type { Schema } from './schema-values.ts'

/** Maximum number of steps per check, equivalent to about 40 ms. */
const STEPS = 3_000_000
/** Maximum number, and maximum length, of unknown names quoted in an error message. */
const NAMES_SHOWN = 20
const NAME_SHOWN = 64
const SENTENCE = 1_000

/** Returns the first schema violation as `#/place: sentence`, or undefined if there is none. */
export function schemaError(schema: Schema, value: unknown): string | undefined {
  const { root, anchors, patterns } = usable(schema)
  try {
    const error = new Check({ root, anchors, patterns, budget: new Budget(STEPS) }).error(value)
    if (error === undefined) return undefined
    return (unknownNames(root, value) ?? error).slice(0, SENTENCE)
  } catch (error) {
    if (!(error instanceof Exhausted)) throw error
    return '#: validation takes too long; send a smaller or simpler value'
  }
}

/**
 * Reports all names that a closed object does not define in one message, so that one retry can fix
 * them.
 */
function unknownNames(schema: Schema, value: unknown): string | undefined {
  if (schema.additionalProperties !== false || schema.patternProperties !== undefined)
    return undefined
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  const knownNames = new Set(Object.keys(schema.properties ?? {}))
  const names = Object.keys(value).filter((name) => !knownNames.has(name))
  if (names.length === 0) return undefined
  const shownNames = names
    .slice(0, NAMES_SHOWN)
    .map((name) => JSON.stringify(name.slice(0, NAME_SHOWN)))
  const more =
    names.length > shownNames.length ? ` and ${names.length - shownNames.length} more` : ''
  return (
    `#: unknown parameter ${shownNames.join(', ')}${more}; known: ` +
    `${[...knownNames].join(', ') || 'none'}`
  )
}
