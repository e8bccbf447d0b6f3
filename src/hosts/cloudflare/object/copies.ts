/**
 * Lists show copies of the rows that objects hold: an object for each hour those of a tenant, the
 * object of a run those of its children that lie elsewhere. They are written after a commit and
 * never by it. Which are pending is the object's memory; until the database has them its alarm
 * is near, and one that starts by such an alarm takes all of its listed rows for pending: to write
 * what is there already changes nothing. Only rows that went are noted in the object. A copy bears
 * the version of its original, negated: an older one never replaces a newer one, and none is taken
 * for an original.
 */

import { copyHome, isListedHere } from '../bindings/address.ts'
import type { D1, RowName } from '../bindings/bindings.ts'
import type { ObjectRows } from './object-rows.ts'

/** Rows of one batch. */
const PAGE = 100
/** Characters of all its bodies: a parameter may have 2 MB. */
const PAGE_LENGTH = 500_000

/** A single statement for all, because each is parsed and answered separately. */
const INSERT = `INSERT INTO entry (p, k, body, version, listed_under, listed_at, listed_tags)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
  FROM json_each(?) WHERE true ON CONFLICT (p, k) DO UPDATE SET version = excluded.version,
  body = excluded.body, listed_tags = excluded.listed_tags`
const IS_NEWER = 'WHERE entry.version < 0 AND excluded.version < entry.version'
export const COPY = `${INSERT}, listed_under = excluded.listed_under,
  listed_at = excluded.listed_at ${IS_NEWER}`
/**
 * For rows that keep their position in their list: its index, which is billed too, is unchanged.
 */
export const COPY_IN_PLACE = `${INSERT} ${IS_NEWER}
  AND excluded.listed_under = entry.listed_under AND excluded.listed_at = entry.listed_at`
export const REMOVE = 'DELETE FROM entry WHERE p = ? AND k = ? AND version < 0'

const ROW = `SELECT p, k, body, version, listed_under, listed_at, listed_tags FROM entry
  WHERE p = ? AND k = ? AND listed_under IS NOT NULL AND version > 0`

/** A change waits for those that follow it at once: a short run is one copy. */
const SOON_MS = 200
/** Copies are written no oftener than this: a run that works changes its row often. */
const PACE_MS = 1_000
/** The alarm comes within this while copies are to be written or being written. */
const BACKSTOP_MS = 30_000
/** After a failure, longer each time. */
const RETRY_MS = 2_000
/** The alarm of the object is at most this far away while a copy is pending. */
export const COPIES_MS = 300_000

export interface CopyWriter {
  /** These rows have changed, or have gone. */
  markDirty(names: readonly RowName[]): void
  /** All of its rows are pending: it is unknown which were when the object died. */
  markAllDirty(): void
  /** Begins to write what is pending, unless it is being written or must wait. */
  flushSoon(): void
  /** When to nudge again, ms since 1970; undefined: nothing is pending. */
  next(): number | undefined
}

export interface CopyTargets {
  readonly db: D1
  /** To the object that has this partition, whose children they are. */
  readonly send: (of: string, parcel: Parcel) => Promise<void>
  /** Keeps the object alive. */
  readonly until: (work: Promise<void>) => void
  readonly onError: (error: unknown) => void
}

/** Time is the wall's, which the alarm goes by. */
export function copyWriter(rows: ObjectRows, targets: CopyTargets): CopyWriter {
  const { until, onError } = targets
  /** How often each has changed since its copy was written. */
  const pending = new Map<string, number>()
  let running = false
  let failures = 0
  let retryAt = 0
  let writtenAt = Number.NEGATIVE_INFINITY
  let backstop: number | undefined
  const note = (names: readonly RowName[]): void => {
    for (const name of names.map(textOf)) pending.set(name, (pending.get(name) ?? 0) + 1)
  }
  const write = async (): Promise<void> => {
    while (pending.size > 0) {
      const wait = Math.max(SOON_MS, writtenAt + PACE_MS - Date.now())
      await new Promise((resolve) => setTimeout(resolve, wait))
      try {
        await writeSome(rows, targets, pending)
        failures = 0
        backstop = undefined
        writtenAt = Date.now()
      } catch (error) {
        retryAt = Date.now() + Math.min(COPIES_MS, RETRY_MS * 2 ** failures)
        failures += 1
        backstop = undefined
        onError(error)
        return
      }
    }
  }
  return {
    markDirty: note,
    markAllDirty: () => note([...rows.listed(), ...rows.gone().map(({ name }) => name)]),
    flushSoon() {
      if (running || Date.now() < retryAt || pending.size === 0) return
      running = true
      until(
        write().finally(() => {
          running = false
        }),
      )
    },
    next() {
      if (pending.size === 0) {
        backstop = undefined
        return undefined
      }
      // While a write is in progress no trigger is needed, however slow the database.
      if (failures > 0 && !running) return retryAt
      // It stays where it was set: each move of an alarm is a write.
      if (backstop === undefined || backstop <= Date.now()) backstop = Date.now() + BACKSTOP_MS
      return backstop
    },
  }
}

const textOf = (name: RowName): string => JSON.stringify(name)

/** For one home: copies of rows that are there, and the names of those that went. */
interface Parcel {
  readonly copies: unknown[][]
  readonly gone: RowName[]
}

/** Writes some copies that are pending. Throws when a place that shows them does not answer. */
async function writeSome(
  rows: ObjectRows,
  { db, send }: Pick<CopyTargets, 'db' | 'send'>,
  pending: Map<string, number>,
): Promise<void> {
  const some: [text: string, count: number][] = []
  /** Parcels by their homes (`copyHome`). */
  const parcels = new Map<string, Parcel>()
  const parcelFor = (of: string): Parcel => {
    const parcel = parcels.get(of) ?? { copies: [], gone: [] }
    parcels.set(of, parcel)
    return parcel
  }
  // A recreated row restarts at version 1, so its old copy must be deleted first.
  const removed = new Map(rows.gone().map(({ name, home }) => [textOf(name), home]))
  let length = 0
  for (const [text, count] of pending) {
    if (some.length === PAGE || length > PAGE_LENGTH) break
    some.push([text, count])
    const name = nameIn(text)
    if (removed.has(text)) parcelFor(removed.get(text)!).gone.push(name)
    const [row] = rows.all({ sql: ROW, params: name })
    if (!row || isListedHere(name[0], row.listed_under as string)) continue
    parcelFor(copyHome(row.listed_under as string, row.listed_at as string)).copies.push(
      copyOf(row),
    )
    length += (row.body as string).length
  }
  await Promise.all(
    [...parcels].map(([of, parcel]) => (of === '' ? toDatabase(db, parcel) : send(of, parcel))),
  )
  const settled = some.filter(([text, count]) => pending.get(text) === count)
  rows.forget(settled.flatMap(([text]) => (removed.has(text) ? [nameIn(text)] : [])))
  for (const [text] of settled) pending.delete(text)
}

async function toDatabase(db: D1, { copies, gone: removed }: Parcel): Promise<void> {
  const statements = removed.map((name) => db.prepare(REMOVE).bind(...name))
  if (copies.length > 0) statements.push(db.prepare(COPY).bind(JSON.stringify(copies)))
  if (statements.length > 0) await db.batch(statements)
}

const nameIn = (text: string): RowName => JSON.parse(text) as RowName

const copyOf = (row: Readonly<Record<string, unknown>>): unknown[] => {
  const { p, k, body, version, listed_under, listed_at, listed_tags } = row
  return [p, k, body, -(version as number), listed_under, listed_at, listed_tags]
}
