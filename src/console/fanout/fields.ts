/** Fields of structured results, side by side. */

type JsonObject = Readonly<Record<string, unknown>>

export interface FieldRow {
  readonly name: string
  /** Value of the field in each result, as text; undefined where the result lacks the field. */
  readonly values: readonly (string | undefined)[]
  readonly isSame: boolean
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Sorts the members of all objects, so that equal values have equal texts. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  )
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(sorted(value))

/**
 * Returns a row for each field of the results, in order of appearance; undefined unless at least
 * one result is an object and each other one is an object, null, or absent.
 */
export function fieldsOf(results: readonly unknown[]): readonly FieldRow[] | undefined {
  const objects = results.map((result) => (isObject(result) ? result : undefined))
  const isOther = (result: unknown): boolean => (result ?? undefined) !== undefined
  if (results.some((result, at) => isOther(result) && !objects[at])) return undefined
  const names = new Set(objects.flatMap((object) => Object.keys(object ?? {})))
  if (names.size === 0) return undefined
  return [...names].map((name) => {
    const values = objects.map((object) =>
      object && Object.hasOwn(object, name) ? textOf(object[name]) : undefined,
    )
    return { name, values, isSame: values.every((value) => value === values[0]) }
  })
}
