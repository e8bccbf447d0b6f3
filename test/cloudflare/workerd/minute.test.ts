/**
 * The clock's event: what is due in the database becomes wakes, what has expired goes; and a backlog
 * of more than one event may ask D1 about is worked off by the next ones, because D1 answers no
 * further.
 */

import { expect, it } from 'vitest'
import type { D1, D1Statement } from '../../../src/hosts/cloudflare/bindings.ts'
import { d1Store } from '../../../src/hosts/cloudflare/d1.ts'
import worker from '../../../src/hosts/worker.ts'
import { put } from '../../contract/store/kit.ts'
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

/** One minute's event; which partitions it has woken, and how often it has asked. */
async function minute(): Promise<{ woken: string[]; asked: number }> {
  const woken: string[] = []
  const { db, asked } = bounded(env.DB)
  const PARTITIONS: typeof env.PARTITIONS = {
    getByName: (name) => {
      const object = env.PARTITIONS.getByName(name)
      return {
        read: (partition, after) => object.read(partition, after),
        heads: (partitions) => object.heads(partitions),
        commit: (partition, writes, head) => object.commit(partition, writes, head),
        drop: (partition) => object.drop(partition),
        adopt: (partition) => object.adopt(partition),
        follow: (partition, live) => object.follow(partition, live),
        wake: async (wakes) => void woken.push(...wakes.map(({ partition }) => partition)),
      }
    },
  }
  await worker.scheduled(undefined, { ...env, PARTITIONS, DB: db })
  return { woken, asked: asked() }
}

const store = d1Store(env.DB)

/** As much of a head as the clock reads. */
const owe = (partition: string): Promise<unknown> => {
  const alarm = { at: Date.now() - 1_000, lane: 'main', started: false } as const
  const body = JSON.stringify({ wake_at: alarm.at, redeliveries: 0, listed: null, lease: null })
  return store.commit(partition, [], { expect: null, body, alarm })
}

it('the minute sends what is due and sweeps what has expired', async () => {
  await owe('default/endpoint/end_due')
  await store.commit('default/reservation/x', [put('old', 'x', { expiresAt: Date.now() - 1 })])
  expect((await minute()).woken).toEqual(['default/endpoint/end_due'])
  expect(await store.read('default/reservation/x')).toEqual([])
  expect((await minute()).woken).toEqual([])
})

it('a backlog that one event cannot work off is worked off by the next ones, and swept meanwhile', async () => {
  const all = Array.from(
    { length: 600 },
    (_, i) => `default/endpoint/end_${String(i).padStart(4, '0')}`,
  )
  for (let at = 0; at < all.length; at += 100) await Promise.all(all.slice(at, at + 100).map(owe))
  await store.commit('default/reservation/y', [put('old', 'x', { expiresAt: Date.now() - 1 })])
  const woken: string[] = []
  for (let minutes = 0; minutes < 3; minutes += 1) {
    const said = await minute()
    expect(said.asked).toBeLessThanOrEqual(D1_QUERIES)
    if (minutes === 0) expect(await store.read('default/reservation/y')).toEqual([])
    woken.push(...said.woken)
  }
  expect(woken.sort()).toEqual(all)
}, 60_000)
