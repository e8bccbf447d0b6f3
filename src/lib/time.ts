/** Times as text. Inside, a time is milliseconds since 1970; outside it is RFC 3339 in UTC. */

export function iso(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms
    lastText = new Date(ms).toISOString()
  }
  return lastText
}

/** A time is written several times in a row: as the time of a run, of its list, of its head. */
let lastMs = 0
let lastText = '1970-01-01T00:00:00.000Z'

/** Milliseconds of an RFC 3339 text, or undefined. */
export function parseTime(text: string): number | undefined {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}

/** The day (UTC) of a moment: `2026-11-23`. */
export const dayOf = (ms: number): string => iso(ms).slice(0, 10)
