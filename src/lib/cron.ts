/**
 * Computes cron times and time zones with croner and Intl; all times are in milliseconds since
 * 1970.
 *
 * A fixed time has no `*` and no `/` in seconds, minutes, and hours. If clocks skip a fixed time,
 * it is due right after the gap; if they repeat it, only the first time is due. All other
 * expressions follow local time: skipped times are not due, and repeated times are due twice.
 */

import { Cron } from 'croner'
import { LRUCache } from 'lru-cache'

const EXPRESSIONS = 500
const parsed = new LRUCache<string, Cron>({ max: EXPRESSIONS })

function cronOf(cron: string, timezone: string): Cron {
  const key = `${timezone} ${cron}`
  const cached = parsed.get(key)
  if (cached) return cached
  const mode = '5-or-6-parts'
  const compiled = new Cron(cron, { timezone, paused: true, mode, fixedTimeRule: 'no-wildcard' })
  parsed.set(key, compiled)
  return compiled
}

/** Converts to six fields: `0 0 9 * * *` for `0 9 * * *`; nicknames (`@daily`) stay. */
export function sixFields(text: string): string {
  const fields = text.trim().split(/\s+/)
  return fields.length === 5 ? ['0', ...fields].join(' ') : fields.join(' ')
}

/** Explains why the expression is invalid; undefined if it is valid. */
export function cronFault(text: string, timezone: string): string | undefined {
  const cron = sixFields(text)
  if (cron === '') return 'an expression is required: five fields, or six with seconds first'
  const fields = cron.split(' ')
  if (fields.length === 6 && !/^\d{1,2}$/.test(fields[0]!)) {
    return 'seconds must be a single number; a schedule is due at most once a minute'
  }
  try {
    return cronOf(cron, timezone).nextRun(new Date(0)) ? undefined : 'the schedule is never due'
  } catch (error) {
    return (error as Error).message.replace(/^CronPattern: /, '')
  }
}

/** Returns the first match after this time; undefined if there is none. */
export const cronNext = (cron: string, timezone: string, after: number): number | undefined =>
  cronOf(cron, timezone).nextRun(new Date(after))?.getTime()

/** Returns the last matches up to this time, newest first. */
export const cronLast = (
  cron: string,
  timezone: string,
  upTo: number,
  most: number,
): readonly number[] =>
  // The extra millisecond includes this time, because a previous run is always before its
  // reference.
  cronOf(cron, timezone)
    .previousRuns(most, new Date(upTo + 1))
    .map((run) => run.getTime())

/** Returns the zone in IANA spelling; undefined if the zone does not exist. */
export function zoneOf(name: string): string | undefined {
  // A fixed offset has no daylight saving time.
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** Formats a time as local time: `2026-03-08T03:00:00-04:00`. */
export function localIso(ms: number, timezone: string): string {
  const formatParts = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    ...{ second: '2-digit', hourCycle: 'h23', timeZoneName: 'longOffset' },
  }).formatToParts(ms)
  const of = (partType: string) => formatParts.find(({ type }) => type === partType)?.value ?? ''
  const offset = of('timeZoneName').replace('GMT', '') || 'Z'
  const day = `${of('year')}-${of('month')}-${of('day')}`
  return `${day}T${of('hour')}:${of('minute')}:${of('second')}${offset}`
}
