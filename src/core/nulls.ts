/**
 * Handles `null` for optional members: it means "not specified" in every request body and operation
 * parameter. Where the schema allows null, null keeps its meaning. PATCH schemas in which null
 * removes members use `REMOVES`, and reject null for members that cannot be removed.
 */

import * as z from 'zod'

/**
 * Marks a schema in which null removes members, in the schema's metadata and in the API contract.
 */
export const REMOVES = { 'x-null-removes': true } as const

type Schema = z.core.$ZodType
const INNER = new Set(['optional', 'nullable', 'default', 'prefault', 'readonly', 'nonoptional'])

/** Returns the value without null members that the schema makes optional. */
export function withoutNulls(schema: Schema, value: unknown): unknown {
  const def = schema._zod.def as Def
  if (value === null || typeof value !== 'object' || removes(schema)) return value
  if (def.innerType && INNER.has(def.type)) return withoutNulls(def.innerType, value)
  if (def.type === 'pipe') return withoutNulls(def.in!, value)
  if (def.type === 'lazy') return withoutNulls(def.getter!(), value)
  if (Array.isArray(value)) {
    return def.type === 'array' ? value.map((item) => withoutNulls(def.element!, item)) : value
  }
  if (def.type === 'object') return members(def.shape!, value)
  if (def.type === 'record') {
    const entries = Object.entries(value)
    return Object.fromEntries(
      entries.map(([key, member]) => [key, withoutNulls(def.valueType!, member)]),
    )
  }
  return def.type === 'union' ? fitting(def.options!, value) : value
}

export const removes = (schema: Schema): boolean =>
  z.globalRegistry.get(schema as z.ZodType)?.['x-null-removes'] === true

/** Parts of a schema definition that this file examines; `type` determines which of them exist. */
interface Def {
  readonly type: string
  readonly innerType?: Schema
  readonly in?: Schema
  readonly getter?: () => Schema
  readonly element?: Schema
  readonly shape?: Readonly<Record<string, Schema>>
  readonly valueType?: Schema
  readonly options?: readonly Schema[]
}

function members(shape: Readonly<Record<string, Schema>>, value: object): object {
  const out: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    const of = Object.hasOwn(shape, key) ? shape[key] : undefined
    if (member === null && of && isNotGiven(of)) continue
    // The member is defined without assignment, so that a request with `__proto__` is rejected as
    // an unknown member.
    const put = { value: of ? withoutNulls(of, member) : member, enumerable: true }
    Object.defineProperty(out, key, { ...put, configurable: true, writable: true })
  }
  return out
}

const optionalCache = new WeakMap<Schema, boolean>()

/** Whether null for this schema means that the member is not specified. */
function isNotGiven(schema: Schema): boolean {
  const cached = optionalCache.get(schema)
  if (cached !== undefined) return cached
  const may = schema._zod.optin !== undefined && !(schema as z.ZodType).safeParse(null).success
  optionalCache.set(schema, may)
  return may
}

/** Returns the value without nulls for the first union option that the result matches. */
function fitting(options: readonly Schema[], value: unknown): unknown {
  for (const option of options) {
    const candidate = withoutNulls(option, value)
    if ((option as z.ZodType).safeParse(candidate).success) return candidate
  }
  return value
}
