/** What D1 bills: rows read and written, as the database itself says with every answer. */

import type { D1, D1Statement } from '../../src/hosts/cloudflare/bindings.ts'

export interface D1Bill {
  commits: number
  rowsWritten: number
  rowsRead: number
}
interface Meta {
  readonly meta?: { readonly rows_read?: number; readonly rows_written?: number }
}

export function meterD1(db: D1): { db: D1; bill: D1Bill } {
  const bill: D1Bill = { commits: 0, rowsWritten: 0, rowsRead: 0 }
  const count = ({ meta }: Meta): void => {
    bill.rowsRead += meta?.rows_read ?? 0
    bill.rowsWritten += meta?.rows_written ?? 0
  }
  const originals = new WeakMap<D1Statement, D1Statement>()
  const metered = (statement: D1Statement): D1Statement => {
    const made: D1Statement = {
      bind: (...values) => metered(statement.bind(...values)),
      async all() {
        // The local D1 closes connections that were idle, also under a request: a read is repeated.
        const answer = await statement.all().catch(() => statement.all())
        count(answer as Meta)
        return answer
      },
    }
    originals.set(made, statement)
    return made
  }
  return {
    bill,
    db: {
      prepare: (sql) => metered(db.prepare(sql)),
      async batch(statements) {
        bill.commits += 1
        const answers = await db.batch(statements.map((one) => originals.get(one) ?? one))
        for (const answer of answers as Meta[]) count(answer)
        return answers
      },
    },
  }
}
