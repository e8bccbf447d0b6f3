/**
 * `null` for an optional member means that it is not given: in every request body and in the
 * parameters of every operation. Where a member may be null, null keeps its own meaning. A PATCH in
 * which null removes says so by `REMOVES`: there, null for a member that cannot be removed is
 * refused.
 */

import * as z from 'zod'

/** In the metadata of a schema, and in the contract. */
export const REMOVES = { 'x-null-removes': true } as const

type Schema = z.core.$ZodType
const INNER = new Set(['optional', 'nullable', 'default', 'prefault', 'readonly', 'nonoptional'])

/** The value without the members that its schema lets be left out and that are null. */
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

/** The parts of a definition that are examined; which of them there are follows from `type`. */
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
    // Defined, not set: a request with `__proto__` is refused because the member is unknown.
    const put = { value: of ? withoutNulls(of, member) : member, enumerable: true }
    Object.defineProperty(out, key, { ...put, configurable: true, writable: true })
  }
  return out
}

const optionalCache = new WeakMap<Schema, boolean>()

/** Whether null says of this member that it is not given. */
function isNotGiven(schema: Schema): boolean {
  const cached = optionalCache.get(schema)
  if (cached !== undefined) return cached
  const may = schema._zod.optin !== undefined && !(schema as z.ZodType).safeParse(null).success
  optionalCache.set(schema, may)
  return may
}

/** As the first of the shapes that it then has. */
function fitting(options: readonly Schema[], value: unknown): unknown {
  for (const option of options) {
    const candidate = withoutNulls(option, value)
    if ((option as z.ZodType).safeParse(candidate).success) return candidate
  }
  return value
}
