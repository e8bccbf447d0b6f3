/** The page of usage: its address, the series of its chart, and the filters behind its numbers. */

import { describe, expect, it } from 'vitest'
import { usageSearch } from '../../../src/console/usage/search.ts'
import {
  countedRange,
  daysOf,
  lastDays,
  mixed,
  type Report,
  rangeOf,
  runsFilter,
  seriesOf,
  stackOf,
} from '../../../src/console/usage/state.ts'

const NOW = Date.UTC(2026, 10, 30, 12)

const sumOf = (tokens: number, cost: number | null = null, runs = 1) => ({
  ...{ runs, fanouts: 0, unpriced: 0, cost },
  usage: { input_tokens: tokens, output_tokens: 0, model_calls: 1 },
})

function reportOf(days: readonly Readonly<Record<string, number>>[]): Report {
  const data = days.map((tokens, at) => {
    const groups = Object.entries(tokens).map(([group, count]) => ({ group, ...sumOf(count) }))
    const all = Object.values(tokens).reduce((sum, count) => sum + count, 0)
    return { date: `2026-11-0${at + 1}`, ...sumOf(all), groups }
  })
  const names = [...new Set(days.flatMap((tokens) => Object.keys(tokens)))]
  const groups = names.map((group) => ({
    group,
    ...sumOf(days.reduce((sum, tokens) => sum + (tokens[group] ?? 0), 0)),
  }))
  return {
    ...{ object: 'usage', from: '2026-11-01', to: '2026-11-04', group_by: 'agent' },
    ...{ data: data.toReversed(), total: { ...sumOf(0), groups }, next_to: null },
  } as Report
}

describe('the address of the page of usage', () => {
  it('keeps days, grouping, and measure, and drops anything else', () => {
    const search = { from: '2026-11-01', to: '2026-11-04', by: 'model', of: 'runs' }
    expect(usageSearch(search)).toEqual(search)
    expect(usageSearch({ from: '2026-13-01', to: 'x', by: 'agent', of: 'x' })).toEqual({})
  })

  it('is the last 30 days without a range', () => {
    const range = rangeOf({}, NOW)
    expect(range).toEqual({ from: '2026-11-01', to: '2026-12-01' })
    expect(lastDays(range, NOW)).toBe(30)
    expect(lastDays({ from: '2026-11-01', to: '2026-11-30' }, NOW)).toBeUndefined()
    expect(rangeOf({ to: '2026-11-04' }, NOW).from).toBe('2026-10-05')
  })
})

describe('the chart of the days', () => {
  const report = reportOf([{ a: 5, b: 1 }, {}, { a: 2, c: 9 }])

  it('has every day of the range, the largest group first', () => {
    expect(daysOf(report)).toEqual(['2026-11-01', '2026-11-02', '2026-11-03'])
    expect(seriesOf(report, 'tokens')).toEqual([
      { group: 'c', values: [0, 0, 9] },
      { group: 'a', values: [5, 0, 2] },
      { group: 'b', values: [1, 0, 0] },
    ])
  })

  it('stacks the series, so that the highest sum is the value of the day', () => {
    expect(stackOf(seriesOf(report, 'tokens')).at(-1)).toEqual([6, 0, 11])
  })

  it('sums further groups as one series', () => {
    const many = reportOf([{ a: 6, b: 5, c: 4, d: 3, e: 2, f: 1, g: 1 }])
    const series = seriesOf(many, 'tokens')
    expect(series.map(({ group }) => group)).toEqual(['a', 'b', 'c', 'd', 'e', undefined])
    expect(series.at(-1)?.values).toEqual([2, 0, 0])
  })

  it('mixes colors by their share', () => {
    expect(mixed('#000000', '#ffffff', 0.5)).toBe('#808080')
    expect(mixed('#000', '#fff', 0.5)).toBe('#808080')
    expect(mixed('#3451c6', '#ffffff', 1)).toBe('#3451c6')
  })
})

describe('the runs behind a number', () => {
  const day = { from: '2026-11-01', to: '2026-11-02' }
  const times = {
    'created[gte]': '2026-11-01T00:00:00.000Z',
    'created[lt]': '2026-11-02T00:00:00.000Z',
  }

  it('have the filters of the list of runs', () => {
    expect(runsFilter(day)).toEqual(times)
    expect(runsFilter(day, 'model', 'a/b')).toEqual({ ...times, model: 'a/b' })
    expect(runsFilter(day, 'kind', 'hook')).toEqual({ ...times, kind: 'hook' })
  })

  it('are those of the days that a report counts', () => {
    const report = reportOf([{ a: 1 }])
    const cut = { ...report, next_to: '2026-11-02' }
    expect(countedRange(report)).toEqual({ from: '2026-11-01', to: '2026-11-04' })
    expect(countedRange(cut)).toEqual({ from: '2026-11-02', to: '2026-11-04' })
    const data = report.data.map((entry) => ({ ...entry, partial: true as const }))
    expect(countedRange({ ...cut, data })).toBeUndefined()
    expect(runsFilter(undefined, 'agent', 'a')).toBeUndefined()
  })

  it('have no link if the list has no such filter', () => {
    expect(runsFilter(day, 'kind', 'fanout')).toBeUndefined()
    expect(runsFilter(day, 'agent', null)).toBeUndefined()
    expect(runsFilter(day, 'agent', undefined)).toBeUndefined()
  })
})
