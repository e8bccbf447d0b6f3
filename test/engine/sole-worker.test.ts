/** Whose lease counts: where one worker alone makes passes, no lease of a dead one (protocol rule 37). */

import { expect, it } from 'vitest'
import { WorkerLease } from '../../src/engine/partition/lease.ts'
import { memoryWorld } from '../../src/hosts/memory/world.ts'

const NOW = 1_000
const held = { epoch: 1, lease: { worker: 'dead:x', until: NOW + 60_000 } }

const leaseOf = (settings: { singleProcess: boolean; soleWorker?: boolean }): WorkerLease => {
  const world = memoryWorld()
  return new WorkerLease({ ...world, settings: { ...world.settings, ...settings, worker: 'me' } })
}

it('another worker holds a lease that counts, unless only this one makes passes', () => {
  expect(leaseOf({ singleProcess: false }).isOthers(held, NOW)).toBe(true)
  expect(leaseOf({ singleProcess: true }).isOthers(held, NOW)).toBe(false)
  expect(leaseOf({ singleProcess: false, soleWorker: true }).isOthers(held, NOW)).toBe(false)
})

it('within the sole worker each pass keeps its lease against the others', () => {
  const own = { ...held, lease: { ...held.lease, worker: 'me:another-pass' } }
  expect(leaseOf({ singleProcess: false, soleWorker: true }).isOthers(own, NOW)).toBe(true)
})
