/** Days of the report: a chart of the largest groups, and the same numbers as a table. */

import { useMemo } from 'react'
import { useWords } from '../i18n/words.ts'
import { useTheme } from '../shell/theme.ts'
import { amount, dollars } from '../text/format.ts'
import { Plain } from '../text/text.tsx'
import { Chart } from './chart.tsx'
import { dayText } from './day-text.ts'
import { RunsLink } from './runs-link.tsx'
import type { Grouping, Measure } from './search.ts'
import {
  dayAfter,
  daysOf,
  measureOf,
  mixed,
  type Report,
  runsFilter,
  type Series,
  seriesOf,
} from './state.ts'

/** Shares of the accent color, from the largest group to the smallest. */
const SHADES = [1, 0.78, 0.6, 0.45, 0.32] as const

interface Props {
  readonly report: Report
  readonly by: Grouping
  readonly measure: Measure
}

export function DayTable({ report, by, measure }: Props) {
  const words = useWords()
  const theme = useTheme()
  const days = useMemo(() => daysOf(report), [report])
  const series = useMemo(() => seriesOf(report, measure), [report, measure])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the colors.
  const colors = useMemo(() => colorsOf(series), [series, theme])
  const format = measure === 'cost' ? dollars : amount
  const label = words('usage.chart', { measure: words(`usage.${measure}`) })
  const hasRuns = report.total.groups?.some(({ group, runs }) => group === null && runs > 0)
  const names = series.map(({ group }) => nameOf(group, by, hasRuns === true, words))
  return (
    <section aria-label={label} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="font-semibold">{label}</h2>
      {series.length > 0 && (
        <figure className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <Chart {...{ days, series, colors, format }} />
          <figcaption>
            <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-text-2">
              {names.map((name, at) => (
                <li key={name} className="flex min-w-0 items-center gap-1.5">
                  <svg aria-hidden="true" width="10" height="10" className="shrink-0">
                    <rect width="10" height="10" rx="2" fill={colors[at]} />
                  </svg>
                  <span className="truncate">
                    <Plain text={name} />
                  </span>
                </li>
              ))}
            </ul>
          </figcaption>
        </figure>
      )}
      <DayRows {...{ report, by, measure, series, names, format }} />
    </section>
  )
}

function colorsOf(series: readonly Series[]): readonly string[] {
  const style = getComputedStyle(document.documentElement)
  const color = (name: string): string => style.getPropertyValue(name).trim()
  const [accent, canvas, gray] = [color('--accent'), color('--canvas'), color('--control')]
  return series.map(({ group }, at) =>
    group === undefined ? gray : mixed(accent, canvas, SHADES[at] ?? 1),
  )
}

/** Returns the name of a series; `hasRuns` tells whether work without a group has runs. */
function nameOf(
  group: string | null | undefined,
  by: Grouping,
  hasRuns: boolean,
  words: ReturnType<typeof useWords>,
): string {
  if (group === undefined) return words('usage.others')
  if (group === null) return words(hasRuns ? 'usage.group.none' : 'usage.group.fanouts')
  if (by !== 'kind') return group
  if (group === 'fanout') return words('fanouts.title')
  return group === 'main' || group === 'hook' || group === 'schedule'
    ? words(`runs.kind.${group}`)
    : group
}

interface RowsProps extends Props {
  readonly series: readonly Series[]
  readonly names: readonly string[]
  readonly format: (value: number) => string
}

/** The newest day comes first. Days without runs are left out. */
function DayRows({ report, by, measure, series, names, format }: RowsProps) {
  const words = useWords()
  const days = daysOf(report)
  const label = words('usage.table.day', { measure: words(`usage.${measure}`) })
  return (
    <div tabIndex={0} role="group" aria-label={label} className="max-h-96 overflow-auto">
      <table aria-label={label} className="w-full text-sm tabular-nums">
        <thead className="sticky top-0 bg-canvas text-xs text-text-2">
          <tr className="border-b border-line">
            <th scope="col" className="py-1.5 pr-4 text-left font-normal">
              {words('usage.day')}
            </th>
            {names.map((name) => (
              <th
                key={name}
                scope="col"
                className="max-w-40 truncate py-1.5 pl-4 text-right font-normal"
              >
                <Plain text={name} />
              </th>
            ))}
            <th scope="col" className="py-1.5 pl-4 text-right font-normal">
              {words('usage.total')}
            </th>
          </tr>
        </thead>
        <tbody>
          {report.data.map((day) => {
            // Only a number of runs is the length of a list of runs.
            const isListed = measure === 'runs' && !day.partial
            const range = isListed ? { from: day.date, to: dayAfter(day.date, 1) } : undefined
            const at = days.indexOf(day.date)
            const all = day.runs > 0 ? runsFilter(range) : undefined
            return (
              <tr key={day.date} className="border-b border-line hover:bg-subtle">
                <th scope="row" className="py-1.5 pr-4 text-left font-normal whitespace-nowrap">
                  {dayText(day.date)}
                </th>
                {series.map(({ group, values }, column) => (
                  <td key={names[column]} className="py-1.5 pl-4 text-right">
                    <RunsLink
                      filter={values[at] ? runsFilter(range, by, group) : undefined}
                      text={format(values[at] ?? 0)}
                    />
                  </td>
                ))}
                <td className="py-1.5 pl-4 text-right">
                  <RunsLink
                    filter={all}
                    text={
                      measure === 'cost' && day.cost === null
                        ? '–'
                        : format(measureOf(day, measure))
                    }
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
