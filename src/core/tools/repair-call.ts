/**
 * Repairs a model's tool call whose intent is clear. Models write a list as a string, `null` for
 * unspecified members, or a tool name without its server. Valid calls are never changed. An invalid
 * call is repaired only if a single interpretation matches the schema, and a note describes the
 * change.
 */

import { Budget, Exhausted } from '../../lib/budget.ts'
import { roundedNumbers, withDigits } from '../../lib/exact-json.ts'
import type { JsonBounds } from '../../lib/json.ts'
import { readJson } from '../../lib/json.ts'
import { tightened } from '../../lib/loose-json.ts'
import { getOwn } from '../../lib/own-member.ts'
import { wellFormedIn } from '../../lib/well-formed.ts'
import { LIMITS } from '../limits.ts'
import type { Pin } from '../run/log/pin.ts'
import { isSpawn, pinnedName, spawnParameters } from './builtin/sessions-spawn.ts'
import { givenOf } from './builtin-arguments.ts'
import { parseArguments } from './plan.ts'
import { schemaError } from './schema.ts'
import { usable } from './schema-lint.ts'
import type { Document, Schema } from './schema-values.ts'
import { entries, escaped, isMap, isOf, list, resolved } from './schema-values.ts'

interface WrittenCall {
  readonly tool: string
  /** Call arguments as JSON text. */
  readonly arguments: string
}
export interface MendedCall extends WrittenCall {
  /** Description of the repairs, for people and the model; absent if there are none. */
  readonly mended?: string
  /** Parsed call arguments, if they match the schema. */
  readonly given?: Arguments
}
type Arguments = Readonly<Record<string, unknown>>

export function mendedCall(pin: Pick<Pin, 'tools' | 'routes'>, call: WrittenCall): MendedCall {
  const tool = fullName(pin, call.tool)
  const { changes = [], ...read } = readArguments(pin, { ...call, tool })
  const all = tool === call.tool ? changes : [`${call.tool} means ${tool}`, ...changes]
  if (all.length === 0) return { ...call, ...read }
  return { ...call, ...read, tool, mended: all.slice(0, CHANGES_SHOWN).join('; ') }
}

const CHANGES_SHOWN = 5
const NAME_SHOWN = 64

/** Matches a tool name that includes a server. Such names are never completed by guessing. */
const FULL = /^mcp__.+?__/

/**
 * Returns the only tool whose name differs just by punctuation, case, decoration, or a missing
 * server. Otherwise returns the name unchanged.
 */
function fullName({ routes }: Pick<Pin, 'routes'>, tool: string): string {
  if (isSpawn(tool) || FULL.test(tool) || getOwn(routes, tool)) return tool
  const bare = tool.replace(DECORATION, '')
  if (getOwn(routes, bare)) return bare
  const compactName = lettersOf(bare.replace(/^mcp__/, ''))
  const matches = Object.entries(routes).flatMap(([name, route]) => {
    if (route.kind !== 'mcp') return lettersOf(name) === compactName.toLowerCase() ? [name] : []
    const spellings = [route.tool, `${route.server} ${route.tool}`, name]
    return spellings.some((spelling) => lettersOf(spelling) === compactName) ? [name] : []
  })
  return matches.length === 1 ? matches[0]! : tool
}

/** Returns a tool name without punctuation. A name of punctuation alone stays unchanged. */
const lettersOf = (name: string): string => name.replaceAll(/[^\p{L}\p{N}]/gu, '') || name

/**
 * Decorations that chat templates add to tool names: `functions.find`, `find:0`,
 * `find<|channel|>commentary`.
 */
const DECORATION = /^functions[.:]|(?::\d+|<\|.*)$/g

interface ReadArguments {
  readonly given?: Arguments
  /** Repaired arguments as JSON text; absent if unchanged. */
  readonly arguments?: string
  readonly changes?: readonly string[]
}

/** Parses call arguments; the result is empty if they neither match nor can be repaired. */
function readArguments(
  pin: Pick<Pin, 'tools' | 'routes'>,
  { tool, arguments: text }: WrittenCall,
): ReadArguments {
  const name = pinnedName(tool)
  const schema = pin.tools.find((entry) => entry.name === name)?.input_schema
  if (schema === undefined) return {}
  const original = parseArguments(text)
  const loose = typeof original === 'string' ? tightened(text) : undefined
  const unpacked = loose ?? unpackedText(text)
  const read = unpacked === undefined ? original : parseArguments(unpacked)
  if (typeof read === 'string') return {}
  // Unescaped lone surrogates were already repaired when the answer arrived.
  const parsed = /\\ud[89a-f]/i.test(text) ? wellFormedIn(read) : read
  const rounded = roundedNumbers(unpacked ?? text)
  if (parsed !== read) {
    const argumentsText = JSON.stringify(withDigits(parsed, rounded))
    return withoutHalves(pin, { tool, arguments: argumentsText })
  }
  const form = loose === undefined ? 'were written as text' : 'were malformed JSON'
  const packed = unpacked === undefined ? [] : [`the arguments ${form}`]
  const args = givenOf(pin, name, isSpawn(tool) ? spawnParameters(tool, parsed) : parsed)
  if (schemaError(schema, args) === undefined)
    return unpacked === undefined
      ? { given: args }
      : { given: args, arguments: unpacked, changes: packed }
  const mender = new Mender(usable(schema), rounded)
  const repaired = mender.repair(args)
  if (!isMap(repaired) || mender.changes.length === 0) return {}
  if (schemaError(schema, repaired) !== undefined) return {}
  const changes = [...packed, ...mender.changes]
  return { given: repaired, arguments: JSON.stringify(withDigits(repaired, rounded)), changes }
}

/** Repairs escaped lone surrogates in arguments, because other programs reject them. */
function withoutHalves(pin: Pick<Pin, 'tools' | 'routes'>, call: WrittenCall): ReadArguments {
  const { changes = [], ...readCall } = readArguments(pin, call)
  return {
    arguments: call.arguments,
    ...readCall,
    changes: ['a lone surrogate was replaced', ...changes],
  }
}

/** Maximum number of schema positions checked per call, far more than real arguments need. */
const STEPS = 100_000

const ARGUMENTS: JsonBounds = { depth: LIMITS.json_depth, values: LIMITS.json_values }

/** Unpacks arguments that are not an object: a string that contains one, or an empty value. */
function unpackedText(text: string): string | undefined {
  if (text.trim() === '' || text.trimStart().startsWith('{')) return undefined
  const read = readJson(text, ARGUMENTS)
  if (!read.ok) return undefined
  const { value } = read
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return '{}'
  return typeof value === 'string' && value.trimStart().startsWith('{') ? value : undefined
}

/** Maximum nesting of a schema that is followed. Also stops circular references. */
const DEPTH = 32

class Mender {
  readonly changes: string[] = []
  readonly #document: Document
  readonly #budget = new Budget(STEPS)

  readonly #rounded: ReadonlyMap<string, string>

  /** Creates a repairer; `rounded` contains the original digits of numbers that parsing rounded. */
  constructor(document: Document, rounded: ReadonlyMap<string, string>) {
    this.#document = document
    this.#rounded = rounded
  }

  /** Returns the repaired arguments, or the arguments unchanged if repairing takes too long. */
  repair(value: unknown): unknown {
    try {
      return this.#value(this.#document.root, value, '#', 0)
    } catch (error) {
      if (error instanceof Exhausted) return value
      throw error
    }
  }

  #value(schema: unknown, value: unknown, at: string, depth: number): unknown {
    if (!isMap(schema) || depth > DEPTH) return value
    const types = this.#types(schema, depth)
    const isMeant = types.length === 0 || types.some((type) => isOf(type, value))
    const intended = isMeant ? value : converted(types, value, this.#rounded.get(at))
    if (intended !== value) this.changes.push(`${at.slice(0, NAME_SHOWN)} is ${types.join(' or ')}`)
    return this.#parts(schema, intended, at, depth)
  }

  /** Repairs the members and items that the schema and its subschemas define. */
  #parts(schema: Schema, value: unknown, at: string, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return value
    let repaired: unknown = value
    for (const inner of this.#inner(schema, repaired, depth)) {
      repaired = this.#parts(inner, repaired, at, depth + 1)
    }
    if (Array.isArray(repaired)) {
      const { items } = schema
      return repaired.map((item, index) => this.#value(items, item, `${at}/${index}`, depth + 1))
    }
    return this.#members(schema, repaired as Schema, at, depth)
  }

  #members(schema: Schema, value: Schema, at: string, depth: number): Schema {
    const properties = isMap(schema.properties) ? schema.properties : {}
    const entries = Object.entries(value).flatMap(([name, member]) => {
      const place = `${at}/${escaped(name)}`
      const inner = getOwn(properties, name) ?? schema.additionalProperties
      const isOptional = !list(schema.required).includes(name)
      if (member === null && isOptional && isMap(inner) && !this.#takesNull(inner, depth)) {
        this.changes.push(`${place.slice(0, NAME_SHOWN)} is omitted`)
        return []
      }
      return [[name, this.#value(inner, member, place, depth + 1)] as const]
    })
    return Object.fromEntries(entries)
  }

  /**
   * Returns the schema's subschemas: referenced, combined, or the only alternative for the value's
   * type.
   */
  #inner(schema: Schema, value: unknown, depth: number): Schema[] {
    if (depth > DEPTH) return []
    const fits = (candidate: Schema): boolean => {
      const types = this.#types(candidate, depth + 1)
      return types.length === 0 || types.some((type) => isOf(type, value))
    }
    const alternatives = this.#alternatives(schema).filter(fits)
    return [
      ...this.#referred(schema),
      ...list(schema.allOf).filter(isMap),
      ...(alternatives.length === 1 ? alternatives : []),
    ]
  }

  #referred({ $ref }: Schema): Schema[] {
    const target = typeof $ref === 'string' ? resolved(this.#document, $ref) : undefined
    return isMap(target) ? [target] : []
  }

  #alternatives = ({ anyOf, oneOf }: Schema): Schema[] =>
    [...list(anyOf), ...list(oneOf)].filter(isMap)

  /** Returns the types that a schema allows; empty if unspecified. */
  #types(schema: Schema, depth: number): readonly string[] {
    this.#budget.spend(1)
    if (depth > DEPTH) return []
    const { type } = schema
    if (typeof type === 'string') return [type]
    if (Array.isArray(type)) return type.filter((name) => typeof name === 'string')
    const alternatives = this.#alternatives(schema).map((option) => this.#types(option, depth + 1))
    if (alternatives.length > 0)
      return alternatives.some((types) => types.length === 0)
        ? []
        : [...new Set(alternatives.flat())]
    const values = valuesOf(schema)
    if (values) return [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
    const [inner] = [...this.#referred(schema), ...list(schema.allOf).filter(isMap)]
    if (inner) return this.#types(inner, depth + 1)
    return entries(schema.properties).length > 0 ? ['object'] : []
  }

  #takesNull(schema: Schema, depth: number): boolean {
    const values = valuesOf(schema)
    if (values) return values.includes(null)
    const types = this.#types(schema, depth)
    return types.length === 0 || types.includes('null')
  }
}

/** Returns the values that a schema enumerates; undefined if it enumerates none. */
const valuesOf = (schema: Schema): readonly unknown[] | undefined =>
  Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : undefined

/**
 * Converts a value to a type that the schema allows. Returns the value unchanged if it represents
 * no such type.
 */
function converted(types: readonly string[], value: unknown, digits = String(value)): unknown {
  const [only, ...otherTypes] = types.filter((type) => type !== 'null')
  const isPlain = typeof value === 'boolean' || typeof value === 'number'
  if (otherTypes.length === 0 && only === 'string' && isPlain) return digits
  return typeof value === 'string' ? fromText(types, value) : value
}

function fromText(types: readonly string[], value: string): unknown {
  const text = value.trim()
  const read = readJson(/^(?:true|false)$/i.test(text) ? text.toLowerCase() : text, ARGUMENTS)
  const parsed = read.ok ? read.value : null
  if (parsed === null || typeof parsed === 'string' || !types.some((type) => isOf(type, parsed)))
    return value
  // A number with more digits than its precision would change its value.
  const isLost = typeof parsed === 'number' && !Number.isSafeInteger(parsed) && /^-?\d+$/.test(text)
  return isLost ? value : parsed
}
