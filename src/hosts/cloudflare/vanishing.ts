/**
 * Rows that go from an object by themselves: an ended root that is nothing but its rows (`vanishesAt`),
 * without a pass and without a word to its lists, whose copies bear the same time.
 */

import { HEAD } from '../../ports/world.ts'
import type { ObjectRows } from './object-rows.ts'

/** Not where another row of it stands in a list, whose copy bears no time: a pass deletes that. */
const VANISHED = `SELECT p FROM entry WHERE k = '${HEAD}' AND version > 0 AND vanishes_at <= ?
  AND NOT EXISTS (SELECT 1 FROM entry AS beside
    WHERE beside.p = entry.p AND beside.k <> '${HEAD}' AND beside.listed_under IS NOT NULL)`
const PARTITIONS = 'SELECT DISTINCT p FROM entry'
const DROP = 'DELETE FROM entry WHERE p = ?'

/** Removes it, but for these partitions. Where it is all that there is, the storage goes whole. */
export async function vanish(
  rows: Pick<ObjectRows, 'all' | 'run' | 'gone' | 'empty'>,
  now: number,
  but: (partition: string) => boolean,
): Promise<void> {
  const gone = rows
    .all({ sql: VANISHED, params: [now] })
    .map(({ p }) => p as string)
    .filter((partition) => !but(partition))
  if (gone.length === 0) return
  const all = rows.all({ sql: PARTITIONS, params: [] })
  const isAll = all.every(({ p }) => gone.includes(p as string)) && rows.gone().length === 0
  if (isAll) return rows.empty()
  rows.run(gone.map((partition) => ({ sql: DROP, params: [partition] })))
}
