/**
 * The schemas of the contract: each with an id is a component, written once. A schema that requests
 * and answers share is two when they differ: a member with a default may be left out of a request
 * and always stands in an answer. The one of requests is then called `<Id>Input`.
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
  /** As the body of a request names it; members that may be left out may be null. */
  request(schema: z.ZodType): unknown
  /** As an answer names it. */
  response(schema: z.ZodType): unknown
  /** Everything that those name. */
  readonly components: Components
}

/** Every schema of a request and of a response that the document will name. */
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
  for (const id of two)
    assert(!(inputName(id) in output), `two schemas are called ${inputName(id)}`)
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

/** How zod writes a schema for the contract. */
const optionsFor = (io: Io) =>
  ({ io, unrepresentable: 'any', reused: 'inline', override: unbounded }) as const

/** Zod bounds each integer to what JavaScript can count: that says nothing about the API. */
function unbounded({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** Every schema with an id. */
function componentsFor(io: Io): Components {
  const uri = (id: string) => `${COMPONENT}${id}`
  const { schemas } = z.toJSONSchema(z.globalRegistry, { ...optionsFor(io), uri })
  const entries = Object.entries(schemas).map(([id, schema]) => [id, stripped(schema)])
  return composed(Object.fromEntries(entries))
}

/** A schema without an id, as the contract has it. */
export const jsonSchema = (schema: z.ZodType, io: Io): JsonSchema =>
  stripped(z.toJSONSchema(schema, optionsFor(io)))

function reference(schema: z.ZodType, io: Io): unknown {
  const id = z.globalRegistry.get(schema)?.id
  if (id !== undefined) return { $ref: `${COMPONENT}${id}` }
  return atComponents(jsonSchema(schema, io))
}

/** Inside one schema, others with an id stand as definitions: they are components here. */
function atComponents(schema: unknown): unknown {
  return mapped(schema, ([key, value]) => {
    if (key === '$defs') return undefined
    if (key !== '$ref' || typeof value !== 'string') return [key, atComponents(value)]
    return [key, value.replace('#/$defs/', COMPONENT)]
  })
}

/** The ids that mean one thing in a request and another in an answer, by themselves or below. */
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

/** References to what is two, as a request makes them. */
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
