import { expect, it } from 'vitest'
import { lookAtRun, readRun } from '../../src/engine/log.ts'
import { runPartition } from '../../src/engine/names.ts'
import { memoryStore } from '../../src/hosts/memory/store.ts'
import type { Store } from '../../src/ports/world.ts'
import { settle, startRun, TENANT, testWorld } from '../support/drive.ts'

it('I9 a look that comes back after the end does not hide the end from those who look later', async () => {
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
  const world = testWorld({ store, settings: { exclusive: true } })
  const partition = runPartition(TENANT, await startRun(world, { input: '@say hello' }))
  let arrive: () => void = () => {}
  slow = new Promise((resolve) => {
    arrive = resolve
  })
  const early = readRun(world, partition)
  await settle(world)
  arrive()
  expect((await early)?.state.status).toBe('queued')
  expect((await lookAtRun(world, partition))?.state.status).toBe('completed')
})
