/** Lists while the database is away, in workerd: they lag, runs do not notice, and they heal. */

import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { expect, it, onTestFinished, vi } from 'vitest'
import { holderOf } from '../../../../src/hosts/cloudflare/bindings/address.ts'
import type { ObjectState } from '../../../../src/hosts/cloudflare/bindings/bindings.ts'
import { d1Store } from '../../../../src/hosts/cloudflare/ports/d1.ts'
import { put } from '../../../contract/store/kit.ts'
import { switches } from '../hearing.ts'
import { env, migrate } from './env.ts'
import { ask, ended, playModel } from './model.ts'

await migrate()

const store = d1Store(env.DB)
const eventually = (check: () => Promise<void>) =>
  vi.waitFor(check, { timeout: 30_000, interval: 50 })
const listedAs = (at: string, under: string) => ({ expect: null, body: at, listed: { under, at } })

function quietly(): void {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
}

it('a commit waits for no list, and lists catch up after a database outage', async () => {
  quietly()
  const p = `default/run/run_${crypto.randomUUID()}`
  const object = env.PARTITIONS.getByName(p.replace('/run/', '/'))
  let refused = 0
  switches.batch = () => {
    refused += 1
    return Promise.reject(new Error('D1_ERROR: Network connection lost.'))
  }
  onTestFinished(() => void (switches.batch = undefined))
  expect(await object.commit(p, [], listedAs('1', p))).toBe('ok')
  expect((await object.heads([p]))[0]?.body).toBe('1')
  await eventually(async () => expect(refused).toBeGreaterThan(0))
  expect(await store.list(p)).toEqual([])
  switches.batch = undefined
  // By its own alarm, which is seconds away.
  await eventually(async () => expect((await store.list(p)).map(({ body }) => body)).toEqual(['1']))
})

it('a write whose answer is lost is repeated, and an older copy never replaces a newer one', async () => {
  quietly()
  const p = `default/run/run_${crypto.randomUUID()}`
  const object = env.PARTITIONS.getByName(p.replace('/run/', '/'))
  let late: (() => Promise<unknown>) | undefined
  switches.batch = async (send) => {
    late ??= send
    throw new Error('D1_ERROR: Network connection lost.')
  }
  onTestFinished(() => void (switches.batch = undefined))
  await object.commit(p, [], listedAs('1', p))
  await eventually(async () => expect(late).toBeDefined())
  switches.batch = undefined
  await object.commit(p, [], { ...listedAs('1', p), expect: 1, body: 'newer' })
  await eventually(async () =>
    expect((await store.list(p)).map(({ body }) => body)).toEqual(['newer']),
  )
  await late!()
  expect((await store.list(p)).map(({ body }) => body)).toEqual(['newer'])
})

it('copies left behind by a dead object are written by its next instance', async () => {
  quietly()
  const p = `default/run/run_${crypto.randomUUID()}`
  const object = env.PARTITIONS.getByName(p.replace('/run/', '/'))
  switches.batch = () => new Promise(() => {})
  onTestFinished(() => void (switches.batch = undefined))
  await object.commit(p, [put('r')], listedAs('1', p))
  await runInDurableObject(object, (_, state) => state.abort('killed')).catch(() => {})
  switches.batch = undefined
  const again = env.PARTITIONS.getByName(p.replace('/run/', '/'))
  expect(await runDurableObjectAlarm(again)).toBe(true)
  await eventually(async () => expect((await store.list(p)).map(({ body }) => body)).toEqual(['1']))
})

it('the alarm does not spin while a copy is being written, even for a long time', async () => {
  quietly()
  const p = `default/run/run_${crypto.randomUUID()}`
  const object = env.PARTITIONS.getByName(holderOf(p)!)
  let tries = 0
  switches.batch = () => {
    tries += 1
    if (tries > 1) return new Promise(() => {})
    return Promise.reject(new Error('D1_ERROR: Network connection lost.'))
  }
  onTestFinished(() => void (switches.batch = undefined))
  let moves = 0
  await runInDurableObject(object, (_, state) => {
    const { storage } = state as unknown as ObjectState
    const set = storage.setAlarm.bind(storage)
    storage.setAlarm = (at) => {
      moves += 1
      return set(at)
    }
  })
  expect(await object.commit(p, [], listedAs('1', p))).toBe('ok')
  await eventually(async () => expect(tries).toBe(2))
  moves = 0
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(moves).toBeLessThan(3)
})

it('missing list entries survive the death of an object that waits minutes for a retry', async () => {
  quietly()
  const p = `default/run/run_${crypto.randomUUID()}`
  const object = () => env.PARTITIONS.getByName(holderOf(p)!)
  switches.batch = () => new Promise(() => {})
  onTestFinished(() => void (switches.batch = undefined))
  await object().commit(p, [], listedAs('1', p))
  // As after some failures.
  await runInDurableObject(object(), (_, state) => state.storage.setAlarm(Date.now() + 200_000))
  await runInDurableObject(object(), (_, state) => state.abort('killed')).catch(() => {})
  switches.batch = undefined
  // Somebody asks for it before that.
  expect((await object().heads([p]))[0]?.body).toBe('1')
  expect(await runDurableObjectAlarm(object())).toBe(true)
  await eventually(async () => expect((await store.list(p)).map(({ body }) => body)).toEqual(['1']))
})

it('a run that is deleted while lists lag is deleted with its subagents', async () => {
  quietly()
  playModel()
  // The first run of a deployment writes its marker to the database.
  await ended((await ask('POST', '/runs', { input: '@say hello' })).id)
  switches.batch = () => Promise.reject(new Error('D1_ERROR: Network connection lost.'))
  onTestFinished(() => void (switches.batch = undefined))
  const input = '@spawn 6 {"task":"@say part {i}"}\n@await\n@say {results}'
  const { id } = await ask('POST', '/runs', { input })
  expect((await ended(id)).status).toBe('completed')
  const p = `default/run/${id}`
  const rows = await env.PARTITIONS.getByName(holderOf(p)!).read(p)
  const spawned = /"type":"subagent.spawned".*?"run_id":"(\w+)"/g
  const log = rows.map(({ body }) => body).join()
  const children = [...log.matchAll(spawned)].map(([, child]) => child)
  expect(children).toHaveLength(6)
  await eventually(async () => {
    await ask('DELETE', `/runs/${id}`)
    expect(await ask('GET', `/runs/${id}`)).toMatchObject({ code: 'not_found' })
  })
  for (const child of children)
    expect(await ask('GET', `/runs/${child}`)).toMatchObject({ code: 'not_found' })
})
