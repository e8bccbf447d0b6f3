/**
 * Groups commits: commits that arrive during a sync share the next transaction and sync, which is
 * the main cost of a commit. SQLite runs on this thread, so commits never interleave; the log is
 * synced in the thread pool, so the event loop continues. No commit is confirmed and no read is
 * returned before a sync, which is equivalent to `synchronous = FULL`.
 */

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { CommitResult } from '../../ports/world.ts'
import { isRefusal, type Statement } from '../sql/statements.ts'

export interface Commits {
  /** Applies all statements or none as one commit; settles once the statements are synced. */
  add(statements: readonly Statement[]): Promise<CommitResult>
  /** Resolves when all data that can be read now is synced. */
  synced(): Promise<void>
  /** Resolves when no commit is pending. */
  finish(): Promise<void>
}

interface Waiting {
  readonly statements: readonly Statement[]
  readonly resolve: (result: CommitResult) => void
  readonly reject: (error: unknown) => void
}
type Prepared = (sql: string) => StatementSync
type Result = CommitResult | Error

/** Maximum number of commits per transaction, so that the event loop is not blocked for long. */
const MAX_GROUP = 256

/**
 * Creates the commit groups. `sync` makes all writes to the log durable; after a failed sync,
 * durability is unknown.
 */
export function grouped(db: DatabaseSync, statement: Prepared, sync: () => Promise<void>): Commits {
  let waiting: Waiting[] = []
  let failure: { readonly error: unknown } | undefined
  /** Sync of the log in progress. */
  let syncing: Promise<void> | undefined
  /** Work on the pending commits; settles when no commit is pending. */
  let working: Promise<void> | undefined

  const work = async (): Promise<void> => {
    // Waits, so that all commits of this turn of the event loop join one group.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const group = waiting.slice(0, MAX_GROUP)
      waiting = waiting.slice(MAX_GROUP)
      await perform(group)
    }
    working = undefined
  }
  const perform = async (group: readonly Waiting[]): Promise<void> => {
    try {
      if (failure) throw failure.error
      const results = transact(db, statement, group)
      syncing = sync()
      await syncing
      group.forEach(({ resolve, reject }, index) => {
        const result = results[index]!
        if (result instanceof Error) reject(result)
        else resolve(result)
      })
    } catch (error) {
      // After a failed sync, the operating system may have dropped unwritten data, so all further
      // commits fail.
      if (syncing) failure = { error }
      for (const { reject } of group) reject(error)
    } finally {
      syncing = undefined
    }
  }
  return {
    add: (statements) =>
      new Promise((resolve, reject) => {
        waiting.push({ statements, resolve, reject })
        working ??= work()
      }),
    async synced() {
      if (syncing) await syncing
      if (failure) throw failure.error
    },
    async finish() {
      await working
    },
  }
}

/**
 * Returns one result per commit of the group; throws if the whole transaction failed and nothing
 * was written.
 */
function transact(db: DatabaseSync, statement: Prepared, group: readonly Waiting[]): Result[] {
  try {
    const results = together(db, statement, group) ?? attemptEach(db, statement, group)
    if (committed(db, statement)) return results
    // A conflict stays a conflict even if the outcome is unknown, because the caller rereads in any
    // case.
    return results.map((result) => (result === 'ok' ? 'ambiguous' : result))
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/**
 * Applies all commits of the group at once, which nearly always succeeds; if a commit fails,
 * changes nothing and returns undefined.
 */
function together(
  db: DatabaseSync,
  statement: Prepared,
  group: readonly Waiting[],
): Result[] | undefined {
  statement('BEGIN IMMEDIATE').run()
  try {
    for (const { statements } of group) {
      for (const { sql, params } of statements) statement(sql).run(...params)
    }
  } catch {
    if (db.isTransaction) db.exec('ROLLBACK')
    return undefined
  }
  return group.map(() => 'ok')
}

/** Applies each commit in its own savepoint; a rejected commit does not affect others. */
function attemptEach(db: DatabaseSync, statement: Prepared, group: readonly Waiting[]): Result[] {
  statement('BEGIN IMMEDIATE').run()
  return group.map((entry) => attempt(db, statement, entry))
}

/**
 * Commits the transaction; returns false if the outcome is unknown. Throws if the transaction
 * certainly failed.
 */
function committed(db: DatabaseSync, statement: Prepared): boolean {
  try {
    statement('COMMIT').run()
    return true
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    // With a full disk, nothing is written, so the outcome is certain and an immediate retry is
    // useless.
    if (((error as { errcode?: number }).errcode ?? 0) === FULL) throw error
    return false
  }
}

/** SQLite's error code for a full disk. */
const FULL = 13

/** Applies one commit; throws if the failure ended the whole transaction, as with a full disk. */
function attempt(db: DatabaseSync, statement: Prepared, { statements }: Waiting): Result {
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
