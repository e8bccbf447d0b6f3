/** A pass that goes alone: what ends late opens no gate but its own (promise 10). */

import { expect, it } from 'vitest'
import { inIsolation, runShared } from '../../../../src/engine/worker/isolation.ts'
import { memoryWorld } from '../../../../src/hosts/memory/world.ts'

const MINUTE_MS = 60_000

/** An act that ends when it is told to. */
function held() {
  let end = (): void => {}
  const act = (): Promise<void> =>
    new Promise((resolve) => {
      end = resolve
    })
  return { act, end: () => end() }
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('an isolated pass that outlives its minute lets no shared pass run alongside the next one', async () => {
  const world = memoryWorld()
  const [first, second] = [held(), held()]
  const slow = inIsolation(world, first.act)
  await settle()
  // Its minute is over: nobody waits for it any more.
  await world.clock.advance(MINUTE_MS)
  const next = inIsolation(world, second.act)
  // The next one waits for it ten seconds, as for anybody at work, and begins.
  await settle()
  await world.clock.advance(10_000)
  await settle()
  let came = false
  const other = runShared(world, async () => {
    came = true
  })
  first.end()
  await slow
  await settle()
  expect(came).toBe(false)
  second.end()
  await Promise.all([next, other])
  expect(came).toBe(true)
})

it('the next isolated pass starts as soon as an overdue one has ended', async () => {
  const world = memoryWorld()
  const first = held()
  const slow = inIsolation(world, first.act)
  await settle()
  await world.clock.advance(MINUTE_MS)
  let began = false
  const next = inIsolation(world, async () => {
    began = true
  })
  await settle()
  expect(began).toBe(false)
  first.end()
  await Promise.all([slow, next])
  expect(began).toBe(true)
})

it('isolated passes run sequentially', async () => {
  const world = memoryWorld()
  let alone = 0
  let most = 0
  const act = async (): Promise<void> => {
    alone += 1
    most = Math.max(most, alone)
    await settle()
    alone -= 1
  }
  await Promise.all([1, 2, 3].map(() => inIsolation(world, act)))
  expect(most).toBe(1)
})
