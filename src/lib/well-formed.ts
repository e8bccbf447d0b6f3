/**
 * Mends half characters (lone surrogates): JSON and UTF-16 can carry them, UTF-8 cannot, so stores,
 * signatures and other programs would each see another text. Each one becomes U+FFFD.
 */

/** The same text when it has none. */
export const wellFormed = (text: string): string => text.toWellFormed()

/**
 * Every text of a value out of JSON, names of members included; the same value when it has none.
 * Its depth is bounded already.
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
