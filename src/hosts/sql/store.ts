/**
 * Implements the store on SQL: converts the port's operations to statements, and result rows to
 * values. The driver runs a batch as a transaction and decides which failures are ambiguous.
 */

import { Unavailable } from '../../lib/unavailable.ts'
import type {
  Alarm,
  CommitResult,
  DueEntry,
  FoundRows,
  IndexedRow,
  Lane,
  ListedRow,
  Row,
  RowSearch,
  Store,
} from '../../ports/world.ts'
import { FIND_ENTRIES } from '../../ports/world.ts'
import * as sql from './statements.ts'

export interface Driver {
  /**
   * Applies all statements or none. A rejected batch (`isRefusal`) results in a conflict; other
   * failures throw.
   */
  batch(statements: readonly sql.Statement[]): Promise<CommitResult>
  all(statement: sql.Statement): Promise<readonly SqlRow[]>
  /**
   * True if the database's tables have row IDs (default); false if rows are stored in their primary
   * key.
   */
  readonly hasRowids?: boolean
}
type SqlRow = Readonly<Record<string, unknown>>

export interface SqlStore extends Store {
  readonly partitions: NonNullable<Store['partitions']>
  readonly readIndexed: NonNullable<Store['readIndexed']>
  readonly writeIndexed: NonNullable<Store['writeIndexed']>
  /** Deletes up to `pages` pages of 500 expired rows; called by the platform's clock. */
  sweep(now: number, pages: number): Promise<void>
}

const DUE_PAGE = 100
const LIST_PAGE = 100
const SWEEP_PAGE = 500

export function sqlStore(driver: Driver): SqlStore {
  return {
    async read(partition, after = '') {
      return (await driver.all(sql.read(partition, after))).map(rowOf)
    },
    async heads(partitions) {
      if (partitions.length === 0) return []
      const rows = await driver.all(sql.heads(partitions))
      const headRows = new Map(rows.map((row) => [row.p as string, rowOf(row)]))
      return partitions.map((partition) => headRows.get(partition) ?? null)
    },
    async commit(partition, writes, head) {
      const statements = sql.commit(partition, writes, head)
      return statements.length === 0 ? 'ok' : driver.batch(statements)
    },
    due: (now, cursor) => duePage(driver, now, cursor),
    async list(under, beforeKey, limit = LIST_PAGE) {
      return (await driver.all(sql.list(under, beforeKey, limit))).map(listedOf)
    },
    find: (under, search) => findPage(driver, under, search),
    async drop(partition) {
      await driver.batch([sql.drop(partition)])
    },
    async readIndexed(partition) {
      return (await driver.all(sql.readIndexed(partition))).map(indexedOf)
    },
    async writeIndexed(partition, rows) {
      const result = await driver.batch(rows.map((row) => sql.restore(partition, row)))
      if (result !== 'ok') throw new Unavailable(`${partition} could not be written: ${result}`)
    },
    async partitions(prefix, limit, after = '') {
      return (await driver.all(sql.partitions(prefix, after, limit))).map(({ p }) => p as string)
    },
    async sweep(now, pages) {
      for (let page = 0; page < pages; page += 1) {
        const swept = await driver.all(sql.sweep(now, SWEEP_PAGE))
        if (swept.length < SWEEP_PAGE) return
      }
    },
  }
}

async function findPage(driver: Driver, under: string, search: RowSearch): Promise<FoundRows> {
  const matches = await driver.all(sql.find(under, search, FIND_ENTRIES, driver.hasRowids ?? true))
  const rows = matches.map(listedOf)
  const full = rows.length === search.limit ? rows.at(-1)?.at : undefined
  if (full !== undefined) return { rows, reached: full }
  const [last] = await driver.all(sql.searchEnd(under, search, FIND_ENTRIES))
  return last === undefined ? { rows } : { rows, reached: last.listed_at as string }
}

/**
 * Rank and sort key of the last alarm read, so that alarms moved between pages hide no other alarm.
 */
type Cursor = readonly [rank: number, at: number, p: string, k: string]
const FIRST: Cursor = [sql.rank(true), -1, '', '']
const QUEUED: Cursor = [sql.rank(false), -1, '', '']

async function duePage(driver: Driver, now: number, cursor: string | undefined) {
  const from = cursor === undefined ? FIRST : (JSON.parse(cursor) as Cursor)
  const rows = await dueRows(driver, now, from, DUE_PAGE)
  // Each rank is scanned separately, because a combined scan would read every started run that is
  // not due.
  if (from[0] === FIRST[0] && rows.length < DUE_PAGE)
    rows.push(...(await dueRows(driver, now, QUEUED, DUE_PAGE - rows.length)))
  const entries = rows.map(({ entry }) => entry)
  const last = rows.at(-1)
  if (rows.length < DUE_PAGE || !last) return { entries }
  return { entries, cursor: JSON.stringify(last.cursor) }
}

async function dueRows(
  driver: Driver,
  now: number,
  [rank, ...after]: Cursor,
  limit: number,
): Promise<{ entry: DueEntry; cursor: Cursor }[]> {
  const rows = await driver.all(sql.due(rank, now, after, limit))
  return rows.map((row) => {
    const partition = row.p as string
    const at = row.alarm_at as number
    const alarm: Alarm = { at, lane: row.alarm_lane as Lane, started: rank === sql.rank(true) }
    return { entry: { partition, alarm }, cursor: [rank, at, partition, row.k as string] }
  })
}

const rowOf = (row: SqlRow): Row => ({
  key: row.k as string,
  version: row.version as number,
  body: row.body as string,
})

export function indexedOf(row: SqlRow): IndexedRow {
  const { alarm_at: at, listed_under: under, listed_tags: tags, expires_at: expiresAt } = row
  const started = row.alarm_rank === sql.rank(true)
  const alarm = { at: at as number, lane: row.alarm_lane as Lane, started }
  const listing = { under: under as string, at: row.listed_at as string }
  return {
    ...rowOf(row),
    ...(at === null ? {} : { alarm }),
    ...(under === null
      ? {}
      : { listed: { ...listing, ...(tags === null ? {} : { tags: tags as string }) } }),
    ...(expiresAt === null ? {} : { expiresAt: expiresAt as number }),
  }
}

const listedOf = (row: SqlRow): ListedRow => ({
  partition: row.p as string,
  key: row.k as string,
  at: row.listed_at as string,
  body: row.body as string,
})
