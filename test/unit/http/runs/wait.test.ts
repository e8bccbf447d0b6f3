/** How often who waits looks again where no feed tells: soon after news, never later than a second. */

import { expect, it } from 'vitest'
import { memoryWorld } from '../../../../src/hosts/memory/world.ts'
import { until, watch } from '../../../../src/http/stream/wait.ts'
import type { World } from '../../../../src/ports/world.ts'

/** A world whose clock jumps over each sleep and notes it; its feed tells nothing, as on Workers. */
function silentWorld(): { world: World; sleeps: number[] } {
  const world = memoryWorld()
  const sleeps: number[] = []
  let now = 0
  const clock = {
    ...world.clock,
    monotonic: () => now,
    sleep: async (ms: number) => {
      sleeps.push(ms)
      now += ms
    },
  }
  const feed = { publish: () => {}, subscribe: () => () => {} }
  return { world: { ...world, clock, feed }, sleeps }
}

it('a wait begins with 250 ms, doubles, and never exceeds one second', async () => {
  const { world, sleeps } = silentWorld()
  await until(world, 4_000, async () => ({ found: null, over: false, seq: 1 }))
  expect(sleeps).toEqual([250, 500, 1_000, 1_000, 1_000, 250])
})

it('a wait returns to its shortest interval after reading something new', async () => {
  const { world, sleeps } = silentWorld()
  const seqs = [1, 1, 1, 2, 2, 2, 2]
  await until(world, 60_000, async () => {
    const seq = seqs.shift()!
    return { found: null, over: seqs.length === 0, seq }
  })
  expect(sleeps).toEqual([250, 500, 1_000, 250, 500, 1_000])
})

it('a stream returns to its shortest interval after sending something', async () => {
  const { world, sleeps } = silentWorld()
  const news = watch(world)
  await news.next(15_000)
  await news.next(15_000)
  news.hurry()
  await news.next(15_000)
  news.close()
  expect(sleeps).toEqual([250, 500, 250])
})
