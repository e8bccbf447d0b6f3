/**
 * Normalizes the arguments of built-in tools. Models that must write every schema member use `null`
 * for unspecified ones. Some models use another product's parameter names. Third-party servers
 * decide themselves what null means.
 */

import { getOwn } from '../../lib/own-member.ts'
import type { Pin } from '../run/log/pin.ts'
import { BUILTINS } from './builtin/index.ts'
import { schemaError } from './schema.ts'
import { isMap, type Schema } from './schema-values.ts'

type Arguments = Record<string, unknown>

/** Other products' parameter names per tool, mapped to Strata's names. */
const SPELLINGS: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  BUILTINS.flatMap(({ name, parameters }) => (parameters ? [[name, parameters] as const] : [])),
)

/**
 * Returns a call's arguments under Strata's names, without optional null members. Arguments of
 * third-party tools stay unchanged.
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
 * Renames other products' parameters, also in list entries. If both spellings are present, neither
 * is renamed, and the foreign one is rejected as unknown.
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

/** Removes `null` arguments whose schema member is optional and not nullable. */
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
