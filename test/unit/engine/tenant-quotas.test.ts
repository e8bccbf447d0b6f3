/** Quotas of a tenant: exact among processes, corrected after crashes, and free for other tenants. */

import { beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../../src/core/limits.ts'
import type { Refusal } from '../../../src/core/problem.ts'
import type { TenantQuotas } from '../../../src/core/tenant-quotas.ts'
import { acceptFanout } from '../../../src/engine/fanout/accept.ts'
import { deleteFile, filePath, filesBelow, putFile } from '../../../src/engine/layers/files.ts'
import { storageUsed } from '../../../src/engine/layers/storage-quota.ts'
import { readFanout } from '../../../src/engine/logs/fanout.ts'
import { fanoutPartition, runPartition } from '../../../src/engine/partition/keys.ts'
import { acceptRun } from '../../../src/engine/run/accept.ts'
import { createKey } from '../../../src/engine/tenant/api-keys.ts'
import { quotaOwners, requestKeyOf } from '../../../src/engine/tenant/quota-owner.ts'
import { takeSlots } from '../../../src/engine/tenant/slots.ts'
import {
  quotaLevels,
  reserveUsage,
  settleUsage,
  usageRefusal,
} from '../../../src/engine/tenant/usage-quota.ts'
import { countWork, workRows } from '../../../src/engine/tenant/work-quota.ts'
import { changeState } from '../../../src/engine/tenants/change-state.ts'
import { createTenant, editTenant } from '../../../src/engine/tenants/manage.ts'
import { type MemoryClock, memoryClock } from '../../../src/hosts/memory/clock.ts'
import type { MemoryWorld } from '../../../src/hosts/memory/world.ts'
import { encode } from '../../../src/lib/bytes.ts'
import type { Outcome } from '../../../src/lib/outcome.ts'
import type { Store } from '../../../src/ports/world.ts'
import {
  factsOf,
  look,
  runToRest,
  settle,
  startRun,
  TENANT,
  testWorld,
} from '../../support/drive.ts'

let clock: MemoryClock
let world: MemoryWorld
beforeEach(() => {
  clock = memoryClock()
  world = testWorld({ clock })
})

const OPERATOR = 'default'
async function limit(quotas: TenantQuotas): Promise<void> {
  const asker = { world, tenant: OPERATOR, by: 'operator' }
  await createTenant(asker, { id: TENANT }, undefined)
  expect((await editTenant(asker, TENANT, { quotas })).ok).toBe(true)
}

/** Processes share the store and the bucket, but not the memory that belongs to these objects. */
const processes = (count: number): MemoryWorld[] =>
  Array.from({ length: count }, () => ({
    ...world,
    store: { ...world.store },
    objects: { ...world.objects },
  }))
const atOnce = <T>(each: number, act: (process: MemoryWorld, index: number) => Promise<T>) =>
  Promise.all(
    processes(4).flatMap((process, at) =>
      Array.from({ length: each }, (_, index) => act(process, at * each + index)),
    ),
  )

const call = (id: string, output = 900) => ({ id, input: 100, output, least: 50, price: undefined })
const reserve = (process: MemoryWorld, quotas: TenantQuotas, id: string, output?: number) =>
  reserveUsage(process, { tenant: TENANT, quotas }, call(id, output))
async function usageOf(quotas: TenantQuotas): Promise<readonly number[]> {
  const [level] = await quotaLevels(world, { tenant: TENANT, quotas })
  return [level!.used, level!.reserved]
}
const kinds = (all: readonly { readonly kind: string }[]) => all.map(({ kind }) => kind).toSorted()

describe('active runs', () => {
  it('never exceed the quota, however many requests arrive at once', async () => {
    await limit({ active_runs: 10 })
    const tasks = [{ task: '@say done' }]
    const all = await atOnce(
      12,
      (process, index): Promise<Outcome<unknown, Refusal>> =>
        index % 3 === 0
          ? acceptFanout(process, TENANT, { tasks })
          : acceptRun(process, TENANT, { input: '@say done' }),
    )
    expect(all.filter(({ ok }) => ok)).toHaveLength(10)
    for (const one of all) if (!one.ok) expect(one.error.code).toBe('quota_exceeded')
  })

  it('do not count after their end, nor do their subagents', async () => {
    await limit({ active_runs: 1 })
    const tasks = [{ task: '@say one' }, { task: '@say two' }]
    expect((await acceptFanout(world, TENANT, { tasks })).ok).toBe(true)
    expect((await acceptRun(world, TENANT, { input: '@say done' })).ok).toBe(false)
    await settle(world)
    expect((await acceptRun(world, TENANT, { input: '@say done' })).ok).toBe(true)
  })

  it('count if they began before the quota was set', async () => {
    await startRun(world, { input: '@say done' })
    await limit({ active_runs: 1 })
    expect((await acceptRun(world, TENANT, { input: '@say done' })).ok).toBe(false)
  })

  it('count below newer runs that ended before the quota was set', async () => {
    const waiting = '@call ask_user {"question":"Which?"}'
    await runToRest(world, { input: waiting })
    for (const word of ['one', 'two', 'three']) await runToRest(world, { input: `@say ${word}` })
    await limit({ active_runs: 1 })
    expect((await acceptRun(world, TENANT, { input: '@say done' })).ok).toBe(false)
  })

  it('count if they began while the quota was removed', async () => {
    await limit({ active_runs: 1 })
    await runToRest(world, { input: '@say done' })
    const asker = { world, tenant: OPERATOR, by: 'operator' }
    await editTenant(asker, TENANT, { quotas: { active_runs: null } })
    clock.advance(1_000)
    await startRun(world, { input: '@say done' })
    await editTenant(asker, TENANT, { quotas: { active_runs: 1 } })
    expect((await acceptRun(world, TENANT, { input: '@say done' })).ok).toBe(false)
    await settle(world)
    expect((await acceptRun(world, TENANT, { input: '@say done' })).ok).toBe(true)
  })

  it('have their slots again ten minutes after a creation that failed', async () => {
    const quotas = { active_runs: 1 }
    await limit(quotas)
    const rows = workRows(world, [{ tenant: TENANT, quotas }], ['active_runs'])
    await takeSlots(world, rows, runPartition(TENANT, 'run_lost'))
    const start = async () => (await acceptRun(world, TENANT, { input: '@say done' })).ok
    clock.advance(599_000)
    expect(await start()).toBe(false)
    clock.advance(1_000)
    expect(await start()).toBe(true)
  })

  it('can be created with a rejected idempotency key once there is room', async () => {
    await limit({ active_runs: 1 })
    await startRun(world, { input: '@say done' })
    const key = { scope: 'runs', key: 'one', body: 'digest' }
    const request = () => acceptRun(world, TENANT, { input: '@say done' }, key)
    expect(await request()).toMatchObject({ ok: false, error: { code: 'quota_exceeded' } })
    await settle(world)
    expect(await request()).toMatchObject({ ok: true, value: { replayed: false } })
    expect(await request()).toMatchObject({ ok: true, value: { replayed: true } })
  })
})

describe('active runs of a key', () => {
  it('never exceed its quota nor that of the tenant, in any number of processes', async () => {
    await limit({ active_runs: 9 })
    const { id } = await createKey(world, TENANT, ['*'], { quotas: { active_runs: 6 } })
    const all = await atOnce(
      6,
      (process, index): Promise<Outcome<unknown, Refusal>> =>
        acceptRun(index % 2 === 0 ? { ...process, keyId: id } : process, TENANT, {
          input: '@say x',
        }),
    )
    const started = all.map(({ ok }) => ok)
    expect(started.filter(Boolean)).toHaveLength(9)
    expect(started.filter((ok, index) => ok && index % 2 === 0).length).toBeLessThanOrEqual(6)
    const owners = await quotaOwners(world, TENANT, await requestKeyOf({ ...world, keyId: id }))
    const counts = await Promise.all(owners.map((of) => countWork(world, of, 'active_runs')))
    expect(counts).toEqual([started.filter((ok, index) => ok && index % 2 === 0).length, 9])
  })
})

describe('queued runs', () => {
  it('never exceed the quota, however many requests arrive at once', async () => {
    await limit({ queued_runs: 5 })
    const all = await atOnce(4, (process) => acceptRun(process, TENANT, { input: '@say done' }))
    expect(all.filter(({ ok }) => ok)).toHaveLength(5)
    for (const one of all)
      if (!one.ok)
        expect(one.error.extra).toMatchObject({ quota: 'queued_runs', limit: 5, used: 5 })
  })

  it('of runs count until they begin', async () => {
    await limit({ queued_runs: 1, active_runs: 3 })
    await runToRest(world, { input: '@call ask_user {"question":"Which?"}' })
    expect((await acceptRun(world, TENANT, { input: '@say done' })).ok).toBe(true)
    const owner = { tenant: TENANT, quotas: { queued_runs: 1, active_runs: 3 } }
    expect(await countWork(world, owner, 'active_runs')).toBe(2)
    expect(await countWork(world, owner, 'queued_runs')).toBe(1)
    // A refusal by the second quota leaves no slot of the first.
    expect((await acceptRun(world, TENANT, { input: '@say done' })).ok).toBe(false)
    expect(await countWork(world, owner, 'active_runs')).toBe(2)
    await settle(world)
    expect((await acceptRun(world, TENANT, { input: '@say done' })).ok).toBe(true)
  })

  it('count if they were created before the quota was set', async () => {
    await acceptRun(world, TENANT, { input: '@say done' })
    await limit({ queued_runs: 1 })
    expect((await acceptRun(world, TENANT, { input: '@say done' })).ok).toBe(false)
  })
})

describe('subagents', () => {
  const SPAWNS = '@spawn 3 {"task":"@say a"}\n@await\n@say all'
  const refusals = async (id: string) =>
    (await factsOf(world, id)).filter(
      (fact) => fact.type === 'tool.result' && JSON.stringify(fact).includes('quota_exceeded: The'),
    )

  it('of all runs never exceed the quota, and free it with their end', async () => {
    await limit({ children: 2 })
    const first = await startRun(world, { input: SPAWNS })
    const second = await startRun(world, { input: SPAWNS })
    await settle(world)
    const refused = await Promise.all([first, second].map(refusals))
    expect(refused.flat()).toHaveLength(4)
    expect(JSON.stringify(refused)).toContain('can have at most 2 subagents; 2 have not ended')
    for (const id of [first, second]) expect((await look(world, id)).state.status).toBe('completed')
    const later = await startRun(world, { input: SPAWNS })
    await settle(world)
    expect(await refusals(later)).toHaveLength(1)
  })

  it('have no quota as the tasks of a fan-out', async () => {
    await limit({ children: 0 })
    const tasks = [{ task: '@say one' }, { task: SPAWNS }]
    const made = await acceptFanout(world, TENANT, { tasks })
    await settle(world)
    if (!made.ok) throw new Error(made.error.detail)
    const partition = fanoutPartition(TENANT, made.value.fanout.state.spec!.id)
    const { tasks: ended } = (await readFanout(world, partition))!.state
    expect(ended.map(({ announce }) => announce)).toMatchObject([
      ...[{ status: 'completed' }, { status: 'completed' }],
    ])
  })
})

describe('usage', () => {
  it('and reservations together never exceed the quota', async () => {
    const quotas = { tokens_per_day: 10_000 }
    const all = await atOnce(6, (process, index) => reserve(process, quotas, `c${index}`))
    const held = all.flatMap((one) => (one.kind === 'reserved' ? [one.id] : []))
    expect(held).toHaveLength(10)
    expect(kinds(all).filter((kind) => kind === 'busy')).toHaveLength(14)
    expect(await usageOf(quotas)).toEqual([0, 10_000])
    const used = { tokens: 400, dollars: 0 }
    await atOnce(3, async (process, index) => {
      if (held[index]) await settleUsage(process, { tenant: TENANT, quotas }, held[index], used)
    })
    expect(await usageOf(quotas)).toEqual([4_000, 0])
  })

  it('of a call counts once after writes with an unknown outcome', async () => {
    const quotas = { tokens_per_day: 1_500 }
    let ambiguous = 1
    const commit: Store['commit'] = async (...args) => {
      const done = await world.store.commit(...args)
      return ambiguous-- > 0 ? 'ambiguous' : done
    }
    const unsure = { ...world, store: { ...world.store, commit } }
    expect((await reserve(unsure, quotas, 'one')).kind).toBe('reserved')
    expect(await usageOf(quotas)).toEqual([0, 1_000])
    ambiguous = 1
    await settleUsage(unsure, { tenant: TENANT, quotas }, 'one', { tokens: 300, dollars: 0 })
    await settleUsage(world, { tenant: TENANT, quotas }, 'one', { tokens: 300, dollars: 0 })
    expect(await usageOf(quotas)).toEqual([300, 0])
  })

  it('of a call whose worker failed counts with its reservation', async () => {
    const quotas = { tokens_per_day: 1_500 }
    await reserve(world, quotas, 'lost')
    expect((await reserve(world, quotas, 'next')).kind).toBe('busy')
    clock.advance(LIMITS.quota_call_seconds * 1_000)
    expect(await usageOf(quotas)).toEqual([1_000, 0])
    expect(await reserve(world, quotas, 'next')).toMatchObject({ kind: 'reserved', output: 400 })
  })

  it('starts again at midnight UTC, and with the first day of a month', async () => {
    const quotas = { tokens_per_day: 1_000, tokens_per_month: 2_500 }
    await limit(quotas)
    const use = async (id: string): Promise<string> => {
      const { kind } = await reserve(world, quotas, id)
      await settleUsage(world, { tenant: TENANT, quotas }, id, { tokens: 1_000, dollars: 0 })
      return kind
    }
    const toReset = async (): Promise<number> =>
      ((await usageRefusal(world, { tenant: TENANT, quotas }))!.extra!.retry_after as number) *
      1_000
    expect([await use('a'), await use('b')]).toEqual(['reserved', 'refused'])
    const day = await toReset()
    expect(day).toBeLessThanOrEqual(86_400_000)
    clock.advance(day - 1_000)
    expect(await use('b')).toBe('refused')
    clock.advance(1_000)
    expect(await use('b')).toBe('reserved')
    clock.advance(await toReset())
    expect(await reserve(world, quotas, 'c')).toMatchObject({ kind: 'reserved', output: 400 })
    await settleUsage(world, { tenant: TENANT, quotas }, 'c', { tokens: 500, dollars: 0 })
    const full = await usageRefusal(world, { tenant: TENANT, quotas })
    expect(full?.extra).toMatchObject({ quota: 'tokens_per_month', used: 2_500 })
    clock.advance(await toReset())
    expect(await usageRefusal(world, { tenant: TENANT, quotas })).toBeUndefined()
  })

  it('does not start again for a clock that is behind', async () => {
    const quotas = { tokens_per_day: 1_000 }
    await limit(quotas)
    const ahead = { ...world, clock: { ...clock, now: () => clock.now() + 3_000 } }
    const use = async (process: MemoryWorld, id: string) => {
      const { kind } = await reserve(process, quotas, id)
      await settleUsage(process, { tenant: TENANT, quotas }, id, { tokens: 1_000, dollars: 0 })
      return kind
    }
    expect(await use(world, 'a')).toBe('reserved')
    const seconds = (await usageRefusal(world, { tenant: TENANT, quotas }))?.extra
      ?.retry_after as number
    clock.advance(seconds * 1_000 - 1_000)
    expect(await use(ahead, 'b')).toBe('reserved')
    expect(await use(world, 'c')).toBe('refused')
    clock.advance(2_000)
    expect([await use(world, 'c'), await use(ahead, 'd')]).toEqual(['refused', 'refused'])
  })

  it('in dollars reserves the most expensive answer', async () => {
    const price = { input_per_million: 1_000, output_per_million: 10_000 }
    const quotas = { dollars_per_day: 20 }
    const priced = (id: string) =>
      reserveUsage(world, { tenant: TENANT, quotas }, { ...call(id), price })
    // 100 input tokens cost 0.10, and 900 output tokens cost 9.00.
    expect(kinds(await Promise.all(['a', 'b', 'c'].map(priced)))).toEqual([
      ...['busy', 'reserved', 'reserved'],
    ])
    for (const id of ['a', 'b'])
      await settleUsage(world, { tenant: TENANT, quotas }, id, { tokens: 1, dollars: 9 })
    expect(await priced('c')).toMatchObject({ kind: 'reserved', output: 190 })
  })
})

describe('files', () => {
  const put = (process: MemoryWorld, name: string, size = 10) => {
    const path = filePath(`base/${name}`)
    if (!path.ok) throw new Error(path.error)
    return putFile({ world: process, tenant: TENANT }, path.value, encode('x'.repeat(size)), 'any')
  }

  it('and their bytes never exceed the quotas', async () => {
    await limit({ files: 10, storage_bytes: 95 })
    const all = await atOnce(6, (process, index) => put(process, `f${index}`))
    for (const one of all) if (!one.ok) expect(one.error.code).toBe('quota_exceeded')
    const { files } = await filesBelow({ world, tenant: TENANT }, '')
    expect(files).toHaveLength(9)
    expect((await put(world, files[0]!.path.slice('base/'.length), 4)).ok).toBe(true)
    expect(await storageUsed({ world, tenant: TENANT })).toMatchObject({ files: 9, bytes: 90 })
  })

  it('have space again after a deletion', async () => {
    await limit({ files: 1 })
    expect((await put(world, 'a')).ok).toBe(true)
    expect((await put(world, 'b')).ok).toBe(false)
    await deleteFile({ world, tenant: TENANT }, 'base/a', 'any')
    expect((await put(world, 'b')).ok).toBe(true)
  })

  it('have space again after a write that failed', async () => {
    await limit({ files: 2 })
    const objects: MemoryWorld['objects'] = Object.create(world.objects, {
      put: { value: () => Promise.reject(new Error('lost')) },
    })
    for (const name of ['a', 'b'])
      await expect(put({ ...world, objects }, name)).rejects.toThrow('lost')
    expect((await put(world, 'c')).ok).toBe(false)
    clock.advance(600_000)
    expect([(await put(world, 'c')).ok, (await put(world, 'd')).ok]).toEqual([true, true])
    expect((await put(world, 'e')).ok).toBe(false)
  })
})

describe('a run', () => {
  it('has a shorter answer with a warning if little remains', async () => {
    await limit({ tokens_per_day: 8_000 })
    const run = await runToRest(world, { input: '@say done' })
    expect(run.state.status).toBe('completed')
    const facts = JSON.stringify(await factsOf(world, run.state.spec!.id))
    expect(facts).toMatch(/a quota limited the answer to \d+ tokens/)
    expect(await usageOf({ tokens_per_day: 8_000 })).toEqual([15, 0])
  })

  it('waits for reservations of other calls, and then continues', async () => {
    const quotas = { tokens_per_day: 20_000 }
    await limit(quotas)
    await reserve(world, quotas, 'other', 19_000)
    const id = await startRun(world, { input: '@say done' })
    await settle(world)
    const { state } = await look(world, id)
    expect([state.status, state.outage?.error.code]).toEqual(['waiting', 'model_unavailable'])
    expect(state.outage?.error.message).toContain('reserved the rest of a quota')
    await settleUsage(world, { tenant: TENANT, quotas }, 'other', { tokens: 10, dollars: 0 })
    for (let seconds = 0; seconds < 600; seconds += 30) {
      clock.advance(30_000)
      await settle(world)
    }
    expect((await look(world, id)).state.status).toBe('completed')
    expect(await usageOf(quotas)).toEqual([25, 0])
  })

  it('counts no model call that a pause prevents after its reservation', async () => {
    const quotas = { tokens_per_day: 50_000 }
    await limit(quotas)
    const asker = { world, tenant: OPERATOR, by: 'operator' }
    const { commit } = world.store
    let isPaused = false
    world.store.commit = async (partition, ...writes) => {
      if (!isPaused && partition === `${TENANT}/quota/usage`) {
        isPaused = true
        await changeState(asker, TENANT, { to: 'paused' })
      }
      return commit.call(world.store, partition, ...writes)
    }
    const run = await runToRest(world, { input: '@say done' })
    expect([isPaused, run.state.status]).toEqual([true, 'running'])
    expect(await usageOf(quotas)).toEqual([0, 0])
  })

  it('fails without a model call if too little remains', async () => {
    await limit({ tokens_per_month: 10 })
    const run = await runToRest(world, { input: '@say done' })
    expect(run.state.status).toBe('failed')
    const facts = await factsOf(world, run.state.spec!.id)
    const failed = facts.find(({ type }) => type === 'run.failed')
    expect(failed).toMatchObject({ error: { code: 'quota_exceeded' } })
    expect(JSON.stringify(failed)).toContain('tokens per month')
    expect(run.state.usage.model_calls).toBe(0)
  })

  it('fails under a quota of dollars if its model has no price', async () => {
    await limit({ dollars_per_day: 5 })
    const run = await runToRest(world, { input: '@say done' })
    const facts = JSON.stringify(await factsOf(world, run.state.spec!.id))
    expect(facts).toMatch(/quota_exceeded.*has no price/)
  })

  it('of a tenant without quotas reads and writes no row of a quota', async () => {
    const touched: string[] = []
    const { store } = world
    const observed: Store = {
      ...store,
      heads: (partitions) => {
        touched.push(...partitions)
        return store.heads(partitions)
      },
      commit: (partition, ...args) => {
        touched.push(partition)
        return store.commit(partition, ...args)
      },
    }
    const run = await runToRest({ ...world, store: observed }, { input: '@say done' })
    expect(run.state.status).toBe('completed')
    expect(touched.length).toBeGreaterThan(0)
    expect(touched.filter((partition) => partition.includes('/quota/'))).toEqual([])
  })
})
