/**
 * Writes list copies of an object's rows. Copies of a tenant's rows are sent to one object per
 * hour; copies of a run's children are sent to the object of the run. Copies are written after a
 * commit, never by it. The object keeps the pending copies in memory, and its alarm is near until
 * the target objects have them. An object started by such an alarm marks all its listed rows as
 * pending; rewriting an existing copy changes nothing. The object stores only the names of deleted
 * rows. A copy has the negated version of its original. An older copy therefore never replaces a
 * newer copy and is never mistaken for an original.
 */

import { copyHome, isListedHere } from '../bindings/address.ts'
import type { D1, RowName } from '../bindings/bindings.ts'
import type { ObjectRows } from './object-rows.ts'

/** Maximum number of row copies per batch. */
const PAGE = 100
/** Maximum total length of a batch's bodies, in characters; a parameter may have up to 2 MB. */
const PAGE_LENGTH = 500_000

/** Single insert of all copies in a batch, because each statement is parsed and run separately. */
const INSERT = `INSERT INTO entry (p, k, body, version, listed_under, listed_at, listed_tags)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
  FROM json_each(?) WHERE true ON CONFLICT (p, k) DO UPDATE SET version = excluded.version,
  body = excluded.body, listed_tags = excluded.listed_tags`
const IS_NEWER = 'WHERE entry.version < 0 AND excluded.version < entry.version'
export const COPY = `${INSERT}, listed_under = excluded.listed_under,
  listed_at = excluded.listed_at ${IS_NEWER}`
/**
 * Statement for rows that keep their list position; the index, whose changes are also billed, then
 * stays unchanged.
 */
export const COPY_IN_PLACE = `${INSERT} ${IS_NEWER}
  AND excluded.listed_under = entry.listed_under AND excluded.listed_at = entry.listed_at`
export const REMOVE = 'DELETE FROM entry WHERE p = ? AND k = ? AND version < 0'

const ROW = `SELECT p, k, body, version, listed_under, listed_at, listed_tags FROM entry
  WHERE p = ? AND k = ? AND listed_under IS NOT NULL AND version > 0`

/**
 * Delay before a copy is written, in milliseconds; it includes immediately following changes, so
 * that a short run is written as one copy.
 */
const SOON_MS = 200
/** Minimum interval between copies, in milliseconds; an active run changes its row often. */
const PACE_MS = 1_000
/** Maximum delay of the alarm while copies are pending or being written, in milliseconds. */
const BACKSTOP_MS = 30_000
/** Delay after the first failed write of copies, in milliseconds; doubles with each failure. */
const RETRY_MS = 2_000
/** Maximum delay of the object's alarm while a copy is pending, in milliseconds. */
export const COPIES_MS = 300_000

export interface CopyWriter {
  /** Marks changed or deleted rows, so that their copies are written. */
  markDirty(names: readonly RowName[]): void
  /** Marks all listed rows as pending, because the pending rows of a crashed object are unknown. */
  markAllDirty(): void
  /** Starts writing the pending copies, unless a write is in progress or must wait. */
  flushSoon(): void
  /**
   * Returns the time of the next write of copies, in milliseconds since 1970; undefined if no copy
   * is pending.
   */
  next(): number | undefined
}

export interface CopyTargets {
  readonly db: D1
  /** Sends a parcel of copies to the object that stores the partition `of`. */
  readonly send: (of: string, parcel: Parcel) => Promise<void>
  /** Keeps the object active until the promise settles. */
  readonly until: (work: Promise<void>) => void
  readonly onError: (error: unknown) => void
}

/** Creates the copy writer; its times are wall-clock times, like those of the alarm. */
export function copyWriter(rows: ObjectRows, targets: CopyTargets): CopyWriter {
  const { until, onError } = targets
  /** Number of changes of each row since its last copy was written. */
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
      // While a write is in progress, no further trigger is needed, regardless of how long the
      // write takes.
      if (failures > 0 && !running) return retryAt
      // The backstop time stays unchanged until due, because each change of an alarm is a billed
      // write.
      if (backstop === undefined || backstop <= Date.now()) backstop = Date.now() + BACKSTOP_MS
      return backstop
    },
  }
}

const textOf = (name: RowName): string => JSON.stringify(name)

/** Copies of existing rows, and names of deleted rows, for one target object. */
interface Parcel {
  readonly copies: unknown[][]
  readonly gone: RowName[]
}

/** Writes a batch of pending copies. Throws if a target object does not respond. */
async function writeSome(
  rows: ObjectRows,
  { db, send }: Pick<CopyTargets, 'db' | 'send'>,
  pending: Map<string, number>,
): Promise<void> {
  const some: [text: string, count: number][] = []
  /** Parcels of copies by target partition (`copyHome`). */
  const parcels = new Map<string, Parcel>()
  const parcelFor = (of: string): Parcel => {
    const parcel = parcels.get(of) ?? { copies: [], gone: [] }
    parcels.set(of, parcel)
    return parcel
  }
  // A recreated row restarts at version 1, so the copy of the deleted row must be removed first.
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
