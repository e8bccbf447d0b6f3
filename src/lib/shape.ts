/**
 * Measures a value out of JSON before anything recursive sees it: levels, values, characters. Walks
 * without recursion, so that a hundred thousand levels are counted like a hundred.
 */

export interface Shape {
  readonly depth: number
  /** Values of any kind, names of members not counted. */
  readonly values: number
  /** Characters of texts and names. */
  readonly characters: number
}

/** The first bound that the value exceeds; undefined when it keeps all of them. */
export function exceeds(value: unknown, bounds: Partial<Shape>): keyof Shape | undefined {
  const { depth = Infinity, values = Infinity, characters = Infinity } = bounds
  let level: unknown[] = [value]
  let counted = 0
  let written = 0
  for (let deep = 0; level.length > 0; deep += 1) {
    counted += level.length
    if (counted > values) return 'values'
    const next: unknown[] = []
    for (const one of level) {
      if (typeof one === 'string') written += one.length
      if (typeof one !== 'object' || one === null) continue
      if (deep >= depth) return 'depth'
      if (Array.isArray(one)) {
        for (const item of one) next.push(item)
      } else {
        for (const name of Object.keys(one)) {
          written += name.length
          next.push((one as Record<string, unknown>)[name])
        }
      }
      if (counted + next.length > values) return 'values'
    }
    if (written > characters) return 'characters'
    level = next
  }
  return undefined
}
