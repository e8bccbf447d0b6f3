/** Days of a report, which are days in UTC, in the reader's language. */

import { languageOf } from '../i18n/words.ts'

const format = (options: Intl.DateTimeFormatOptions) => (day: string) =>
  new Intl.DateTimeFormat(languageOf(), { ...options, timeZone: 'UTC' }).format(Date.parse(day))

export const dayText = format({ year: 'numeric', month: 'short', day: 'numeric' })
/** Formats a day for the axis of the chart. */
export const shortDay = format({ month: 'short', day: 'numeric' })
