/**
 * Replaces lone surrogates with U+FFFD. JSON and UTF-16 can contain them and UTF-8 cannot, so
 * stores, signatures, and other programs would see different texts.
 */

/** Returns the well-formed text; the same text if there are no lone surrogates. */
export const wellFormed = (text: string): string => text.toWellFormed()

/**
 * Replaces lone surrogates in all strings and names of a JSON value; returns the same value if
 * there are none. Depth is already limited.
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
