/** Formats times, durations, quantities, and prices in the reader's language. */

import { languageOf } from '../i18n/words.ts'

/** Formatters by language, cached because creating them is slow. */
const formatters = new Map<string, ReturnType<typeof formatsOf>>()
const formatsOf = (language: string) => ({
  relative: new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' }),
  exact: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }),
  time: new Intl.DateTimeFormat(language, { timeStyle: 'medium', hourCycle: 'h23' }),
  short: new Intl.DateTimeFormat(language, {
    ...{ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  }),
  day: new Intl.DateTimeFormat(language, { dateStyle: 'medium' }),
  plain: new Intl.NumberFormat(language),
  compact: new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }),
  price: priceFormat(language, 2),
  smallPrice: priceFormat(language, 4),
})

const priceFormat = (language: string, most: number): Intl.NumberFormat =>
  new Intl.NumberFormat(language, {
    ...{ style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' },
    ...{ minimumFractionDigits: 2, maximumFractionDigits: most },
  })

function formats() {
  const language = languageOf()
  const cachedFormats = formatters.get(language) ?? formatsOf(language)
  formatters.set(language, cachedFormats)
  return cachedFormats
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** Formats a time relative to now, such as `in 3 hr` or `2 min ago`. */
export function relativeTime(at: string, now = Date.now()): string {
  const remainingMs = Date.parse(at) - now
  const [unit, ms] = UNITS.find(([, size]) => Math.abs(remainingMs) >= size) ?? ['second', 1_000]
  return formats().relative.format(Math.round(remainingMs / ms), unit)
}

export const exactTime = (at: string): string => formats().exact.format(new Date(at))
export const timeOfDay = (at: string | number): string => formats().time.format(new Date(at))
/** Formats a time of today without its day, and another time without seconds. */
export function shortTime(at: string): string {
  const date = new Date(at)
  const isToday = date.toDateString() === new Date().toDateString()
  return (isToday ? formats().time : formats().short).format(date)
}
export const dayOf = (at: string): string => formats().day.format(new Date(at))

/** Formats a duration in milliseconds in its two largest units. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes} m ${Math.floor((ms % 60_000) / 1_000)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} m`
}

export const amount = (value: number): string =>
  (value >= 10_000 ? formats().compact : formats().plain).format(value)

/** Formats a number with all its digits. */
export const exactNumber = (value: number): string => formats().plain.format(value)

export const dollars = (value: number): string =>
  (value < 1 ? formats().smallPrice : formats().price).format(value)

/** Formats a size in bytes, as KiB or MiB from 1,024 bytes on. */
export function sizeText(bytes: number): string {
  const { plain, compact } = formats()
  if (bytes < 1_024) return `${plain.format(bytes)} B`
  const kib = bytes / 1_024
  return kib < 1_024 ? `${compact.format(kib)} KiB` : `${compact.format(kib / 1_024)} MiB`
}
