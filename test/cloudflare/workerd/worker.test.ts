/** What the Worker does with messages: nothing is judged, nothing is kept, nothing of ours is lost. */

import { expect, it, onTestFinished, vi } from 'vitest'
import { newKey } from '../../../src/engine/tenant/api-keys.ts'
import type { R2 } from '../../../src/hosts/cloudflare/bindings.ts'
import { meteredD1 } from '../../../src/hosts/cloudflare/budget.ts'
import { d1Store } from '../../../src/hosts/cloudflare/d1.ts'
import worker from '../../../src/hosts/worker.ts'
import { put } from '../../contract/store/kit.ts'
import { env, migrate } from './env.ts'

await migrate()

const variables = { ...env, STRATA_MASTER_KEY: '0'.repeat(64) }

async function consumed(queue: string, bodies: readonly unknown[]): Promise<string[]> {
  const fates: string[] = []
  const messages = bodies.map((body, index) => ({
    id: String(index),
    body,
    ack: () => void (fates[index] = 'acked'),
    retry: () => void (fates[index] = 'retried'),
  }))
  await worker.queue({ queue, messages }, variables)
  return fates
}

const wake = { partition: 'default/run/run_none', lane: 'main', started: false, staleCount: 0 }

it('a wake is acked also when the look fails; what is none of ours goes on to the dead letters', async () => {
  const bodies = [wake, { ...wake, partition: 'nonsense' }, 'no wake', null]
  expect(await consumed('strata-main', bodies)).toEqual(['acked', 'acked', 'retried', 'retried'])
})

it('dead letters are told and let go', async () => {
  expect(await consumed('strata-main-dead', [wake, 'no wake'])).toEqual(['acked', 'acked'])
})

it('a deployment without its secrets says so to whoever asks, and which in its log', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const answer = await worker.fetch(new Request('https://strata.test/healthz'), { ...env })
  expect(answer.status).toBe(503)
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(await answer.json()).toMatchObject({ code: 'unavailable', instance: '/healthz' })
  expect(String(log.mock.lastCall)).toContain('STRATA_MASTER_KEY must hold 64 hex digits')
})

it('a request does not wait for what another one writes: that may never end', async () => {
  const { key } = newKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  const hangs = { ...variables, STRATA_ADMIN_KEY: key, OPENAI_API_KEY: 'none' }
  const json = JSON.stringify({ input: 'the same large text '.repeat(5_000) })
  const create = (with_: typeof hangs) =>
    worker.fetch(
      new Request('https://strata.test/v1/runs', {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: json,
      }),
      with_,
    )
  // The isolate's app is opened, and its key known, before the first request hangs.
  expect((await worker.fetch(new Request('https://strata.test/v1/policy'), hangs)).status).toBe(401)
  let puts = 0
  const stuck: R2 = {
    get: (name) => env.BUCKET.get(name),
    head: (name) => env.BUCKET.head(name),
    delete: (name) => env.BUCKET.delete(name),
    list: (options) => env.BUCKET.list(options),
    put() {
      puts += 1
      return new Promise(() => {})
    },
  }
  void create({ ...hangs, BUCKET: stuck })
  await vi.waitFor(() => expect(puts).toBeGreaterThan(0), 30_000)
  expect((await create(hangs)).status).toBe(202)
})

it('an event that has asked the database often hands over before D1 refuses', async () => {
  const { db, budget } = meteredD1(env.DB)
  const store = d1Store(db)
  const p = `default/run/run_${crypto.randomUUID()}`
  await store.commit(p, [], { expect: null, body: '1' })
  expect((await store.read(p)).map(({ body }) => body)).toEqual(['1'])
  expect(budget.isSpent()).toBe(false)
  const rows = (from: number) =>
    Array.from({ length: 99 }, (_, i) => put(`r/${from + i}`, 'x', { expect: 'any' }))
  for (let head = 1; head < 7; head += 1)
    expect(await store.commit(p, rows(100 * head), { expect: head, body: 'n' })).toBe('ok')
  expect(budget.isSpent()).toBe(true)
})
