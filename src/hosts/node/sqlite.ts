/**
 * Implements the store in one file with `node:sqlite`. The write-ahead log is synced before a
 * commit is confirmed (`commits.ts`). This process locks the file.
 */

import { chmodSync, closeSync, fdatasync, openSync } from 'node:fs'
import { backup, DatabaseSync, type StatementSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { Unavailable } from '../../lib/unavailable.ts'
import { SCHEMA } from '../sql/schema.ts'
import { type SqlStore, sqlStore } from '../sql/store.ts'
import { grouped } from './commits.ts'
import { hold } from './lock.ts'

export interface SqliteStore extends SqlStore {
  /** Copies a consistent snapshot of the database to a new file while commits continue. */
  copyTo(path: string): Promise<void>
  /** Finishes pending calls, rejects later calls, and closes the database file. */
  close(): Promise<void>
}

/** Syncs the writes to an open file so that they are durable. */
export type Sync = (file: number) => Promise<void>

const dataSync: Sync = promisify(fdatasync)

/** Opens the database; throws `LockHeld` if another process still locks the file after `waitMs`. */
export async function openSqlite(
  path: string,
  waitMs = 10_000,
  sync: Sync = dataSync,
): Promise<SqliteStore> {
  const db = await hold(path, waitMs, () => open(path))
  // The write-ahead log is created by the first access and keeps its name while the database is
  // open.
  const log = openSync(`${path}-wal`, 'r+')
  const statements = prepared(db)
  const commits = grouped(db, statements, () => sync(log))
  const store = sqlStore({
    batch: commits.add,
    async all({ sql, params }) {
      const rows = statements(sql).all(...params)
      await commits.synced()
      return rows
    },
  })
  const copyTo = async (target: string): Promise<void> => {
    await backup(db, target)
    chmodSync(target, 0o600)
  }
  return closable({ ...store, copyTo }, async () => {
    await commits.finish()
    db.close()
    closeSync(log)
  })
}

const CLOSED = 'The store is closed; retry after the server restarts.'

/** Adds a `close` method that waits for pending calls before it calls `release`. */
function closable(store: Omit<SqliteStore, 'close'>, release: () => Promise<void>): SqliteStore {
  let running = 0
  let onIdle = (): void => undefined
  let closed: Promise<void> | undefined
  const trackCall =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (closed) throw new Unavailable(CLOSED)
      running += 1
      try {
        return await call(...args)
      } finally {
        running -= 1
        if (running === 0) onIdle()
      }
    }
  const closeWhenIdle = async (): Promise<void> => {
    if (running > 0) await new Promise<void>((resolve) => (onIdle = resolve))
    await release()
  }
  return {
    read: trackCall(store.read),
    heads: trackCall(store.heads),
    commit: trackCall(store.commit),
    due: trackCall(store.due),
    list: trackCall(store.list),
    find: trackCall(store.find),
    drop: trackCall(store.drop),
    partitions: trackCall(store.partitions),
    readIndexed: trackCall(store.readIndexed),
    writeIndexed: trackCall(store.writeIndexed),
    sweep: trackCall(store.sweep),
    copyTo: trackCall(store.copyTo),
    close() {
      closed ??= closeWhenIdle()
      return closed
    },
  }
}

/** Low byte of all SQLite result codes for a busy database. */
const BUSY = 5

/**
 * Size of the page cache in KiB. Each of a thousand tenants writes to the end of its own lists;
 * with SQLite's default of 2 MB, these pages would be read again for each run.
 */
const CACHE_KIB = 32_768

/**
 * Number of write-ahead log pages before a checkpoint; 4,000 pages (16 MB) keep checkpoints rare.
 */
const CHECKPOINT_PAGES = 4_000

/**
 * Opens the database file; returns undefined while another process locks it. Throws if the file
 * belongs to another program.
 */
function open(path: string): DatabaseSync | undefined {
  // The write-ahead log inherits the permissions of the database file.
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    // The first access takes the lock and keeps it. Without shared memory, no other process can
    // open the database, and SQLite need not check for one.
    db.exec('PRAGMA locking_mode = EXCLUSIVE')
    db.exec('PRAGMA journal_mode = WAL')
    // With NORMAL, SQLite syncs the log when it restarts the log and before a checkpoint, and then
    // syncs the database file. The sync after each commit, which FULL would add, is done in the
    // thread pool.
    db.exec('PRAGMA synchronous = NORMAL')
    db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
    // Replaced and deleted rows are overwritten in the pages that are written anyway. Otherwise the
    // destroyed key of a deleted tenant would remain in the file.
    db.exec('PRAGMA secure_delete = FAST')
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

/**
 * Upgrades a database from before tags were indexed. Its runs become searchable by tag after their
 * next change.
 */
function upgrade(db: DatabaseSync): void {
  const columns = db.prepare('SELECT name FROM pragma_table_info(?)').all('entry')
  if (columns.length === 0 || columns.some(({ name }) => name === 'listed_tags')) return
  db.exec('ALTER TABLE entry ADD COLUMN listed_tags TEXT')
  db.exec('DROP INDEX IF EXISTS entry_listed')
}

/** Compiles each SQL statement once, because statements are few and constant. */
function prepared(db: DatabaseSync): (sql: string) => StatementSync {
  const cache = new Map<string, StatementSync>()
  return (sql) => {
    const cached = cache.get(sql)
    if (cached) return cached
    const prepared = db.prepare(sql)
    cache.set(sql, prepared)
    return prepared
  }
}
