/** Days as bars. The table below says the same to those who do not see it. */

import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useTheme } from '../../app/theme.ts'

const HEIGHT = 220
const WIDEST = 56
const DAY_S = 86_400

interface Props {
  readonly label: string
  readonly days: readonly string[]
  readonly values: readonly number[]
  /** The first day, and the one after the last. */
  readonly from: string
  readonly to: string
  readonly format: (value: number) => string
}

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000

export function Chart({ label, days, values, from, to, format }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the colours.
  useEffect(() => {
    const { current: box } = ref
    if (!box) return
    const colour = (name: string): string => getComputedStyle(box).getPropertyValue(name)
    const axis = {
      stroke: colour('--muted'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { stroke: colour('--line'), width: 1 },
    }
    const plot = new uPlot(
      {
        width: box.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: true, range: [startOf(from), startOf(to)] },
          y: { range: (_, __, most) => [0, most || 1] },
        },
        axes: [
          axis,
          { ...axis, size: 70, values: (_, ticks) => ticks.map((tick) => format(tick)) },
        ],
        series: [
          {},
          {
            label,
            fill: colour('--accent'),
            stroke: colour('--accent'),
            paths: uPlot.paths.bars!({ size: [0.7, WIDEST] }),
            points: { show: false },
          },
        ],
      },
      [days.map((day) => startOf(day) + DAY_S / 2), [...values]],
      box,
    )
    const watch = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: HEIGHT }))
    watch.observe(box)
    return () => {
      watch.disconnect()
      plot.destroy()
    }
  }, [days, values, label, theme, from, to])
  return (
    <figure className="rounded-xl border border-line bg-surface p-4">
      <figcaption className="mb-2 text-sm font-medium">{label}</figcaption>
      <div ref={ref} aria-hidden="true" className="min-w-0 overflow-hidden" />
    </figure>
  )
}
