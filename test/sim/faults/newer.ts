/**
 * A newer release at work beside ours: it writes a head that only it understands, and is rolled back
 * after a while. Until then nobody here may advance the log (I21).
 */

import { FORMAT } from '../../../src/engine/partition/format.ts'
import { HEAD } from '../../../src/ports/world.ts'
import type { Sim } from '../world/sim.ts'

export function writeNewer(sim: Sim, partition: string, ms: number): void {
  if (!setFormat(sim, partition, FORMAT + 1)) return
  sim.law.newer.add(partition)
  sim.law.promptness.forget(partition)
  sim.law.awake.forget(partition)
  sim.rare('log of a newer version')
  sim.schedule.after(ms, null, 'the newer release is rolled back', () => {
    // First the head: this write sends nobody, so no law may expect that somebody comes for it.
    setFormat(sim, partition, FORMAT)
    sim.law.newer.delete(partition)
  })
}

function setFormat({ store }: Sim, partition: string, format: number): boolean {
  const held = store.partitions.get(partition)?.get(HEAD)
  if (!held) return false
  const head = JSON.parse(held.body) as { format: number }
  const body = JSON.stringify({ ...head, format })
  const { version, listed, vanishesAt } = held
  // As it was given: the store keeps none of what vanishes.
  const end = { lane: 'main', started: false } as const
  const alarm = held.alarm ?? (vanishesAt === undefined ? undefined : { at: vanishesAt, ...end })
  const write = { expect: version, body, alarm, listed, vanishesAt }
  return store.commit(partition, [], write) === 'ok'
}
