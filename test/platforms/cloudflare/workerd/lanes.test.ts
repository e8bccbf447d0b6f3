/** Places of a lane, in workerd: so many at once, fairly shared, and free again when a holder dies. */

import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { expect, it, onTestFinished, vi } from 'vitest'
import { placesIn } from '../../../../src/hosts/cloudflare/lanes/lane-place.ts'
import { laneOf, poolOf } from '../../../../src/hosts/cloudflare/lanes/lanes.ts'
import type { Wake } from '../../../../src/ports/world.ts'
import { env, migrate } from './env.ts'

await migrate()

/** `LANE_BACKGROUND` of the tests; tenants that hold few have so many more. */
const WIDTH = 2
const KEPT = 2

const wakeOf = (partition: string): Wake => ({
  partition,
  lane: 'background',
  started: false,
  staleCount: 0,
})
/** A lane of its own for each test. */
const lane = (name: string) => {
  const object = env.LANES.getByName(name)
  const rows = (sql: string) =>
    runInDurableObject(object, (_, state) => state.storage.sql.exec(sql).toArray())
  return {
    object,
    rows,
    enter: async (partition: string) => (await object.enter([wakeOf(partition)]))[0],
    holders: async () => (await rows('SELECT p FROM place ORDER BY p')).map(({ p }) => p),
  }
}

it('a lane admits up to its width, readmits its holders, and calls the next run', async () => {
  const { object, enter, holders } = lane('width')
  const runs = [0, 1, 2, 3].map((i) => `one/run/run_${i}`)
  expect(await Promise.all(runs.map(enter))).toEqual([true, true, false, false])
  expect(await enter(runs[0]!)).toBe(true)
  expect(await holders()).toHaveLength(WIDTH)
  await object.leave([runs[1]!])
  // Who has waited longest has it, and finds it when it comes.
  expect(await holders()).toEqual([runs[0], runs[2]])
  expect(await enter(runs[3]!)).toBe(false)
  expect(await enter(runs[2]!)).toBe(true)
})

it('a tenant that fills a lane leaves some places to smaller tenants, which go first', async () => {
  const { object, enter, holders } = lane('tenants')
  const many = Array.from({ length: 6 }, (_, i) => `many/run/run_${i}`)
  const few = Array.from({ length: 3 }, (_, i) => `few/run/run_${i}`)
  await Promise.all(many.map(enter))
  expect(await Promise.all(few.map(enter))).toEqual([true, true, false])
  expect(await holders()).toHaveLength(WIDTH + KEPT)
  await object.leave([few[0]!])
  expect(await holders()).toEqual([few[1], few[2], many[0], many[1]])
  for (const run of [few[1], few[2], many[0]]) await object.leave([run!])
  // The line of the one goes on.
  expect(await holders()).toEqual([many[1], many[2]])
})

it('a place whose holder has died is free when its time is over, and the next run is called', async () => {
  const { object, rows, enter, holders } = lane('healed')
  const runs = [0, 1, 2].map((i) => `one/run/run_${i}`)
  for (const run of runs) await enter(run)
  const [first] = await rows('SELECT min(until) AS until FROM place')
  // Longer than the platform lets any pass take.
  expect(first!.until as number).toBeGreaterThan(Date.now() + 900_000)
  await rows(`UPDATE place SET until = 1 WHERE p = '${runs[0]}'`)
  expect(await runDurableObjectAlarm(object)).toBe(true)
  expect(await holders()).toEqual([runs[1], runs[2]])
})

it('a called object requests its place again and is admitted', async () => {
  const { width, name } = laneOf('background', 'mine/run/run_x', {
    main: 1,
    subagent: 1,
    background: WIDTH,
    resume: 1,
    delivery: 1,
  })
  expect([width, name]).toEqual([WIDTH, 'background/0'])
  const { object, enter, rows } = lane(name)
  await enter('mine/run/run_a')
  await enter('mine/run/run_b')
  const called = env.PARTITIONS.getByName('mine/run_c')
  await called.wake([wakeOf('mine/run/run_c')], 0)
  // Runs of the tests before may come along.
  const mine = (table: string) => rows(`SELECT p FROM ${table} WHERE tenant = 'mine'`)
  await vi.waitFor(
    async () => expect(await mine('waiting')).toEqual([{ p: 'mine/run/run_c' }]),
    20_000,
  )
  await object.leave(['mine/run/run_a'])
  // There is no such run: its pass is over at once, and the place comes back.
  await vi.waitFor(
    async () => expect(await mine('place')).toEqual([{ p: 'mine/run/run_b' }]),
    20_000,
  )
  expect(await mine('waiting')).toEqual([])
})

it('only waiting runs and deliveries request a place, never short or resumed work', () => {
  const pool = (partition: string, started: boolean) => poolOf({ ...wakeOf(partition), started })
  expect(pool('t/run/run_1', false)).toBe('background')
  expect(pool('t/run/run_1', true)).toBe(undefined)
  expect(pool('t/delivery/dlv_1', false)).toBe('delivery')
  for (const kind of ['session', 'fanout', 'endpoint'])
    expect(pool(`t/${kind}/x`, false)).toBe(undefined)
})

it('a wide lane is divided into shards that distribute its exact width', () => {
  const widths = { main: 601, subagent: 1, background: 1, resume: 1, delivery: 1 }
  const found = new Map<string, number>()
  for (let i = 0; i < 200; i += 1) {
    const { name, width } = laneOf('main', `t/run/run_${i}`, widths)
    found.set(name, width)
  }
  expect([...found.keys()].toSorted()).toEqual(['main/0', 'main/1', 'main/2'])
  expect([...found.values()].reduce((sum, width) => sum + width, 0)).toBe(601)
})

it('a suspect delivery requests its place like any other, however often it is refused', async () => {
  const taken = Array.from({ length: 24 }, (_, i) => `lanes/delivery/dlv_${i}`)
  const suspect: Wake = { ...wakeOf('lanes/delivery/dlv_x'), started: true, suspect: true }
  const places = placesIn(env as never, { spend: () => {} })
  const object = env.LANES.getByName('delivery/0')
  await object.enter(taken.map(wakeOf))
  onTestFinished(() => object.leave([...taken, suspect.partition]))
  expect(await places.take(suspect)).toBeGreaterThan(0)
  expect(await places.take(suspect)).toBeGreaterThan(0)
})
