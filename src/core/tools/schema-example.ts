/** Generates a small value that matches a schema, for a model that has failed twice. */

import { schemaError } from './schema.ts'
import { usable } from './schema-lint.ts'
import type { Document, Schema } from './schema-values.ts'
import { isMap, list, resolved } from './schema-values.ts'

const DEPTH = 8
const MEMBERS = 50
const LENGTH = 500

/** Returns a short value that matches the schema, or undefined if none was found. */
export function exampleOf(schema: Schema): unknown {
  const document = usable(schema)
  const example = placeholderOf(document, document.root, 0)
  const isShort = (JSON.stringify(example) ?? '').length <= LENGTH
  return isShort && schemaError(schema, example) === undefined ? example : undefined
}

function placeholderOf(document: Document, schema: unknown, depth: number): unknown {
  if (!isMap(schema) || depth > DEPTH) return null
  const [example] = [...list(schema.examples), ...('const' in schema ? [schema.const] : [])]
  if (example !== undefined) return example
  if (schema.default !== undefined) return schema.default
  if (list(schema.enum).length > 0) return list(schema.enum)[0]
  const inner = typeof schema.$ref === 'string' ? resolved(document, schema.$ref) : undefined
  const [other] = [
    inner,
    ...list(schema.anyOf),
    ...list(schema.oneOf),
    ...list(schema.allOf),
  ].filter(isMap)
  if (other && schema.type === undefined) return placeholderOf(document, other, depth + 1)
  return ofType(document, schema, depth)
}

function ofType(document: Document, schema: Schema, depth: number): unknown {
  const [type] = Array.isArray(schema.type) ? schema.type : [schema.type]
  const least = typeof schema.minimum === 'number' ? schema.minimum : 1
  switch (type ?? (schema.properties ? 'object' : 'string')) {
    case 'string':
      return 'text'
    case 'integer':
      return Math.ceil(least)
    case 'number':
      return least
    case 'boolean':
      return true
    case 'array':
      return [placeholderOf(document, schema.items ?? { type: 'string' }, depth + 1)]
    case 'null':
      return null
    default:
      return membersOf(document, schema, depth)
  }
}

/** Returns examples of a schema's required members; if there are none, of the first member. */
function membersOf(document: Document, schema: Schema, depth: number): object {
  const properties = isMap(schema.properties) ? schema.properties : {}
  const names = list(schema.required).filter((name) => typeof name === 'string')
  const shownNames =
    names.length > 0 ? names.slice(0, MEMBERS) : Object.keys(properties).slice(0, 1)
  return Object.fromEntries(
    shownNames.map((name) => [name, placeholderOf(document, properties[name] ?? {}, depth + 1)]),
  )
}
