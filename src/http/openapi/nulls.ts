/**
 * Allows null in requests: `null` for an optional member means the same as an absent member
 * (`core/nulls.ts`). In the contract, an optional member of a request body may be null, except in a
 * PATCH where null removes a value.
 */

import { COMPONENT, isMap, type Json } from './json.ts'

const NULL = { type: 'null' }

/** Returns the schema of a request body in which every optional member may be null. */
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
 * Adds null to a member's schema outside of the default, because some clients treat members with a
 * default as required.
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

/** Reports whether a schema accepts null; a schema without keywords accepts any value. */
function takesNull(schema: Json): boolean {
  const { type, anyOf, enum: values, const: constant, $ref, oneOf, allOf } = schema
  if (Array.isArray(anyOf)) return anyOf.some((part) => isMap(part) && takesNull(part))
  if (type === undefined) {
    return [values, constant, $ref, oneOf, allOf].every((part) => part === undefined)
  }
  return type === 'null' || (Array.isArray(type) && type.includes('null'))
}

/** Returns the names of all components that the given schemas reference directly or indirectly. */
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
