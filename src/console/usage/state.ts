/** Report of usage: its range, its series of days, and the filters behind its numbers. */

import type { components } from '../../client/index.ts'
import type { Filters } from '../runs/filters.ts'
import type { Grouping, Measure, UsageSearch } from './search.ts'

export type Report = components['schemas']['UsageReport']
type Day = Report['data'][number]
type Group = NonNullable<Day['groups']>[number]
export type Sum = Pick<Group, 'runs' | 'fanouts' | 'unpriced' | 'usage' | 'cost'>

const DAY_MS = 86_400_000

export const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Returns the day that is `count` days after another one. */
export const dayAfter = (day: string, count: number): string =>
  dayAt(Date.parse(day) + count * DAY_MS)

const RANGE_DAYS = 30

/** Returns the range of the report, like the API: by default the last days including today. */
export function rangeOf({ from, to }: UsageSearch, now: number): { from: string; to: string } {
  const end = to ?? dayAfter(dayAt(now), 1)
  return { from: from ?? dayAfter(end, -RANGE_DAYS), to: end }
}

/** Returns the number of days if the range ends today; undefined for another range. */
export function lastDays(range: { from: string; to: string }, now: number): number | undefined {
  if (range.to !== dayAfter(dayAt(now), 1)) return undefined
  return Math.round((Date.parse(range.to) - Date.parse(range.from)) / DAY_MS)
}

/** Returns the value of a measure. A cost that is not known counts as 0. */
export function measureOf({ runs, usage, cost }: Sum, measure: Measure): number {
  if (measure === 'runs') return runs
  return measure === 'cost' ? (cost ?? 0) : usage.input_tokens + usage.output_tokens
}

/** Number of groups that the chart distinguishes; the others are one series. */
const SERIES = 5

export interface Series {
  /** Name of the group; null for work without one, undefined for all other groups. */
  readonly group: string | null | undefined
  /** Value for each day. */
  readonly values: readonly number[]
}

/** Returns all days of a range, the first one first, also those without work. */
export function daysOf({ from, to }: Pick<Report, 'from' | 'to'>): readonly string[] {
  const count = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS))
  return Array.from({ length: count }, (_, at) => dayAfter(from, at))
}

/**
 * Returns the series of the chart: the largest groups, and one series for the sum of all others.
 * The series of a day add up to the value of the day.
 */
export function seriesOf(report: Report, measure: Measure): readonly Series[] {
  const largest = (report.total.groups ?? [])
    .map((group) => ({ group: group.group, value: measureOf(group, measure) }))
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => b.value - a.value)
    .slice(0, SERIES)
  const byDay = new Map(report.data.map((day) => [day.date, day]))
  const days = daysOf(report).map((date) => byDay.get(date))
  const ofGroup = (day: Day | undefined, name: string | null): number => {
    const entry = day?.groups?.find(({ group }) => group === name)
    return entry ? measureOf(entry, measure) : 0
  }
  const series: Series[] = largest.map(({ group }) => ({
    group,
    values: days.map((day) => ofGroup(day, group)),
  }))
  const remainder = days.map((day, at) => {
    const total = day ? measureOf(day, measure) : 0
    return total - series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)
  })
  // Sums of fractions differ in the last digits.
  const hasRemainder = remainder.some((value) => value > 1e-9)
  return hasRemainder ? [...series, { group: undefined, values: remainder.map(positive) }] : series
}

const positive = (value: number): number => (value > 1e-9 ? value : 0)

/** Returns the sums from the lowest series to each one, which the chart draws from the top. */
export function stackOf(series: readonly Series[]): readonly (readonly number[])[] {
  const sums: number[][] = []
  for (const { values } of series)
    sums.push(values.map((value, at) => value + (sums.at(-1)?.[at] ?? 0)))
  return sums
}

/** Returns a color as `#rrggbb`; the build shortens colors to `#rgb` where it can. */
const longColor = (color: string): string =>
  color.length === 4 ? color.replaceAll(/[0-9a-f]/gi, '$&$&') : color

/** Mixes two colors of the form `#rrggbb` or `#rgb`; `share` of the first one, from 0 to 1. */
export function mixed(first: string, second: string, share: number): string {
  const colors = [longColor(first), longColor(second)]
  const parts = [1, 3, 5].map((at) => {
    const [a, b] = colors.map((color) => Number.parseInt(color.slice(at, at + 2), 16))
    const value = Math.round((a ?? 0) * share + (b ?? 0) * (1 - share))
    return value.toString(16).padStart(2, '0')
  })
  return `#${parts.join('')}`
}

interface Range {
  readonly from: string
  readonly to: string
}

/**
 * Returns the range of the runs that the sums of a report count; undefined if a report counts only
 * some of the runs of a day.
 */
export function countedRange({ from, to, next_to, data }: Report): Range | undefined {
  return data.some(({ partial }) => partial) ? undefined : { from: next_to ?? from, to }
}

const midnight = (day: string): string => `${day}T00:00:00.000Z`

/**
 * Returns the filters of the runs behind a number; undefined if the list of runs has no such
 * filter, as for fan-outs and for runs without a model.
 */
export function runsFilter(
  range: Range | undefined,
  by?: Grouping,
  group?: string | null,
): Filters | undefined {
  if (!range) return undefined
  const { from, to } = range
  const times = { 'created[gte]': midnight(from), 'created[lt]': midnight(to) }
  if (by === undefined) return times
  if (group === null || group === undefined || (by === 'kind' && group === 'fanout'))
    return undefined
  return { ...times, [by]: group }
}
