/** Reads values from a provider's JSON without assumptions about their types. */

export type JsonObject = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the object; an empty object for any other value. */
export const recordOf = (value: unknown): JsonObject => (isRecord(value) ? value : {})

/** Returns the list; a list with the single object; or an empty list for any other value. */
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isRecord(value) ? [value] : []

/** Returns the first non-empty string of the values. */
export const textOf = (...values: readonly unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value !== '')

/** Returns a number, also from a numeric string; undefined for any other value. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !/^\s*\d{1,15}(\.0*)?\s*$/.test(value)) return undefined
  return Number(value)
}
