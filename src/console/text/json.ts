/** Parses and formats JSON texts from logs, which may be truncated or malformed. */

type JsonObject = Record<string, unknown>

/** Parses a JSON object; returns undefined if the text is not one. */
export function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}

/** Indents a JSON text; returns any other text unchanged. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/**
 * Writes the members of a JSON object in alphabetical order, with the line breaks of their texts;
 * returns any other text unchanged.
 */
export function membersText(text: string): string {
  const value = objectIn(text)
  if (!value) return text
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => {
      const body = typeof member === 'string' ? member : JSON.stringify(member, null, 2)
      return body.includes('\n') ? `${name}:\n${body}` : `${name}: ${body}`
    })
    .join('\n')
}

const SHORT_CHARACTERS = 200

/** Returns the first characters of a JSON object's values, on one line. */
export const summaryOf = (text: string): string => lineOf(text).slice(0, SHORT_CHARACTERS)

/** Returns the number of characters that `summaryOf` leaves out. */
export const unshownIn = (text: string): number =>
  Math.max(0, lineOf(text).length - SHORT_CHARACTERS)

function lineOf(text: string): string {
  const value = objectIn(text)
  const values = value && Object.values(value)
  const line = values
    ?.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(' · ')
  return (line ?? text).replace(/\s+/g, ' ')
}
