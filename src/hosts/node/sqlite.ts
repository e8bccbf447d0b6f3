/**
 * The store in one file by `node:sqlite`: a write-ahead log, synced before a commit is answered
 * (`commits.ts`), held by this process alone.
 */

import { chmodSync, closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { SCHEMA } from '../sql/schema.ts'
import { type SqlStore, sqlStore } from '../sql/store.ts'
import { grouped } from './commits.ts'
import { hold } from './lock.ts'

export interface SqliteStore extends SqlStore {
  /** Finishes waiting commits and lets go of the file. */
  close(): Promise<void>
}

/** Makes what was written to an open file durable: in the thread pool, and on this thread. */
export interface Sync {
  readonly pool: (file: number) => Promise<void>
  readonly here?: (file: number) => void
}

const dataSync: Sync = { pool: promisify(fdatasync), here: fdatasyncSync }

/** Throws `Held` when another process still has the file after `waitMs`. */
export async function openSqlite(
  path: string,
  waitMs = 10_000,
  sync: Sync = dataSync,
): Promise<SqliteStore> {
  const db = await hold(path, waitMs, () => open(path))
  // The log is made by the first access and keeps its name as long as the database is open.
  const log = openSync(`${path}-wal`, 'r+')
  const statements = prepared(db)
  const { pool, here } = sync
  const commits = grouped(db, statements, {
    pool: () => pool(log),
    ...(here ? { here: () => here(log) } : {}),
  })
  const store = sqlStore({
    batch: commits.add,
    async all({ sql, params }) {
      const rows = statements(sql).all(...params)
      await commits.synced()
      return rows
    },
  })
  return {
    ...store,
    async close() {
      if (!db.isOpen) return
      await commits.finish()
      db.close()
      closeSync(log)
    },
  }
}

/** The low byte of every code that says so. */
const BUSY = 5

/** Pages of the log before it is folded into the file: 16 MB, so that this is rare. */
const CHECKPOINT_PAGES = 4_000

/**
 * Pages in memory. Each tenant's rows grow at a place of their own in each tree, so a thousand busy
 * tenants touch some thousand pages again and again; SQLite's own 2 MB hold 500.
 */
const CACHE_KIB = 20_000

/** Undefined while another process has the file; throws when it is no database of ours. */
function open(path: string): DatabaseSync | undefined {
  // Its log takes the permissions of the file.
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    // The lock is taken by the first access and kept; without shared memory no other process
    // can join, and SQLite need not check whether one did.
    db.exec('PRAGMA locking_mode = EXCLUSIVE')
    db.exec('PRAGMA journal_mode = WAL')
    // SQLite syncs the log when it begins anew and before it is folded into the file, and the file
    // after that. What FULL adds, a sync after each commit, is done in the thread pool.
    db.exec('PRAGMA synchronous = NORMAL')
    db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
    db.exec('BEGIN EXCLUSIVE')
    upgrade(db)
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

/** A file of before lists had tags: its runs are found by them from their next change on. */
function upgrade(db: DatabaseSync): void {
  const columns = db.prepare('SELECT name FROM pragma_table_info(?)').all('entry')
  if (columns.length === 0 || columns.some(({ name }) => name === 'listed_tags')) return
  db.exec('ALTER TABLE entry ADD COLUMN listed_tags TEXT')
  db.exec('DROP INDEX IF EXISTS entry_listed')
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
