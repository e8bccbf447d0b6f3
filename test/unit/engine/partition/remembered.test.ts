import { expect, it } from 'vitest'
import { readRun, readRunCached } from '../../../../src/engine/logs/run.ts'
import { runPartition } from '../../../../src/engine/partition/keys.ts'
import { deleteTree } from '../../../../src/engine/worker/retention.ts'
import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import type { Store } from '../../../../src/ports/world.ts'
import { settle, startRun, TENANT, testWorld } from '../../../support/drive.ts'

/** A world whose next read after `hold()` comes back only when it is let. */
function slowWorld() {
  let slow: Promise<void> | undefined
  const inner = memoryStore()
  const store: Store = {
    ...inner,
    async read(...args) {
      const rows = await inner.read(...args)
      const wait = slow
      slow = undefined
      await wait
      return rows
    },
  }
  const hold = (): (() => void) => {
    const held = Promise.withResolvers<void>()
    slow = held.promise
    return held.resolve
  }
  return { world: testWorld({ store, settings: { singleProcess: true } }), hold }
}

it('a read that returns after the end does not hide the end from later reads [I9]', async () => {
  const { world, hold } = slowWorld()
  const partition = runPartition(TENANT, await startRun(world, { input: '@say hello' }))
  const arrive = hold()
  const early = readRun(world, partition)
  await settle(world)
  arrive()
  expect((await early)?.state.status).toBe('queued')
  expect((await readRunCached(world, partition))?.state.status).toBe('completed')
})

it('a read that returns after the deletion does not restore the run', async () => {
  const { world, hold } = slowWorld()
  const partition = runPartition(TENANT, await startRun(world, { input: '@say hello' }))
  await settle(world)
  const arrive = hold()
  const early = readRun(world, partition)
  expect(await deleteTree(world, partition)).toBe(true)
  arrive()
  expect((await early)?.state.status).toBe('completed')
  expect(await readRunCached(world, partition)).toBeUndefined()
})
