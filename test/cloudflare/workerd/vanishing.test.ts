/**
 * What vanishes by itself, in workerd (protocol rule 40): an ended root that is nothing but its
 * rows, with its copies in lists, without a pass and without a word between objects.
 */

import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { expect, it, vi } from 'vitest'
import { holderOf, hourPartition } from '../../../src/hosts/cloudflare/address.ts'
import type { ObjectState } from '../../../src/hosts/cloudflare/bindings.ts'
import { storeOf, type WorkerEnv } from '../../../src/hosts/cloudflare/compose.ts'
import type { HeadWrite } from '../../../src/ports/world.ts'
import { put } from '../../contract/store/kit.ts'
import { env, migrate } from './env.ts'

await migrate()

const store = storeOf(env as unknown as WorkerEnv)
const eventually = (check: () => Promise<void>) =>
  vi.waitFor(check, { timeout: 30_000, interval: 50 })
const AT = '2026-01-01T00:00:00.000Z'
let count = 0

/** Of a tenant of its own: `runs` of one object, and their list. */
function place() {
  const tenant = `vanish${(count += 1)}`
  const under = `${tenant}/runs`
  const kin = String(count).padStart(10, '0')
  const run = (n: number): string => `${tenant}/run/run_${kin}${String(n).padStart(16, '0')}`
  const head = (n: number, ms: number | undefined, more: Partial<HeadWrite> = {}): HeadWrite => {
    const at = Date.now() + (ms ?? 0)
    const alarm = { at, lane: 'main', started: false } as const
    const ends = ms === undefined ? {} : { vanishesAt: at, alarm }
    return { expect: null, body: `${n}`, listed: { under, at: `${AT} ${n}` }, ...ends, ...more }
  }
  const object = () => env.PARTITIONS.getByName(holderOf(run(0))!)
  const hour = () => env.PARTITIONS.getByName(holderOf(hourPartition(under, AT.slice(0, 13)))!)
  const ask = <T>(of: ReturnType<typeof object>, act: (state: ObjectState) => T): Promise<T> =>
    runInDurableObject(of, (_, state) => act(state as unknown as ObjectState))
  const keys = (of: ReturnType<typeof object>): Promise<readonly unknown[]> =>
    ask(of, ({ storage }) => {
      const [table] = storage.sql.exec("SELECT 1 FROM sqlite_schema WHERE name = 'entry'").toArray()
      return table ? storage.sql.exec('SELECT p FROM entry').toArray() : []
    })
  const shown = async () => (await store.list(under)).map(({ body }) => body)
  return { tenant, under, run, head, object, hour, ask, keys, shown }
}

it('nothing of it is left when its time has come: no row, no table, no place in its list', async () => {
  const { tenant, run, head, object, hour, ask, keys, shown } = place()
  expect(await store.commit(run(1), [put('f/1')], head(1, 3_000))).toBe('ok')
  await eventually(async () => expect(await shown()).toEqual(['1']))
  expect(await ask(object(), ({ storage }) => storage.getAlarm())).not.toBeNull()
  await eventually(async () => expect(await shown()).toEqual([]))
  await eventually(async () => expect(await keys(object())).toEqual([]))
  expect(await store.read(run(1))).toEqual([])
  // The copy is one of an hour long ago, which is removed whole within a day.
  expect(await keys(hour())).toHaveLength(1)
  expect(await store.read(`${tenant}/lists/hours`)).toHaveLength(1)
})

it('an hour all of whose copies have vanished is emptied, and the directory forgets it', async () => {
  const { tenant, run, head, hour, ask, keys, shown } = place()
  // It has vanished days ago, and its object had not come to it: a copy of it is not even sent.
  const days = -3 * 86_400_000
  await store.commit(run(1), [], head(1, days))
  const copies = [[run(2), 'head', 'b', -1, `${tenant}/runs`, `${AT} 2`, null, Date.now() + days]]
  await hour().show(hourPartition(`${tenant}/runs`, AT.slice(0, 13)), JSON.stringify(copies), [])
  expect(await shown()).toEqual([])
  await eventually(async () => expect(await keys(hour())).toEqual([]))
  await eventually(async () => expect(await store.read(`${tenant}/lists/hours`)).toEqual([]))
  expect(await ask(hour(), ({ storage }) => storage.getAlarm())).toBeNull()
})

it('one that lasts keeps the hour: only what has vanished is removed', async () => {
  const { tenant, hour, keys, shown } = place()
  const copy = (n: number, at: number | null) => {
    const id = `${tenant}/run/run_x${String(n).padStart(25, '0')}`
    return [id, 'head', `${n}`, -1, `${tenant}/runs`, `${AT} ${n}`, null, at]
  }
  const copies = [copy(1, Date.now() - 3 * 86_400_000), copy(2, null)]
  await hour().show(hourPartition(`${tenant}/runs`, AT.slice(0, 13)), JSON.stringify(copies), [])
  expect(await shown()).toEqual(['2'])
  await eventually(async () => expect(await keys(hour())).toHaveLength(1))
  expect(await shown()).toEqual(['2'])
  expect(await store.read(`${tenant}/lists/hours`)).toHaveLength(1)
})

it('others in its object stay, and so does one that is written to again', async () => {
  const { under, run, head, object, shown } = place()
  await store.commit(run(1), [put('f/1')], head(1, 1_500))
  await store.commit(run(2), [put('f/1')], head(2, undefined))
  await store.commit(run(3), [put('f/1')], head(3, 1_500))
  const again = { expect: 1, listed: { under, at: `${AT} 3` } }
  await store.commit(run(3), [put('f/2')], head(4, undefined, again))
  await eventually(async () => expect(await store.read(run(1))).toEqual([]))
  await runDurableObjectAlarm(object())
  expect((await store.read(run(2))).map(({ key }) => key)).toEqual(['f/1', 'head'])
  expect((await store.read(run(3))).map(({ key }) => key)).toEqual(['f/1', 'f/2', 'head'])
  await eventually(async () => expect(await shown()).toEqual(['4', '2']))
})

it('one with another row in a list waits for the pass that tells that list', async () => {
  const { tenant, run, head, object, shown } = place()
  const listed = { under: `${tenant}/approvals/decided`, at: `${AT} a` }
  await store.commit(run(1), [put('list/approval/a', 'asked', { listed })], head(1, 1_000))
  await eventually(async () => expect(await store.list(listed.under)).toHaveLength(1))
  await eventually(async () => expect(await shown()).toEqual([]))
  await runDurableObjectAlarm(object())
  const keys = async () => (await store.read(run(1))).map(({ key }) => key)
  expect(await keys()).toEqual(['head', 'list/approval/a'])
  // The pass of these tests knows no run of that body; what a deletion does is told at once.
  await store.drop(run(1))
  await eventually(async () => expect(await store.list(listed.under)).toEqual([]))
})

it('one that is deleted before its time goes from its list at once', async () => {
  const { run, head, shown } = place()
  await store.commit(run(1), [], head(1, 3_600_000))
  await eventually(async () => expect(await shown()).toEqual(['1']))
  await store.drop(run(1))
  await eventually(async () => expect(await shown()).toEqual([]))
})

it('an hour of many copies gets an index, a quiet one pays for none', async () => {
  const { tenant, hour, ask, shown } = place()
  const copies = (from: number, many: number): string =>
    JSON.stringify(
      Array.from({ length: many }, (_, i) => {
        const n = String(from + i).padStart(6, '0')
        return [`${tenant}/run/run_${n}`, 'head', n, -1, `${tenant}/runs`, `${AT} ${n}`, null, null]
      }),
    )
  const of = hourPartition(`${tenant}/runs`, AT.slice(0, 13))
  const indexes = () =>
    ask(hour(), ({ storage }) =>
      storage.sql.exec("SELECT name FROM sqlite_schema WHERE name = 'listing'").toArray(),
    )
  await hour().show(of, copies(0, 1_500), [])
  expect(await indexes()).toEqual([])
  expect((await shown())[0]).toBe('001499')
  // The same again are no more.
  await hour().show(of, copies(0, 1_500), [])
  expect(await indexes()).toEqual([])
  await hour().show(of, copies(1_500, 600), [])
  expect(await indexes()).toHaveLength(1)
  expect((await shown())[0]).toBe('002099')
})
