/**
 * The rows of one object, in its own SQLite: the statements of every SQL store. A transaction ends
 * in the turn in which it begins, and the platform holds every answer back until it is durable, so
 * no commit is ambiguous here. Tables are made by the first commit: whoever asks for a run that
 * never was leaves no storage behind.
 */

import type { CommitResult } from '../../ports/world.ts'
import { ENTRIES } from '../sql/schema.ts'
import { isRefusal, type Statement } from '../sql/statements.ts'
import { type SqlStore, sqlStore } from '../sql/store.ts'
import type { ObjectStorage } from './bindings.ts'
import { messageOf } from './failure.ts'

/**
 * `copy`: listed rows that were changed since lists got their copies (`copies.ts`), noted by the
 * commit that changes them; `n` counts the changes. `wake`: passes to be made (`wakes.ts`).
 * `adopting`: what is being taken over from an earlier release (`adopt.ts`).
 */
const TABLES = [
  ...ENTRIES,
  `CREATE TABLE IF NOT EXISTS copy (
    p TEXT NOT NULL, k TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (p, k)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS wake (
    p TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL, taken INTEGER NOT NULL,
    PRIMARY KEY (p, at)) WITHOUT ROWID`,
  'CREATE TABLE IF NOT EXISTS adopting (p TEXT PRIMARY KEY, rows TEXT NOT NULL) WITHOUT ROWID',
  ...(['INSERT', 'UPDATE', 'DELETE'] as const).map((change) => {
    const row = change === 'DELETE' ? 'old' : 'new'
    const listed = {
      INSERT: 'new.listed_under IS NOT NULL',
      UPDATE: 'new.listed_under IS NOT NULL OR old.listed_under IS NOT NULL',
      DELETE: 'old.listed_under IS NOT NULL',
    }[change]
    return `CREATE TRIGGER IF NOT EXISTS copy_${change} AFTER ${change} ON entry WHEN ${listed} BEGIN
      INSERT INTO copy VALUES (${row}.p, ${row}.k, 1) ON CONFLICT DO UPDATE SET n = n + 1;
    END`
  }),
]

export interface ObjectRows {
  readonly store: SqlStore
  /** True once something was written. */
  readonly exists: boolean
  /** Nothing when nothing was ever written. */
  all(statement: Statement): readonly Readonly<Record<string, unknown>>[]
  /** One transaction; throws what a statement throws. */
  run(statements: readonly Statement[]): void
  /** Gives the storage back if nothing is left in it. */
  vacate(): Promise<boolean>
}

export function objectRows(storage: ObjectStorage): ObjectRows {
  const exec = ({ sql, params }: Statement) => storage.sql.exec(sql, ...params).toArray()
  const found = "SELECT name FROM sqlite_schema WHERE name = 'entry'"
  let exists = exec({ sql: found, params: [] }).length > 0
  const run = (statements: readonly Statement[]): void => {
    if (!exists) for (const sql of TABLES) storage.sql.exec(sql)
    exists = true
    storage.transactionSync(() => {
      for (const statement of statements) exec(statement)
    })
  }
  const all = (statement: Statement) => (exists ? exec(statement) : [])
  const batch = async (statements: readonly Statement[]): Promise<CommitResult> => {
    try {
      run(statements)
      return 'ok'
    } catch (error) {
      if (isRefusal(messageOf(error))) return 'conflict'
      throw error
    }
  }
  return {
    get exists() {
      return exists
    },
    store: sqlStore({ batch, all: async (statement) => all(statement) }),
    all,
    run,
    async vacate() {
      if (!exists) return false
      const left = `SELECT 1 FROM entry UNION ALL SELECT 1 FROM copy UNION ALL SELECT 1 FROM wake
        LIMIT 1`
      if (exec({ sql: left, params: [] }).length > 0) return false
      exists = false
      await storage.deleteAll()
      return true
    },
  }
}
