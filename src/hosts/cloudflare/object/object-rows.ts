/**
 * Rows of one Durable Object, in its SQLite storage. The statements are the same as in every SQL
 * store, with as few rows and tables as possible, because each written row is billed, including
 * index and schema rows. A transaction ends in the turn in which it starts, and the platform delays
 * responses until the transaction is durable, so no commit is ambiguous here. The first commit
 * creates the tables, so a call for a nonexistent run leaves no storage.
 */

import type { CommitResult, HeadWrite, Write } from '../../../ports/world.ts'
import { HEAD } from '../../../ports/world.ts'
import { changes, isRefusal, type Statement, withTail } from '../../sql/statements.ts'
import { type SqlStore, sqlStore } from '../../sql/store.ts'
import { copyHome, isListedHere } from '../bindings/address.ts'
import type { ObjectStorage, RowName } from '../bindings/bindings.ts'
import { messageOf } from '../bindings/failure.ts'
import { indexedRows } from './indexed-rows.ts'
import { factsIn, mayTouchFacts, pack, unpack, unpacked } from './packed-rows.ts'
import { firstOf, type Timed, type Times, timedRows, timesIn } from './row-times.ts'

/**
 * Table of rows as in every SQL store, but without indexes. Bodies are in the last column, so that
 * a scan skips them.
 */
const ENTRY = `CREATE TABLE IF NOT EXISTS entry (
  p TEXT NOT NULL, k TEXT NOT NULL, version INTEGER NOT NULL,
  alarm_rank INTEGER, alarm_at INTEGER, alarm_lane TEXT,
  listed_under TEXT, listed_at TEXT, listed_tags TEXT, expires_at INTEGER,
  body TEXT NOT NULL, tail TEXT, PRIMARY KEY (p, k)) WITHOUT ROWID`

/**
 * Table of deleted listed rows whose list copies still exist (`copies.ts`). Most objects have no
 * such rows.
 */
const GONE_TABLE = {
  sql: `CREATE TABLE IF NOT EXISTS gone (
    p TEXT NOT NULL, k TEXT NOT NULL, u TEXT NOT NULL, PRIMARY KEY (p, k)) WITHOUT ROWID`,
  params: [],
}
const NOTE_GONE = 'INSERT OR IGNORE INTO gone (p, k, u) VALUES (?, ?, ?)'
/** Condition for the object's own listed rows; copies of other rows have negative versions. */
const IS_LISTED = 'listed_under IS NOT NULL AND version > 0'
const LISTED_ROWS = `SELECT p, k, listed_under AS u, listed_at AS at FROM entry WHERE ${IS_LISTED}`
const LISTED_OTHERS = `SELECT p, k, listed_under AS u FROM other WHERE ${IS_LISTED}`

/**
 * Selects all rows except facts, which have no times and no list positions. Most rows of a long log
 * are facts, so each partition is read before and after its facts.
 */
const OTHER_ROWS = `WITH RECURSIVE
  part(p) AS (SELECT min(p) FROM entry
    UNION ALL SELECT (SELECT min(p) FROM entry WHERE p > part.p) FROM part WHERE p IS NOT NULL),
  range(low, high) AS (VALUES ('', 'f/'), ('f0', '\u{10ffff}')),
  other AS (SELECT entry.* FROM part CROSS JOIN range CROSS JOIN entry
    WHERE entry.p = part.p AND k >= low AND k < high)`
const TIMES = `${OTHER_ROWS} SELECT p, k, alarm_at, expires_at FROM other
  WHERE alarm_at IS NOT NULL OR expires_at IS NOT NULL`

interface RemovedRow {
  readonly name: RowName
  /** Target partition of the deleted row's copy (`copyHome`). */
  readonly home: string
}

export interface ObjectRows {
  readonly store: SqlStore
  /** Returns the names of the existing listed rows. */
  listed(): readonly RowName[]
  /**
   * Returns deleted listed rows whose copies may still exist, including those whose deletion is not
   * sent yet.
   */
  gone(): readonly RemovedRow[]
  forget(names: readonly RowName[]): void
  /** Whether any row was ever written to the object. */
  readonly exists: boolean
  /** Returns the earliest alarm and the earliest expiry among the object's rows. */
  times(): Times
  /** Returns all rows that the statement selects; empty if no row was ever written. */
  all(statement: Statement): readonly Readonly<Record<string, unknown>>[]
  /** Runs the statements in one transaction; rethrows statement errors. */
  run(statements: readonly Statement[]): void
  /** Releases the object's storage if no rows are left. */
  vacate(): Promise<boolean>
}

type Sql = Pick<ObjectRows, 'all' | 'run' | 'exists' | 'times'> & {
  exec(statement: Statement): readonly Readonly<Record<string, unknown>>[]
  /** Creates the tables if missing and runs `act` in one transaction. */
  transaction<T>(act: () => T): T
  /** Runs a transaction that changes no alarm or expiry times except those of these rows. */
  changing<T>(rows: readonly Timed[], act: () => T): T
  vacate(): Promise<void>
}

/** Creates the object's rows; `onListed` gets changed rows that are or were listed. */
export function objectRows(
  storage: ObjectStorage,
  onListed: (names: readonly RowName[]) => void,
): ObjectRows {
  const sql = sqlOf(storage)
  const { exec, all, run } = sql
  const hasGone = (): boolean => all(HAS_GONE).length > 0
  const removedRows = (): readonly RemovedRow[] =>
    hasGone() ? all(ALL_GONE).map((row) => ({ name: nameOf(row), home: row.u as string })) : []
  return {
    get exists() {
      return sql.exists
    },
    store: objectStore(sql, onListed),
    listed: () =>
      all({ sql: `${OTHER_ROWS} ${LISTED_OTHERS}`, params: [] })
        .filter(isCopied)
        .map(nameOf),
    gone: removedRows,
    forget(names) {
      const remove = 'DELETE FROM gone WHERE p = ? AND k = ?'
      if (hasGone()) run(names.map((params) => ({ sql: remove, params })))
    },
    times: sql.times,
    all,
    run,
    async vacate() {
      if (!sql.exists || exec(ANY).length > 0 || removedRows().length > 0) return false
      await sql.vacate()
      return true
    },
  }
}

function sqlOf(storage: ObjectStorage): Sql {
  const exec = ({ sql, params }: Statement) => storage.sql.exec(sql, ...params).toArray()
  let exists = exec(HAS_ENTRY).length > 0
  /**
   * Times of all rows that have an alarm or expiry; many partitions are stored here, and each
   * commit needs the earliest time.
   */
  let knownTimes: Map<string, Times> | undefined
  let times: Times | undefined
  const changing = <T>(rows: readonly Timed[], act: () => T): T => {
    if (!exists) storage.sql.exec(ENTRY)
    exists = true
    const result = storage.transactionSync(act)
    for (const { name, alarm, expiry } of result === undefined ? [] : rows) {
      times = undefined
      if (alarm === undefined && expiry === undefined) knownTimes?.delete(name)
      else knownTimes?.set(name, { alarm, expiry })
    }
    return result
  }
  const transaction = <T>(act: () => T): T => {
    knownTimes = undefined
    times = undefined
    return changing([], act)
  }
  const all = (statement: Statement) => (exists ? exec(statement) : [])
  return {
    get exists() {
      return exists
    },
    exec,
    all,
    times() {
      knownTimes ??= timesIn(all({ sql: TIMES, params: [] }))
      times ??= firstOf(knownTimes.values())
      return times
    },
    run: (statements) =>
      transaction(() => {
        for (const statement of statements) exec(statement)
      }),
    transaction,
    changing,
    async vacate() {
      exists = false
      knownTimes = undefined
      times = undefined
      await storage.deleteAll()
    },
  }
}

function objectStore(sql: Sql, onListed: (names: readonly RowName[]) => void): SqlStore {
  const { exec, all, run, times, transaction, changing } = sql
  const store = sqlStore({
    batch: async (statements) => {
      run(statements)
      return 'ok'
    },
    all: async (statement) => all(statement),
    hasRowids: false,
  })
  const changed = (names: readonly RowName[]): void => {
    if (names.length > 0) onListed(names)
  }
  /** Returns the listed rows among those about to be deleted; call it before the deletion. */
  const goes = (where: string, ...params: Statement['params']): readonly RowName[] => {
    const rows = all({ sql: `${LISTED_ROWS} AND ${where}`, params }).filter(isCopied)
    if (rows.length > 0) exec(GONE_TABLE)
    for (const row of rows)
      exec({
        sql: NOTE_GONE,
        params: [...nameOf(row), copyHome(row.u as string, row.at as string)],
      })
    return rows.map(nameOf)
  }
  /** Returns the rows whose copies must change; undefined if the commit's condition failed. */
  const committed = (p: string, writes: readonly Write[], head?: HeadWrite) => {
    const [storedHead] =
      head || mayTouchFacts(writes) ? exec({ sql: VERSION, params: [p, HEAD] }) : []
    if (head && (storedHead?.version ?? null) !== head.expect) return undefined
    const tail = (storedHead?.tail ?? null) as string | null
    const packed = head ? pack(tail, writes) : unpack(tail, writes)
    if (packed?.fresh.some((key) => isThere(p, key, tail))) return undefined
    for (const [key, body] of packed?.out ?? []) exec({ sql: FACT, params: [p, key, body] })
    if (packed && !head) exec({ sql: NO_TAIL, params: [p, HEAD] })
    return changes(p, packed?.rest ?? writes, head).flatMap((change) => {
      const { statement, key, isNew } = change
      const isListed = change.under !== undefined && !isListedHere(p, change.under)
      const removed = isListed || isNew ? [] : goes('p = ? AND k = ?', p, key)
      exec(packed && head && key === HEAD ? withTail(statement, packed.tail) : statement)
      return isListed ? [[p, key] as const] : removed
    })
  }
  const isThere = (p: string, key: string, tail: string | null): boolean =>
    (tail !== null && factsIn(tail).some(([factKey]) => factKey === key)) ||
    exec({ sql: VERSION, params: [p, key] }).length > 0
  return {
    ...store,
    ...indexedRows(sql, changed),
    async read(partition, after = '') {
      const rows = all({ sql: READ, params: [partition, after] })
      return unpacked(rows.map(rowOf), after)
    },
    async commit(partition, writes, head): Promise<CommitResult> {
      try {
        const rows = timedRows(partition, writes, head)
        const names = changing(rows, () => committed(partition, writes, head))
        if (names) changed(names)
        return names ? 'ok' : 'conflict'
      } catch (error) {
        if (isRefusal(messageOf(error))) return 'conflict'
        throw error
      }
    },
    async drop(partition) {
      const names = transaction(() => goes('p = ?', partition))
      await store.drop(partition)
      changed(names)
    },
    async sweep(now, pages) {
      const { expiry } = times()
      if (expiry === undefined || expiry > now) return
      const names = transaction(() => goes('expires_at <= ?', now))
      await store.sweep(now, pages)
      // The sweep's statement runs outside these transactions, so an empty transaction resets the
      // cached times.
      run([])
      changed(names)
    },
  }
}

const VERSION = 'SELECT version, tail FROM entry WHERE p = ? AND k = ?'
const READ = 'SELECT k, version, body, tail FROM entry WHERE p = ? AND k > ? ORDER BY k'
const FACT = 'INSERT INTO entry (p, k, version, body) VALUES (?, ?, 1, ?)'
const NO_TAIL = 'UPDATE entry SET tail = NULL WHERE p = ? AND k = ?'
const ANY = { sql: 'SELECT 1 FROM entry LIMIT 1', params: [] }
const HAS_ENTRY = { sql: "SELECT 1 FROM sqlite_schema WHERE name = 'entry'", params: [] }
const HAS_GONE = { sql: "SELECT 1 FROM sqlite_schema WHERE name = 'gone'", params: [] }
const ALL_GONE = { sql: 'SELECT p, k, u FROM gone', params: [] }

/** Reports whether the list that shows a row is stored in another object. */
const isCopied = ({ p, u }: Readonly<Record<string, unknown>>): boolean =>
  !isListedHere(p as string, u as string)

const rowOf = ({ k, version, body, tail }: Readonly<Record<string, unknown>>) => ({
  ...{ key: k as string, version: version as number, body: body as string },
  tail: (tail ?? null) as string | null,
})

const nameOf = ({ p, k }: Readonly<Record<string, unknown>>): RowName => [p as string, k as string]
