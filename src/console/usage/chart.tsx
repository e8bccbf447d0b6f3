/**
 * Days as stacked bars on a canvas. The table below the chart has the same numbers as text, so the
 * canvas is hidden from assistive technology.
 */

import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useLanguage } from '../i18n/words.ts'
import { shortDay } from './day-text.ts'
import { type Series, stackOf } from './state.ts'

const HEIGHT_PX = 200
/** Width of the labels beside the chart, and height of those below it. */
const AXIS_PX = 64
const LABELS_PX = 28
/** Width of a bar: its share of a day, and the maximum in pixels. */
const BAR = [0.7, 48] as const
/** Steps between labels of the axis, in days. */
const STEPS = [1, 2, 7, 14, 30, 60, 90]

interface Props {
  readonly days: readonly string[]
  readonly series: readonly Series[]
  readonly colors: readonly string[]
  readonly format: (value: number) => string
}

export function Chart({ days, series, colors, format }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  const language = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the language changes the labels.
  useEffect(() => {
    const { current: box } = ref
    if (!box) return
    const plot = new uPlot(
      optionsOf({ days, colors, format }, box),
      // The highest sums are drawn first, and lower ones cover them.
      [
        days.map((_, at) => at),
        ...stackOf(series)
          .toReversed()
          .map((sums) => [...sums]),
      ],
      box,
    )
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: box.clientWidth, height: HEIGHT_PX }),
    )
    observer.observe(box)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [days, series, colors, format, language])
  return <div ref={ref} aria-hidden="true" className="h-[200px] min-w-0 overflow-hidden" />
}

function optionsOf({ days, colors, format }: Omit<Props, 'series'>, box: Element): uPlot.Options {
  const style = getComputedStyle(box)
  const color = (name: string): string => style.getPropertyValue(name).trim()
  const line = { stroke: color('--line'), width: 1 }
  const font = `12px ${style.fontFamily}`
  const axis = { stroke: color('--text-2'), font, grid: line, ticks: { show: false } }
  const bars = uPlot.paths.bars?.({ size: [...BAR] })
  return {
    width: box.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: [-0.5, days.length - 0.5] },
      y: { range: (_, __, highest) => [0, highest || 1] },
    },
    axes: [
      {
        ...axis,
        incrs: STEPS,
        size: LABELS_PX,
        grid: { show: false },
        values: (_, places) => places.map((at) => (days[at] ? shortDay(days[at]) : '')),
      },
      { ...axis, size: AXIS_PX, values: (_, values) => values.map((value) => format(value)) },
    ],
    series: [
      {},
      ...colors.toReversed().map((fill) => ({
        ...{ fill, stroke: fill, width: 0, points: { show: false } },
        ...(bars && { paths: bars }),
      })),
    ],
  }
}
