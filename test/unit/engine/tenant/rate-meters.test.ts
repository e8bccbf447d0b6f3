/** Limits that many processes share: the bound of what they admit together, simulated. */

import { describe, expect, it } from 'vitest'
import type { Rate } from '../../../../src/core/rate-limits.ts'
import { ALLOWANCE, SHARE_MS, SharedMeter } from '../../../../src/engine/tenant/rate-meters.ts'
import { type MemoryClock, memoryClock } from '../../../../src/hosts/memory/clock.ts'
import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import type { LogEntry, Store } from '../../../../src/ports/world.ts'

const STEP_MS = 50
const SECONDS = 10

/** Numbers below 1 by a fixed seed. */
function chanceOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** The store as many processes see it: each call takes some turns, so that calls interleave. */
function slowStore(chance: () => number, commit: (store: Store) => Store['commit']) {
  const store = memoryStore()
  const calls = { count: 0 }
  const turns = async () => {
    calls.count += 1
    for (let left = Math.floor(chance() * 8); left > 0; left -= 1) await Promise.resolve()
  }
  const slow: Store = {
    ...store,
    async heads(partitions) {
      await turns()
      const rows = await store.heads(partitions)
      await turns()
      return rows
    },
    async commit(...args) {
      await turns()
      return commit(store)(...args)
    },
  }
  return { slow, calls }
}

interface Plan {
  readonly processes: number
  readonly rate: Rate
  /** Requests of each process in each step. */
  readonly requests: number
  readonly seed?: number
  /** Milliseconds by which the clocks of processes differ at most. */
  readonly skew?: number
  /** Requests of a process share no promises. */
  readonly eventBound?: boolean
  readonly commit?: (store: Store) => Store['commit']
}

async function simulate(plan: Plan) {
  const { processes, rate, requests, seed = 1, skew = 0, commit = (store) => store.commit } = plan
  const chance = chanceOf(seed)
  const { slow, calls } = slowStore(chance, commit)
  const clock = memoryClock()
  const meters = Array.from({ length: processes }, (_, index) => {
    const offset = Math.round((skew * index) / processes)
    const own: MemoryClock = { ...clock, now: () => clock.now() + offset }
    const world = { clock: own, store: slow, settings: { eventBound: plan.eventBound } }
    return new SharedMeter(world, 'a/rate/b.requests', rate, 'requests')
  })
  const admitted: number[] = []
  for (let step = 0; step < (SECONDS * 1_000) / STEP_MS; step += 1) {
    const takes = meters.flatMap((meter) => Array.from({ length: requests }, () => meter.take(1)))
    const waits = await Promise.all(takes)
    admitted.push(waits.filter((wait) => wait === undefined).length)
    for (const wait of waits) if (wait !== undefined) expect(wait).toBeGreaterThanOrEqual(1)
    clock.advance(STEP_MS)
  }
  return { admitted, calls: calls.count }
}

/** The bound that `rate-meters.ts` states. */
function bound({ processes, rate, skew = 0 }: Plan, seconds: number): number {
  const allowance = Math.min(ALLOWANCE.requests, rate.perSecond / 10)
  const shared = rate.burst + rate.perSecond * (seconds + (SHARE_MS + skew) / 1_000)
  return shared + processes * allowance * (seconds + 1) + 1
}

/** The highest part of the bound that any stretch of time uses; above 1 the bound is broken. */
function highest(plan: Plan, admitted: readonly number[]): number {
  let most = 0
  for (let from = 0; from < admitted.length; from += 1) {
    let sum = 0
    for (let to = from; to < admitted.length; to += 1) {
      sum += admitted[to]!
      most = Math.max(most, sum / bound(plan, ((to - from + 1) * STEP_MS) / 1_000))
    }
  }
  return most
}

const rateOf = (perSecond: number): Rate => ({ perSecond, burst: perSecond * 2, window: 2 })

describe('a rate limit shared by many processes', () => {
  it.each([
    [{ processes: 2, rate: rateOf(40), requests: 5, seed: 1 }],
    [{ processes: 8, rate: rateOf(100), requests: 3, seed: 2 }],
    [{ processes: 8, rate: rateOf(100), requests: 3, seed: 3, skew: 4_000 }],
    [{ processes: 20, rate: rateOf(5), requests: 1, seed: 4 }],
    [{ processes: 20, rate: rateOf(1_000), requests: 4, seed: 5 }],
    [{ processes: 8, rate: rateOf(100), requests: 3, seed: 6, eventBound: true }],
    [{ processes: 4, rate: rateOf(400), requests: 20, seed: 7, eventBound: true }],
  ])('admits at most its bound, and most of the limit: %j', async (plan) => {
    const { admitted } = await simulate(plan)
    expect(highest(plan, admitted)).toBeLessThanOrEqual(1)
    const all = admitted.reduce((sum, count) => sum + count, 0)
    expect(all).toBeGreaterThan(0.9 * plan.rate.perSecond * SECONDS)
  })

  it('exceeds the bound when two processes overwrite the counter', async () => {
    const overrun = (store: Store): Store['commit'] => {
      return async (partition, writes, head) => {
        const [row] = await store.heads([partition])
        return store.commit(partition, writes, head && { ...head, expect: row?.version ?? null })
      }
    }
    const plan = { processes: 8, rate: rateOf(100), requests: 3, seed: 2, commit: overrun }
    const { admitted } = await simulate(plan)
    expect(highest(plan, admitted)).toBeGreaterThan(1)
  })

  it('reads no counter for an idle key', async () => {
    const plan = { processes: 1, rate: rateOf(2_500), requests: 0 }
    const clock = memoryClock()
    const { slow, calls } = slowStore(chanceOf(1), (store) => store.commit)
    const meter = new SharedMeter(
      { clock, store: slow, settings: {} },
      'a/rate/b.requests',
      plan.rate,
      'requests',
    )
    for (let count = 0; count < 100; count += 1) {
      expect(meter.take(1)).toBeUndefined()
      clock.advance(100)
    }
    expect(calls.count).toBe(0)
  })

  it('applies per process while the counter is unavailable, and logs it', async () => {
    const clock = memoryClock()
    const failing: Store = {
      ...memoryStore(),
      heads: () => Promise.reject(new Error('the table is gone')),
    }
    const lines: LogEntry[] = []
    const log = { write: (entry: LogEntry) => void lines.push(entry) }
    const rate = rateOf(20)
    const meter = new SharedMeter(
      { clock, store: failing, log, settings: {} },
      'a/rate/b.requests',
      rate,
      'requests',
    )
    const waits = await Promise.all(Array.from({ length: 100 }, () => meter.take(1)))
    expect(waits.filter((wait) => wait === undefined)).toHaveLength(rate.burst + 2)
    expect(lines.map(({ event }) => event)).toEqual(['rate_limit.counter_unavailable'])
  })
})
