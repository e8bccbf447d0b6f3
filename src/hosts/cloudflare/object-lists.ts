/**
 * The lists that lie in an object: the children of a run are shown where that lies, rows of tenants
 * by the hour (`hour-lists.ts`). Children that lie with their parent are there anyway; of all others
 * copies are kept here, which their objects send (`copies.ts`). An object of an earlier build asks
 * the database too, where its children's copies were.
 */

import type { Store } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'
import { copyHome, hourIn } from './address.ts'
import type { D1, RowName } from './bindings.ts'
import { COPY, COPY_IN_PLACE, REMOVE } from './copies.ts'
import { d1Store } from './d1.ts'
import type { Directory } from './hours.ts'
import { merged, nearest, within } from './list-pages.ts'
import type { ObjectRows } from './object-rows.ts'

const PAGE = 100
/** No copies, as they are sent. */
export const NONE = '[]'
/**
 * Of copies of others, where they are many: an index is billed by the row too, and to sort the rows
 * of a quiet hour takes milliseconds.
 */
const MANY = 2_000
const COUNT = { sql: 'SELECT count(*) AS n FROM entry', params: [] }
const INDEX = {
  sql: 'CREATE INDEX IF NOT EXISTS listing ON entry (listed_under, listed_at)',
  params: [],
}
const IS_THERE = `SELECT 1 FROM entry WHERE p = ? AND k = '${HEAD}' AND version > 0`

/** Copies that have vanished are shown no more; they are removed together, within a day. */
const DAY_MS = 86_400_000
/** After a failure. */
const AGAIN_MS = 3_600_000
const ENDS = { sql: 'SELECT max(vanishes_at) AS at FROM entry WHERE version < 0', params: [] }
const LASTING = 'SELECT 1 FROM entry WHERE version > 0 OR coalesce(vanishes_at > ?, true) LIMIT 1'
const ANY = 'SELECT listed_under AS u, listed_at AS at FROM entry WHERE version < 0 LIMIT 1'
const REMOVE_VANISHED = 'DELETE FROM entry WHERE version < 0 AND vanishes_at <= ?'

const latest = (end: number | null, copies: string): number | null => {
  const ends = (JSON.parse(copies) as unknown[][]).map(([, , , , , , , at]) => at)
  return ends.reduce<number | null>(
    (last, at) => (typeof at === 'number' && at > (last ?? 0) ? at : last),
    end,
  )
}

export interface ObjectLists extends Pick<Store, 'list' | 'find'> {
  /** Copies of rows of others, as one text, and the names of those that went. */
  take(of: string, copies: string, gone: readonly RowName[]): void
  /** When copies that have vanished are to be removed, ms since 1970; undefined: none will. */
  sweepAt(): number | undefined
  /** Removes them, and with the last of them the hour from the directory. */
  sweep(now: number, directory: Directory): Promise<void>
}

export function objectLists(rows: ObjectRows, db: D1): ObjectLists {
  const { store } = rows
  const before = d1Store(db)
  /** When the last copy vanishes of those that do; null: none does, undefined: nobody has looked. */
  let end: number | null | undefined
  const endOfAll = (): number | null => {
    if (end === undefined) end = (rows.all(ENDS)[0]?.at ?? null) as number | null
    return end
  }
  let again = 0
  const sweepAt = (): number | undefined => {
    const at = endOfAll()
    return at === null ? undefined : Math.max(again, Math.ceil(at / DAY_MS) * DAY_MS)
  }
  /** Rows that may be here, at the most; undefined: nobody has counted. */
  let count: number | undefined
  let isIndexed = false
  const indexIfMany = (more: number): void => {
    if (isIndexed) return
    count = (count ?? MANY) + more
    if (count > MANY) count = rows.all(COUNT)[0]?.n as number
    isIndexed = count > MANY
    if (isIndexed) rows.runTimeless([INDEX])
  }
  const forget = (): void => {
    end = undefined
    count = undefined
    isIndexed = false
  }
  return {
    sweepAt,
    async sweep(now, { note, forget: forgetHour }) {
      if (now < (sweepAt() ?? Number.POSITIVE_INFINITY)) return
      again = now + AGAIN_MS
      const [any] = rows.all({ sql: ANY, params: [] })
      const lasts = rows.all({ sql: LASTING, params: [now] }).length > 0 || rows.gone().length > 0
      if (lasts) rows.runTimeless([{ sql: REMOVE_VANISHED, params: [now] }])
      else {
        const home = any ? copyHome(any.u as string, any.at as string) : ''
        await forgetHour(home)
        // Somebody may have sent a copy meanwhile.
        if (rows.all({ sql: LASTING, params: [now] }).length > 0) await note(home)
        else await rows.empty()
      }
      forget()
    },
    async list(under, below, limit = PAGE) {
      const here = await store.list(under, below, limit)
      if (rows.hasWholeLists) return here
      return merged(here, await before.list(under, below, limit), 'newest').slice(0, limit)
    },
    async find(under, wanted) {
      const here = await store.find(under, wanted)
      if (rows.hasWholeLists) return here
      const there = await before.find(under, wanted)
      const reached = nearest([here.reached, there.reached], wanted)
      return within(merged(here.rows, there.rows, wanted.order), reached, wanted)
    },
    take(of, copies, gone) {
      const isHour = hourIn(of) !== undefined
      if (!rows.exists) forget()
      if (!rows.exists && (!isHour || copies === NONE)) return
      const remove = gone.map((params) => ({ sql: REMOVE, params }))
      // Of one that is deleted nobody asks for children, and nobody would remove them.
      const isShown = isHour || rows.all({ sql: IS_THERE, params: [of] }).length > 0
      const copy =
        isShown && copies !== NONE
          ? [COPY_IN_PLACE, COPY].map((sql) => ({ sql, params: [copies] }))
          : []
      rows.runTimeless([...remove, ...copy])
      if (isHour) indexIfMany(copy.length > 0 ? (JSON.parse(copies) as unknown[]).length : 0)
      if (copy.length > 0 && end !== undefined) end = latest(end, copies)
      // The last may have gone; where they are many, what is hidden waits for its time.
      if (gone.length > 0 && !isIndexed) end = undefined
    },
  }
}
