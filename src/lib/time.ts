/** Times as text. Inside, a time is milliseconds since 1970; outside it is RFC 3339 in UTC. */

export function iso(ms: number): string {
  const known = KNOWN[ms & (MOMENTS - 1)]!
  if (known.ms !== ms) {
    known.text = new Date(ms).toISOString()
    known.ms = ms
  }
  return known.text
}

/**
 * Moments are written several times in a row: as the times of a run, of its list, of its head. Each
 * has the slot of its last bits.
 */
const MOMENTS = 16
const KNOWN = Array.from({ length: MOMENTS }, () => ({ ms: 0, text: '1970-01-01T00:00:00.000Z' }))

/** Milliseconds of an RFC 3339 text, or undefined. */
export function parseTime(text: string): number | undefined {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}

/** The day (UTC) of a moment: `2026-11-23`. */
export const dayOf = (ms: number): string => iso(ms).slice(0, 10)
