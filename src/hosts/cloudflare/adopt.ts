/**
 * Runs of releases that kept them in the database: their objects take them over, each when it is
 * first asked for, and the clock sees to the rest. An object first takes the rows, noting that
 * they are not its own yet, then removes from the database exactly what it took, unless the head
 * has changed meanwhile; then it begins again. So a Worker of the release before, which may still
 * run for a quarter of an hour after a deployment, loses nothing that it has committed.
 */

import { HEAD } from '../../ports/world.ts'
import { isRefusal, type Statement } from '../sql/statements.ts'
import { holderOf, prefixesOf, workerOf } from './address.ts'
import type { D1 } from './bindings.ts'
import { messageOf } from './failure.ts'
import type { ObjectRows } from './object-rows.ts'

const COLUMNS = `p, k, version, body, alarm_rank, alarm_at, alarm_lane, listed_under, listed_at,
  listed_tags, expires_at`
/** Originals; copies bear negative versions. So few that their bodies fit into the memory. */
const ORIGINALS = `SELECT ${COLUMNS} FROM entry
  WHERE p IN (SELECT value FROM json_each(?)) AND version > 0 ORDER BY p, k LIMIT 100`
const TAKE = `INSERT OR IGNORE INTO entry (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const GUARD = `INSERT INTO guard SELECT NULL
  WHERE (SELECT version FROM entry WHERE p = ? AND k = '${HEAD}' AND version > 0) IS NOT ?`
const REMOVE = `DELETE FROM entry WHERE p = ? AND (k, version) IN
  (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?))`
/** Rows that were taken and are not settled yet. The table is there as long as the object is not whole. */
const BEGUN = {
  sql: 'CREATE TABLE IF NOT EXISTS adopting (p TEXT PRIMARY KEY, rows TEXT NOT NULL) WITHOUT ROWID',
  params: [],
}
const WHOLE = { sql: 'DROP TABLE IF EXISTS adopting', params: [] }
const IS_ADOPTING = { sql: "SELECT 1 FROM sqlite_schema WHERE name = 'adopting'", params: [] }

/** Whether the object may lack rows that the database still has. */
const isWhole = (rows: ObjectRows): boolean => rows.exists && rows.all(IS_ADOPTING).length === 0

/** The same where there may be something to take over; false: there is nothing. */
export async function adoptIfAny(rows: ObjectRows, db: D1, partition: string): Promise<boolean> {
  if (isWhole(rows) || (!rows.exists && (await isSettled(db)))) return false
  await adopt(rows, db, partition)
  return true
}

/** Takes over what the database holds of this object; idempotent. */
export async function adopt(rows: ObjectRows, db: D1, partition: string): Promise<void> {
  const names = await namesOf(db, workerOf(partition))
  const all = JSON.stringify(names)
  for (;;) {
    const noted = { sql: 'SELECT p, rows FROM adopting', params: [] }
    const unsettled = rows.all(IS_ADOPTING).length === 0 ? [] : rows.all(noted)
    for (const taken of unsettled) await settle(rows, db, taken.p as string, taken.rows as string)
    if (names.length === 0) break
    const { results } = await db.prepare(ORIGINALS).bind(all).all()
    const p = results[0]?.p as string | undefined
    if (p === undefined) break
    const mine = results.filter((row) => row.p === p)
    const note = JSON.stringify(mine.map(({ k, version }) => [k, version]))
    rows.run([
      BEGUN,
      ...mine.map((row) => ({ sql: TAKE, params: Object.values(row) as Statement['params'] })),
      { sql: 'INSERT INTO adopting VALUES (?, ?)', params: [p, note] },
    ])
  }
  if (rows.exists) rows.run([WHOLE])
}

const BY_PREFIX = `SELECT DISTINCT p FROM json_each(?), entry
  WHERE p >= value AND p < value || '\u{7f}' AND version > 0`

async function namesOf(db: D1, object: string): Promise<readonly string[]> {
  const { results } = await db
    .prepare(BY_PREFIX)
    .bind(JSON.stringify(prefixesOf(object)))
    .all()
  return results.map(({ p }) => p as string)
}

/** Removes from the database what was taken; what has changed there since is taken anew. */
async function settle(rows: ObjectRows, db: D1, p: string, note: string): Promise<void> {
  const head = (JSON.parse(note) as [string, number][]).find(([key]) => key === HEAD)
  const remove = db.prepare(REMOVE).bind(p, note)
  try {
    await db.batch(head ? [db.prepare(GUARD).bind(p, head[1]), remove] : [remove])
  } catch (error) {
    if (!isRefusal(messageOf(error))) throw error
    const { results } = await db.prepare(HEAD_THERE).bind(p).all()
    // With none there, it was removed by a batch whose answer was lost.
    if (results.length > 0) rows.run([{ sql: REMOVE, params: [p, note] }])
  }
  rows.run([{ sql: 'DELETE FROM adopting WHERE p = ?', params: [p] }])
}

const HEAD_THERE = `SELECT 1 FROM entry WHERE p = ? AND k = '${HEAD}' AND version > 0`

// ── All of them ────────────────────────────────────────────────────────────────────────────────

const STATE = '_/adoption/state'
/** Heads that one minute looks at, and due ones that it hands over first. */
const PAGE = 300
/** Workers of the release before have ended so long after the last time that something was found. */
const QUIET_MS = 3_600_000

interface State {
  readonly after: string
  /** Ms since 1970: since when nothing has been found. */
  readonly quiet: number
  readonly settled: boolean
}

/** Once it is so, it stays so. */
let settled = false
/** That it is not so yet is believed for a minute: every new object asks. */
const KNOWN_MS = 60_000
let askedAt = Number.NEGATIVE_INFINITY

async function stateOf(db: D1): Promise<State> {
  const found = await db.prepare('SELECT body FROM entry WHERE p = ? AND k = ?').bind(STATE, HEAD)
  const { results } = await found.all()
  const body = results[0]?.body as string | undefined
  const state = body === undefined ? undefined : (JSON.parse(body) as State)
  settled ||= state?.settled ?? false
  return state ?? { after: '', quiet: Date.now(), settled: false }
}

/** Whether no object has anything to take over any more. */
export async function isSettled(db: D1): Promise<boolean> {
  if (settled || Date.now() < askedAt + KNOWN_MS) return settled
  const { settled: now } = await stateOf(db)
  askedAt = Date.now()
  return now
}

const DUE = `SELECT DISTINCT p FROM entry WHERE alarm_rank = ? AND alarm_at <= ? AND version > 0
  ORDER BY alarm_at LIMIT ${PAGE}`
const HEADS = `SELECT p, version FROM entry WHERE k = '${HEAD}' AND p > ? ORDER BY p LIMIT ${PAGE}`
const KEEP = `INSERT INTO entry (p, k, version, body) VALUES ('${STATE}', '${HEAD}', 1, ?)
  ON CONFLICT DO UPDATE SET version = version + 1, body = excluded.body`

/** A minute's share: what is due first, then the next page of all. */
export async function adoptSome(
  db: D1,
  call: (partition: string) => Promise<unknown>,
): Promise<void> {
  const state = await stateOf(db)
  if (state.settled) return
  const due = await Promise.all(
    [0, 1].map(async (rank) => (await db.prepare(DUE).bind(rank, Date.now()).all()).results),
  )
  const page = (await db.prepare(HEADS).bind(state.after).all()).results
  const originals = page.filter(({ version }) => (version as number) > 0)
  const found = [...due.flat(), ...originals].map(({ p }) => p as string)
  const owned = new Set(found.filter((p) => holderOf(p) !== undefined))
  await Promise.all([...owned].map(call))
  const quiet = owned.size > 0 ? Date.now() : state.quiet
  const over = page.length < PAGE
  const next: State = {
    after: over ? '' : (page.at(-1)!.p as string),
    quiet,
    settled: over && Date.now() - quiet > QUIET_MS,
  }
  await db.prepare(KEEP).bind(JSON.stringify(next)).all()
}
