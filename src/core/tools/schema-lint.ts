/**
 * Checks third-party schemas before use. A caller's unusable schema is rejected with the location.
 * In an MCP server's schema, broken keywords are removed. Keywords that cannot be checked in
 * bounded time stay for the model to read. Both are reported. A server's error disables only the
 * affected keyword.
 */

import type { Automaton } from '../../lib/automaton.ts'
import { readPattern } from '../../lib/pattern.ts'
import { exceeds } from '../../lib/shape.ts'
import { LIMITS } from '../limits.ts'
import { Circles, REFS } from './schema-circles.ts'
import type { Document, Schema } from './schema-values.ts'
import { entries, escaped, isMap, resolved } from './schema-values.ts'

export interface Unusable {
  /** JSON pointer to the unusable part of the schema. */
  readonly pointer: string
  readonly message: string
  /** Whether the unusable keyword is kept for the model; if absent, it is removed. */
  readonly kept?: true
}

export interface Usable extends Document {
  /** Schema without broken keywords; the same object if no keyword is broken. */
  readonly root: Schema
  readonly faults: readonly Unusable[]
  readonly patterns: ReadonlyMap<string, Automaton>
}

const TYPES = new Set<unknown>([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
])
/** Schema keywords that contain a schema, a list of schemas, or schemas by name. */
const SINGLE = new Set([
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'additionalItems',
])
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const BY_NAME = new Set(
  'properties patternProperties $defs definitions dependentSchemas dependencies'.split(' '),
)
const COUNTS = new Set([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
])
/** Maximum number of patterns per schema; the next constant limits their total states. */
const PATTERNS = 400
const STATES = 20_000
/** Maximum number of reported errors per schema. */
const MAX_FAULTS = 20

/**
 * Caches usable schemas by object identity, because pins, lists, and tables keep their schema
 * objects.
 */
const usableCache = new WeakMap<object, Usable>()

/** Returns the first error of a schema, or undefined if the schema is usable. */
export const unusable = (schema: Schema): Unusable | undefined => usable(schema).faults[0]

export function usable(schema: Schema): Usable {
  const cached = usableCache.get(schema)
  if (cached) return cached
  const result = tooLarge(schema) ?? new Mender(schema).repair()
  usableCache.set(schema, result)
  if (result.root !== schema) {
    usableCache.set(result.root, {
      ...result,
      faults: result.faults.filter(({ kept: isKept }) => isKept),
    })
  }
  return result
}

function tooLarge(schema: Schema): Usable | undefined {
  const bounds = {
    depth: LIMITS.schema_depth,
    values: LIMITS.schema_values,
    characters: LIMITS.schema_bytes,
  }
  const over = isMap(schema) ? exceeds(schema, bounds) : undefined
  if (isMap(schema) && over === undefined) return undefined
  const messages = {
    depth: `it is nested deeper than ${LIMITS.schema_depth} levels`,
    values: `it has more than ${LIMITS.schema_values} values`,
    characters: `it is larger than ${LIMITS.schema_bytes} bytes`,
  }
  const message = over === undefined ? 'must be an object' : messages[over]
  const root = { type: 'object' }
  return { root, anchors: new Map(), patterns: new Map(), faults: [{ pointer: '', message }] }
}

class Mender {
  readonly #source: Schema
  readonly #faults: Unusable[] = []
  readonly #patterns = new Map<string, Automaton>()
  readonly #anchors = new Map<string, unknown>()
  #states = 0
  #changed = false

  constructor(source: Schema) {
    this.#source = source
  }

  repair(): Usable {
    const copy = this.#schema(this.#source, '') as Schema
    const document = { root: copy, anchors: this.#anchors }
    const circles = new Circles(document)
    for (const { pointer, message, node, keyword } of circles.find(copy)) {
      delete node[keyword]
      this.#fault(pointer, message, true)
    }
    const root = this.#changed ? copy : this.#source
    const faults = this.#faults.slice(0, MAX_FAULTS)
    return { root, anchors: this.#anchors, patterns: this.#patterns, faults }
  }

  #fault(pointer: string, message: string, isDropped: boolean): undefined {
    if (isDropped) this.#changed = true
    this.#faults.push({ pointer, message, ...(isDropped ? {} : { kept: true as const }) })
    return undefined
  }

  #schema(node: unknown, pointer: string): unknown {
    if (typeof node === 'boolean') return node
    if (!isMap(node)) {
      this.#fault(pointer, 'must be an object or a boolean', true)
      return {}
    }
    const out: Record<string, unknown> = {}
    for (const [keyword, value] of Object.entries(node)) {
      const cleaned = this.#keyword(keyword, value, `${pointer}/${escaped(keyword)}`)
      if (cleaned !== undefined) define(out, keyword, cleaned)
    }
    this.#loosen(node, out)
    for (const name of [node.$anchor, node.$dynamicAnchor]) {
      if (typeof name === 'string') this.#anchors.set(name, out)
    }
    return out
  }

  /**
   * Removes checks of additional property names, because a removed pattern might have matched those
   * names.
   */
  #loosen(node: Schema, out: Record<string, unknown>): void {
    const patternCount = entries(node.patternProperties).length
    if (entries(out.patternProperties).length >= patternCount) return
    if (out.additionalProperties === false) delete out.additionalProperties
    if (out.unevaluatedProperties === false) delete out.unevaluatedProperties
  }

  /** Returns the usable value of a schema keyword, or undefined if the keyword is removed. */
  #keyword(keyword: string, value: unknown, at: string): unknown {
    if (SINGLE.has(keyword)) {
      // Older drafts use a list in `items` for the first items.
      if (Array.isArray(value))
        return value.map((item, index) => this.#schema(item, `${at}/${index}`))
      return this.#schema(value, at)
    }
    if (LISTS.has(keyword)) {
      if (!Array.isArray(value)) return this.#fault(at, 'must contain only schemas', true)
      return value.map((item, index) => this.#schema(item, `${at}/${index}`))
    }
    if (BY_NAME.has(keyword)) return this.#schemasByName(keyword, value, at)
    if (REFS.has(keyword)) return this.#reference(keyword, value, at)
    if (keyword === 'pattern') return this.#pattern(value, at) ? value : undefined
    const fault = plainFault(keyword, value)
    return fault === undefined ? value : this.#fault(at, fault, true)
  }

  #schemasByName(keyword: string, value: unknown, at: string): unknown {
    if (!isMap(value)) return this.#fault(at, 'must contain only schemas', true)
    const out: Record<string, unknown> = {}
    for (const [name, member] of Object.entries(value)) {
      const place = `${at}/${escaped(name)}`
      if (keyword === 'patternProperties' && !this.#pattern(name, place)) continue
      const names = keyword === 'dependencies' && Array.isArray(member)
      define(out, name, names ? member : this.#schema(member, place))
    }
    return out
  }

  /** Whether a pattern is valid. A valid pattern may still be unsupported. */
  #pattern(source: unknown, at: string): boolean {
    if (typeof source !== 'string')
      return this.#fault(at, 'not a regular expression', true) === null
    if (this.#patterns.has(source)) return true
    if (this.#patterns.size >= PATTERNS) {
      this.#fault(at, `there are more than ${PATTERNS} patterns`, false)
      return true
    }
    const read = readPattern(source, { lasting: true })
    if (!read.ok) {
      const { kind, message } = read.error
      const isInvalid = kind === 'invalid'
      this.#fault(at, isInvalid ? `not a regular expression (${message})` : message, isInvalid)
      return !isInvalid
    }
    this.#states += read.value.size
    if (this.#states > STATES) this.#fault(at, 'all patterns together are too large', false)
    else this.#patterns.set(source, read.value)
    return true
  }

  #reference(keyword: string, ref: unknown, at: string): unknown {
    // Anchors may be defined later in the schema, so references to them are checked once all
    // anchors are known.
    const late = typeof ref === 'string' && /^#[^/]/.test(ref) && keyword !== '$recursiveRef'
    const document = { root: this.#source, anchors: new Map<string, unknown>() }
    if (typeof ref === 'string' && (late || resolved(document, ref) !== undefined)) return ref
    return this.#fault(at, 'it must point into this schema, like `#/$defs/name`', true)
  }
}

/** Defines a member without assignment, because a property may be called `__proto__`. */
function define(out: object, name: string, value: unknown): void {
  Object.defineProperty(out, name, { value, enumerable: true, configurable: true, writable: true })
}

function plainFault(keyword: string, value: unknown): string | undefined {
  if (keyword === 'type') {
    const types = Array.isArray(value) ? value : [value]
    const right = types.length > 0 && types.every((name) => TYPES.has(name))
    return right ? undefined : `must be one of ${[...TYPES].join(', ')}`
  }
  if (keyword === 'required') return isTexts(value) ? undefined : 'must list names'
  if (keyword === 'enum') return Array.isArray(value) ? undefined : 'must be a list'
  if (keyword === 'dependentRequired') {
    const right = isMap(value) && Object.values(value).every(isTexts)
    return right ? undefined : 'must map to name lists'
  }
  if (!COUNTS.has(keyword)) return undefined
  // Older drafts use boolean bounds, such as `exclusiveMinimum: true`.
  const right = Number.isFinite(value) || typeof value === 'boolean'
  if (keyword !== 'multipleOf') return right ? undefined : 'a number'
  return typeof value === 'number' && value > 0 ? undefined : 'must exceed zero'
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
