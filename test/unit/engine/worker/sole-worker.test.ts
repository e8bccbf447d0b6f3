/**
 * Whose lease counts: where one worker alone makes passes, no lease of a dead one (PROTOCOL.md rule
 * 37).
 */

import { expect, it } from 'vitest'
import { command, readRun } from '../../../../src/engine/logs/run.ts'
import { runPartition } from '../../../../src/engine/partition/keys.ts'
import { WorkerLease } from '../../../../src/engine/partition/lease.ts'
import { recover } from '../../../../src/engine/worker/tick.ts'
import { memoryWorld } from '../../../../src/hosts/memory/world.ts'
import type { Wake } from '../../../../src/ports/world.ts'
import { startRun, TENANT, testWorld } from '../../../support/drive.ts'

const NOW = 1_000
const held = { epoch: 1, lease: { worker: 'dead:x', until: NOW + 60_000 } }

const leaseOf = (
  settings: { singleProcess: boolean; soleWorker?: boolean },
  isPass = true,
): WorkerLease => {
  const world = memoryWorld()
  const own = { ...world.settings, ...settings, worker: 'me' }
  return new WorkerLease({ ...world, settings: own }, isPass)
}

it('another worker’s lease is respected, unless this worker is the only one', () => {
  expect(leaseOf({ singleProcess: false }).isOthers(held, NOW)).toBe(true)
  expect(leaseOf({ singleProcess: true }).isOthers(held, NOW)).toBe(false)
  const sole = { singleProcess: false, soleWorker: true }
  expect(leaseOf(sole).isOthers(held, NOW)).toBe(false)
  expect(leaseOf(sole, false).isOthers(held, NOW)).toBe(true)
  expect(leaseOf({ singleProcess: true }, false).isOthers(held, NOW)).toBe(false)
})

it('within the sole worker each pass keeps its lease against the others', () => {
  const own = { ...held, lease: { ...held.lease, worker: 'me:another-pass' } }
  expect(leaseOf({ singleProcess: false, soleWorker: true }).isOthers(own, NOW)).toBe(true)
})

it('a sole worker that cancels a run leased elsewhere leaves the end to the lease holder [I12]', async () => {
  const made = testWorld()
  const partition = runPartition(TENANT, await startRun(made, { input: '@say hello' }))
  const [row] = await made.store.heads([partition])
  const lease = { worker: 'its-object:x', until: made.clock.now() + 60_000 }
  const body = JSON.stringify({ ...JSON.parse(row!.body), lease })
  const alarm = { at: lease.until, lane: 'main', started: true } as const
  await made.store.commit(partition, [], { expect: row!.version, body, alarm })
  const settings = { ...made.settings, worker: 'me', singleProcess: false, soleWorker: true }
  const world = { ...made, settings }
  await command(world, partition, [{ type: 'cancel.requested', by: 'parent', reason: 'enough' }])
  const run = await readRun(world, partition)
  expect(run!.state.cancel).not.toBeNull()
  expect(run!.state.ended_at).toBeNull()
  expect(run!.head.lease).toEqual(lease)
})

it.each([
  ['has not begun', null],
  ['is leased', { worker: 'dead:x', until: 1_800_000_050_000 }],
])('a previously resent run is recovered too, when it %s [I18]', async (_, lease) => {
  const world = testWorld()
  const partition = runPartition(TENANT, await startRun(world, { input: '@say hello' }))
  const [row] = await world.store.heads([partition])
  const wake_at = world.clock.now() + 60_000
  const body = JSON.stringify({ ...JSON.parse(row!.body), lease, redeliveries: 1, wake_at })
  const alarm = { at: wake_at, lane: 'main', started: lease !== null } as const
  await world.store.commit(partition, [], { expect: row!.version, body, alarm })
  const sent: Wake[] = []
  const send = async (wakes: readonly Wake[]) => {
    sent.push(...wakes)
    return 'ok' as const
  }
  await recover({ ...world, queue: { send } })
  expect(sent).toMatchObject([{ partition, suspect: true }])
})
