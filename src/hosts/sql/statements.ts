/**
 * Builds the store's operations as SQL statements without side effects, so `node:sqlite` and D1's
 * `batch()` run the same statements. The SQL texts are constants, so a platform can prepare them.
 */

import { tagOf } from '../../lib/tags.ts'
import type { Alarm, HeadWrite, IndexedRow, Listing, RowSearch, Write } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'

type Param = string | number | null
export interface Statement {
  readonly sql: string
  readonly params: readonly Param[]
}

// Rejects the commit if the head is stale, missing, or unexpected: `IS NOT` compares NULL like a
// value, and a missing head selects NULL. No row is ever stored.
const GUARD = `INSERT INTO guard SELECT NULL
  WHERE (SELECT version FROM entry WHERE p = ? AND k = '${HEAD}') IS NOT ?`

const COLUMNS = `p, k, body, alarm_rank, alarm_at, alarm_lane, listed_under, listed_at, listed_tags,
  expires_at, version`
const CREATE = `INSERT INTO entry (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)`
const UPDATE = `ON CONFLICT (p, k) DO UPDATE SET version = version + 1,
  body = excluded.body, alarm_rank = excluded.alarm_rank, alarm_at = excluded.alarm_at,
  alarm_lane = excluded.alarm_lane, listed_under = excluded.listed_under,
  listed_at = excluded.listed_at, listed_tags = excluded.listed_tags, expires_at = excluded.expires_at`
const REPLACE = `${CREATE} ${UPDATE}`

// Creates a head whose row also contains the partition's facts
// (hosts/cloudflare/object/packed-rows.ts).
const CREATE_WITH = `INSERT INTO entry (${COLUMNS}, tail)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)`
const REPLACE_WITH = `${CREATE_WITH} ${UPDATE}, tail = excluded.tail`
/** Adds facts to a statement that writes a head; the facts are stored in the same row. */
export const withTail = ({ sql, params }: Statement, tail: string | null): Statement => ({
  sql: sql === CREATE ? CREATE_WITH : REPLACE_WITH,
  params: [...params, tail],
})
const DELETE = 'DELETE FROM entry WHERE p = ? AND k = ?'

/**
 * Builds the statements of a commit as one transaction. The guard comes first, so a rejected commit
 * changes nothing.
 */
export function commit(
  partition: string,
  writes: readonly Write[],
  head: HeadWrite | undefined,
): Statement[] {
  const statements = changes(partition, writes, head).map(({ statement }) => statement)
  return head ? [{ sql: GUARD, params: [partition, head.expect] }, ...statements] : statements
}

export interface Change {
  readonly statement: Statement
  readonly key: string
  /** List that contains the row after the write. */
  readonly under: string | undefined
  /** True if the statement must fail when the row already exists. */
  readonly isNew: boolean
}

/**
 * Builds the statements that write a commit's head and all rows of `writes`, without the condition
 * on the head.
 */
export function changes(
  partition: string,
  writes: readonly Write[],
  head: HeadWrite | undefined,
): Change[] {
  const result = writes.map((write): Change => {
    const { key } = write
    if (write.op === 'delete') {
      const statement = { sql: DELETE, params: [partition, key] }
      return { statement, key, under: undefined, isNew: false }
    }
    const isNew = write.expect === 'absent'
    const params = values(partition, key, write, write.expiresAt)
    const statement = { sql: isNew ? CREATE : REPLACE, params }
    return { statement, key, under: write.listed?.under, isNew }
  })
  if (!head) return result
  const isNew = head.expect === null
  const params = values(partition, HEAD, head, head.expiresAt)
  const statement = { sql: isNew ? CREATE : REPLACE, params }
  return [...result, { statement, key: HEAD, under: head.listed?.under, isNew }]
}

function values(
  partition: string,
  key: string,
  write: { body: string; alarm?: Alarm | undefined; listed?: Listing | undefined },
  expiresAt?: number,
): Param[] {
  const { body, alarm, listed: listing } = write
  return [
    partition,
    key,
    body,
    alarm ? rank(alarm.started) : null,
    alarm?.at ?? null,
    alarm?.lane ?? null,
    listing?.under ?? null,
    listing?.at ?? null,
    listing?.tags ?? null,
    expiresAt ?? null,
  ]
}

export const rank = (started: boolean): number => (started ? 0 : 1)

/**
 * Reports whether a failed batch was rejected by the guard, or by an existing row that must be
 * absent. Other failures come from the database.
 */
export const isRefusal = (message: string): boolean =>
  message.includes('NOT NULL constraint failed: guard.refused') ||
  message.includes('UNIQUE constraint failed: entry.p, entry.k')

export const read = (partition: string, after: string): Statement => ({
  sql: 'SELECT k, version, body FROM entry WHERE p = ? AND k > ? ORDER BY k',
  params: [partition, after],
})

/**
 * Selects the heads of partitions in no particular order; missing heads are omitted. The partitions
 * are one JSON parameter, because D1 binds at most 100 parameters.
 */
export const heads = (partitions: readonly string[]): Statement => ({
  sql: `SELECT p, k, version, body FROM entry
    WHERE k = '${HEAD}' AND p IN (SELECT value FROM json_each(?))`,
  params: [JSON.stringify(partitions)],
})

/**
 * Selects alarms of one rank that are due by `now` and sort strictly after (`at`, `p`, `k`), oldest
 * first.
 */
export const due = (
  alarmRank: number,
  now: number,
  after: readonly [at: number, p: string, k: string],
  limit: number,
): Statement => ({
  sql: `SELECT p, k, alarm_at, alarm_lane FROM entry
    WHERE alarm_rank = ? AND alarm_at IS NOT NULL AND alarm_at <= ?
      AND (alarm_at, p, k) > (?, ?, ?)
    ORDER BY alarm_at, p, k LIMIT ?`,
  params: [alarmRank, now, ...after, limit],
})

export const list = (under: string, beforeKey: string | undefined, limit: number): Statement =>
  beforeKey === undefined
    ? { sql: `${LIST} ${NEWEST_FIRST}`, params: [under, limit] }
    : { sql: `${LIST} AND listed_at < ? ${NEWEST_FIRST}`, params: [under, beforeKey, limit] }

const LIST = 'SELECT p, k, listed_at, body FROM entry WHERE listed_under = ?'
const NEWEST_FIRST = 'ORDER BY listed_at DESC LIMIT ?'

const ALL = '\u{10ffff}'

/**
 * Searches at most `entries` index entries and reads only matching rows. The SQL text varies only
 * with the number of words, so platforms can prepare it.
 */
export function find(
  under: string,
  search: RowSearch,
  entries: number,
  hasRowids: boolean,
): Statement {
  const { marks, words, above = '', below = ALL, order, limit } = search
  const way = order === 'newest' ? 'DESC' : 'ASC'
  const each = words.map(() => 'AND instr(tags, ?) > 0').join(' ')
  const [row, same] = hasRowids
    ? ['rowid AS row', 'entry.rowid = row']
    : ['p AS p1, k AS k1', 'p = p1 AND k = k1']
  return {
    sql: `SELECT p, k, listed_at, body FROM (SELECT ${row}, listed_at AS place,
        listed_tags AS tags FROM entry WHERE listed_under = ? AND listed_at > ? AND listed_at < ?
        ORDER BY listed_at ${way} LIMIT ?)
      CROSS JOIN entry ON ${same}
      WHERE (? = '' OR instr(?, substr(tags, 1, 1)) > 0) ${each} ORDER BY place ${way} LIMIT ?`,
    params: [...[under, above, below, entries, marks, marks], ...words.map(tagOf), limit],
  }
}

/**
 * Selects the position of the last index entry that `find` read; the result is empty if `find`
 * reached the end.
 */
export function searchEnd(under: string, search: RowSearch, entries: number): Statement {
  const { above = '', below = ALL, order } = search
  return {
    sql: `SELECT listed_at FROM entry WHERE listed_under = ? AND listed_at > ? AND listed_at < ?
      ORDER BY listed_at ${order === 'newest' ? 'DESC' : 'ASC'} LIMIT 1 OFFSET ?`,
    params: [under, above, below, entries - 1],
  }
}

export const drop = (partition: string): Statement => ({
  sql: 'DELETE FROM entry WHERE p = ?',
  params: [partition],
})

/** Selects all rows of a partition with their index entries. */
export const readIndexed = (partition: string): Statement => ({
  sql: `SELECT ${COLUMNS} FROM entry WHERE p = ? ORDER BY k`,
  params: [partition],
})

/** Writes a row with its version and index entries, whether or not it exists. */
export const restore = (partition: string, row: IndexedRow): Statement => ({
  sql: `INSERT OR REPLACE INTO entry (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  params: [...values(partition, row.key, row, row.expiresAt), row.version],
})

/** Selects names of partitions with a prefix, strictly after `after`, in order. */
export const partitions = (prefix: string, after: string, limit: number): Statement => ({
  sql: 'SELECT DISTINCT p FROM entry WHERE p > ? AND p >= ? AND p < ? ORDER BY p LIMIT ?',
  params: [after, prefix, `${prefix}\u{7f}`, limit],
})

/** Deletes at most `limit` expired rows and returns one result row for each. */
export const sweep = (now: number, limit: number): Statement => ({
  sql: `DELETE FROM entry WHERE (p, k) IN (
    SELECT p, k FROM entry WHERE expires_at IS NOT NULL AND expires_at <= ? LIMIT ?) RETURNING 1`,
  params: [now, limit],
})
