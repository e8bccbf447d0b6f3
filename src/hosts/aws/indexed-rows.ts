/** Items as rows with their index entries, which exports contain and imports write. */

import type { IndexedRow } from '../../ports/world.ts'
import type { StoredBody } from './commit.ts'
import { dueEntryOf, type Item, indexed, keyOf, number, rowOf, STARTED, text } from './table.ts'

export function indexedRowOf(item: Item, body: string): IndexedRow {
  const { u: under, a: at, t: tags, g: rank, x: expiry } = item
  const isStarted = rank?.S?.startsWith(STARTED) ?? false
  const listing = under?.S === undefined ? undefined : { under: under.S, at: at?.S ?? '' }
  return {
    ...rowOf(item, body),
    ...(rank ? { alarm: dueEntryOf(item, isStarted).alarm } : {}),
    ...(listing ? { listed: tags?.S === undefined ? listing : { ...listing, tags: tags.S } } : {}),
    ...(expiry?.N === undefined ? {} : { expiresAt: Number(expiry.N) * 1_000 }),
  }
}

/** Returns the item of a row that an import writes; `commit` is the ID of the write. */
export const restoredItem = (
  partition: string,
  row: IndexedRow,
  { commit, body }: { readonly commit: string; readonly body: StoredBody },
): Item =>
  ({
    ...keyOf(partition, row.key),
    ...{ v: number(row.version), c: text(commit) },
    ...body,
    ...indexed(partition, row.key, row),
  }) as Item
