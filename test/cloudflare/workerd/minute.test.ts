/**
 * The clock's event: what has expired goes, what an earlier release has left goes to its objects, as
 * much as one event may ask D1 about.
 */

import { expect, it } from 'vitest'
import { SWEEP } from '../../../src/engine/worker/sweep.ts'
import type { D1, D1Statement } from '../../../src/hosts/cloudflare/bindings.ts'
import { d1Store } from '../../../src/hosts/cloudflare/d1.ts'
import worker from '../../../src/hosts/worker.ts'
import { alarmAt, put } from '../../contract/store/kit.ts'
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
const left = async (): Promise<number> => {
  const sql =
    "SELECT count(*) AS n FROM entry WHERE k = 'head' AND version > 0 AND p LIKE 'default/%'"
  return (await env.DB.prepare(sql).all()).results[0]?.n as number
}

it('the minute sweeps what has expired', async () => {
  await store.commit('default/reservation/x', [put('old', 'x', { expiresAt: Date.now() - 1 })])
  await minute()
  expect(await store.read('default/reservation/x')).toEqual([])
})

it('runs of an earlier release that one event cannot hand over are handed over by the next ones', async () => {
  const all = Array.from({ length: 700 }, (_, i) => `default/run/run_${String(i).padStart(4, '0')}`)
  const alarm = alarmAt(Date.now() + 3_600_000)
  const write = (p: string) => store.commit(p, [], { expect: null, body: '{}', alarm })
  for (let at = 0; at < all.length; at += 100) await Promise.all(all.slice(at, at + 100).map(write))
  await store.commit('default/reservation/y', [put('old', 'x', { expiresAt: Date.now() - 1 })])
  expect(await left()).toBe(700)
  for (let minutes = 0; minutes < 4; minutes += 1) {
    expect(await minute()).toBeLessThanOrEqual(D1_QUERIES)
    if (minutes === 0) expect(await store.read('default/reservation/y')).toEqual([])
  }
  expect(await left()).toBe(0)
})

it('the minute sends the sweep of the bucket, whose passes an object makes', async () => {
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
