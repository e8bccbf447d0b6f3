/**
 * Replaces lone surrogates by U+FFFD. JSON and UTF-16 can contain them and UTF-8 cannot, so stores,
 * signatures, and other programs would see different texts.
 */

/** Returns the same text when it has none. */
export const wellFormed = (text: string): string => text.toWellFormed()

/**
 * Replaces them in every text of a JSON value, names included; returns the same value when it has
 * none. Depth is already bounded.
 */
export function wellFormedIn<T>(value: T): T {
  if (typeof value === 'string') return wellFormed(value) as T
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const repaired = value.map((item) => wellFormedIn(item))
    return repaired.every((item, at) => item === value[at]) ? value : (repaired as T)
  }
  const members = Object.entries(value)
  const repaired = members.map(
    ([name, member]) => [wellFormed(name), wellFormedIn(member)] as const,
  )
  const isSame = repaired.every(([name, member], at) => {
    const [sent, of] = members[at]!
    return name === sent && member === of
  })
  return isSame ? value : (Object.fromEntries(repaired) as T)
}
