/**
 * Commits in groups: those that come while the disk is busy share the next transaction and its
 * sync, which is where a commit's cost lies. SQLite runs on this thread, so commits never
 * interleave; the sync of its log runs in the thread pool, so that the event loop goes on
 * meanwhile. Nothing is answered, and nothing read is handed out, before it is on the disk: the
 * promise of `synchronous = FULL`, kept by our own code.
 */

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { CommitResult } from '../../ports/world.ts'
import { isRefusal, type Statement } from '../sql/statements.ts'

export interface Commits {
  /** All or nothing; settles when it is on the disk. */
  add(statements: readonly Statement[]): Promise<CommitResult>
  /** Resolves when everything that can be read now is on the disk. */
  synced(): Promise<void>
  /** Resolves when no commit waits. */
  finish(): Promise<void>
}

interface Waiting {
  readonly statements: readonly Statement[]
  readonly resolve: (result: CommitResult) => void
  readonly reject: (error: unknown) => void
}
type Prepared = (sql: string) => StatementSync
type Result = CommitResult | Error

/** So that one transaction does not keep the event loop for long. */
const MAX_GROUP = 256

/** `sync` makes everything written to the log durable; after it has failed once nothing is sure. */
export function grouped(db: DatabaseSync, statement: Prepared, sync: () => Promise<void>): Commits {
  let waiting: Waiting[] = []
  let failure: { readonly error: unknown } | undefined
  /** The sync under way. */
  let syncing: Promise<void> | undefined
  /** Settles when nothing waits any more. */
  let working: Promise<void> | undefined

  const work = async (): Promise<void> => {
    // All commits of this turn of the event loop come into one group.
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
      // After a failed sync the system may have forgotten what it was to write.
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

/** A result per commit; throws when the transaction failed as a whole and nothing has happened. */
function transact(db: DatabaseSync, statement: Prepared, group: readonly Waiting[]): Result[] {
  try {
    const results = together(db, statement, group) ?? attemptEach(db, statement, group)
    if (committed(db, statement)) return results
    // A conflict stays a conflict even in doubt: the caller reads again in any case.
    return results.map((result) => (result === 'ok' ? 'ambiguous' : result))
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** Nearly always all succeed; undefined, with nothing done, when one does not. */
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

/** Each with a savepoint of its own, so that a refused one does not hurt the others. */
function attemptEach(db: DatabaseSync, statement: Prepared, group: readonly Waiting[]): Result[] {
  statement('BEGIN IMMEDIATE').run()
  return group.map((entry) => attempt(db, statement, entry))
}

/** False when the outcome is unknown; throws when it certainly did not happen. */
function committed(db: DatabaseSync, statement: Prepared): boolean {
  try {
    statement('COMMIT').run()
    return true
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    // A full disk takes nothing: there is no doubt, and trying again at once would be no use.
    if (((error as { errcode?: number }).errcode ?? 0) === FULL) throw error
    return false
  }
}

/** SQLite's code of a disk without room. */
const FULL = 13

/** Throws when the failure ended the whole transaction, as a full disk does. */
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
