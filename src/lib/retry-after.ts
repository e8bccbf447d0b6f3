/** Parses the Retry-After header (RFC 9110, section 10.2.3), which contains seconds or a date. */

/** Matches the only date format that servers may send today, always in GMT. */
const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Returns the milliseconds to wait from `now` (milliseconds since 1970), never negative. Returns
 * undefined for invalid headers, including negative numbers. Fractions of a second, which some
 * servers send, are allowed.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? ''
  if (/^\d{1,9}(\.\d{1,9})?$/.test(value)) return Math.ceil(Number(value) * 1_000)
  const date = IMF_FIXDATE.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
