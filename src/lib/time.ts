/** Formats times, which are milliseconds since 1970 internally and RFC 3339 in UTC externally. */

export function iso(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms
    lastText = new Date(ms).toISOString()
  }
  return lastText
}

/** Last formatted time, cached because the same time is often formatted several times in a row. */
let lastMs = 0
let lastText = '1970-01-01T00:00:00.000Z'

/** Parses an RFC 3339 time to milliseconds since 1970; returns undefined if the text is invalid. */
export function parseTime(text: string): number | undefined {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}

/** Returns the UTC day of a time: `2026-11-23`. */
export const dayOf = (ms: number): string => iso(ms).slice(0, 10)
