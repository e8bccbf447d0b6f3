/**
 * The lists that lie in an object: the children of a run are shown where that lies, rows of tenants
 * by the hour (`hour-lists.ts`). Children that lie with their parent are there anyway; of all others
 * copies are kept here, which their objects send (`copies.ts`).
 */

import type { Store } from '../../../ports/world.ts'
import { HEAD } from '../../../ports/world.ts'
import { hourIn } from '../bindings/address.ts'
import type { RowName } from '../bindings/bindings.ts'
import { COPY, COPY_IN_PLACE, REMOVE } from './copies.ts'
import type { ObjectRows } from './object-rows.ts'

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
  take(of: string, copies: string, removed: readonly RowName[]): void
}

export function objectLists(rows: ObjectRows): ObjectLists {
  const { list, find } = rows.store
  return {
    list,
    find,
    take(of, copies, removed) {
      const isHour = hourIn(of) !== undefined
      if (!rows.exists && (!isHour || copies === NONE)) return
      const remove = removed.map((params) => ({ sql: REMOVE, params }))
      // Children of a deleted run are not listed, and would never be removed.
      const isShown = isHour || rows.all({ sql: IS_THERE, params: [of] }).length > 0
      const copy =
        isShown && copies !== NONE
          ? [COPY_IN_PLACE, COPY].map((sql) => ({ sql, params: [copies] }))
          : []
      rows.run([...(isHour ? [INDEX] : []), ...remove, ...copy])
    },
  }
}
