/**
 * Measures a JSON value before any recursive processing: depth, values, and characters. The
 * measurement is iterative, so a hundred thousand levels are safe.
 */

export interface Shape {
  readonly depth: number
  /** Number of values in the JSON value; member names are not counted. */
  readonly values: number
  /** Number of characters in all strings and member names. */
  readonly characters: number
}

/** Returns the name of the first exceeded limit; undefined if no limit is exceeded. */
export function exceeds(value: unknown, bounds: Partial<Shape>): keyof Shape | undefined {
  const { depth = Infinity, values = Infinity, characters = Infinity } = bounds
  let level: unknown[] = [value]
  let valueCount = 0
  let charCount = 0
  for (let deep = 0; level.length > 0; deep += 1) {
    valueCount += level.length
    if (valueCount > values) return 'values'
    const next: unknown[] = []
    for (const node of level) {
      if (typeof node === 'string') charCount += node.length
      if (typeof node !== 'object' || node === null) continue
      if (deep >= depth) return 'depth'
      if (Array.isArray(node)) {
        for (const item of node) next.push(item)
      } else {
        for (const name of Object.keys(node)) {
          charCount += name.length
          next.push((node as Record<string, unknown>)[name])
        }
      }
      if (valueCount + next.length > values) return 'values'
    }
    if (charCount > characters) return 'characters'
    level = next
  }
  return undefined
}
