/**
 * The store in one file by `node:sqlite`: a write-ahead log, synced before a commit is answered,
 * held by this process alone. SQLite runs on this thread, so commits never interleave; those that
 * wait in one turn of the event loop share a transaction and its sync, which is what a commit
 * costs. Each has a savepoint of its own, so that a refused one does not hurt the others.
 */

import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { CommitResult } from '../../ports/world.ts'
import { SCHEMA } from '../sql/schema.ts'
import { isRefusal, type Statement } from '../sql/statements.ts'
import { type SqlStore, sqlStore } from '../sql/store.ts'
import { hold } from './lock.ts'

export interface SqliteStore extends SqlStore {
  /** Finishes waiting commits and lets go of the file. */
  close(): void
}

/** Throws `Held` when another process still has the file after `waitMs`. */
export async function openSqlite(path: string, waitMs = 10_000): Promise<SqliteStore> {
  const db = await hold(path, waitMs, () => open(path))
  const statements = prepared(db)
  const commits = grouped(db, statements)
  const store = sqlStore({
    batch: commits.add,
    all: async ({ sql, params }) => statements(sql).all(...params),
  })
  return {
    ...store,
    close() {
      if (!db.isOpen) return
      commits.flush()
      db.close()
    },
  }
}

/** The low byte of every code that says so. */
const BUSY = 5

/** Undefined while another process has the file; throws when it is no database of ours. */
function open(path: string): DatabaseSync | undefined {
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    // The lock is taken by the first access and kept; without shared memory no other process
    // can join, and SQLite need not look whether one did.
    db.exec('PRAGMA locking_mode = EXCLUSIVE')
    db.exec('PRAGMA journal_mode = WAL')
    db.exec('PRAGMA synchronous = FULL')
    db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    db.exec('BEGIN EXCLUSIVE')
    for (const statement of SCHEMA) db.exec(statement)
    db.exec('COMMIT')
    return db
  } catch (error) {
    db.close()
    const code = (error as { errcode?: number }).errcode ?? 0
    if ((code & 0xff) === BUSY) return undefined
    throw error
  }
}

/** The texts are few and constant, so each is compiled once. */
function prepared(db: DatabaseSync): (sql: string) => StatementSync {
  const cache = new Map<string, StatementSync>()
  return (sql) => {
    const known = cache.get(sql)
    if (known) return known
    const made = db.prepare(sql)
    cache.set(sql, made)
    return made
  }
}

interface Commit {
  readonly statements: readonly Statement[]
  readonly resolve: (result: CommitResult) => void
  readonly reject: (error: unknown) => void
}

/** So that one transaction does not keep the event loop for long. */
const MAX_GROUP = 256
const MAX_GAP_MS = 2
/** Pages of the log before it is folded into the file: 16 MB, so that this is rare. */
const CHECKPOINT_PAGES = 4_000

function grouped(db: DatabaseSync, statement: (sql: string) => StatementSync) {
  let waiting: Commit[] = []
  let scheduled = false
  let notBefore = 0

  const flush = (): void => {
    scheduled = false
    while (waiting.length > 0) {
      const group = waiting.slice(0, MAX_GROUP)
      waiting = waiting.slice(MAX_GROUP)
      const began = performance.now()
      transact(db, statement, group)
      const ended = performance.now()
      notBefore = ended + Math.min(MAX_GAP_MS, ended - began)
    }
  }
  // Right after a sync the next one waits as long as the last one took: under load more commits
  // then share it, and the event loop keeps at least half of its time. Alone, nobody waits.
  const whenDue = (): void => {
    if (performance.now() >= notBefore) flush()
    else setImmediate(whenDue)
  }
  const add = (statements: readonly Statement[]): Promise<CommitResult> =>
    new Promise((resolve, reject) => {
      if (!db.isOpen) return reject(new Error('the store is closed'))
      waiting.push({ statements, resolve, reject })
      if (scheduled) return
      scheduled = true
      setImmediate(whenDue)
    })
  return { add, flush }
}

function transact(
  db: DatabaseSync,
  statement: (sql: string) => StatementSync,
  group: readonly Commit[],
): void {
  const settled: (() => void)[] = []
  const unsure: (() => void)[] = []
  try {
    statement('BEGIN IMMEDIATE').run()
    for (const commit of group) {
      const result = attempt(db, statement, commit)
      settled.push(() => (result instanceof Error ? commit.reject(result) : commit.resolve(result)))
      // A conflict stays a conflict: the caller reads again in any case.
      const doubt = result === 'ok' ? 'ambiguous' : result
      unsure.push(() => (doubt instanceof Error ? commit.reject(doubt) : commit.resolve(doubt)))
    }
  } catch (error) {
    // The disk is full or broken and nothing of this group happened.
    if (db.isTransaction) db.exec('ROLLBACK')
    for (const commit of group) commit.reject(error)
    return
  }
  try {
    statement('COMMIT').run()
  } catch {
    if (db.isTransaction) db.exec('ROLLBACK')
    for (const settle of unsure) settle()
    return
  }
  for (const settle of settled) settle()
}

/** Throws when the failure ended the whole transaction, as a full disk does. */
function attempt(
  db: DatabaseSync,
  statement: (sql: string) => StatementSync,
  { statements }: Commit,
): CommitResult | Error {
  statement('SAVEPOINT one').run()
  try {
    for (const { sql, params } of statements) statement(sql).run(...params)
    statement('RELEASE one').run()
    return 'ok'
  } catch (error) {
    if (!db.isTransaction) throw error
    statement('ROLLBACK TO one').run()
    statement('RELEASE one').run()
    if (error instanceof Error && isRefusal(error.message)) return 'conflict'
    return error instanceof Error ? error : new Error(String(error))
  }
}
