/** The cron trigger removes expired rows and starts the sweep of the bucket. */

import { expect, it } from 'vitest'
import { SWEEP } from '../../../../src/engine/worker/sweep.ts'
import type { D1, D1Statement } from '../../../../src/hosts/cloudflare/bindings/bindings.ts'
import { d1Store } from '../../../../src/hosts/cloudflare/ports/d1.ts'
import worker from '../../../../src/hosts/worker.ts'
import { put } from '../../../contract/store/kit.ts'
import { env, migrate } from './env.ts'

await migrate()

const D1_QUERIES = 1_000

/** As the platform has it: a statement too many is an error, for those of a batch too. */
function bounded(db: D1): { db: D1; asked: () => number } {
  let asked = 0
  const ask = (count: number): void => {
    asked += count
    if (asked > D1_QUERIES)
      throw new Error('D1_ERROR: Too many API requests by single Worker invocation.')
  }
  const originals = new Map<D1Statement, D1Statement>()
  const wrap = (statement: D1Statement): D1Statement => {
    const made: D1Statement = {
      bind: (...values) => wrap(statement.bind(...values)),
      async all() {
        ask(1)
        return statement.all()
      },
    }
    originals.set(made, statement)
    return made
  }
  return {
    asked: () => asked,
    db: {
      prepare: (sql) => wrap(db.prepare(sql)),
      async batch(statements) {
        ask(statements.length)
        return db.batch(statements.map((one) => originals.get(one) ?? one))
      },
    },
  }
}

/** One minute's event; how often it has asked. */
async function minute(): Promise<number> {
  const { db, asked } = bounded(env.DB)
  await worker.scheduled(undefined, { ...env, DB: db })
  return asked()
}

const store = d1Store(env.DB)

it('the minute trigger sweeps expired rows', async () => {
  await store.commit('default/reservation/x', [put('old', 'x', { expiresAt: Date.now() - 1 })])
  await minute()
  expect(await store.read('default/reservation/x')).toEqual([])
})

it('a minute trigger stays within its D1 limit, and the next ones sweep the rest', async () => {
  const rows = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70000)
    INSERT INTO entry (p, k, version, body, expires_at)
    SELECT 'default/reservation/z' || i, 'head', 1, '', 1 FROM n`
  await env.DB.prepare(rows).all()
  const left = async (): Promise<unknown> => {
    const count = "SELECT count(*) AS n FROM entry WHERE p LIKE 'default/reservation/z%'"
    return (await env.DB.prepare(count).all()).results[0]?.n
  }
  expect(await minute()).toBeLessThanOrEqual(D1_QUERIES)
  expect(await left()).toBeGreaterThan(0)
  while ((await left()) !== 0) expect(await minute()).toBeLessThanOrEqual(D1_QUERIES)
})

it('the minute trigger sends the sweep of the bucket, whose passes run in an object', async () => {
  await minute()
  const [head] = await store.heads([SWEEP])
  const due = { next_at: Date.now() - 60_000, at: Date.now() - 3_600_000 }
  const body = JSON.stringify(due)
  expect(await store.commit(SWEEP, [], { expect: head!.version, body })).toBe('ok')
  await env.BUCKET.put('default/bodies/run_x/a', new Uint8Array(1), {} as never)
  await minute()
  const nextAt = async () => JSON.parse((await store.heads([SWEEP]))[0]!.body).next_at as number
  while ((await nextAt()) < Date.now()) await new Promise((resolve) => setTimeout(resolve, 50))
  // It is young: whoever owns it may be on its way.
  expect(await env.BUCKET.head('default/bodies/run_x/a')).not.toBeNull()
})
