/**
 * Lists stored in an object: the children of a run are listed in its object, rows of tenants by
 * hour (`hour-lists.ts`). Children in their parent's object need no copies. Copies of all others
 * are stored here, sent by their objects (`copies.ts`).
 */

import type { Store } from '../../../ports/world.ts'
import { HEAD } from '../../../ports/world.ts'
import { hourIn } from '../bindings/address.ts'
import type { RowName } from '../bindings/bindings.ts'
import { COPY, COPY_IN_PLACE, REMOVE } from './copies.ts'
import type { ObjectRows } from './object-rows.ts'

/** Empty list of copies in the transmitted form. */
export const NONE = '[]'
/** Index of copies only: an object has few rows for its lists, and an index is billed. */
const INDEX = {
  sql: 'CREATE INDEX IF NOT EXISTS listing ON entry (listed_under, listed_at)',
  params: [],
}
const IS_THERE = `SELECT 1 FROM entry WHERE p = ? AND k = '${HEAD}' AND version > 0`

export interface ObjectLists extends Pick<Store, 'list' | 'find'> {
  /**
   * Stores copies of rows of other objects, as one JSON string, and removes the named deleted rows.
   */
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
      // Children of a deleted run are not listed, because they would never be removed.
      const isShown = isHour || rows.all({ sql: IS_THERE, params: [of] }).length > 0
      const copy =
        isShown && copies !== NONE
          ? [COPY_IN_PLACE, COPY].map((sql) => ({ sql, params: [copies] }))
          : []
      rows.run([...(isHour ? [INDEX] : []), ...remove, ...copy])
    },
  }
}
