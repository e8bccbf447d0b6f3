/** Runs whose tenant is paused in the middle of them: no call begins, and nothing is lost. */

import { expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { DEFAULT_TENANT, tenantPartition } from '../../../../src/engine/partition/keys.ts'
import { tenantStatus } from '../../../../src/engine/tenant/state.ts'
import { changeState } from '../../../../src/engine/tenants/change-state.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import type { ModelRequest, Store } from '../../../../src/ports/world.ts'
import { BANK, bank, OPEN } from '../../../support/approvals.ts'
import { countingStore } from '../../../support/counting-store.ts'
import {
  factsOf,
  look,
  putFiles,
  settle,
  startRun,
  TENANT,
  testWorld,
} from '../../../support/drive.ts'
import { scriptModel } from '../../../support/script.ts'

const ROW = {
  ...{ id: TENANT, name: null, status: 'active', key_id: '', created_at: '', updated_at: '' },
  ...{ deletion: null, cancels: null, wake_at: null, redeliveries: 0, listed: null },
}
const pause = (world: MemoryWorld) =>
  changeState({ world, tenant: 'default', by: 'k' }, TENANT, { to: 'paused' })
const resume = (world: MemoryWorld) =>
  changeState({ world, tenant: 'default', by: 'k' }, TENANT, { to: 'active' })

/** A world whose model calls `during` while its numbered call is in progress. */
async function worldWith(during: (world: MemoryWorld, call: number) => Promise<unknown>) {
  const model = scriptModel()
  const calls: ModelRequest[] = []
  const { tools, calls: sent } = bank()
  const world: MemoryWorld = testWorld({
    tools,
    web: OPEN,
    model: {
      ...model,
      async respond(request, options) {
        calls.push(request)
        await during(world, calls.length)
        return model.respond(request, options)
      },
    },
  })
  await world.store.commit(tenantPartition(TENANT), [], { expect: null, body: JSON.stringify(ROW) })
  return { world, calls, sent }
}

it('a model call in progress completes, and the next one begins after the resumption', async () => {
  const { world, calls } = await worldWith(async (world, call) => call === 1 && pause(world))
  const id = await startRun(world, { input: '@call todo_write {"todos":[]}\n@say done' })
  await settle(world)
  expect(calls).toHaveLength(1)
  const parked = await look(world, id)
  expect([parked.state.status, parked.state.steps.length]).toEqual(['running', 1])
  expect(parked.head.lease ?? null).toBe(null)
  const { length } = await factsOf(world, id)
  // Ticks change nothing while the tenant is paused.
  world.clock.advance(120_000)
  await settle(world)
  expect(await factsOf(world, id)).toHaveLength(length)
  await resume(world)
  await settle(world)
  expect((await look(world, id)).state.status).toBe('completed')
})

it('a once call that was not sent is answered as not made, never as unknown', async () => {
  const { world, sent } = await worldWith(async (world, call) => call === 1 && pause(world))
  await putFiles(world, { 'base/.agents/config.toml': BANK })
  const id = await startRun(world, { input: '@call mcp__bank__pay {"amount":1}\n@say {last}' })
  await settle(world)
  await resume(world)
  await settle(world)
  const results = (await factsOf(world, id)).filter(({ type }) => type === 'tool.result')
  expect(results).toMatchObject([{ status: 'error' }])
  expect(JSON.stringify(results)).toContain('it was not made')
  expect(sent).toEqual([])
})

it('a state whose answer came late is read again', async () => {
  const memory = testWorld({ settings: { singleProcess: false } })
  const partition = tenantPartition(TENANT)
  await memory.store.commit(partition, [], { expect: null, body: JSON.stringify(ROW) })
  let reads = 0
  const slow: Store = {
    ...memory.store,
    async heads(partitions) {
      const rows = await memory.store.heads(partitions)
      reads += 1
      // The tenant is paused while the first answer travels.
      if (reads === 1) {
        await pause(memory)
        memory.clock.advance(60_000)
      }
      return rows
    },
  }
  expect(await tenantStatus({ ...memory, store: slow }, TENANT)).toBe('paused')
  expect(reads).toBe(2)
})

it('the default tenant costs no read in many processes, and one in a single process', async () => {
  for (const [singleProcess, reads] of [
    [false, 0],
    [true, 1],
  ] as const) {
    const memory = testWorld({ settings: { singleProcess } })
    const { store, counts } = countingStore(memory.store)
    const world = { ...memory, store }
    for (let times = 0; times < 3; times += 1) {
      expect(await tenantStatus(world, DEFAULT_TENANT)).toBe('active')
      memory.clock.advance(60_000)
    }
    expect([singleProcess, counts.calls]).toEqual([singleProcess, reads])
  }
})

it('another tenant costs one read in three seconds, however many calls begin', async () => {
  const memory = testWorld({ settings: { singleProcess: false } })
  const { store, counts } = countingStore(memory.store)
  const world = { ...memory, store }
  for (let times = 0; times < 60; times += 1) {
    await tenantStatus(world, TENANT)
    memory.clock.advance(100)
  }
  expect(counts.calls).toBe(2)
})

it('another process sees the state of a tenant within its bound', () => {
  expect(LIMITS.tenant_state_seconds).toBeLessThan(5)
})
