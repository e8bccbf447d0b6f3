/** Formats times: internally milliseconds since 1970, externally RFC 3339 in UTC. */

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

/** Parses RFC 3339 to milliseconds; undefined if invalid. */
export function parseTime(text: string): number | undefined {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}

/** Returns the UTC day of a time: `2026-11-23`. */
export const dayOf = (ms: number): string => iso(ms).slice(0, 10)
