/**
 * Null in requests, beyond the schemas: `null` for an optional member is the same as leaving it out
 * (`core/nulls.ts`). In the contract, such a member of a body may be null, but for a PATCH in which
 * null removes.
 */

import { COMPONENT, isMap, type Json } from './json.ts'

const NULL = { type: 'null' }

/** The schema of a body, in which every optional member may be null. */
export function takingNulls(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(takingNulls)
  if (!isMap(schema) || schema['x-null-removes'] === true) return schema
  const entries = Object.entries(schema).map(([key, value]) => {
    if (key !== 'properties' || !isMap(value)) return [key, takingNulls(value)]
    const required = Array.isArray(schema.required) ? schema.required : []
    const members = Object.entries(value).map(([name, member]) => [
      name,
      required.includes(name) ? takingNulls(member) : orNull(takingNulls(member)),
    ])
    return [key, Object.fromEntries(members)]
  })
  return Object.fromEntries(entries)
}

/**
 * A default applies to the value, not to null: some clients treat members with a default as
 * required.
 */
function orNull(schema: unknown): unknown {
  if (!isMap(schema)) return schema
  const { description, default: preset, ...members } = schema
  const about = description === undefined ? {} : { description }
  const value = preset === undefined || preset === null ? members : { ...members, default: preset }
  if (takesNull(members))
    return 'default' in value ? { ...about, anyOf: [value] } : { ...about, ...members }
  const { type, anyOf } = members
  const bare = members.enum === undefined && members.const === undefined && value === members
  if (bare && typeof type === 'string') return { ...schema, type: [type, 'null'] }
  const only = Array.isArray(anyOf) && Object.keys(value).length === 1
  return { ...about, anyOf: only ? [...anyOf, NULL] : [value, NULL] }
}

/** A schema without words takes everything. */
function takesNull(schema: Json): boolean {
  const { type, anyOf, enum: values, const: constant, $ref, oneOf, allOf } = schema
  if (Array.isArray(anyOf)) return anyOf.some((part) => isMap(part) && takesNull(part))
  if (type === undefined) {
    return [values, constant, $ref, oneOf, allOf].every((part) => part === undefined)
  }
  return type === 'null' || (Array.isArray(type) && type.includes('null'))
}

/** The names of all components that these schemas name, and that those name in turn. */
export function reachableFrom(schemas: readonly unknown[], components: Json): ReadonlySet<string> {
  const names = new Set<string>()
  const look = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(look)
    if (!isMap(value)) return
    const { $ref } = value
    if (typeof $ref === 'string' && $ref.startsWith(COMPONENT)) {
      const name = $ref.slice(COMPONENT.length)
      if (names.has(name)) return
      names.add(name)
      look(components[name])
    }
    Object.values(value).forEach(look)
  }
  schemas.forEach(look)
  return names
}
