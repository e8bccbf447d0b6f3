/** Rule 22: a run's clock counts time that passed, whatever the wall clock says in between. */

import { expect, it } from 'vitest'
import { wasAway } from '../../../../src/engine/partition/clock-steps.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import { factsOf, look, settle, startRun, testWorld, withTime } from '../../../support/drive.ts'

const HOUR = 3_600_000
/** Waits for ten seconds in its middle; its time is a minute. */
const REQUEST = { input: '@fail 503 times=2\n@say still there', limits: { timeout_seconds: 60 } }

async function parked(): Promise<{ world: MemoryWorld; id: string }> {
  const world = testWorld()
  await withTime(world, tick(world))
  const id = await startRun(world, REQUEST)
  await settle(world)
  world.clock.advance(1_100)
  await settle(world)
  expect((await look(world, id)).state.status).toBe('waiting')
  return { world, id }
}

const stepsOf = async (world: MemoryWorld, id: string): Promise<number[]> =>
  (await factsOf(world, id)).flatMap((fact) => (fact.type === 'clock.stepped' ? [fact.ms] : []))

it('a clock that jumps hours forward ends no run early, and the run reports it once', async () => {
  const { world, id } = await parked()
  world.clock.set(world.clock.now() + 5 * HOUR)
  await withTime(world, tick(world))
  await settle(world)
  world.clock.advance(10_100)
  await settle(world)
  const { state } = await look(world, id)
  expect([state.status, state.stop_reason]).toEqual(['completed', 'end_turn'])
  expect(await stepsOf(world, id)).toEqual([5 * HOUR])
})

it('time that did pass ends a run regardless of clock jumps before or after', async () => {
  const world = testWorld()
  await withTime(world, tick(world))
  const id = await startRun(world, {
    input: '@fail 503 times=2 after=400\n@say late',
    limits: { timeout_seconds: 5 },
  })
  await settle(world)
  world.clock.set(world.clock.now() + 5 * HOUR)
  await withTime(world, tick(world))
  await settle(world)
  expect((await look(world, id)).state.status).toBe('waiting')
  world.clock.advance(6_000)
  await withTime(world, tick(world))
  await settle(world)
  expect((await look(world, id)).state.status).toBe('timed_out')
})

it('downtime of the process does not use up a run’s time', async () => {
  const { world, id } = await parked()
  const last = world.clock.now()
  world.clock.set(last + 3 * HOUR)
  wasAway(world, last)
  await withTime(world, tick(world))
  await settle(world)
  world.clock.advance(10_100)
  await settle(world)
  expect((await look(world, id)).state.status).toBe('completed')
})

it('corrections of a few seconds are not clock jumps', async () => {
  const { world, id } = await parked()
  world.clock.set(world.clock.now() + 20_000)
  await withTime(world, tick(world))
  world.clock.advance(10_100)
  await settle(world)
  expect(await stepsOf(world, id)).toEqual([])
  expect((await look(world, id)).state.status).toBe('completed')
})
