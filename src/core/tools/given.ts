/**
 * Arguments of our own tools, normalised: models that must write every member of a schema say
 * `null` for members they do not give. Servers of others decide for themselves what null means.
 */

import { own } from '../../lib/own.ts'
import type { Pin } from '../run/pin.ts'
import { schemaError } from './schema.ts'
import { isMap, type Schema } from './schema-values.ts'

type Arguments = Record<string, unknown>

/** The arguments without the optional members that are null; those of others' tools as they stand. */
export function givenOf(
  pin: Pick<Pin, 'tools' | 'routes'>,
  tool: string,
  parsed: Arguments,
): Arguments {
  if (own(pin.routes, tool)?.kind === 'mcp') return parsed
  const schema = pin.tools.find(({ name }) => name === tool)?.input_schema
  return schema ? withoutNullMembers(schema, parsed) : parsed
}

/** `null` for a member that may be left out and is never null is the same as leaving it out. */
function withoutNullMembers(schema: Schema, value: Arguments): Arguments {
  const properties = isMap(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const left = Object.entries(value).filter(([name, member]) => {
    const shape = own(properties, name)
    if (member !== null || required.includes(name) || !isMap(shape)) return true
    return schemaError(shape, null) === undefined
  })
  return left.length === Object.keys(value).length ? value : Object.fromEntries(left)
}
