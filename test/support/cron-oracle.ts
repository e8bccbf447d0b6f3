/**
 * When a cron expression is due, counted minute by minute with Intl: no date arithmetic, no search,
 * and not a line of the library that the product asks. It knows numbers, lists, ranges, `*` and
 * steps; that is what the tables are made of.
 *
 * The rule: a fixed time (no `*` and no `/` in minute and hour) that the clock skips is due at the
 * end of the gap, and one that it shows twice is due the first time. Any other follows the clock.
 */

const MINUTE = 60_000

function fieldOf(text: string, least: number, most: number): ReadonlySet<number> {
  const out = new Set<number>()
  for (const part of text.split(',')) {
    const [range = '', step = '1'] = part.split('/')
    const [from, to = from] = range === '*' ? [least, most] : range.split('-').map(Number)
    for (let value = from!; value <= to!; value += Number(step)) out.add(value)
  }
  return out
}

interface Local {
  readonly minute: number
  readonly hour: number
  readonly day: number
  readonly month: number
  readonly weekday: number
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

interface Minute {
  readonly at: number
  readonly local: Local
  /** What the clock shows, as if it were UTC. */
  readonly wall: number
  /** It has shown that before. */
  readonly again: boolean
}
export type Walk = readonly Minute[]

const SHOWN = /^(\w{3}), (\d+)\/(\d+)\/(\d+), (\d+):(\d+)$/
/** Clocks are put back by less. */
const REMEMBERED = 1_440

/** Each minute of a stretch, with what a clock in the zone shows. */
export function walkOf(timezone: string, from: number, to: number): Walk {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', weekday: 'short' },
    ...{ hour: 'numeric', minute: '2-digit', hourCycle: 'h23' },
  })
  const walk: Minute[] = []
  let latest = Number.NEGATIVE_INFINITY
  for (let at = from; at < to; at += MINUTE) {
    const [, name = '', month, day, year, hour, minute] = SHOWN.exec(format.format(at))!
    const local = {
      minute: Number(minute),
      hour: Number(hour),
      day: Number(day),
      month: Number(month),
      weekday: WEEKDAYS.indexOf(name),
    }
    const wall = Date.UTC(Number(year), local.month - 1, local.day, local.hour, local.minute)
    // Only when the clock stands before what it has shown can it have shown this.
    const again = wall <= latest && walk.slice(-REMEMBERED).some((one) => one.wall === wall)
    latest = Math.max(latest, wall)
    walk.push({ at, local, wall, again })
  }
  return walk
}

/** Every moment of the walk at which the expression (five fields) is due. */
export function dueIn(walk: Walk, cron: string): number[] {
  const [minutes = '*', hours = '*', days = '*', months = '*', weekdays = '*'] = cron.split(' ')
  const of = {
    minute: fieldOf(minutes, 0, 59),
    hour: fieldOf(hours, 0, 23),
    day: fieldOf(days, 1, 31),
    month: fieldOf(months, 1, 12),
    weekday: fieldOf(weekdays, 0, 6),
  }
  const matches = ({ minute, hour, day, month, weekday }: Local): boolean => {
    const dayIs = of.day.has(day)
    const weekdayIs = of.weekday.has(weekday)
    // Either, when both are given.
    const date = days !== '*' && weekdays !== '*' ? dayIs || weekdayIs : dayIs && weekdayIs
    return of.minute.has(minute) && of.hour.has(hour) && of.month.has(month) && date
  }
  const fixed = !/[*/]/.test(minutes + hours)
  const due: number[] = []
  let before: number | undefined
  for (const { at, local, wall, again } of walk) {
    const skipped = before === undefined ? 0 : wall - before - MINUTE
    let isDue = matches(local) && !(fixed && again)
    if (fixed && skipped > 0) {
      for (let gone = before! + MINUTE; gone < wall; gone += MINUTE) {
        if (matches(localOfWall(gone))) isDue = true
      }
    }
    if (isDue) due.push(at)
    before = wall
  }
  return due
}

/** What a clock would have shown, had it not skipped it. */
function localOfWall(wall: number): Local {
  const date = new Date(wall)
  return {
    minute: date.getUTCMinutes(),
    hour: date.getUTCHours(),
    day: date.getUTCDate(),
    month: date.getUTCMonth() + 1,
    weekday: date.getUTCDay(),
  }
}
