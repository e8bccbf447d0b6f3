/**
 * Composes components that extend another component as `allOf` of the base and the added members. A
 * JSON Schema object that forbids other members cannot be part of a larger object. The base
 * therefore stays open, and the extension is closed by `unevaluatedProperties`.
 */

import { assert } from '../../lib/assert.ts'
import { COMPONENT, isMap, type Json } from './json.ts'

/**
 * Keyword with the ID of the extended component, set by `extending`
 * (`http/schemas/shared/words.ts`).
 */
const EXTENDS = 'x-extends'

/**
 * Returns the components, in which each extension is composed of its declared base and the added
 * members.
 */
export function composed(components: Json): Json {
  const bases = new Set(basesIn(components))
  const entries = Object.entries(components).map(([id, schema]) => {
    const result = rewritten(schema, components) as Json
    return [id, bases.has(id) ? opened(result) : result]
  })
  return Object.fromEntries(entries)
}

/** Returns the IDs of all components that another schema extends. */
function basesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const below = Object.values(value).flatMap(basesIn)
  const base = isMap(value) ? value[EXTENDS] : undefined
  return typeof base === 'string' ? [base, ...below] : below
}

function rewritten(value: unknown, components: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => rewritten(item, components))
  if (!isMap(value)) return value
  const entries = Object.entries(value).map(([key, member]) => [key, rewritten(member, components)])
  const schema = Object.fromEntries(entries)
  const id = value[EXTENDS]
  if (typeof id !== 'string') return schema
  const base = components[id] as ObjectSchema
  assert(
    isExtension(value as ObjectSchema, base),
    `a schema does not match ${id}, which it extends`,
  )
  return extension(schema as ObjectSchema, id, base)
}

interface ObjectSchema extends Json {
  readonly properties: Json
  readonly required?: readonly string[]
}

/** Builds an extension: a reference to its base, and the members added to the base. */
function extension(schema: ObjectSchema, id: string, base: ObjectSchema): Json {
  const { [EXTENDS]: _, type, properties, required = [], additionalProperties, ...words } = schema
  const ownEntries = Object.entries(properties).filter(([name]) => !(name in base.properties))
  const needed = required.filter((name) => !(name in base.properties))
  const added = {
    ...{ type, properties: Object.fromEntries(ownEntries) },
    ...(needed.length > 0 ? { required: needed } : {}),
  }
  return {
    allOf: [{ $ref: COMPONENT + id }, ...(ownEntries.length > 0 ? [added] : [])],
    ...(additionalProperties === false ? { unevaluatedProperties: false } : {}),
    ...words,
  }
}

/** Reports whether the schema contains each member of the base unchanged. */
const isExtension = (schema: ObjectSchema, base: ObjectSchema): boolean =>
  Object.entries(base.properties).every(
    ([name, member]) =>
      JSON.stringify(schema.properties[name]) === JSON.stringify(member) &&
      schema.required?.includes(name) === base.required?.includes(name),
  )

const opened = ({ additionalProperties: _, unevaluatedProperties: __, ...schema }: Json): Json =>
  schema
