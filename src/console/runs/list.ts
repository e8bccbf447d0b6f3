/**
 * List of runs, newest first, kept up to date by repeated reads of its first page: rows change in
 * place, and new rows wait until the reader shows them.
 */

import { endsRun } from '../log/shape.ts'

/** Members of a run that the list needs. */
export interface Row {
  readonly id: string
  readonly status: string
  readonly created_at: string
}

export interface RowPage<T> {
  readonly data: readonly T[]
  readonly next_cursor?: string | null
  readonly has_more?: boolean
}

export interface RunList<T> {
  readonly rows: readonly T[]
  /** New rows that are not shown yet. */
  readonly waiting: readonly T[]
  /** Cursor of the page after the last row; null at the end. */
  readonly next: string | null
  /**
   * Cursor of the page after the waiting rows; present if they may not be adjacent to the shown
   * rows, because more than one page of rows is new.
   */
  readonly gap?: string | null
  /** Whether the last page that was read had no row although more may exist. */
  readonly isPaused: boolean
}

export const isLive = ({ status }: Row): boolean => !endsRun(status)

const isPaused = <T>({ data, next_cursor }: RowPage<T>): boolean =>
  data.length === 0 && (next_cursor ?? null) !== null

export const listOfPage = <T>(page: RowPage<T>): RunList<T> => ({
  rows: page.data,
  waiting: [],
  next: page.next_cursor ?? null,
  isPaused: isPaused(page),
})

/** Replaces known rows by their new state; an unchanged row keeps its identity. */
function replaced<T extends Row>(rows: readonly T[], fresh: ReadonlyMap<string, T>): readonly T[] {
  let hasChanged = false
  const next = rows.map((row) => {
    const other = fresh.get(row.id)
    if (!other || JSON.stringify(other) === JSON.stringify(row)) return row
    hasChanged = true
    return other
  })
  return hasChanged ? next : rows
}

export function withRows<T extends Row>(list: RunList<T>, fresh: readonly T[]): RunList<T> {
  const byId = new Map(fresh.map((row) => [row.id, row]))
  const rows = replaced(list.rows, byId)
  const waiting = replaced(list.waiting, byId)
  return rows === list.rows && waiting === list.waiting ? list : { ...list, rows, waiting }
}

export function withoutRows<T extends Row>(list: RunList<T>, ids: ReadonlySet<string>): RunList<T> {
  const remains = ({ id }: T): boolean => !ids.has(id)
  return { ...list, rows: list.rows.filter(remains), waiting: list.waiting.filter(remains) }
}

/** Merges the first page, read again. With `isAtTop`, new rows are shown immediately. */
export function withFirstPage<T extends Row>(
  list: RunList<T> | undefined,
  page: RowPage<T>,
  isAtTop: boolean,
): RunList<T> {
  if (!list || (list.rows.length === 0 && list.waiting.length === 0)) return listOfPage(page)
  const knownIds = new Set([...list.rows, ...list.waiting].map(({ id }) => id))
  const added = page.data.filter(({ id }) => !knownIds.has(id))
  const current = withRows(list, page.data)
  if (added.length === 0) return current
  const isAdjacent = added.length < page.data.length || (page.next_cursor ?? null) === null
  const next = isAdjacent
    ? { ...current, waiting: newestFirst([...added, ...current.waiting]) }
    : { ...current, waiting: added, gap: page.next_cursor ?? null }
  return isAtTop ? withWaitingShown(next) : next
}

/** Shows the waiting rows. If rows between them and the shown rows are unknown, these are dropped. */
export function withWaitingShown<T extends Row>(list: RunList<T>): RunList<T> {
  const { rows, waiting, next, gap, isPaused: paused } = list
  if (gap !== undefined) return { rows: waiting, waiting: [], next: gap, isPaused: false }
  return { rows: newestFirst([...waiting, ...rows]), waiting: [], next, isPaused: paused }
}

/** Orders rows by creation; rows of the same time keep their order. */
const newestFirst = <T extends Row>(rows: readonly T[]): readonly T[] =>
  rows.toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))

/** Appends the page after the last row. */
export function withNextPage<T extends Row>(list: RunList<T>, page: RowPage<T>): RunList<T> {
  const knownIds = new Set([...list.rows, ...list.waiting].map(({ id }) => id))
  const added = page.data.filter(({ id }) => !knownIds.has(id))
  return {
    ...list,
    rows: [...list.rows, ...added],
    next: page.next_cursor ?? null,
    isPaused: isPaused(page),
  }
}

/**
 * Returns the IDs of rows that the first page should contain but does not: they were deleted, or
 * the filters no longer match them.
 */
export function missingFrom<T extends Row>(list: RunList<T>, page: RowPage<T>): readonly string[] {
  const ids = new Set(page.data.map(({ id }) => id))
  const oldest = page.data.at(-1)?.created_at
  const isWhole = (page.next_cursor ?? null) === null
  const isCovered = ({ created_at }: T): boolean =>
    isWhole || (oldest !== undefined && Date.parse(created_at) > Date.parse(oldest))
  return list.rows.filter((row) => !ids.has(row.id) && isCovered(row)).map(({ id }) => id)
}
