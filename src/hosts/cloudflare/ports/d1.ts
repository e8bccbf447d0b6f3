/**
 * Store on D1. Uses the same SQL statements as on Node; a commit is one `batch()`, which is a
 * transaction. Reads never use a replica (no session is opened). If the connection is lost during a
 * commit, the outcome is ambiguous (PROTOCOL.md rule 46).
 */

import { tellingTrouble } from '../../../lib/unavailable.ts'
import { isRefusal, type Statement } from '../../sql/statements.ts'
import { type Driver, type SqlStore, sqlStore } from '../../sql/store.ts'
import type { D1, D1Statement } from '../bindings/bindings.ts'
import { isOurs, isTrouble, messageOf } from '../bindings/failure.ts'

export const d1Store = (db: D1): SqlStore => tellingTrouble(sqlStore(driver(db)), isTrouble)

function driver(db: D1): Driver {
  const bound = ({ sql, params }: Statement): D1Statement => db.prepare(sql).bind(...params)
  return {
    async batch(statements) {
      try {
        await db.batch(statements.map(bound))
        return 'ok'
      } catch (error) {
        const message = messageOf(error)
        if (isRefusal(message)) return 'conflict'
        if (isOurs(message)) throw error
        return 'ambiguous'
      }
    },
    all: async (statement) => (await bound(statement).all()).results,
  }
}
