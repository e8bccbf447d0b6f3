/**
 * Converts numeric bounds of older JSON Schema drafts (`exclusiveMinimum: true` next to `minimum`),
 * which vendors reject.
 */

import { isMap, type Schema } from '../../core/tools/schema-values.ts'

const PAIRS = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const
/** Schema keywords whose value is data and not a schema. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'example'])
/** Schema keywords whose value is a map of names to schemas. */
const SCHEMA_MAPS: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
])

/** Returns the schema with numeric exclusive bounds, or the same object if nothing changed. */
export function numberBounds(schema: Schema): Schema {
  const members = Object.entries(schema)
  const repaired = members.map(([name, value]) => [name, mendedMember(name, value)] as const)
  const isChanged = repaired.some(([, value], nth) => value !== members[nth]![1])
  const wrong = PAIRS.filter(([exclusive]) => typeof schema[exclusive] === 'boolean')
  if (!isChanged && wrong.length === 0) return schema
  const result: Record<string, unknown> = Object.fromEntries(repaired)
  for (const [exclusive, bound] of wrong) {
    delete result[exclusive]
    if (schema[exclusive] !== true || typeof schema[bound] !== 'number') continue
    delete result[bound]
    result[exclusive] = schema[bound]
  }
  return result
}

function mendedMember(name: string, value: unknown): unknown {
  if (DATA.has(name)) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => (isMap(item) ? numberBounds(item) : item))
    return items.some((item, nth) => item !== value[nth]) ? items : value
  }
  if (!isMap(value)) return value
  if (!SCHEMA_MAPS.has(name)) return numberBounds(value)
  const schemas = Object.entries(value)
  const repaired = schemas.map(
    ([key, schema]) => [key, isMap(schema) ? numberBounds(schema) : schema] as const,
  )
  return repaired.some(([, schema], nth) => schema !== schemas[nth]![1])
    ? Object.fromEntries(repaired)
    : value
}
