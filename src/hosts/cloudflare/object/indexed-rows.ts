/** Rows of an object with their index entries, which exports contain and imports write. */

import { HEAD } from '../../../ports/world.ts'
import { readIndexed, restore, type Statement } from '../../sql/statements.ts'
import { indexedOf, type SqlStore } from '../../sql/store.ts'
import { isListedHere } from '../bindings/address.ts'
import type { RowName } from '../bindings/bindings.ts'
import { withFacts } from './packed-rows.ts'

interface ObjectSql {
  all(statement: Statement): readonly Readonly<Record<string, unknown>>[]
  exec(statement: Statement): unknown
  transaction<T>(act: () => T): T
}

/** Returns the operations of exports; `onCopied` gets rows whose lists are stored elsewhere. */
export const indexedRows = (
  { all, exec, transaction }: ObjectSql,
  onCopied: (names: readonly RowName[]) => void,
): Pick<SqlStore, 'readIndexed' | 'writeIndexed'> => ({
  async readIndexed(partition) {
    const [head] = all({ sql: TAIL, params: [partition, HEAD] })
    // Copies of other objects' rows have negative versions.
    const stored = all(readIndexed(partition)).filter(({ version }) => Number(version) > 0)
    return withFacts(stored.map(indexedOf), (head?.tail ?? null) as string | null)
  },
  async writeIndexed(partition, rows) {
    transaction(() => {
      for (const row of rows) exec(restore(partition, row))
    })
    const copied = rows.filter((row) => row.listed && !isListedHere(partition, row.listed.under))
    onCopied(copied.map(({ key }) => [partition, key] as const))
  },
})

const TAIL = 'SELECT tail FROM entry WHERE p = ? AND k = ?'
