/**
 * Computes cron times and time zones with croner and Intl; all times are in milliseconds since
 * 1970.
 *
 * A fixed time has no `*` and no `/` in its seconds, minutes, and hours. If clocks skip a fixed
 * time, it is due right after the gap; if they repeat a fixed time, only the first occurrence is
 * due. All other expressions follow local time: skipped times are not due, and repeated times are
 * due twice.
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

/**
 * Converts a cron expression to six fields: `0 9 * * *` becomes `0 0 9 * * *`. Nicknames (`@daily`)
 * stay unchanged.
 */
export function sixFields(text: string): string {
  const fields = text.trim().split(/\s+/)
  return fields.length === 5 ? ['0', ...fields].join(' ') : fields.join(' ')
}

/** Explains why a cron expression is invalid; returns undefined if it is valid. */
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

/** Returns the expression's first match after a time; undefined if no match follows. */
export const cronNext = (cron: string, timezone: string, after: number): number | undefined =>
  cronOf(cron, timezone).nextRun(new Date(after))?.getTime()

/** Returns the expression's last matches up to and including a time, newest first. */
export const cronLast = (
  cron: string,
  timezone: string,
  upTo: number,
  most: number,
): readonly number[] =>
  // The extra millisecond includes the given time, because croner returns only runs before its
  // reference.
  cronOf(cron, timezone)
    .previousRuns(most, new Date(upTo + 1))
    .map((run) => run.getTime())

/** Returns a time zone in IANA spelling; undefined if the zone does not exist. */
export function zoneOf(name: string): string | undefined {
  // Fixed offsets are rejected, because they have no daylight saving time.
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** Formats a time as local time with its offset: `2026-03-08T03:00:00-04:00`. */
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

/** Change of a zone's clocks: local times from `from` to `to` do not exist, or occur twice. */
export interface ClockChange {
  readonly at: number
  readonly kind: 'gap' | 'overlap'
  /** Local times, as milliseconds that would be UTC; `to` is exclusive. */
  readonly from: number
  readonly to: number
}

/** Maximum distance of two samples of a zone's offset, in milliseconds. */
const SAMPLE_MS = 7 * 86_400_000

/** Returns the clock changes of a zone in (`after`, `upTo`], oldest first. */
export function clockChanges(timezone: string, after: number, upTo: number): ClockChange[] {
  const offsetAt = offsetsOf(timezone)
  const changes: ClockChange[] = []
  for (let start = after; start < upTo; start += SAMPLE_MS) {
    let low = start
    let high = Math.min(start + SAMPLE_MS, upTo)
    const [oldOffset, newOffset] = [offsetAt(low), offsetAt(high)]
    if (oldOffset === newOffset) continue
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (offsetAt(middle) === oldOffset) low = middle
      else high = middle
    }
    const kind = newOffset > oldOffset ? 'gap' : 'overlap'
    const [from, to] = [
      high + Math.min(oldOffset, newOffset),
      high + Math.max(oldOffset, newOffset),
    ]
    changes.push({ at: high, kind, from, to })
  }
  return changes
}

/** Returns a function that computes the zone's offset from UTC at a time, in milliseconds. */
function offsetsOf(timezone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' },
  })
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
    const of = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0
    const day = [of('year'), of('month') - 1, of('day')] as const
    const local = Date.UTC(...day, of('hour'), of('minute'), of('second'))
    return local - Math.floor(ms / 1_000) * 1_000
  }
}
