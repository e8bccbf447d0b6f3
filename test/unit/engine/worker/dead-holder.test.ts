import { expect, it } from 'vitest'
import type { Head } from '../../../../src/engine/partition/format.ts'
import { runPartition } from '../../../../src/engine/partition/keys.ts'
import { countPass } from '../../../../src/engine/worker/crash-count.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import { startRun, TENANT, testWorld } from '../../../support/drive.ts'

const LANE = { lane: 'main', started: true } as const

/** A run that is due now, held by somebody else for so long. */
async function held(leaseMs: number) {
  const world = testWorld()
  const partition = runPartition(TENANT, await startRun(world, { input: '@say hello' }))
  const [row] = await world.store.heads([partition])
  const now = world.clock.now()
  const lease = { worker: 'another', until: now + leaseMs }
  await world.store.commit(partition, [], {
    expect: row!.version,
    body: JSON.stringify({ ...JSON.parse(row!.body), lease, wake_at: now }),
    alarm: { at: now, ...LANE },
  })
  return { world, partition, now }
}

async function nextLook(world: MemoryWorld, partition: string): Promise<number> {
  const [row] = await world.store.heads([partition])
  return (JSON.parse(row!.body) as Head<unknown>).wake_at! - world.clock.now()
}

it.each([
  ['nearly over: when it counts no more', 3_000, 8_000],
  ['over, and counts still', -2_000, 3_000],
  ['over: in a minute', -6_000, 60_000],
  ['long: when it counts no more', 59_000, 64_000],
])('a due run whose lease is %s is checked again at that time [I18]', async (_, leaseMs, again) => {
  const sent = await held(leaseMs)
  await tick(sent.world)
  expect(await nextLook(sent.world, sent.partition)).toBe(again)
  // Whoever it woke may be faster than the tick's own push.
  const claimed = await held(leaseMs)
  await countPass(claimed.world, { partition: claimed.partition, ...LANE })
  expect(await nextLook(claimed.world, claimed.partition)).toBe(again)
})
