/**
 * Input template of a scheduled run: text with placeholders for details of the fire. Strata
 * generates all values, so unlike hook data they need no boundary.
 */

import { localIso } from '../../lib/cron.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { iso } from '../../lib/time.ts'

export const PLACES = {
  slot: 'nominal time in UTC',
  'slot.local': "nominal time in the schedule's time zone",
  'slot.date': "nominal date in the schedule's time zone",
  'slot.unix': 'nominal time in seconds since 1970',
  'schedule.name': 'name of the schedule',
  timezone: 'time zone of the schedule',
} as const
type PlaceName = keyof typeof PLACES

const PLACE = /\{\{\s*([^{}]*?)\s*\}\}/g

/** Explains why a text is not a valid input template; returns undefined if valid. */
export function templateFault(text: string): string | undefined {
  for (const [, name = ''] of text.matchAll(PLACE)) {
    if (!Object.hasOwn(PLACES, name)) {
      return `unknown placeholder {{${name}}}; use one of ${Object.keys(PLACES).join(', ')}`
    }
  }
  return text.trim() === '' ? 'it is empty' : undefined
}

export function renderInput(
  text: string,
  of: { readonly name: string; readonly timezone: string; readonly slot: number },
): string {
  const local = localIso(of.slot, of.timezone)
  const values: Readonly<Record<PlaceName, string>> = {
    slot: iso(of.slot),
    'slot.local': local,
    'slot.date': local.slice(0, 10),
    'slot.unix': String(Math.floor(of.slot / 1_000)),
    'schedule.name': of.name,
    timezone: of.timezone,
  }
  return text.replaceAll(PLACE, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? values[name as PlaceName] : placeholder,
  )
}

/** Parses a schedule interval to milliseconds: a number of seconds, or `90s`, `15m`, `2h`, `1d`. */
export function everyMs(interval: number | string): Outcome<number, string> {
  const [, digits, unit = 's'] = /^\s*(\d{1,9})\s*([smhd]?)\s*$/.exec(String(interval)) ?? []
  if (digits === undefined)
    return fail('must be a number of seconds or a number followed by s, m, h, or d')
  const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }
  return ok(Number(digits) * (units[unit || 's'] ?? 1) * 1_000)
}
