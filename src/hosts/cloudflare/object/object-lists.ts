/**
 * Lists stored in an object. The children of a run are listed in the run's object, and the rows of
 * a tenant by hour (`hour-lists.ts`). Children in their parent's object need no copies. Copies of
 * all other listed rows are stored here, sent by the objects of these rows (`copies.ts`).
 */

import type { Store } from '../../../ports/world.ts'
import { HEAD } from '../../../ports/world.ts'
import { hourIn } from '../bindings/address.ts'
import type { RowName } from '../bindings/bindings.ts'
import { COPY, COPY_IN_PLACE, REMOVE } from './copies.ts'
import type { ObjectRows } from './object-rows.ts'

/** Empty list of copies in serialized form. */
export const NONE = '[]'
/** Index of copies only: the object's own list rows are few, and index rows are billed. */
const INDEX = {
  sql: 'CREATE INDEX IF NOT EXISTS listing ON entry (listed_under, listed_at)',
  params: [],
}
const IS_THERE = `SELECT 1 FROM entry WHERE p = ? AND k = '${HEAD}' AND version > 0`

export interface ObjectLists extends Pick<Store, 'list' | 'find'> {
  /**
   * Stores copies of other objects' rows, passed as one JSON string, and removes the copies of the
   * rows in `removed`.
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
      // Children of a deleted run are not listed, because their copies would never be removed.
      const isShown = isHour || rows.all({ sql: IS_THERE, params: [of] }).length > 0
      const copy =
        isShown && copies !== NONE
          ? [COPY_IN_PLACE, COPY].map((sql) => ({ sql, params: [copies] }))
          : []
      rows.run([...(isHour ? [INDEX] : []), ...remove, ...copy])
    },
  }
}
