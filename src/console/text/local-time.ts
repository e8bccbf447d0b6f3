/** Conversion between times of the API and fields for a local date and time. */

/** Returns the time of a field; an empty text if the field has none. */
export const momentOf = (local: string): string => {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? '' : at.toISOString()
}

/** Returns a time in the format of the field, in the reader's time zone. */
export function localTime(moment: string | undefined): string {
  const at = new Date(moment ?? '')
  if (Number.isNaN(at.getTime())) return ''
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
