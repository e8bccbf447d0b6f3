import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../../src/engine/dispatch.ts'
import { schedulePartition } from '../../../../src/engine/partition/keys.ts'
import { putSchedule } from '../../../../src/engine/schedule/manage.ts'
import { scheduleId } from '../../../../src/engine/schedule/store.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { memoryClock } from '../../../../src/hosts/memory/clock.ts'
import { memoryQueue } from '../../../../src/hosts/memory/queue.ts'
import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import { chance } from '../../../support/chance.ts'
import { dueIn, walkOf } from '../../../support/cron-oracle.ts'
import { TENANT, testWorld } from '../../../support/drive.ts'
import { fullOr } from '../../../support/full.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** March and April: clocks skip an hour in Berlin and show half an hour twice on Lord Howe Island. */
const FROM = fullOr(Date.UTC(2026, 0, 1), Date.UTC(2026, 2, 1))
const TO = fullOr(Date.UTC(2028, 0, 1), Date.UTC(2026, 4, 1))

type Zones = Readonly<Record<string, readonly [timezone: string, cron: string]>>
/** Slots on the days on which clocks change; `unit/core/schedule/when.test.ts` covers all days. */
const ALL_ZONES: Zones = {
  'new-york': ['America/New_York', '30 2 * * 0'],
  berlin: ['Europe/Berlin', '30 2 * * 0'],
  'lord-howe': ['Australia/Lord_Howe', '15 2 * * 0'],
  cairo: ['Africa/Cairo', '0 0 * * 5'],
  chatham: ['Pacific/Chatham', '0 3 * * 0'],
  santiago: ['America/Santiago', '30 23,0 * * 6,0'],
  kathmandu: ['Asia/Kathmandu', '45 */8 * * 1'],
  utc: ['UTC', '0 12 * * 1'],
}
/** Slots on the Sundays on which clocks change, and others, so that tickers restart and step. */
const TWO_ZONES: Zones = {
  berlin: ['Europe/Berlin', '30 2 * * 0,3'],
  'lord-howe': ['Australia/Lord_Howe', '15 2 * * 0,3'],
}
const ZONES = fullOr(ALL_ZONES, TWO_ZONES)

/** Three processes on one store, each with a clock that is off and a memory that it loses. */
function processes(draw: () => number) {
  const store = memoryStore()
  const objects = testWorld().objects
  let now = FROM
  const born = (number: number): MemoryWorld => {
    const clock = memoryClock(now, Math.floor(draw() * 1e9))
    const settings = { worker: `w${number}-${draw()}`, singleProcess: false, flushMs: 0 }
    // Another object: what a process remembers of its store, it remembers alone.
    return testWorld({ store: { ...store }, objects, clock, queue: memoryQueue(clock), settings })
  }
  const all = [born(0), born(1), born(2)]
  const skews = [0, 0, 0]
  return {
    store,
    all,
    get now() {
      return now
    },
    /** Time passes for everybody; each clock shows it with its own error. */
    pass(ms: number) {
      now += ms
      all.forEach(({ clock }, index) => {
        clock.advance(ms)
        clock.set(now + skews[index]!)
      })
    },
    step(index: number, ms: number) {
      skews[index] = ms
    },
    /** What runs have left in the bucket, and the history. */
    async sweep() {
      const { objects: all } = await objects.list(`${TENANT}/`)
      for (const { key } of all) await objects.delete(key, 'any')
      for (const name of Object.keys(ZONES)) {
        const partition = schedulePartition(TENANT, scheduleId(TENANT, name))
        const rows = await store.read(partition)
        const old = rows.filter(({ key }) => key.startsWith('a/')).slice(0, -10)
        const deletes = old.map(({ key }) => ({ op: 'delete', key }) as const)
        if (deletes.length > 0) await store.commit(partition, deletes)
      }
    },
    restart(index: number) {
      all[index] = born(index)
    },
  }
}

/** Whatever sleeps meanwhile sleeps no longer than it must. */
async function awaited(world: MemoryWorld, work: Promise<unknown>): Promise<void> {
  let done = false
  const over = work.finally(() => {
    done = true
  })
  // A failure is told at the end; until then nobody listens, which is no crash.
  over.catch(() => undefined)
  while (!done) {
    await new Promise(setImmediate)
    if (world.clock.sleepers() > 0) world.clock.advance(100)
  }
  await over
}

describe('three schedulers that restart, with clock steps', () => {
  it('start each slot once and miss none, matching a minute-by-minute walk [X-44 X-45 CR-19]', async () => {
    const draw = chance(20_261_124)
    const world = processes(draw)
    for (const [name, [timezone, cron]] of Object.entries(ZONES)) {
      const asker = { world: world.all[0]!, tenant: TENANT, by: 'test' }
      const rules = { overlap: 'allow', catch_up: 'all' } as const
      const request = { input: '@say {{slot}}', cron, timezone, ...rules }
      const made = await putSchedule(asker, name, request, undefined)
      expect(made).toMatchObject({ ok: true })
    }
    const fired = new Map<string, number[]>()
    const failed: unknown[] = []
    // What the store is told to create, whoever asks: a name that is there is no second run.
    const created = new Set<string>()
    const kept = new Set<string>()
    /** As retention does, so that the store does not grow for two years. */
    const forget = async (): Promise<void> => {
      for (const partition of kept) {
        const [head] = await world.store.heads([partition])
        if (JSON.parse(head!.body).wake_at !== null) continue
        await world.store.drop(partition)
        kept.delete(partition)
      }
      await world.sweep()
    }
    const commit = world.store.commit.bind(world.store)
    world.store.commit = async (partition, writes, head) => {
      const done = await commit(partition, writes, head)
      if (done === 'ok' && head?.expect === null && partition.startsWith(`${TENANT}/run/`)) {
        const [first] = writes
        const { facts } = JSON.parse(first?.op === 'put' ? first.body : '{}')
        const { name, slot } = facts[0].run.schedule
        expect(created.has(`${name} ${slot}`)).toBe(false)
        created.add(`${name} ${slot}`)
        kept.add(partition)
        fired.set(name, [...(fired.get(name) ?? []), slot])
      }
      return done
    }
    for (let index = 0; index < 3; index += 1) world.restart(index)
    const look = async (index: number): Promise<void> => {
      const one = world.all[index]!
      await awaited(one, tick(one))
      for (let wakes = one.queue.take(); wakes.length > 0; wakes = one.queue.take()) {
        for (const wake of wakes)
          await awaited(one, dispatch(one, wake)).catch((error) => failed.push(error))
      }
    }
    while (world.now < TO) {
      // To the next alarm and a little beyond it; now and then nobody is there for hours.
      const { entries } = await world.store.due(world.now + 400 * 24 * HOUR)
      const next = Math.min(...entries.map(({ alarm }) => alarm.at))
      const away = draw() < 0.02 ? draw() * 20 * HOUR : draw() * 2 * MINUTE
      world.pass(Math.max(1, next - world.now) + Math.floor(away))
      for (let index = 0; index < 3; index += 1) {
        if (draw() < 0.03) world.restart(index)
        if (draw() < 0.05) world.step(index, Math.floor((draw() - 0.5) * 4 * HOUR))
        if (draw() < 0.2) world.step(index, 0)
      }
      // All three at once, or some of them.
      const there = [0, 1, 2].filter(() => draw() < 0.8)
      await Promise.all(there.map(look))
      if (kept.size > 20) await forget()
    }
    for (let index = 0; index < 3; index += 1) world.step(index, 0)
    world.pass(HOUR)
    for (const index of [0, 1, 2, 0]) await look(index)
    expect(failed).toEqual([])
    for (const [name, [timezone, cron]] of Object.entries(ZONES)) {
      const wanted = dueIn(walkOf(timezone, FROM, TO), cron).filter((at) => at > FROM)
      const got = (fired.get(name) ?? []).filter((slot) => slot < TO).sort((a, b) => a - b)
      expect([name, got.length]).toEqual([name, wanted.length])
      expect(got).toEqual(wanted)
    }
  })
})
