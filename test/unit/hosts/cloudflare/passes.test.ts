/** The passes of an object: many at once, never two over one partition, and no waiting that spins. */

import { expect, it } from 'vitest'
import { newBudget } from '../../../../src/hosts/cloudflare/bindings/budget.ts'
import { Passes } from '../../../../src/hosts/cloudflare/object/passes.ts'
import type { Wake } from '../../../../src/ports/world.ts'

const wakeOf = (partition: string): Wake => ({
  partition,
  lane: 'main',
  started: true,
  staleCount: 0,
})

/** Passes that end when they are told to; `timers`: how long each wait would be, in ms. */
function passes(budget = newBudget()) {
  const time = { now: 1_000, alarm: undefined as number | undefined }
  const ticks: number[] = []
  const timers: number[] = []
  const ends = new Map<string, () => void>()
  const made = new Passes({
    budget,
    places: { take: async () => undefined, giveBack: async () => undefined },
    dispatch: ({ partition }) => new Promise((resolve) => ends.set(partition, resolve)),
    clock: {
      now: () => time.now,
      timer(ms) {
        timers.push(ms)
        const over = new Promise<void>((resolve) => {
          if (ms <= 0) setImmediate(resolve)
        })
        return { over, clear: () => {} }
      },
    },
    onError: (_, error) => {
      throw error
    },
    alarm: () => time.alarm,
    tick: async (now) => void ticks.push(now),
    until: () => undefined,
    onBegin: () => undefined,
    onRest: async () => undefined,
  })
  return { made, timers, ends, time, ticks }
}

/** So many turns of the event loop as a spinning wait would use up. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

it('passes wait for a slot without spinning when more is due than may be skipped', async () => {
  const { made, timers, ends } = passes()
  made.add(
    Array.from({ length: 66 }, (_, n) => wakeOf(`t/run/${n}`)),
    0,
  )
  const work = made.begin()
  await turns()
  expect(ends.size).toBe(65)
  expect(timers).toEqual([30_000])
  for (const end of ends.values()) end()
  await turns()
  expect(ends.size).toBe(66)
  ends.get('t/run/65')!()
  await work
})

it('passes wait for running ones without spinning when the invocation’s budget is spent', async () => {
  const budget = newBudget({ queries: 1, calls: 1 })
  const { made, timers, ends } = passes(budget)
  made.add([wakeOf('t/run/a')], 0)
  const work = made.begin()
  await turns()
  budget.spend('calls', 1)
  made.add([wakeOf('t/run/b')], 0)
  void made.begin()
  await turns()
  expect(timers).toEqual([30_000, 30_000])
  ends.get('t/run/a')!()
  await work
  expect([...ends.keys()]).toEqual(['t/run/a'])
  // The next event goes on.
  void made.begin()
  await turns()
  expect([...ends.keys()]).toEqual(['t/run/a', 't/run/b'])
})

it('newly due work is checked at once, and work that stays due only later', async () => {
  const { made, time, ticks } = passes()
  time.alarm = 900
  await made.begin()
  // It stays due.
  expect(made.next()).toBe(11_000)
  await made.begin()
  expect(ticks).toEqual([1_000])
  time.alarm = 1_600
  expect(made.next()).toBe(1_600)
  time.now = 1_700
  await made.begin()
  expect(ticks).toEqual([1_000, 1_700])
  time.alarm = 1_700
  time.now = 11_700
  await made.begin()
  expect(ticks).toEqual([1_000, 1_700, 11_700])
})
