/** The run list of the console without React: filters in the URL, pages, windows, marks. */

import { describe, expect, it } from 'vitest'
import { endsRun } from '../../../src/console/log/shape.ts'
import {
  filtersOf,
  metadataIn,
  metadataOf,
  queryOf,
  STATUSES,
  toggled,
  withFilters,
} from '../../../src/console/runs/filters.ts'
import {
  isLive,
  listOfPage,
  missingFrom,
  type RunList,
  withFirstPage,
  withNextPage,
  withoutRows,
  withRows,
  withWaitingShown,
} from '../../../src/console/runs/list.ts'
import { comparedPair, moved, withMark, withRange } from '../../../src/console/runs/marks.ts'
import { renderedRows, scrollTo } from '../../../src/console/runs/window.ts'

describe('filters of the run list', () => {
  it('are read from a URL in a fixed order, without unknown members', () => {
    const search = { 'metadata.ticket': 7731, x: 'y', status: 'failed', q: ' refund ', agent: '' }
    const filters = filtersOf(search)
    expect(JSON.stringify(filters)).toBe(
      '{"q":"refund","status":"failed","metadata.ticket":"7731"}',
    )
    expect(filtersOf(filters)).toEqual(filters)
    expect(filtersOf({ archived: true, 'metadata.': 'x', since: 'eon', q: ['a'] })).toEqual({})
  })

  it('become a query with the same names, and a range becomes a time', () => {
    const filters = filtersOf({ since: 'hour', waiting_on: 'input', 'metadata.a.b': 'x=y' })
    expect(queryOf(filters, Date.UTC(2026, 10, 29, 12))).toEqual({
      'created[gte]': '2026-11-29T11:00:00.000Z',
      waiting_on: 'input',
      'metadata.a.b': 'x=y',
    })
    expect(queryOf({}, 0)).toEqual({})
  })

  it('change one by one: an empty value removes, and a range replaces exact times', () => {
    expect(withFilters({ q: 'a', status: 'failed' }, { q: '' })).toEqual({ status: 'failed' })
    const exact = { 'created[gte]': '2026-11-29T11:00:00Z', agent: 'x' }
    expect(withFilters(exact, { since: 'day' })).toEqual({ since: 'day', agent: 'x' })
    expect(withFilters({ since: 'day' }, { 'created[lt]': 'z' })).toEqual({ 'created[lt]': 'z' })
    expect(withFilters({ since: 'day' }, { 'created[lt]': '', q: 'b' })).toEqual({
      since: 'day',
      q: 'b',
    })
  })

  it('contain lists and pairs', () => {
    expect(toggled(undefined, 'failed')).toBe('failed')
    expect(toggled('failed,queued', 'failed')).toBe('queued')
    expect(toggled('failed', 'queued')).toBe('failed,queued')
    expect(metadataIn('ticket=7731\n\n team = a=b ')).toEqual({
      'metadata.ticket': '7731',
      'metadata.team': 'a=b',
    })
    for (const text of ['ticket', '=x', 'a=', 'a=b\nc']) expect(metadataIn(text)).toBeUndefined()
    expect(metadataOf({ q: 'x', 'metadata.a': 'b' })).toEqual([['a', 'b']])
  })
})

interface Row {
  readonly id: string
  readonly status: string
  readonly created_at: string
}
const row = (n: number, status = 'completed'): Row => ({
  id: `run_${n}`,
  status,
  created_at: new Date(n * 1_000).toISOString(),
})
const rows = (from: number, to: number): Row[] =>
  Array.from({ length: from - to + 1 }, (_, at) => row(from - at))
const idsOf = ({ rows: shown }: RunList<Row>): number[] =>
  shown.map(({ id }) => Number(id.slice(4)))
const page = (data: readonly Row[], next_cursor: string | null = null) => ({ data, next_cursor })

describe('the run list', () => {
  it('regards each status either as live or as an end', () => {
    for (const status of [...STATUSES, 'new']) {
      expect(isLive({ ...row(1), status })).toBe(!endsRun(status))
    }
  })

  it('changes known rows in place and keeps the identity of the others', () => {
    const before = listOfPage(page(rows(3, 1)))
    const after = withFirstPage(before, page([row(3), row(2, 'failed'), row(1)]), false)
    expect(after.rows.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed'])
    expect([after.rows[0], after.rows[2]]).toEqual([before.rows[0], before.rows[2]])
    expect(after.rows[0]).toBe(before.rows[0])
    expect(withFirstPage(after, page([row(3), row(2, 'failed'), row(1)]), false)).toBe(after)
  })

  it('lets new rows wait until they are shown, unless its top is visible', () => {
    const list = listOfPage(page(rows(3, 1)))
    const waiting = withFirstPage(
      withFirstPage(list, page(rows(4, 2), 'c'), false),
      page(rows(6, 4), 'c'),
      false,
    )
    expect([idsOf(waiting), waiting.waiting.length]).toEqual([[3, 2, 1], 3])
    expect(idsOf(withWaitingShown(waiting))).toEqual([6, 5, 4, 3, 2, 1])
    expect(idsOf(withFirstPage(list, page(rows(5, 3), 'c'), true))).toEqual([5, 4, 3, 2, 1])
  })

  it('orders by creation a row that begins to match', () => {
    const list = listOfPage(page([row(5), row(1)]))
    expect(idsOf(withFirstPage(list, page([row(5), row(3), row(1)]), true))).toEqual([5, 3, 1])
  })

  it('starts over when more than one page is new', () => {
    const list = listOfPage(page(rows(3, 1), 'old'))
    const gapped = withFirstPage(list, page(rows(9, 7), 'new'), false)
    expect([idsOf(gapped), gapped.gap]).toEqual([[3, 2, 1], 'new'])
    const shown = withWaitingShown(withFirstPage(gapped, page(rows(10, 8), 'c'), false))
    expect([idsOf(shown), shown.next, shown.gap]).toEqual([[10, 9, 8, 7], 'new', undefined])
  })

  it('appends pages once, and stops where a search found nothing', () => {
    const list = withNextPage(listOfPage(page(rows(6, 4), 'a')), page(rows(4, 2), 'b'))
    expect([idsOf(list), list.next, list.isPaused]).toEqual([[6, 5, 4, 3, 2], 'b', false])
    expect(withNextPage(list, page([], 'c'))).toMatchObject({ next: 'c', isPaused: true })
    expect(withNextPage(list, page([]))).toMatchObject({ next: null, isPaused: false })
  })

  it('names rows that the first page lacks, and removes them', () => {
    const list = listOfPage(page(rows(5, 1), 'a'))
    expect(missingFrom(list, page([row(5), row(3)], 'a'))).toEqual(['run_4'])
    expect(missingFrom(list, page([row(5), row(3)]))).toEqual(['run_4', 'run_2', 'run_1'])
    expect(missingFrom(list, page([], 'a'))).toEqual([])
    expect(idsOf(withoutRows(list, new Set(['run_4', 'run_1'])))).toEqual([5, 3, 2])
    expect(withRows(list, [row(9)])).toBe(list)
  })
})

describe('the window of rows', () => {
  it('has a bounded number of rows, whatever the length of the list', () => {
    for (const count of [0, 5, 100, 10_000]) {
      for (const top of [-20, 0, 17, 36 * 50, 36 * 9_990, 36 * 20_000]) {
        const { from, to } = renderedRows({ top, height: 800 }, count, 36)
        expect(from).toBeGreaterThanOrEqual(0)
        expect(to).toBeLessThanOrEqual(count)
        expect(to - from).toBeLessThanOrEqual(Math.ceil(800 / 36) + 1 + 24)
        expect(from).toBeLessThanOrEqual(to)
      }
    }
    expect(renderedRows({ top: 36 * 100, height: 360 }, 10_000, 36)).toEqual({ from: 88, to: 122 })
  })

  it('scrolls no further than needed', () => {
    const viewport = { top: 360, height: 360 }
    expect(scrollTo(10, viewport, 36)).toBe(360)
    expect(scrollTo(19, viewport, 36)).toBe(360)
    expect(scrollTo(20, viewport, 36)).toBe(396)
    expect(scrollTo(3, viewport, 36)).toBe(108)
  })
})

describe('marks', () => {
  const ids = ['a', 'b', 'c', 'd']
  it('move within the list', () => {
    expect(moved(ids, undefined, 1)).toBe('a')
    expect(moved(ids, undefined, -1)).toBe('d')
    expect(moved(ids, 'b', 1)).toBe('c')
    expect(moved(ids, 'a', -1)).toBe('a')
    expect(moved(ids, 'b', Number.POSITIVE_INFINITY)).toBe('d')
    expect(moved(ids, 'gone', 1)).toBe('a')
    expect(moved([], undefined, 1)).toBeUndefined()
  })

  it('are compared in pairs, the older row first', () => {
    const list = rows(3, 1)
    expect(comparedPair(list, new Set(['run_3', 'run_1']))).toEqual(['run_1', 'run_3'])
    for (const marked of [[], ['run_1'], ['run_1', 'run_2', 'run_3'], ['run_1', 'run_9']])
      expect(comparedPair(list, new Set(marked))).toBeUndefined()
  })

  it('are set one by one and as a range', () => {
    expect([...withMark(new Set(['a']), 'b')]).toEqual(['a', 'b'])
    expect([...withMark(new Set(['a', 'b']), 'a')]).toEqual(['b'])
    expect([...withRange(new Set(), ids, ['d', 'b'])]).toEqual(['b', 'c', 'd'])
    expect([...withRange(new Set(['a']), ids, [undefined, 'c'])]).toEqual(['a', 'c'])
    expect([...withRange(new Set(['a']), ids, ['a', 'gone'])]).toEqual(['a'])
  })
})
