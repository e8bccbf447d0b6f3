/**
 * The input of a scheduled run: a text with places for what the fire is about. All values are ours,
 * so none needs a boundary, as those of hooks do.
 */

import { localIso } from '../../lib/cron.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { iso } from '../../lib/time.ts'

export const PLACES = {
  slot: 'nominal time, UTC',
  'slot.local': 'the same in the time zone',
  'slot.date': 'its date in the time zone',
  'slot.unix': 'the same in seconds since 1970',
  'schedule.name': 'name of the schedule',
  timezone: 'its time zone',
} as const
type PlaceName = keyof typeof PLACES

const PLACE = /\{\{\s*([^{}]*?)\s*\}\}/g

/** Why this is no template; undefined when it is one. */
export function templateFault(text: string): string | undefined {
  for (const [, name = ''] of text.matchAll(PLACE)) {
    if (!Object.hasOwn(PLACES, name)) {
      return `{{${name}}} is not one of ${Object.keys(PLACES).join(', ')}`
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

/** Milliseconds of `every`: so many seconds, or `90s`, `15m`, `2h`, `1d`. */
export function everyMs(interval: number | string): Outcome<number, string> {
  const [, digits, unit = 's'] = /^\s*(\d{1,9})\s*([smhd]?)\s*$/.exec(String(interval)) ?? []
  if (digits === undefined)
    return fail('a number of seconds is required, or a number with s, m, h, or d')
  const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }
  return ok(Number(digits) * (units[unit || 's'] ?? 1) * 1_000)
}
