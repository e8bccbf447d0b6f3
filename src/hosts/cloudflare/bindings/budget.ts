/**
 * Budget of one event within the platform's limits. D1 allows a thousand queries per event, and
 * each statement of a batch counts as one query. An event may make ten thousand calls in total,
 * including calls to objects (developers.cloudflare.com/workers/platform/limits). A worker that
 * continues in a new event before it reaches the limit loses nothing.
 */

import type { D1, D1Statement } from './bindings.ts'

/**
 * Maximum number of queries and calls per event. A commit of the engine has at most 100 statements,
 * and several commits may be in progress.
 */
const MOST = { queries: 600, calls: 6_000 } as const

export interface Spending {
  spend(resource: keyof typeof MOST, count: number): void
}

export interface Budget extends Spending {
  /** Reports whether the budget is spent and this event should start no new work. */
  isSpent(): boolean
  /** Resets the budget for a new event. */
  renew(): void
}

export function newBudget(most: Readonly<Record<keyof typeof MOST, number>> = MOST): Budget {
  let spent = { queries: 0, calls: 0 }
  return {
    spend(resource, count) {
      spent[resource] += count
    },
    isSpent: () => spent.queries >= most.queries || spent.calls >= most.calls,
    renew() {
      spent = { queries: 0, calls: 0 }
    },
  }
}

/** Returns the database with its queries counted against the budget. */
export function meteredD1(db: D1, budget: Spending): D1 {
  const originals = new WeakMap<D1Statement, D1Statement>()
  const metered = (statement: D1Statement): D1Statement => {
    const wrapped: D1Statement = {
      bind: (...values) => metered(statement.bind(...values)),
      all() {
        budget.spend('queries', 1)
        return statement.all()
      },
    }
    originals.set(wrapped, statement)
    return wrapped
  }
  return {
    prepare: (sql) => metered(db.prepare(sql)),
    batch(statements) {
      budget.spend('queries', statements.length)
      return db.batch(statements.map((statement) => originals.get(statement) ?? statement))
    },
  }
}
