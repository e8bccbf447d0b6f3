/** Values of a provider's JSON, of which nothing is taken for granted. */

export type JsonObject = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object, or an empty one for anything else. */
export const recordOf = (value: unknown): JsonObject => (isRecord(value) ? value : {})

/** A list, the one object in place of a list, or an empty list. */
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isRecord(value) ? [value] : []

/** The first of these values that is a text with a character in it. */
export const textOf = (...values: readonly unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value !== '')

/** A number, also one that is written as text; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !/^\s*\d{1,15}(\.0*)?\s*$/.test(value)) return undefined
  return Number(value)
}
