/** Reads values from a provider's JSON without assuming their types. */

export type JsonObject = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the value if it is an object, and otherwise an empty object. */
export const recordOf = (value: unknown): JsonObject => (isRecord(value) ? value : {})

/** Returns a list as is, a single object as a list, and an empty list for any other value. */
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isRecord(value) ? [value] : []

/** Returns the first value that is a non-empty string. */
export const textOf = (...values: readonly unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value !== '')

/** Returns the value as a number, also if it is a numeric string; undefined for any other value. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !/^\s*\d{1,15}(\.0*)?\s*$/.test(value)) return undefined
  return Number(value)
}
