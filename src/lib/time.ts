/** Formats times, which are milliseconds since 1970 internally and RFC 3339 in UTC externally. */

/** Formatted times, because each commit formats again when its run was created and started. */
const SLOTS = 256
const formattedMs: number[] = Array.from({ length: SLOTS }, () => Number.NaN)
const texts: string[] = Array.from({ length: SLOTS }, () => '')

export function iso(ms: number): string {
  const slot = ms & (SLOTS - 1)
  if (formattedMs[slot] !== ms) {
    texts[slot] = new Date(ms).toISOString()
    formattedMs[slot] = ms
  }
  return texts[slot]!
}

/** Parses an RFC 3339 time to milliseconds since 1970; returns undefined if the text is invalid. */
export function parseTime(text: string): number | undefined {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}

/** Returns the UTC day of a time: `2026-11-23`. */
export const dayOf = (ms: number): string => iso(ms).slice(0, 10)
