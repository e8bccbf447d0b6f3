/** Limits of a tenant's own in the engine: kept among processes, healed after crashes, free elsewhere. */

import { beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../src/core/limits.ts'
import type { TenantLimits } from '../../src/core/tenant-limits.ts'
import { dispatch } from '../../src/engine/dispatch.ts'
import { acceptFanout } from '../../src/engine/fanout/accept.ts'
import { filePath, filesBelow, putFile } from '../../src/engine/layers/files.ts'
import { storageUsed } from '../../src/engine/layers/storage-quota.ts'
import { readFanout } from '../../src/engine/logs/fanout.ts'
import { fanoutPartition, runPartition } from '../../src/engine/partition/keys.ts'
import { acceptRun } from '../../src/engine/run/accept.ts'
import {
  reserveSpending,
  settleSpending,
  spendingLevels,
  spendingRefusal,
} from '../../src/engine/tenant/spending.ts'
import { changeTenant, makeTenant } from '../../src/engine/tenants/manage.ts'
import { type MemoryClock, memoryClock } from '../../src/hosts/memory/clock.ts'
import type { MemoryWorld } from '../../src/hosts/memory/world.ts'
import { type Measure, measured } from '../../src/hosts/metrics/measures.ts'
import { encode } from '../../src/lib/bytes.ts'
import type { LogEntry, Store } from '../../src/ports/world.ts'
import { factsOf, look, runToRest, settle, startRun, TENANT, testWorld } from '../support/drive.ts'

let clock: MemoryClock
let world: MemoryWorld
beforeEach(() => {
  clock = memoryClock()
  world = testWorld({ clock })
})

const limited = async (limits: TenantLimits): Promise<void> => {
  const asker = { world, tenant: 'default', by: 'operator' }
  await makeTenant(asker, { id: TENANT }, undefined)
  await changeTenant(asker, TENANT, { limits })
}
/** What a process remembers belongs to its store. */
const processes = (count: number): readonly MemoryWorld[] =>
  Array.from({ length: count }, () => ({ ...world, store: { ...world.store } }))
const atOnce = <T>(each: number, work: (one: MemoryWorld, index: number) => Promise<T>) =>
  Promise.all(
    processes(4).flatMap((one, process) =>
      Array.from({ length: each }, (_, index) => work(one, process * each + index)),
    ),
  )
const wanted = (id: string, output = 900) => {
  return { id, input: 100, output, least: 50, price: undefined }
}
const reserve = (one: MemoryWorld, limits: TenantLimits, id: string, output?: number) =>
  reserveSpending(one, TENANT, limits, wanted(id, output))
const kinds = (all: readonly { readonly kind: string }[]) => all.map(({ kind }) => kind).toSorted()
const spentOf = async (limits: TenantLimits) => {
  const [level] = await spendingLevels(world, TENANT, limits)
  return [level!.spent, level!.reserved]
}
/** Time passes, and wakes come when they are due. */
async function passing(isOver: () => Promise<boolean>): Promise<void> {
  for (let seconds = 0; !(await isOver()); seconds += 5) {
    expect(seconds).toBeLessThan(2 * LIMITS.quota_call_seconds)
    clock.advance(5_000)
    await settle(world)
  }
}
const untilEnded = (id: string) =>
  passing(async () => (await look(world, id)).state.ended_at !== null)
const WAKE = { lane: 'main', started: false, staleCount: 0 } as const
const PRICE = { input_per_million: 1_000, output_per_million: 10_000 }

describe('live runs among processes', () => {
  it('are never more than the limit, however many begin at once', async () => {
    await limited({ live_runs: 10 })
    const all = await atOnce(12, (one) => acceptRun(one, TENANT, { input: '@say done' }))
    expect(all.filter(({ ok }) => ok)).toHaveLength(10)
    for (const one of all) if (!one.ok) expect(one.error.code).toBe('quota_exceeded')
  })
})

describe('tokens among processes', () => {
  it('spent and reserved are never more than the limit', async () => {
    const limits = { tokens_per_day: 10_000 }
    const all = await atOnce(6, (one, index) => reserve(one, limits, `c${index}`))
    const held = all.flatMap((one) => (one.kind === 'reserved' ? [one.id] : []))
    expect(held).toHaveLength(10)
    expect(kinds(all).filter((kind) => kind === 'busy')).toHaveLength(14)
    expect(await spentOf(limits)).toEqual([0, 10_000])
    const settled = { tokens: 400, dollars: 0 }
    await atOnce(3, async (one, index) =>
      held[index] ? settleSpending(one, TENANT, held[index], settled) : true,
    )
    expect(await spentOf(limits)).toEqual([4_000, 0])
  })

  it('a call is settled once, and reserved once when nobody knew whether it was', async () => {
    const limits = { tokens_per_day: 1_500 }
    let lies = 1
    const commit: Store['commit'] = async (...given) => {
      const done = await world.store.commit(...given)
      return lies-- > 0 ? 'ambiguous' : done
    }
    const unsure = { ...world, store: { ...world.store, commit } }
    expect((await reserve(unsure, limits, 'one')).kind).toBe('reserved')
    expect(await spentOf(limits)).toEqual([0, 1_000])
    lies = 1
    await settleSpending(unsure, TENANT, 'one', { tokens: 300, dollars: 0 })
    await settleSpending(world, TENANT, 'one', { tokens: 300, dollars: 0 })
    expect(await spentOf(limits)).toEqual([300, 0])
  })

  it('the call of a worker that died counts as it was reserved, after a while', async () => {
    const limits = { tokens_per_day: 1_500 }
    await reserve(world, limits, 'lost')
    expect((await reserve(world, limits, 'next')).kind).toBe('busy')
    clock.advance(LIMITS.quota_call_seconds * 1_000)
    expect(await spentOf(limits)).toEqual([1_000, 0])
    expect(await reserve(world, limits, 'next')).toEqual({
      ...{ kind: 'reserved', id: 'next', output: 400 },
    })
  })

  it('a day begins anew at midnight UTC, and a month with its first day', async () => {
    const limits = { tokens_per_day: 1_000, tokens_per_month: 2_500 }
    await limited(limits)
    const spend = async (id: string): Promise<string> => {
      const { kind } = await reserve(world, limits, id)
      if (kind === 'reserved')
        await settleSpending(world, TENANT, id, { tokens: 1_000, dollars: 0 })
      return kind
    }
    const untilReset = async (): Promise<number> => {
      const refused = await spendingRefusal(world, TENANT)
      return (refused?.extra?.retry_after as number) * 1_000
    }
    expect(await spend('a')).toBe('reserved')
    expect(await spend('b')).toBe('refused')
    const day = await untilReset()
    expect(day).toBeLessThanOrEqual(86_400_000)
    clock.advance(day - 1_000)
    expect(await spend('b')).toBe('refused')
    clock.advance(1_000)
    expect(await spend('b')).toBe('reserved')
    expect((await spendingRefusal(world, TENANT))?.extra).toMatchObject({
      limit: 'tokens_per_day',
    })
    clock.advance(await untilReset())
    // What is left of the month is less than a whole call, and enough for a short one.
    expect(await reserve(world, limits, 'c')).toMatchObject({ kind: 'reserved', output: 400 })
    await settleSpending(world, TENANT, 'c', { tokens: 500, dollars: 0 })
    const full = await spendingRefusal(world, TENANT)
    expect(full?.extra).toMatchObject({ limit: 'tokens_per_month', used: 2_500 })
    clock.advance((full!.extra!.retry_after as number) * 1_000)
    expect(await spendingRefusal(world, TENANT)).toBeUndefined()
  })

  it('a day that has begun for one clock does not begin anew for one that is behind', async () => {
    const limits = { tokens_per_day: 1_000 }
    await limited(limits)
    const ahead = { ...world, clock: { ...clock, now: () => clock.now() + 3_000 } }
    const spend = async (one: MemoryWorld, id: string) => {
      const { kind } = await reserve(one, limits, id)
      await settleSpending(one, TENANT, id, { tokens: 1_000, dollars: 0 })
      return kind
    }
    expect(await spend(world, 'a')).toBe('reserved')
    const left = (await spendingRefusal(world, TENANT))?.extra?.retry_after as number
    clock.advance(left * 1_000 - 1_000)
    expect(await spend(ahead, 'b')).toBe('reserved')
    expect(await spend(world, 'c')).toBe('refused')
    // The whole day is still to come.
    expect((await spendingRefusal(world, TENANT))?.extra?.retry_after).toBeGreaterThan(86_000)
    clock.advance(2_000)
    expect(await spend(world, 'c')).toBe('refused')
    expect(await spend(ahead, 'd')).toBe('refused')
  })

  it('dollars are counted by the list of prices, to what the dearest answer may cost', async () => {
    const limits = { dollars_per_day: 20 }
    const dear = (id: string) =>
      reserveSpending(world, TENANT, limits, { ...wanted(id), price: PRICE })
    // 100 tokens of input cost 0.10, and 900 of output 9.00.
    const all = await Promise.all(['a', 'b', 'c'].map(dear))
    expect(kinds(all)).toEqual(['busy', 'reserved', 'reserved'])
    for (const id of ['a', 'b']) await settleSpending(world, TENANT, id, { tokens: 1, dollars: 9 })
    expect(await dear('c')).toMatchObject({ kind: 'reserved', output: 190 })
  })
})

describe('a fan-out that finds no room for its tasks', () => {
  it('leaves its worker to the runs that have to end first, and goes on then', async () => {
    await limited({ live_runs: 1 })
    const first = await startRun(world, { input: '@say done' })
    // As if no worker were left for it.
    world.queue.take()
    const tasks = [{ task: '@say one' }, { task: '@say two' }]
    const made = await acceptFanout(world, TENANT, { tasks })
    if (!made.ok) throw new Error(made.error.detail)
    const { id } = made.value.fanout.state.spec!
    const partition = fanoutPartition(TENANT, id)
    await settle(world)
    const waiting = await readFanout(world, partition)
    expect(waiting?.state.status).toBe('running')
    expect(waiting?.head.lease).toBeNull()
    await dispatch(world, { ...WAKE, partition: runPartition(TENANT, first) })
    await passing(async () => (await readFanout(world, partition))?.state.status === 'completed')
  })
})

describe('files among processes', () => {
  const put = (one: MemoryWorld, name: string, size = 10) => {
    const path = filePath(`base/${name}`)
    if (!path.ok) throw new Error(path.error)
    return putFile({ world: one, tenant: TENANT }, path.value, encode('x'.repeat(size)), 'any')
  }
  const bytes = async (): Promise<readonly number[]> =>
    (await filesBelow({ world, tenant: TENANT }, '')).files.map(({ size }) => size)

  it('are never more than the limit, nor their bytes', async () => {
    await limited({ files: 10, storage_bytes: 95 })
    await atOnce(6, (one, index) => put(one, `f${index}`))
    const sizes = await bytes()
    expect(sizes).toHaveLength(9)
    expect(await put(world, 'f0', 4)).toMatchObject({ ok: true })
    expect((await bytes()).length).toBeLessThanOrEqual(10)
  })

  it('a write that failed on its way takes no room for ever', async () => {
    await limited({ files: 2 })
    const { objects } = world
    const broken: MemoryWorld['objects'] = Object.create(objects, {
      put: { value: () => Promise.reject(new Error('lost')) },
    })
    const dying = { ...world, objects: broken }
    for (const name of ['a', 'b']) await expect(put(dying, name)).rejects.toThrow('lost')
    expect(await put(world, 'c')).toMatchObject({ ok: false, error: { code: 'quota_exceeded' } })
    clock.advance(600_000)
    expect(await put(world, 'c')).toMatchObject({ ok: true })
    expect(await put(world, 'd')).toMatchObject({ ok: true })
    expect(await put(world, 'e')).toMatchObject({ ok: false })
    expect((await storageUsed({ world, tenant: TENANT })).files).toBe(2)
  })
})

describe('a tenant without limits', () => {
  it('reads and writes no row of a quota for a run', async () => {
    const touched: string[] = []
    const { store } = world
    const noting: Store = {
      ...store,
      heads: (partitions) => {
        touched.push(...partitions)
        return store.heads(partitions)
      },
      commit: (partition, ...given) => {
        touched.push(partition)
        return store.commit(partition, ...given)
      },
    }
    const run = await runToRest({ ...world, store: noting }, { input: '@say done' })
    expect(run.state.status).toBe('completed')
    expect(touched.length).toBeGreaterThan(0)
    expect(touched.filter((partition) => partition.includes('/quota/'))).toEqual([])
  })
})

describe('a run of a tenant with limits', () => {
  it('is answered more shortly when no more is left, and says so', async () => {
    await limited({ tokens_per_day: 8_000 })
    const run = await runToRest(world, { input: '@say done' })
    expect(run.state.status).toBe('completed')
    const told = run.state.told.map(({ message }) => message)
    expect(told.join()).toMatch(/its answer was bounded to \d+ tokens/)
    expect(await spentOf({ tokens_per_day: 8_000 })).toEqual([15, 0])
  })

  it('waits for what others have reserved, and goes on', async () => {
    const limits = { tokens_per_day: 20_000 }
    await limited(limits)
    await reserve(world, limits, 'other', 19_000)
    let waits = 0
    const sleep: MemoryClock['sleep'] = async (ms, signal) => {
      waits += 1
      if (waits === 3) await settleSpending(world, TENANT, 'other', { tokens: 10, dollars: 0 })
      return clock.sleep(ms, signal)
    }
    const run = await runToRest({ ...world, clock: { ...clock, sleep } }, { input: '@say done' })
    expect(run.state.status).toBe('completed')
    expect(waits).toBeGreaterThanOrEqual(3)
    expect(await spentOf(limits)).toEqual([25, 0])
  })

  it('keeps no worker while it waits', async () => {
    const limits = { tokens_per_day: 20_000 }
    await limited(limits)
    await reserve(world, limits, 'other', 19_000)
    const id = await startRun(world, { input: '@say done' })
    const began = clock.now()
    await settle(world)
    expect(clock.now() - began).toBeLessThan(60_000)
    const { state, head } = await look(world, id)
    expect([state.status, head.lease]).toEqual(['running', null])
    await settleSpending(world, TENANT, 'other', { tokens: 10, dollars: 0 })
    await untilEnded(id)
    expect((await look(world, id)).state.status).toBe('completed')
  })

  it('waits without an end of its own until the call of a dead worker counts', async () => {
    const limits = { tokens_per_day: 20_000 }
    await limited(limits)
    await reserve(world, limits, 'lost', 19_000)
    const began = clock.now()
    const id = await startRun(world, { input: '@say done' })
    await untilEnded(id)
    expect(clock.now() - began).toBeGreaterThanOrEqual(LIMITS.quota_call_seconds * 1_000)
    expect(JSON.stringify(await factsOf(world, id))).toContain('quota_exceeded')
    expect(await spentOf(limits)).toEqual([19_100, 0])
  })

  it('is counted among refusals, by the name of the limit alone', async () => {
    await limited({ live_runs: 0, tokens_per_day: 10 })
    const lines: LogEntry[] = []
    const measures: Measure[] = []
    const log = measured({ write: (entry) => void lines.push(entry) }, (one) => {
      measures.push(one)
    })
    expect((await acceptRun({ ...world, log }, TENANT, { input: '@say done' })).ok).toBe(false)
    expect(lines).toMatchObject([{ event: 'quota.refused', tenant: TENANT, limit: 'live_runs' }])
    expect(measures).toEqual([{ name: 'quota_refusals', labels: { limit: 'live_runs' }, value: 1 }])
  })

  it('fails with the limit and its time when the rest is too little, and nothing is asked', async () => {
    await limited({ tokens_per_month: 10 })
    const run = await runToRest(world, { input: '@say done' })
    expect(run.state.status).toBe('failed')
    const facts = await factsOf(world, run.state.spec!.id)
    const failed = facts.find(({ type }) => type === 'run.failed')
    expect(failed).toMatchObject({ error: { code: 'quota_exceeded' } })
    expect(JSON.stringify(failed)).toContain('tokens a month')
    expect((await look(world, run.state.spec!.id)).state.usage.model_calls).toBe(0)
  })

  it('fails under a limit of dollars of after its door, when its model has no price', async () => {
    const id = await startRun(world, { input: '@say done' })
    await limited({ dollars_per_day: 5 })
    await settle(world)
    expect(JSON.stringify(await factsOf(world, id))).toMatch(/price_unknown.*needs a price for/)
  })
})
