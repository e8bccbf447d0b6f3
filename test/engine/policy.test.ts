import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../src/core/policy.ts'
import { policyNow, readPolicy, writePolicy } from '../../src/engine/tenant/policy.ts'
import { memoryStore } from '../../src/hosts/memory/store.ts'
import type { MemoryWorld } from '../../src/hosts/memory/world.ts'
import type { Store } from '../../src/ports/world.ts'
import { TENANT, testWorld, withTime } from '../support/drive.ts'

it('I13 a look at the policy that comes back after a write does not hide what was written', async () => {
  let slow: Promise<void> | undefined
  const inner = memoryStore()
  const store: Store = {
    ...inner,
    async heads(partitions) {
      const rows = await inner.heads(partitions)
      const wait = slow
      slow = undefined
      await wait
      return rows
    },
  }
  const world = testWorld({ store, settings: { singleProcess: true } })
  const held = Promise.withResolvers<void>()
  slow = held.promise
  const early = readPolicy(world, TENANT)
  const denied = { ...DEFAULT_POLICY, approvals: { file_write: 'deny' } } as const
  await writePolicy(world, TENANT, denied, null)
  held.resolve()
  expect((await early).policy).toEqual(DEFAULT_POLICY)
  expect((await readPolicy(world, TENANT)).policy).toEqual(denied)
})

it('a run that begins after a policy was written works by it, whoever asked just before', async () => {
  const store = memoryStore()
  const processes = [store, { ...store }].map((one) =>
    testWorld({ store: one, settings: { singleProcess: false } }),
  )
  const [here, elsewhere] = processes as [MemoryWorld, MemoryWorld]
  const policyOf = async (id: string) =>
    (await policyNow({ world: here, tenant: TENANT, state: { spec: { id } } })).policy
  expect(await policyOf('run_a')).toEqual(DEFAULT_POLICY)
  const denied = { ...DEFAULT_POLICY, approvals: { file_write: 'deny' } } as const
  await writePolicy(elsewhere, TENANT, denied, null)
  expect(await policyOf('run_b')).toEqual(denied)
  // The calls of one answer share a read.
  expect(await policyOf('run_a')).toEqual(DEFAULT_POLICY)
  here.clock.advance(101)
  expect(await policyOf('run_a')).toEqual(denied)
})

describe('a policy that is kept for a moment', () => {
  const settings = { singleProcess: false, policyKeptMs: 100 }
  const denied = { ...DEFAULT_POLICY, approvals: { file_write: 'deny' } } as const
  function processes(): { here: MemoryWorld; elsewhere: MemoryWorld; reads: () => number } {
    const inner = memoryStore()
    let count = 0
    const heads: Store['heads'] = (partitions) => {
      count += 1
      return inner.heads(partitions)
    }
    const here = testWorld({ store: { ...inner, heads }, settings })
    const elsewhere = testWorld({ store: { ...inner }, settings })
    return { here, elsewhere, reads: () => count }
  }

  it('is read once for all that ask within it', async () => {
    const { here, reads } = processes()
    for (let time = 0; time < 10; time += 1) await readPolicy(here, TENANT)
    expect(reads()).toBe(1)
    here.clock.advance(100)
    await readPolicy(here, TENANT)
    expect(reads()).toBe(2)
  })

  it('counts nowhere any more when its writer has the answer', async () => {
    const { here, elsewhere } = processes()
    await readPolicy(here, TENANT)
    let answered = false
    const written = writePolicy(elsewhere, TENANT, denied, null).then(() => {
      answered = true
    })
    for (let ms = 0; ms < 100; ms += 1) {
      for (const { clock } of [here, elsewhere]) clock.advance(1)
      await new Promise(setImmediate)
      if (ms < 99) expect((await readPolicy(here, TENANT)).policy).toEqual(DEFAULT_POLICY)
    }
    expect(answered).toBe(false)
    expect((await readPolicy(here, TENANT)).policy).toEqual(denied)
    await withTime(elsewhere, written)
    expect(answered).toBe(true)
  })

  it('counts at once where it was written', async () => {
    const { here } = processes()
    await readPolicy(here, TENANT)
    void writePolicy(here, TENANT, denied, null)
    await new Promise(setImmediate)
    expect((await readPolicy(here, TENANT)).policy).toEqual(denied)
  })

  it('counts no longer though one of the clocks stands still', async () => {
    const { here, elsewhere } = processes()
    let frozen = 0
    const clock = { ...here.clock, monotonic: () => frozen }
    const world = { ...here, clock }
    await readPolicy(world, TENANT)
    await withTime(elsewhere, writePolicy(elsewhere, TENANT, denied, null))
    here.clock.advance(150)
    expect((await readPolicy(world, TENANT)).policy).toEqual(denied)
    frozen = -1
    expect((await readPolicy(world, TENANT)).policy).toEqual(denied)
  })
})
