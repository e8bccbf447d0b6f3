/**
 * Collects the schemas of the contract: each schema with an ID becomes a component, written once. A
 * schema shared by requests and responses is split if both forms differ. For example, a member with
 * a default is optional in a request and required in a response. The request schema is then named
 * `<Id>Input`.
 */

import * as z from 'zod'
import { assert } from '../../lib/assert.ts'
import { composed } from './composition.ts'
import { COMPONENT } from './json.ts'
import { reachableFrom, takingNulls } from './nulls.ts'
import { discriminated } from './unions.ts'

type Io = 'input' | 'output'
type JsonSchema = z.core.JSONSchema.BaseSchema
type Components = Readonly<Record<string, unknown>>

export interface Schemas {
  /** Returns the JSON Schema of a request body, in which optional members may be null. */
  request(schema: z.ZodType): unknown
  /** Returns the JSON Schema of a response. */
  response(schema: z.ZodType): unknown
  /** All components that the schemas reference. */
  readonly components: Components
}

/** Collects all request and response schemas in the document. */
export function schemasOf(
  requests: readonly z.ZodType[],
  responses: readonly z.ZodType[],
): Schemas {
  const input = takingNulls(componentsFor('input')) as Components
  const output = componentsFor('output')
  const ofRequests = reachableFrom(
    requests.map((schema) => takingNulls(reference(schema, 'input'))),
    input,
  )
  const ofAnswers = reachableFrom(
    responses.map((schema) => reference(schema, 'output')),
    output,
  )
  const two = differing(input, output, (id) => ofRequests.has(id) && ofAnswers.has(id))
  for (const id of two) assert(!(inputName(id) in output), `two schemas are named ${inputName(id)}`)
  const withNames = (schema: unknown): unknown => renamed(schema, two)
  const components: Record<string, unknown> = {}
  for (const id of Object.keys(output)) {
    if (ofAnswers.has(id)) components[id] = output[id]
    if (ofRequests.has(id) && (!ofAnswers.has(id) || two.has(id))) {
      components[two.has(id) ? inputName(id) : id] = withNames(input[id])
    }
  }
  return {
    request: (schema) => withNames(takingNulls(reference(schema, 'input'))),
    response: (schema) => reference(schema, 'output'),
    components: discriminated(components),
  }
}

const inputName = (id: string): string => `${id}Input`

/** Returns zod's conversion options for schemas of the contract. */
const optionsFor = (io: Io) =>
  ({ io, unrepresentable: 'any', reused: 'inline', override: unbounded }) as const

/** Removes zod's bounds on integers, which come from JavaScript and not from the API. */
function unbounded({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** Returns all schemas with an ID, converted for requests or responses. */
function componentsFor(io: Io): Components {
  const uri = (id: string) => `${COMPONENT}${id}`
  const { schemas } = z.toJSONSchema(z.globalRegistry, { ...optionsFor(io), uri })
  const entries = Object.entries(schemas).map(([id, schema]) => [id, stripped(schema)])
  return composed(Object.fromEntries(entries))
}

/** Converts a zod schema without an ID to JSON Schema for the contract. */
export const jsonSchema = (schema: z.ZodType, io: Io): JsonSchema =>
  stripped(z.toJSONSchema(schema, optionsFor(io)))

function reference(schema: z.ZodType, io: Io): unknown {
  const id = z.globalRegistry.get(schema)?.id
  if (id !== undefined) return { $ref: `${COMPONENT}${id}` }
  return atComponents(jsonSchema(schema, io))
}

/** Replaces references to definitions inside a schema with references to components. */
function atComponents(schema: unknown): unknown {
  return mapped(schema, ([key, value]) => {
    if (key === '$defs') return undefined
    if (key !== '$ref' || typeof value !== 'string') return [key, atComponents(value)]
    return [key, value.replace('#/$defs/', COMPONENT)]
  })
}

/**
 * Returns the IDs of schemas that differ between requests and responses, directly or indirectly.
 */
function differing(
  input: Components,
  output: Components,
  isShared: (id: string) => boolean,
): ReadonlySet<string> {
  const shared = Object.keys(output).filter(isShared)
  const differs = (id: string): boolean => JSON.stringify(input[id]) !== JSON.stringify(output[id])
  const changed = new Set(shared.filter(differs))
  return new Set(
    shared.filter(
      (id) =>
        changed.has(id) ||
        [...reachableFrom([input[id]], input)].some((below) => changed.has(below)),
    ),
  )
}

/** Renames references to split schemas to their request variants. */
function renamed(schema: unknown, two: ReadonlySet<string>): unknown {
  return mapped(schema, ([key, value]) => {
    if (key !== '$ref' || typeof value !== 'string') return [key, renamed(value, two)]
    const id = value.slice(COMPONENT.length)
    return [key, two.has(id) ? `${COMPONENT}${inputName(id)}` : value]
  })
}

type Entry = readonly [string, unknown]

function mapped(value: unknown, entry: (pair: Entry) => Entry | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, entry))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap((pair) => {
      const result = entry(pair)
      return result ? [result] : []
    }),
  )
}

const stripped = ({ $schema: _, $id: __, id: ___, ...schema }: JsonSchema): JsonSchema => schema
