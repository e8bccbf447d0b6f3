/** Wakes that name a partition of another tenant: an address, and no access. */

import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../src/engine/dispatch.ts'
import { runPartition } from '../../../src/engine/partition/keys.ts'
import { countingWorld } from '../../support/counting-world.ts'
import { factsOf, startRun, TENANT, testWorld } from '../../support/drive.ts'

describe('a wake with the ID of a run under another tenant', () => {
  it('finds no run, writes nothing, and leaves the run to its own wake [H17]', async () => {
    const { ports, calls } = countingWorld()
    const world = testWorld(ports)
    const id = await startRun(world, { input: '@say mine' })
    const log = await factsOf(world, id)
    calls.length = 0
    const partition = runPartition('stranger', id)
    await dispatch(world, { partition, lane: 'main', started: false, staleCount: 0 })
    expect(calls.filter(({ target }) => target.startsWith(`${TENANT}/`))).toEqual([])
    expect(await world.store.read(partition)).toEqual([])
    expect(await factsOf(world, id)).toEqual(log)
    expect((await world.store.due(Number.MAX_SAFE_INTEGER)).entries).toEqual(
      expect.arrayContaining([expect.objectContaining({ partition: runPartition(TENANT, id) })]),
    )
  })
})
