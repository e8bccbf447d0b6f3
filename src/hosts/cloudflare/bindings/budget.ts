/**
 * How much of what the platform bounds one event may use. D1 answers a thousand queries of an
 * event, each statement of a batch being one; an event may make ten thousand calls to anything,
 * objects among them (developers.cloudflare.com/workers/platform/limits). A worker that hands over
 * before that loses nothing.
 */

import type { D1, D1Statement } from './bindings.ts'

/** A commit of the engine is 100 statements at most, and several may be under way. */
const MOST = { queries: 600, calls: 6_000 } as const

export interface Spending {
  spend(resource: keyof typeof MOST, count: number): void
}

export interface Budget extends Spending {
  /** Whether this event should start no new work. */
  isSpent(): boolean
  /** Another event has begun. */
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

/** The same database, counted. */
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
