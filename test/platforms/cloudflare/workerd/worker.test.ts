/** What the Worker does with requests, and how it counts what an event asks. */

import { expect, it, onTestFinished, vi } from 'vitest'
import { newKey } from '../../../../src/engine/tenant/api-keys.ts'
import type { R2 } from '../../../../src/hosts/cloudflare/bindings/bindings.ts'
import { meteredD1, newBudget } from '../../../../src/hosts/cloudflare/bindings/budget.ts'
import { d1Store } from '../../../../src/hosts/cloudflare/ports/d1.ts'
import worker from '../../../../src/hosts/worker.ts'
import { put } from '../../../contract/store/kit.ts'
import { env, migrate } from './env.ts'

await migrate()

/** The next call to an object is never answered. */
let isNextLost = false
const PARTITIONS: typeof env.PARTITIONS = {
  getByName(name) {
    const object = env.PARTITIONS.getByName(name)
    if (!isNextLost) return object
    isNextLost = false
    const never = () => new Promise<never>(() => {})
    return { ...object, read: never, heads: never, commit: never }
  },
}
const { key } = newKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
const variables = { ...env, PARTITIONS, STRATA_MASTER_KEY: '0'.repeat(64) }

it('a deployment without its secrets reports that to callers, and logs which are missing', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const answer = await worker.fetch(new Request('https://strata.test/healthz'), {
    ...env,
    STRATA_MASTER_KEY: undefined,
  })
  expect(answer.status).toBe(503)
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(await answer.json()).toMatchObject({ code: 'unavailable', instance: '/healthz' })
  expect(String(log.mock.lastCall)).toContain('STRATA_MASTER_KEY must be 64 hex digits')
})

it('a machine shell is unavailable on a Worker, and callers read the reason', async () => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const request = new Request('https://strata.test/v1/resolve', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{}',
  })
  const allowed = { ...variables, STRATA_ADMIN_KEY: key, ALLOW_SHELL: 'true' }
  const { lacks } = (await (await worker.fetch(request, allowed)).json()) as { lacks: object }
  expect(lacks).toMatchObject({
    shell_execute: 'ALLOW_SHELL is set, but only a Node server supports it',
  })
})

it('a request does not wait for the write of another request, which may never end', async () => {
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

it('an event with many database requests hands over before D1 refuses', async () => {
  const budget = newBudget()
  const store = d1Store(meteredD1(env.DB, budget))
  const p = `_/key/${crypto.randomUUID()}`
  await store.commit(p, [], { expect: null, body: '1' })
  expect((await store.read(p)).map(({ body }) => body)).toEqual(['1'])
  expect(budget.isSpent()).toBe(false)
  const rows = (from: number) =>
    Array.from({ length: 99 }, (_, i) => put(`r/${from + i}`, 'x', { expect: 'any' }))
  for (let head = 1; head < 7; head += 1)
    expect(await store.commit(p, rows(100 * head), { expect: head, body: 'n' })).toBe('ok')
  expect(budget.isSpent()).toBe(true)
  budget.renew()
  expect(budget.isSpent()).toBe(false)
  budget.spend('calls', 6_000)
  expect(budget.isSpent()).toBe(true)
})

it('a command does not wait for that of another request, whose end may never arrive', async () => {
  const open = { ...variables, STRATA_ADMIN_KEY: key, OPENAI_API_KEY: 'none' }
  const post = (path: string, body: object) =>
    worker.fetch(
      new Request(`https://strata.test/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
      open,
    )
  const { id } = (await (await post('/runs', { input: 'hello' })).json()) as { id: string }
  isNextLost = true
  // Its client has gone away, and all that it waits for with it.
  void post(`/runs/${id}/cancel`, {})
  await vi.waitFor(() => expect(isNextLost).toBe(false), 10_000)
  const began = Date.now()
  expect((await post(`/runs/${id}/cancel`, {})).status).toBeLessThan(300)
  expect(Date.now() - began).toBeLessThan(10_000)
})
