/**
 * The lists that lie in an object: the children of a run are shown where that lies, rows of tenants
 * by the hour (`hour-lists.ts`). Children that lie with their parent are there anyway; of all others
 * copies are kept here, which their objects send (`copies.ts`). An object of an earlier build asks
 * the database too, where its children's copies were.
 */

import type { Store } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'
import { hourIn } from './address.ts'
import type { D1, RowName } from './bindings.ts'
import { COPY, COPY_IN_PLACE, REMOVE } from './copies.ts'
import { d1Store } from './d1.ts'
import { merged, nearest, within } from './list-pages.ts'
import type { ObjectRows } from './object-rows.ts'

const PAGE = 100
/** No copies, as they are sent. */
export const NONE = '[]'
/** Copies of others only: rows of an object's own are few, and an index is billed. */
const INDEX = {
  sql: 'CREATE INDEX IF NOT EXISTS listing ON entry (listed_under, listed_at)',
  params: [],
}
const IS_THERE = `SELECT 1 FROM entry WHERE p = ? AND k = '${HEAD}' AND version > 0`

export interface ObjectLists extends Pick<Store, 'list' | 'find'> {
  /** Copies of rows of others, as one text, and the names of those that went. */
  take(of: string, copies: string, gone: readonly RowName[]): void
}

export function objectLists(rows: ObjectRows, db: D1): ObjectLists {
  const { store } = rows
  const before = d1Store(db)
  return {
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
      if (!rows.exists && (!isHour || copies === NONE)) return
      const remove = gone.map((params) => ({ sql: REMOVE, params }))
      // Of one that is deleted nobody asks for children, and nobody would remove them.
      const isShown = isHour || rows.all({ sql: IS_THERE, params: [of] }).length > 0
      const copy =
        isShown && copies !== NONE
          ? [COPY_IN_PLACE, COPY].map((sql) => ({ sql, params: [copies] }))
          : []
      rows.run([...(isHour ? [INDEX] : []), ...remove, ...copy])
    },
  }
}
