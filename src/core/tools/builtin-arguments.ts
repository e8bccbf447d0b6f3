/**
 * Arguments of our own tools, normalised: models that must write every member of a schema say
 * `null` for members they do not give, and some spell a parameter as another product does. Servers
 * of others decide for themselves what null means.
 */

import { getOwn } from '../../lib/own-member.ts'
import type { Pin } from '../run/log/pin.ts'
import { BUILTINS } from './builtin/index.ts'
import { schemaError } from './schema.ts'
import { isMap, type Schema } from './schema-values.ts'

type Arguments = Record<string, unknown>

/** Parameters of other products by tool, with our names. */
const SPELLINGS: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  BUILTINS.flatMap(({ name, parameters }) => (parameters ? [[name, parameters] as const] : [])),
)

/**
 * The arguments in our words, without the optional members that are null; those of others' tools as
 * they stand.
 */
export function givenOf(
  pin: Pick<Pin, 'tools' | 'routes'>,
  tool: string,
  parsed: Arguments,
): Arguments {
  const kind = getOwn(pin.routes, tool)?.kind
  if (kind === 'mcp' || kind === 'caller') return parsed
  const schema = pin.tools.find(({ name }) => name === tool)?.input_schema
  const renamed = inOurWords(SPELLINGS.get(tool), parsed)
  return schema ? withoutNullMembers(schema, renamed) : renamed
}

/**
 * Also in the entries of its lists. A parameter that is given in both spellings stays as it is, and
 * is refused as unknown.
 */
function inOurWords(
  spellings: Readonly<Record<string, string>> | undefined,
  args: Arguments,
): Arguments {
  if (spellings === undefined) return args
  const ours = (name: string): string => {
    const target = getOwn(spellings, name)
    return target === undefined || Object.hasOwn(args, target) ? name : target
  }
  const entry = (value: unknown) => (isMap(value) ? inOurWords(spellings, value) : value)
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      ours(name),
      Array.isArray(value) ? value.map(entry) : value,
    ]),
  )
}

/** `null` for a member that may be left out and is never null is the same as leaving it out. */
function withoutNullMembers(schema: Schema, value: Arguments): Arguments {
  const properties = isMap(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const entries = Object.entries(value).filter(([name, member]) => {
    const shape = getOwn(properties, name)
    if (member !== null || required.includes(name) || !isMap(shape)) return true
    return schemaError(shape, null) === undefined
  })
  return entries.length === Object.keys(value).length ? value : Object.fromEntries(entries)
}
