/**
 * Rewrites keywords that model vendors reject at the top level of a tool's schema; one top-level
 * `anyOf` makes Anthropic and OpenAI reject the whole request. Alternatives become properties of
 * one object, described in a note for the model; the server validates the combination.
 */

import { LIMITS } from '../../core/limits.ts'
import { entries, isMap, list, resolved, type Schema } from '../../core/tools/schema-values.ts'
import { cut } from '../../lib/bytes.ts'
import { canonical } from '../../lib/digest.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'

/** Schema keywords that model vendors reject at the top level. */
const REFUSED_KEYWORDS = [
  'anyOf',
  'oneOf',
  'allOf',
  'enum',
  'const',
  'not',
  'if',
  'then',
  'else',
] as const
/** Schema keywords that are dropped, because plain properties cannot express them. */
const CONDITIONS: ReadonlySet<string> = new Set(['enum', 'const', 'not', 'if', 'then', 'else'])
const NOTE_BYTES = 1_000

interface FoldedSchema {
  readonly schema: Schema
  /** Keywords that were removed from the schema. */
  readonly keywords: readonly string[]
  /** Description for the model of the rules dropped from the schema; '' if none was dropped. */
  readonly note: string
}

/** Properties of one object schema among the alternatives to merge. */
interface Part {
  readonly properties: ReadonlyMap<string, unknown>
  readonly required: ReadonlySet<string>
  /** Whether the object allows no additional properties. */
  readonly isClosed: boolean
}

/** Returns an object schema without the keywords that vendors reject at the top level. */
export function foldSchema(schema: Schema): Outcome<FoldedSchema, string> {
  const keywords: string[] = REFUSED_KEYWORDS.filter((name) => name in schema)
  if (typeof schema.$ref === 'string') keywords.push('$ref')
  if (keywords.length === 0) return ok({ schema, keywords, note: '' })
  const folding = new Folding(schema)
  const part = folding.part(schema, [])
  if (folding.isExhausted) {
    return fail(`its inputSchema has more than ${LIMITS.tool_schema_branches} alternatives`)
  }
  if (!part) return fail(`no object satisfies "${keywords.join('", "')}" of its inputSchema`)
  const otherMembers = Object.fromEntries(
    Object.entries(schema).filter(([name]) => !keywords.includes(name)),
  )
  const result: Schema = {
    ...otherMembers,
    ...(part.properties.size > 0 ? { properties: Object.fromEntries(part.properties) } : {}),
    ...(part.required.size > 0 ? { required: [...part.required] } : {}),
    ...(part.isClosed ? { additionalProperties: false } : {}),
  }
  if (refersTo(result, keywords)) {
    return fail(`its inputSchema references its "${keywords.join('", "')}"`)
  }
  const isLoose = keywords.some((name) => CONDITIONS.has(name))
  const notes = [...folding.notes, ...(isLoose ? [LOOSE] : [])]
  return ok({ schema: result, keywords, note: cut(notes.join('\n'), NOTE_BYTES) })
}

const LOOSE = 'The server also enforces constraints between arguments; they are not listed here.'

class Folding {
  readonly notes: string[] = []
  isExhausted = false
  readonly #root: Schema
  #branchesLeft: number = LIMITS.tool_schema_branches

  constructor(root: Schema) {
    this.#root = root
  }

  /**
   * Returns the properties of an object that matches the schema; undefined if no object can match.
   * `path` lists the references followed.
   */
  part(schema: unknown, path: readonly string[]): Part | undefined {
    this.#branchesLeft -= 1
    if (this.#branchesLeft < 0) this.isExhausted = true
    if (this.isExhausted || schema === false) return undefined
    if (!isMap(schema)) return ANY_OBJECT
    if (!isObject(schema.type)) return undefined
    const parts = [ownPart(schema), this.#referred(schema.$ref, path)]
    for (const branch of list(schema.allOf)) parts.push(this.part(branch, path))
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const branches = list(schema[keyword])
      if (branches.length > 0) parts.push(this.#alternatives(keyword, branches, path))
    }
    const conditional = [schema.then, schema.else].filter(isMap)
    for (const branch of conditional) {
      const part = this.part(branch, path)
      if (part) parts.push({ ...part, required: new Set(), isClosed: false })
    }
    const all = parts.filter((part) => part !== undefined)
    if (all.length < parts.length) return undefined
    return {
      properties: joined(all, intersection),
      required: new Set(all.flatMap(({ required }) => [...required])),
      isClosed: all.some(({ isClosed }) => isClosed),
    }
  }

  #referred(ref: unknown, path: readonly string[]): Part | undefined {
    if (typeof ref !== 'string' || path.includes(ref)) return ANY_OBJECT
    const target = resolved({ root: this.#root, anchors: new Map() }, ref)
    return target === undefined ? ANY_OBJECT : this.part(target, [...path, ref])
  }

  #alternatives(
    keyword: 'anyOf' | 'oneOf',
    branches: readonly unknown[],
    path: readonly string[],
  ): Part | undefined {
    const parts = branches.flatMap((branch) => this.part(branch, path) ?? [])
    const [first, ...otherParts] = parts
    if (!first) return undefined
    const sets = new Set(parts.map(shownSet))
    if (sets.size > 1) {
      const count = keyword === 'oneOf' ? 'exactly one' : 'at least one'
      this.notes.push(`The arguments must match ${count} of these sets: ${[...sets].join(' or ')}.`)
    }
    return {
      properties: joined(parts, either),
      required: new Set(
        [...first.required].filter((name) => otherParts.every((part) => part.required.has(name))),
      ),
      isClosed: parts.every(({ isClosed }) => isClosed),
    }
  }
}

const ANY_OBJECT: Part = { properties: new Map(), required: new Set(), isClosed: false }

const isObject = (type: unknown): boolean =>
  type == null ||
  list(Array.isArray(type) ? type : [type]).some((name) => /^object$/i.test(`${name}`))

const ownPart = (schema: Schema): Part => ({
  properties: new Map(entries(schema.properties)),
  required: new Set(list(schema.required).filter((name) => typeof name === 'string')),
  isClosed: schema.additionalProperties === false || schema.unevaluatedProperties === false,
})

/** Merges the properties of all parts; properties with the same name become one property. */
function joined(
  parts: readonly Part[],
  join: (schemas: readonly unknown[]) => unknown,
): ReadonlyMap<string, unknown> {
  const byName = new Map<string, Map<string, unknown>>()
  for (const { properties } of parts) {
    for (const [name, schema] of properties) {
      const different = byName.get(name) ?? new Map<string, unknown>()
      byName.set(name, different.set(textOf(schema), schema))
    }
  }
  return new Map([...byName].map(([name, schemas]) => [name, join([...schemas.values()])]))
}

const texts = new WeakMap<object, string>()

/**
 * Returns the canonical text of a schema; cached because many branches may refer to the same large
 * schema.
 */
function textOf(schema: unknown): string {
  if (!isMap(schema)) return canonical(schema)
  const text = texts.get(schema) ?? canonical(schema)
  texts.set(schema, text)
  return text
}

/** Returns a schema that matches the values that all given schemas match. */
function intersection(schemas: readonly unknown[]): unknown {
  const [first, second] = schemas
  if (schemas.length === 1) return first
  const areApart =
    schemas.length === 2 &&
    isMap(first) &&
    isMap(second) &&
    !Object.keys(first).some((name) => name in second && !isSame(first[name], second[name]))
  return areApart ? { ...first, ...second } : { allOf: schemas }
}

const isSame = (value: unknown, other: unknown): boolean => canonical(value) === canonical(other)

/**
 * Returns a schema that matches the values that any given schema matches; constants of a
 * discriminator become an `enum`.
 */
function either(schemas: readonly unknown[]): unknown {
  if (schemas.length === 1) return schemas[0]
  const maps = schemas.filter(isMap)
  const values = maps.flatMap((schema) => ('const' in schema ? [schema.const] : list(schema.enum)))
  const remainders = maps.map(({ const: _, enum: _values, ...fields }) => canonical(fields))
  const areConstants =
    maps.length === schemas.length &&
    maps.every((schema) => 'const' in schema || Array.isArray(schema.enum)) &&
    new Set(remainders).size === 1
  if (!areConstants) return { anyOf: schemas }
  const { const: _, enum: _values, ...members } = maps[0]!
  return {
    ...members,
    enum: [...new Map(values.map((value) => [canonical(value), value])).values()],
  }
}

/** Lists the names of a part's properties; names of optional properties end with `?`. */
function shownSet({ properties, required }: Part): string {
  const names = [...required, ...[...properties.keys()].filter((name) => !required.has(name))]
  const labels = names.map((name) => {
    const schema = properties.get(name)
    const value = isMap(schema) && 'const' in schema ? `=${JSON.stringify(schema.const)}` : ''
    return `${name}${required.has(name) ? '' : '?'}${value}`
  })
  return `(${labels.join(', ')})`
}

/** Reports, without recursion, whether a schema's reference points into one of these keywords. */
function refersTo(schema: unknown, keywords: readonly string[]): boolean {
  const open = [schema]
  while (open.length > 0) {
    const node = open.pop()
    if (typeof node !== 'object' || node === null) continue
    if (isMap(node) && typeof node.$ref === 'string') {
      const [, keyword = ''] = node.$ref.split('/')
      if (keywords.includes(keyword)) return true
    }
    open.push(...Object.values(node))
  }
  return false
}
