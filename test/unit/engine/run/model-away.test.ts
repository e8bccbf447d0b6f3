import { expect, it } from 'vitest'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { fail } from '../../../../src/lib/outcome.ts'
import { look, settle, startRun, testWorld } from '../../../support/drive.ts'

it('a run waits for the server that names its model, and starts when it is back', async () => {
  const { model: inner } = testWorld()
  let isAway = false
  const find: typeof inner.find = (...args) =>
    isAway ? fail({ message: 'it is away', away: true }) : inner.find(...args)
  const world = testWorld({ model: { ...inner, find } })
  const id = await startRun(world, { input: '@say here' })
  isAway = true
  await settle(world).catch(() => {})
  expect((await look(world, id)).state.status).toBe('queued')
  isAway = false
  world.clock.advance(600_000)
  await tick(world)
  await settle(world)
  expect((await look(world, id)).state).toMatchObject({ status: 'completed' })
})
