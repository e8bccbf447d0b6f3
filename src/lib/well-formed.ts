/**
 * Replaces lone surrogates with U+FFFD. JSON and UTF-16 can contain lone surrogates but UTF-8
 * cannot, so stores, signatures, and other programs would see different texts.
 */

/** Replaces the lone surrogates of a text; returns the same text if it has none. */
export const wellFormed = (text: string): string => text.toWellFormed()

/**
 * Replaces lone surrogates in all strings and member names of a JSON value; returns the same value
 * if it has none. The value's depth must already be limited.
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
