/** Times as text. Inside, a time is milliseconds since 1970; outside it is RFC 3339 in UTC. */

export const iso = (ms: number): string => new Date(ms).toISOString()

/** Milliseconds of an RFC 3339 text, or undefined. */
export function parseTime(text: string): number | undefined {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}
