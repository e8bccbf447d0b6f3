/** A world that is paused: wakes and ticks do nothing, and what was due is due afterwards. */

import { expect, it } from 'vitest'
import { beat } from '../../../../src/engine/worker/beat.ts'
import { look, settle, startRun, testWorld } from '../../../support/drive.ts'

it('a run is not advanced while processing is paused, and completes afterward', async () => {
  const world = testWorld()
  const paused = { ...world, settings: { ...world.settings, paused: true } }
  const id = await startRun(world, { input: '@say done' })
  await settle(paused)
  expect((await look(world, id)).state.status).toBe('queued')
  world.clock.advance(120_000)
  expect(await beat(paused)).toEqual({ due: 0, oldestDueSeconds: 0 })
  await settle(paused)
  expect((await look(world, id)).state.status).toBe('queued')
  expect((await beat(world)).due).toBe(1)
  await settle(world)
  expect((await look(world, id)).state).toMatchObject({ status: 'completed' })
})
