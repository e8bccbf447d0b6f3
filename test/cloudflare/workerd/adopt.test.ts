/** Runs that an earlier release has left in D1, in workerd: their objects take them over, whole. */

import { runInDurableObject } from 'cloudflare:test'
import { expect, it, onTestFinished, vi } from 'vitest'
import { adoptSome, isSettled } from '../../../src/hosts/cloudflare/adopt.ts'
import type { PartitionCalls } from '../../../src/hosts/cloudflare/bindings.ts'
import { storeOf } from '../../../src/hosts/cloudflare/compose.ts'
import { d1Store } from '../../../src/hosts/cloudflare/d1.ts'
import { alarmAt, put } from '../../contract/store/kit.ts'
import { switches } from '../hearing.ts'
import { env, migrate } from './env.ts'

await migrate()

/** The store as the release before had it. */
const before = d1Store(env.DB)
const LATER = Date.now() + 3_600_000

function nameOne() {
  const id = `run_${crypto.randomUUID()}`
  const p = `default/run/${id}`
  return {
    p,
    snapshot: `default/snapshot/${id}`,
    object: env.PARTITIONS.getByName(`default/${id}`),
  }
}

async function written(facts = 3) {
  const named = nameOne()
  const rows = Array.from({ length: facts }, (_, i) =>
    put(`f/${String(i).padStart(4, '0')}`, `${i}`),
  )
  for (let at = 0; at < rows.length; at += 90) await before.commit(named.p, rows.slice(at, at + 90))
  await before.commit(named.snapshot, [put('about', 'folded')])
  await before.commit(named.p, [put('mail/run_x', '{}', { alarm: alarmAt(LATER) })], {
    expect: null,
    body: 'head',
    alarm: alarmAt(LATER),
    listed: { under: named.p, at: '1' },
  })
  return { ...named, rows: await before.read(named.p) }
}

const originals = async (p: string): Promise<unknown[]> => {
  const sql = 'SELECT k FROM entry WHERE p = ? AND version > 0'
  return [...(await env.DB.prepare(sql).bind(p).all()).results]
}
const listed = async (under: string) => (await before.list(under)).map(({ body }) => body)
const eventually = (check: () => Promise<void>) =>
  vi.waitFor(check, { timeout: 30_000, interval: 50 })

it('a run of before is read where it now lies, with its snapshot and alarms, and stays in its list', async () => {
  const { p, snapshot, object, rows } = await written()
  expect(await object.read(p)).toEqual(rows)
  expect((await object.read(snapshot)).map(({ body }) => body)).toEqual(['folded'])
  expect(await originals(p)).toEqual([])
  expect(await originals(snapshot)).toEqual([])
  await eventually(async () => expect(await listed(p)).toEqual(['head']))
  const alarm = await runInDurableObject(object, (_, state) => state.storage.getAlarm())
  // Copies are seen to first; then it is the run's.
  expect(alarm).toBeLessThanOrEqual(LATER)
  expect(await object.commit(p, [], { expect: 1, body: 'newer' })).toBe('ok')
})

it('a name that was taken before is not given twice, though nobody has read it since', async () => {
  const { p, object } = await written()
  expect(await object.commit(p, [], { expect: null, body: 'another' })).toBe('conflict')
})

it('a log of more rows than are taken at once comes whole', async () => {
  const { p, object, rows } = await written(250)
  expect(await object.read(p)).toEqual(rows)
  expect(await originals(p)).toEqual([])
})

it('an object that dies between taking and removing, before or after, loses nothing', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  onTestFinished(() => void (switches.batch = undefined))
  for (const arrives of [false, true]) {
    const { p, object, rows } = await written()
    switches.batch = async (send) => {
      if (arrives) await send()
      throw new Error('D1_ERROR: Network connection lost.')
    }
    // Within the object: the runner takes what is thrown across a call for a failure of its own.
    const read = runInDurableObject(object, (self) => (self as PartitionCalls).read(p))
    await expect(read).rejects.toThrow('Network connection lost')
    await runInDurableObject(object, (_, state) => state.abort('killed')).catch(() => {})
    switches.batch = undefined
    const again = env.PARTITIONS.getByName(p.replace('/run/', '/'))
    expect(await again.read(p)).toEqual(rows)
    expect(await originals(p)).toEqual([])
  }
})

it('what a Worker of before commits while the object takes the run is taken too', async () => {
  onTestFinished(() => void (switches.batch = undefined))
  const { p, object } = await written()
  let meanwhile = 0
  switches.batch = async (send) => {
    meanwhile += 1
    if (meanwhile === 1)
      await before.commit(p, [put('f/9999', 'late')], { expect: 1, body: 'newer' })
    return send()
  }
  const rows = await object.read(p)
  expect(rows.map(({ key, body, version }) => [key, body, version])).toEqual([
    ...[0, 1, 2].map((i) => [`f/000${i}`, `${i}`, 1]),
    ['f/9999', 'late', 1],
    ['head', 'newer', 2],
    ['mail/run_x', '{}', 1],
  ])
  expect(await originals(p)).toEqual([])
})

it('a tenant keeps its policy and its endpoints, which one object holds from now on', async () => {
  const tenant = `t${crypto.randomUUID().slice(0, 8)}`
  const under = `${tenant}/endpoints`
  await before.commit(`${tenant}/policy/tenant`, [], { expect: null, body: '{"of":"before"}' })
  for (const id of ['1', '2'])
    await before.commit(`${tenant}/endpoint/end_${id}`, [put('secret')], {
      expect: null,
      body: id,
      listed: { under, at: id },
    })
  const store = storeOf({ ...env })
  expect((await store.list(under)).map(({ body }) => body)).toEqual(['2', '1'])
  expect((await store.heads([`${tenant}/policy/tenant`]))[0]?.body).toBe('{"of":"before"}')
  expect((await store.read(`${tenant}/endpoint/end_1`)).map(({ key }) => key)).toEqual([
    'head',
    'secret',
  ])
  // A new one is listed at once: nothing lags where the rows themselves lie.
  await store.commit(`${tenant}/endpoint/end_3`, [], {
    expect: null,
    body: '3',
    listed: { under, at: '3' },
  })
  expect((await store.list(under)).map(({ body }) => body)).toEqual(['3', '2', '1'])
})

it('the clock hands over what is due first, then all the rest, and ends when nothing is found', async () => {
  const runs = await Promise.all(Array.from({ length: 5 }, () => written()))
  const due = nameOne()
  await before.commit(due.p, [put('mail/x', '{}', { alarm: alarmAt(1) })])
  const called: string[] = []
  const minute = () =>
    adoptSome(env.DB, async (p) => {
      called.push(p)
      await env.PARTITIONS.getByName(p.replace('/run/', '/')).adopt(p)
    })
  await minute()
  expect(called).toContain(due.p)
  for (const { p } of [...runs, due]) expect(await originals(p)).toEqual([])
  called.length = 0
  await minute()
  expect(called).toEqual([])
  // Workers of before may still run: the last word is spoken an hour later.
  expect(await isSettled(env.DB)).toBe(false)
  vi.setSystemTime(Date.now() + 3_700_000)
  onTestFinished(() => void vi.useRealTimers())
  await minute()
  expect(await isSettled(env.DB)).toBe(true)
  vi.useRealTimers()
  expect(await isSettled(env.DB)).toBe(true)
})
