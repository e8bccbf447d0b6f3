import { expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../src/core/policy.ts'
import { readPolicy, writePolicy } from '../../src/engine/tenant/policy.ts'
import { memoryStore } from '../../src/hosts/memory/store.ts'
import type { Store } from '../../src/ports/world.ts'
import { TENANT, testWorld } from '../support/drive.ts'

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
