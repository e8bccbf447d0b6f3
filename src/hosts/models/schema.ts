/**
 * Decides which answer schemas are sent to a provider natively, and how. Vendors support only a
 * part of JSON Schema; a schema that a vendor would reject or alter stays in the prompt, with a
 * reason. Strict mode is used if supported, and the answer is always validated.
 */

import type { SchemaMeans } from '../../core/run/log/fact-parts.ts'
import type { ProviderConfig, ProviderKind } from './config.ts'
import type { CallOptions } from './types.ts'

type Schema = Readonly<Record<string, unknown>>

/** Returns the way in which a provider receives the answer schema. */
export function schemaMeans(provider: ProviderConfig, schema: Schema): SchemaMeans {
  switch (provider.kind) {
    case 'openai':
    case 'azure':
      return isObject(schema) ? { native: true } : byPrompt('OpenAI accepts only object schemas')
    case 'anthropic':
      return fits(schema, CLOSING) ? { native: true } : byPrompt(CLOSED)
    case 'google':
    case 'vertex':
    case 'amazon-bedrock':
    case 'workers-ai':
      return byPrompt(UNTRIED)
    case 'openai-compatible':
      if (provider.structured_outputs === undefined) return byPrompt(NOT_SAID)
      if (provider.structured_outputs === 'with_tools') return { native: true }
      return { native: true, only: 'without_tools', reason: WITHOUT_TOOLS }
  }
}

const byPrompt = (reason: string): SchemaMeans => ({ native: false, reason })

const CLOSED =
  'Anthropic closes every object and drops some keywords, which would change this ' + 'schema'
const NOT_SAID = 'structured outputs are not enabled for this server (STRATA_STRUCTURED_OUTPUTS)'
/** Reason for providers whose models' schema support is unknown. */
const UNTRIED = 'this provider receives schemas in the prompt'
/** Reason for servers with grammar-based decoding, which would otherwise never call a tool. */
const WITHOUT_TOOLS = 'a call with tools has the schema in the prompt'

/** Returns the call options for an answer that must match a schema. */
export function schemaOptions(
  kind: ProviderKind,
  schema: Schema,
): Pick<CallOptions, 'responseFormat' | 'providerOptions'> {
  const responseFormat = { type: 'json', name: 'answer', schema } as const
  const strictJsonSchema = holdsStrictly(schema)
  switch (kind) {
    case 'openai':
      return { responseFormat, providerOptions: { openai: { strictJsonSchema } } }
    case 'azure':
      return { responseFormat, providerOptions: { azure: { strictJsonSchema } } }
    case 'google':
    case 'vertex':
    case 'amazon-bedrock':
      return { responseFormat }
    case 'workers-ai':
    case 'openai-compatible':
      return { responseFormat }
    case 'anthropic': {
      // Without this option, the package forces a call of its own tool, so no other tool can be
      // called.
      const providerOptions = { anthropic: { structuredOutputMode: 'outputFormat' } }
      return { responseFormat, providerOptions }
    }
  }
}

/** JSON Schema features that a vendor supports unchanged. */
interface Dialect {
  readonly keywords: ReadonlySet<string>
  readonly takesObject: (node: Schema) => boolean
}

const SHAPE = ['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const']
const SHARED = [...SHAPE, 'anyOf', '$ref', '$defs', 'definitions', 'title', 'description']

const propertiesOf = (node: Schema): readonly string[] => Object.keys(record(node.properties))

/**
 * Dialect of OpenAI's strict mode, which enforces only schemas with closed objects whose members
 * are all required.
 */
const STRICT: Dialect = {
  keywords: new Set(SHARED),
  takesObject: (node) =>
    node.additionalProperties === false &&
    Array.isArray(node.required) &&
    propertiesOf(node).every((name) => (node.required as unknown[]).includes(name)),
}

/**
 * Dialect of Anthropic's package, which closes objects and turns bounds into text, so an answer may
 * exceed the bounds.
 */
const CLOSING: Dialect = {
  keywords: new Set([
    ...SHARED,
    ...['$schema', '$id', 'default', 'format', 'pattern', 'minLength', 'maxLength', 'minItems'],
    ...['maxItems', 'uniqueItems', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
    'multipleOf',
  ]),
  takesObject: (node) =>
    node.properties !== undefined &&
    [undefined, false].includes(node.additionalProperties as false),
}

/** Reports whether OpenAI's strict mode accepts the schema unchanged. */
export const holdsStrictly = (schema: Schema): boolean => fits(schema, STRICT)

function fits(node: unknown, dialect: Dialect): boolean {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return false
  const schema = node as Schema
  if (!Object.keys(schema).every((keyword) => dialect.keywords.has(keyword))) return false
  const { type, properties, items, anyOf, $ref, $defs, definitions } = schema
  if (type === undefined && anyOf === undefined && $ref === undefined) return false
  // Rejected because each branch of `anyOf` would be closed without the sibling members.
  if (anyOf !== undefined && properties !== undefined) return false
  if ((isObject(schema) || properties !== undefined) && !dialect.takesObject(schema)) return false
  return [
    ...[properties, $defs, definitions].flatMap((schemas) => Object.values(record(schemas))),
    ...(items === undefined ? [] : [items]),
    ...(Array.isArray(anyOf) ? anyOf : []),
  ].every((below) => fits(below, dialect))
}

const record = (value: unknown): Schema =>
  typeof value === 'object' && value !== null ? (value as Schema) : {}

const isObject = ({ type }: Schema): boolean =>
  type === 'object' || (Array.isArray(type) && type.includes('object'))
