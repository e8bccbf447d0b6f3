/**
 * How often one invocation of a Worker may query its database: D1 answers a thousand queries, and
 * every statement of a batch is counted as one here. A worker that hands over before that loses
 * nothing.
 */

import type { D1, D1Statement } from './bindings.ts'

/** D1 allows 1,000; a commit of the engine is 100 at most, and several may be under way. */
const QUERIES = 600

export interface Budget {
  /** True when no new work should begin in this invocation. */
  isSpent(): boolean
}

/** The same database, counted. */
export function meteredD1(db: D1): { db: D1; budget: Budget } {
  let asked = 0
  const originals = new WeakMap<D1Statement, D1Statement>()
  const metered = (statement: D1Statement): D1Statement => {
    const made: D1Statement = {
      bind: (...values) => metered(statement.bind(...values)),
      all() {
        asked += 1
        return statement.all()
      },
    }
    originals.set(made, statement)
    return made
  }
  return {
    budget: { isSpent: () => asked >= QUERIES },
    db: {
      prepare: (sql) => metered(db.prepare(sql)),
      batch(statements) {
        asked += statements.length
        return db.batch(statements.map((one) => originals.get(one) ?? one))
      },
    },
  }
}
