/** A sole worker that starts anew: what the one before it was at goes on, the rest is left alone. */

import { expect, it } from 'vitest'
import { dispatch } from '../../../../src/engine/dispatch.ts'
import { runPartition } from '../../../../src/engine/partition/keys.ts'
import { recover, tick } from '../../../../src/engine/worker/tick.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import { look, settle, startRun, TENANT, testWorld, withTime } from '../../../support/drive.ts'

const soleWorld = () => testWorld({ settings: { soleWorker: true, worker: 'one' } })
const INPUT = '@spawn 1 {"task":"@say done"}\n@await\n@say saw {results}'

/** Takes wakes as they come until the parent has mail; the wake for it is lost. */
async function untilMail(world: MemoryWorld, id: string): Promise<void> {
  const parent = runPartition(TENANT, id)
  for (let round = 0; round < 100; round += 1) {
    for (const wake of world.queue.take()) {
      const rows = await world.store.read(parent)
      if (rows.some(({ key }) => key.startsWith('mail/'))) return
      await withTime(world, dispatch(world, wake))
    }
  }
  throw new Error('no mail came')
}

it('a parked parent whose mail arrived just before the crash is woken at once [I18]', async () => {
  const world = soleWorld()
  const id = await startRun(world, { input: INPUT })
  await untilMail(world, id)
  expect((await look(world, id)).state.status).toBe('waiting')
  await recover(world)
  await settle(world)
  expect((await look(world, id)).state).toMatchObject({ status: 'completed' })
})

it('a parent that only waits is left alone', async () => {
  const world = soleWorld()
  const id = await startRun(world, { input: INPUT })
  const parent = runPartition(TENANT, id)
  await withTime(world, Promise.all(world.queue.take().map((wake) => dispatch(world, wake))))
  world.queue.take()
  await recover(world)
  expect(world.queue.take().map(({ partition }) => partition)).not.toContain(parent)
})

it('a run resent just before the crash does not wait for the next resend [I18]', async () => {
  const world = soleWorld()
  const id = await startRun(world, { input: '@say done' })
  world.queue.take()
  world.clock.advance(61_000)
  await tick(world)
  // The pass that was sent dies, and its wake with it.
  expect(world.queue.take()).toHaveLength(1)
  await recover(world)
  await settle(world)
  expect((await look(world, id)).state).toMatchObject({ status: 'completed' })
})

it('a leased run continues, however far its alarm was postponed [I18]', async () => {
  const world = soleWorld()
  const id = await startRun(world, { input: '@say done' })
  world.queue.take()
  const partition = runPartition(TENANT, id)
  const [row] = await world.store.heads([partition])
  const wake_at = world.clock.now() + 840_000
  const lease = { worker: 'one', until: world.clock.now() + 20_000 }
  const body = JSON.stringify({ ...JSON.parse(row!.body), lease, wake_at })
  const alarm = { at: wake_at, lane: 'main', started: true } as const
  expect(await world.store.commit(partition, [], { expect: row!.version, body, alarm })).toBe('ok')
  await recover(world)
  await settle(world)
  expect((await look(world, id)).state).toMatchObject({ status: 'completed' })
})
