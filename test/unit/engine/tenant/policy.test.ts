import { expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../../../src/core/policy.ts'
import { policyNow, readPolicy, writePolicy } from '../../../../src/engine/tenant/policy.ts'
import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import type { Store } from '../../../../src/ports/world.ts'
import { TENANT, testWorld } from '../../../support/drive.ts'

it('a policy read that returns after a write does not hide the written policy [I13]', async () => {
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

it('a run that starts after a policy write uses the new policy, despite a recent cached read', async () => {
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
