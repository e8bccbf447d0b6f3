/**
 * Lists show copies of the rows that objects hold. They are written to the database after a commit
 * and never by it: which are pending is noted in the object until the database has them. A copy
 * bears the version of its original, negated: an older one never replaces a newer one, and none is
 * taken for an original.
 */

import type { Statement } from '../sql/statements.ts'
import type { D1 } from './bindings.ts'
import type { ObjectRows } from './object-rows.ts'

/** Rows of one batch: all of them are in memory at once, and a body may have 128 KiB. */
const PAGE = 50

const COPY = `INSERT INTO entry (p, k, body, version, listed_under, listed_at, listed_tags)
  VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (p, k) DO UPDATE SET version = excluded.version,
  body = excluded.body, listed_under = excluded.listed_under, listed_at = excluded.listed_at,
  listed_tags = excluded.listed_tags
  WHERE entry.version < 0 AND excluded.version < entry.version`
const REMOVE = 'DELETE FROM entry WHERE p = ? AND k = ? AND version < 0'

const PENDING = `SELECT copy.p, copy.k, n, body, version, listed_under, listed_at, listed_tags
  FROM copy LEFT JOIN entry ON entry.p = copy.p AND entry.k = copy.k LIMIT ${PAGE}`
const WRITTEN = 'DELETE FROM copy WHERE p = ? AND k = ? AND n = ?'

/** Copies are written at once, then no oftener than this: a run that works changes its row often. */
const PACE_MS = 1_000
/** After a failure, longer each time. */
const RETRY_MS = 2_000
const RETRY_MAX_MS = 300_000
/** When the object looks again whether copies were left behind: by its own end, or by trouble. */
const BACKSTOP_MS = 30_000

export interface CopyWriter {
  /** Begins to write what is pending, unless it is being written or must wait. */
  nudge(): void
  /** When to nudge again, ms since 1970; undefined: nothing is pending. */
  next(): number | undefined
}

/** `until` keeps the object alive; time is the wall's, which the alarm goes by. */
export function copyWriter(
  rows: ObjectRows,
  db: D1,
  { until, onError }: { until: (work: Promise<void>) => void; onError: (error: unknown) => void },
): CopyWriter {
  let running = false
  let failures = 0
  let retryAt = 0
  let backstop: number | undefined
  const write = async (): Promise<void> => {
    while (arePending(rows)) {
      try {
        await writeCopies(rows, db)
        failures = 0
        backstop = undefined
      } catch (error) {
        retryAt = Date.now() + Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** failures)
        failures += 1
        backstop = undefined
        onError(error)
        return
      }
      await new Promise((resolve) => setTimeout(resolve, PACE_MS))
    }
  }
  return {
    nudge() {
      if (running || Date.now() < retryAt || !arePending(rows)) return
      running = true
      until(
        write().finally(() => {
          running = false
        }),
      )
    },
    next() {
      if (!arePending(rows)) {
        backstop = undefined
        return undefined
      }
      if (failures > 0) return retryAt
      // It stays where it was set: each move of an alarm is a write.
      backstop ??= Date.now() + BACKSTOP_MS
      return backstop
    },
  }
}

/** Whether a list lacks something. */
const arePending = (rows: ObjectRows): boolean =>
  rows.all({ sql: 'SELECT 1 FROM copy LIMIT 1', params: [] }).length > 0

/** Writes some copies that are pending. Throws when the database does not answer. */
async function writeCopies(rows: ObjectRows, db: D1): Promise<void> {
  const pending = rows.all({ sql: PENDING, params: [] })
  if (pending.length === 0) return
  await db.batch(pending.map((row) => bound(db, statementOf(row))))
  const keys = pending.map(({ p, k, n }) => [p, k, n] as Statement['params'])
  rows.run(keys.map((params) => ({ sql: WRITTEN, params })))
}

const bound = (db: D1, { sql, params }: Statement) => db.prepare(sql).bind(...params)

function statementOf(row: Readonly<Record<string, unknown>>): Statement {
  const { p, k, body, version, listed_under, listed_at, listed_tags } = row
  if (typeof version !== 'number' || listed_under === null)
    return { sql: REMOVE, params: [p, k] as Statement['params'] }
  const params = [p, k, body, -version, listed_under, listed_at, listed_tags]
  return { sql: COPY, params: params as Statement['params'] }
}
