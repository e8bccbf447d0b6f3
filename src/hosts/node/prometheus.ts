/**
 * Histograms and counters for what happens many times a run: prom-client checks and hashes the
 * labels of each observation anew, these find their cell by the values. It still writes the text.
 */

import type { Metric, MetricValueWithName, Registry } from 'prom-client'

export interface CounterOptions {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
}
export interface HistogramOptions extends CounterOptions {
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[]
}

/** Label values in the order of `labelNames`. */
export type Observe = (value: number, ...labels: readonly (string | number)[]) => void
type Labels = Readonly<Record<string, string | number>>

interface Cell {
  /** Of each bucket alone; the last is what lies above all bounds. A counter has none. */
  readonly counts: number[]
  sum: number
}

export function histogram(registry: Registry, options: HistogramOptions): Observe {
  const { name, help, labelNames, buckets } = options
  const cells = cellsOf(labelNames, buckets.length + 1)
  register(registry, { name, help, type: 'histogram' }, cells, (cell, labels) =>
    valuesOf(name, buckets, cell, labels),
  )
  return (value, ...labels) => {
    const cell = cells.at(labels)
    let at = 0
    while (at < buckets.length && value > buckets[at]!) at += 1
    cell.counts[at]! += 1
    cell.sum += value
  }
}

export function counter(registry: Registry, { name, help, labelNames }: CounterOptions): Observe {
  const cells = cellsOf(labelNames, 0)
  // A counter that has never counted shows that it is there.
  if (labelNames.length === 0) cells.at([])
  register(registry, { name, help, type: 'counter' }, cells, ({ sum }, labels) => [
    { labels, value: sum } as MetricValueWithName<string>,
  ])
  return (value, ...labels) => {
    cells.at(labels).sum += value
  }
}

type Branch = Map<string | number, Branch | Cell>

/** Cells in a tree with a level for each label: finding one makes no string. */
function cellsOf(labelNames: readonly string[], buckets: number) {
  let root: Branch = new Map()
  let all: { readonly cell: Cell; readonly labels: Labels }[] = []
  const levels = Math.max(1, labelNames.length)
  const added = (values: readonly (string | number)[]): Cell => {
    const cell = { counts: Array.from({ length: buckets }, () => 0), sum: 0 }
    const named = labelNames.map((label, index) => [label, values[index]!] as const)
    all.push({ cell, labels: Object.fromEntries(named) })
    return cell
  }
  return {
    at(values: readonly (string | number)[]): Cell {
      let branch = root
      for (let level = 0; ; level += 1) {
        const value = values[level] ?? ''
        let next = branch.get(value)
        if (!next) branch.set(value, (next = level + 1 === levels ? added(values) : new Map()))
        if (level + 1 === levels) return next as Cell
        branch = next as Branch
      }
    },
    all: () => all,
    clear(): void {
      root = new Map()
      all = []
    },
  }
}

function register(
  registry: Registry,
  about: { readonly name: string; readonly help: string; readonly type: 'counter' | 'histogram' },
  cells: ReturnType<typeof cellsOf>,
  read: (cell: Cell, labels: Labels) => MetricValueWithName<string>[],
): void {
  const get = async () => ({
    ...{ ...about, aggregator: 'sum' },
    values: cells.all().flatMap(({ cell, labels }) => read(cell, labels)),
  })
  const metric = { ...about, get, reset: cells.clear }
  registry.registerMetric(metric as unknown as Metric)
}

function valuesOf(
  name: string,
  buckets: readonly number[],
  { counts, sum }: Cell,
  labels: Labels,
): MetricValueWithName<string>[] {
  let total = 0
  const below = [...buckets, '+Inf'].map((le, index) => {
    total += counts[index]!
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: total }
  })
  return [
    ...below,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: total },
  ]
}
