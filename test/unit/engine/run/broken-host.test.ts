import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../../src/engine/dispatch.ts'
import { runPartition } from '../../../../src/engine/partition/keys.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import {
  look,
  outputOf,
  settle,
  startRun,
  TENANT,
  testWorld,
  withTime,
} from '../../../support/drive.ts'

describe('a host failure during an effect', () => {
  it('leaves a run without a lease, which continues at the next tick', async () => {
    const world = testWorld()
    const id = await startRun(world, { input: '@call file_list {}\n@say fine' })
    let broken = true
    const list: typeof world.objects.list = (prefix, cursor) => {
      if (broken && prefix.includes('workspaces/')) throw new Error('the disk is gone')
      return world.objects.list(prefix, cursor)
    }
    const breaking = { ...world, objects: { ...world.objects, list } }
    const partition = runPartition(TENANT, id)
    world.queue.take()
    const wake = { partition, lane: 'main', started: false, staleCount: 0 } as const
    const handled = dispatch(breaking, wake).catch((error: Error) => error.message)
    expect(await withTime(world, handled)).toBe('the disk is gone')
    const left = await look(world, id)
    expect(left.head.lease).toBeNull()
    expect(left.head.wake_at).not.toBeNull()
    broken = false
    world.clock.advance(61_000)
    await tick(world)
    await settle(world)
    expect(outputOf(await look(world, id))).toBe('fine')
  })
})
