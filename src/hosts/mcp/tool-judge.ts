/**
 * Checks each tool of a server's list separately: obvious mistakes are repaired, and an unusable
 * tool is omitted with a reason. Neither affects the other tools.
 */

import { LIMITS } from '../../core/limits.ts'
import { isMap } from '../../core/tools/schema-values.ts'
import { cut } from '../../lib/bytes.ts'
import { quoteText } from '../../lib/invisible-characters.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { exceeds } from '../../lib/shape.ts'
import { wellFormed, wellFormedIn } from '../../lib/well-formed.ts'
import type { ListFinding, RemoteTool } from '../../ports/world.ts'
import { numberBounds } from './schema-bounds.ts'
import { foldSchema } from './schema-fold.ts'

/**
 * Maximum nesting depth of a schema or a result; beyond this depth, recursive readers are not safe.
 */
export const MOST_LEVELS = 500
const NAME_BYTES = 80

type Schema = Readonly<Record<string, unknown>>

interface JudgedTool {
  readonly tool: RemoteTool
  /** Descriptions of the repairs made to the tool. */
  readonly mends: readonly string[]
}

/** Checks one tool of a list; `nth` is its position in the list, starting at 1. */
export function judgeTool(raw: unknown, nth: number): Outcome<JudgedTool, ListFinding> {
  if (!isMap(raw)) return leftOut(null, `entry ${nth} of its list is ${kindOf(raw)}, not a tool`)
  const { name } = raw
  if (typeof name !== 'string' || name === '') {
    const problem = name === undefined ? 'no name' : `a name that is ${kindOf(name)}`
    return leftOut(null, `tool ${nth} of its list has ${problem}`)
  }
  if (name.length > LIMITS.remote_tool_name_length) {
    const most = `longer than ${LIMITS.remote_tool_name_length} characters`
    return leftOut(null, `the tool ${quotedName(name)} has a name that is ${most}`)
  }
  if (exceeds(raw, { depth: MOST_LEVELS })) {
    return leftOut(name, `the tool ${quotedName(name)} is nested deeper than ${MOST_LEVELS} levels`)
  }
  const mends: string[] = []
  const read = schemaOf(raw, mends)
  const schema = read.ok ? acceptedByVendors(read.value, mends) : read
  if (!schema.ok) return leftOut(name, `the tool ${quotedName(name)}: ${schema.error}`)
  const { note } = schema.value
  const { annotations } = raw
  if (annotations != null && !isMap(annotations)) {
    mends.push(`annotations are ignored because they are ${kindOf(annotations)}`)
  }
  const { readOnlyHint, idempotentHint, title } = isMap(annotations) ? annotations : ({} as Schema)
  const unmended = {
    name,
    description: withNote(descriptionOf(raw, title, mends), note),
    input_schema: schema.value.schema,
    repeatable: readOnlyHint === true || idempotentHint === true,
  }
  const tool = wellFormedIn(unmended)
  if (tool !== unmended) mends.push('unpaired surrogates in its strings are replaced')
  return ok({ tool, mends })
}

const quotedName = (name: string): string => quoteText(wellFormed(name), NAME_BYTES)

const leftOut = (tool: string | null, message: string): Outcome<never, ListFinding> =>
  fail({ tool: tool === null ? null : wellFormed(tool), left_out: true, message })

function descriptionOf(raw: Schema, annotated: unknown, mends: string[]): string {
  const { description, title } = raw
  if (typeof description === 'string') {
    const shortened = cut(description, LIMITS.tool_description_bytes)
    if (shortened === description) return description
    mends.push(`its description is truncated to ${LIMITS.tool_description_bytes} bytes`)
    return `${shortened}…`
  }
  if (description != null)
    mends.push(`the description is ignored because it is ${kindOf(description)}`)
  return [title, annotated].find((text) => typeof text === 'string') ?? ''
}

/** Member names that other programs use for the input schema. */
const OTHER_NAMES = ['input_schema', 'parameters']

function schemaOf(raw: Schema, mends: string[]): Outcome<Schema, string> {
  const other = OTHER_NAMES.find((name) => isMap(raw[name]))
  if (raw.inputSchema == null) {
    const instead = other === undefined ? 'it accepts any arguments' : `its ${other} is used`
    mends.push(`it has no inputSchema, so ${instead}`)
    return other === undefined ? ok({ type: 'object' }) : objectSchema(raw[other] as Schema, mends)
  }
  const value = typeof raw.inputSchema === 'string' ? parsed(raw.inputSchema) : raw.inputSchema
  // Treats an empty list as an empty map, because PHP serializes an empty map as a list.
  const isEmpty = value === true || (Array.isArray(value) && value.length === 0)
  const schema = isEmpty ? {} : value
  if (!isMap(schema)) return fail(`its inputSchema is ${kindOf(raw.inputSchema)}, not an object`)
  if (schema !== raw.inputSchema) {
    mends.push(`its inputSchema, ${kindOf(raw.inputSchema)}, is interpreted as an object`)
  }
  return objectSchema(schema, mends)
}

function objectSchema(schema: Schema, mends: string[]): Outcome<Schema, string> {
  // A schema that refers to other documents cannot be checked without fetching them.
  if (pointsElsewhere(schema)) return fail('its inputSchema refers to another document')
  const { type, properties, required, ...members } = schema
  if (!isObjectType(type)) {
    const typeName = typeof type === 'string' ? quoteText(type, NAME_BYTES) : kindOf(type)
    return fail(`its inputSchema has type ${typeName}, not "object"`)
  }
  const repaired: Record<string, unknown> = { ...members, type: 'object' }
  if (type !== 'object') mends.push('its inputSchema is assumed to have type "object"')
  if (isMap(properties)) repaired.properties = properties
  else if (properties !== undefined) {
    mends.push(`properties are ignored because they are ${kindOf(properties)}`)
  }
  if (Array.isArray(required)) repaired.required = required
  else if (required !== undefined)
    mends.push(`"required" is ignored because it is ${kindOf(required)}`)
  return ok(repaired)
}

/** Rejects a schema if some vendor would reject the whole request because of it. */
function acceptedByVendors(
  schema: Schema,
  mends: string[],
): Outcome<{ readonly schema: Schema; readonly note: string }, string> {
  const result = foldSchema(schema)
  if (!result.ok) return result
  const { keywords, note } = result.value
  if (keywords.length > 0) {
    mends.push(
      `"${keywords.join('", "')}" at the top of its inputSchema is interpreted as properties`,
    )
  }
  const badKey = Object.keys(toMap(result.value.schema.properties)).find((key) => !KEY.test(key))
  if (badKey !== undefined) {
    return fail(`its argument ${quotedName(badKey)} has a name that ${KEY_FAULT}`)
  }
  const boundedSchema = numberBounds(result.value.schema)
  if (boundedSchema !== result.value.schema)
    mends.push('its exclusive bounds are converted to numbers')
  return ok({ schema: boundedSchema, note })
}

/** Pattern that Anthropic requires for argument names (github.com/decocms/studio/pull/6874). */
const KEY = /^[a-zA-Z0-9_.-]{1,64}$/
const KEY_FAULT = 'models do not accept; use 1 to 64 characters of A–Z, a–z, 0–9, "_", ".", and "-"'

const toMap = (value: unknown): Schema => (isMap(value) ? value : {})

const withNote = (description: string, note: string): string =>
  [description, note].filter((text) => text !== '').join('\n')

const isObjectType = (type: unknown): boolean =>
  type == null ||
  (typeof type === 'string' && type.toLowerCase() === 'object') ||
  (Array.isArray(type) && type.includes('object'))

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef']

/** Reports whether the schema refers to other documents; does not recurse. */
function pointsElsewhere(schema: unknown): boolean {
  const open = [schema]
  while (open.length > 0) {
    const node = open.pop()
    if (typeof node !== 'object' || node === null) continue
    for (const [key, value] of Object.entries(node)) {
      const names = REFERENCES.includes(key) && typeof value === 'string'
      if (names && !value.startsWith('#')) return true
      open.push(value)
    }
  }
  return false
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Describes the type of a value without its content. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'string'
    ? 'a text'
    : typeof value === 'object'
      ? 'a map'
      : `a ${typeof value}`
}
