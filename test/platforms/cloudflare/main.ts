/**
 * The Worker of the tests in workerd: the objects of the real one, one whose rows are asked as a
 * whole store, and one whose passes go to whichever test listens.
 */

import type { ObjectState } from '../../../src/hosts/cloudflare/bindings/bindings.ts'
import { type Budget, newBudget } from '../../../src/hosts/cloudflare/bindings/budget.ts'
import type { WorkerEnv } from '../../../src/hosts/cloudflare/compose.ts'
import { PartitionObject as Real } from '../../../src/hosts/cloudflare/object/partition-object.ts'
import type { RowSearch, Wake } from '../../../src/ports/world.ts'
import { hearing, switches } from './hearing.ts'

export { LaneObject } from '../../../src/hosts/cloudflare/lanes/lane-object.ts'
export { Outbound } from '../../../src/hosts/cloudflare/object/outbound.ts'

/** The real one; a test may let its database fail, or an event run out of its means early. */
export class PartitionObject extends Real {
  protected override readonly budget = watched(newBudget(switches.most))

  constructor(ctx: ObjectState, env: WorkerEnv) {
    const DB: WorkerEnv['DB'] = {
      prepare: (sql) => env.DB.prepare(sql),
      batch: (statements) =>
        switches.batch ? switches.batch(() => env.DB.batch(statements)) : env.DB.batch(statements),
    }
    super(ctx, { ...env, DB })
  }
}

function watched(budget: Budget): Budget {
  let calls = 0
  return {
    spend(what, count) {
      if (what === 'calls') calls += count
      switches.calls = Math.max(switches.calls, calls)
      budget.spend(what, count)
    },
    isSpent() {
      const spent = budget.isSpent()
      if (spent) switches.spent += 1
      return spent
    },
    renew() {
      calls = 0
      budget.renew()
    },
  }
}

/** Its alarm passes over nothing: what is due stays due. */
export class RowsObject extends PartitionObject {
  override async alarm(): Promise<void> {}

  due(now: number, cursor?: string) {
    return this.rows.store.due(now, cursor)
  }
  override async find(under: string, wanted: RowSearch) {
    return this.rows.store.find(under, wanted)
  }
  sweep(now: number, pages: number) {
    return this.rows.store.sweep(now, pages)
  }
  /** All texts of a table, for tests. */
  count(table: string): number {
    return this.rows.all({ sql: `SELECT count(*) AS n FROM ${table}`, params: [] })[0]?.n as number
  }
}

export class HearingObject extends PartitionObject {
  protected override async dispatch(wake: Wake): Promise<void> {
    await hearing.current?.(wake)
  }
}

export default {}
