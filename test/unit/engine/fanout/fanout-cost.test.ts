/** What a fan-out costs on the lanes and the store of the Node host, for each of its tasks. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../../src/engine/dispatch.ts'
import { acceptFanout } from '../../../../src/engine/fanout/accept.ts'
import { addPage, sealFanout } from '../../../../src/engine/fanout/pages.ts'
import { readFanout } from '../../../../src/engine/logs/fanout.ts'
import { fanoutPartition } from '../../../../src/engine/partition/keys.ts'
import { openSqlite } from '../../../../src/hosts/node/sqlite.ts'
import { systemClock } from '../../../../src/hosts/shared/clock.ts'
import type { World } from '../../../../src/ports/world.ts'
import { cleanup } from '../../../support/cleanup.ts'
import { countingStore } from '../../../support/counting-store.ts'
import { TENANT, testWorld } from '../../../support/drive.ts'
import { testLanes } from '../../../support/test-lanes.ts'

/** A Node host's store and lanes; `most`: the largest body that is stored. */
async function host() {
  const folder = mkdtempSync(join(tmpdir(), 'strata-cost-'))
  const sqlite = await openSqlite(join(folder, 'strata.db'))
  cleanup.push(async () => {
    await sqlite.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const { store, counts } = countingStore(sqlite)
  const largest = { bytes: 0 }
  const commit: typeof store.commit = (partition, writes, head) => {
    const bodies = [head?.body, ...writes.map((write) => (write.op === 'put' ? write.body : ''))]
    largest.bytes = Math.max(largest.bytes, ...bodies.map((body) => body?.length ?? 0))
    return store.commit(partition, writes, head)
  }
  const queue = testLanes({
    widths: { main: 4, subagent: 8, background: 4 },
    handle: (wake) => dispatch(world, wake),
  })
  const world: World = { ...testWorld({ store: { ...store, commit } }), clock: systemClock, queue }
  return { world, queue, counts, largest }
}

async function perTask(tasks: number) {
  const { world, queue, counts } = await host()
  const accepted = await acceptFanout(world, TENANT, {
    tasks: Array.from({ length: tasks }, (_, index) => ({ task: `@say part ${index}` })),
    then: { input: '@say saw {results}' },
  })
  if (!accepted.ok) throw new Error(accepted.error.detail)
  await queue.idle()
  const { id } = accepted.value.fanout.state.spec!
  const { state } = (await readFanout(world, fanoutPartition(TENANT, id)))!
  expect(state).toMatchObject({ status: 'completed', output: { text: `saw ${tasks}` } })
  const { calls, rows, bytes } = counts
  return { calls: calls / tasks, rows: rows / tasks, bytes: bytes / tasks }
}

/** Of an open fan-out with so many pages of twenty tasks each. */
async function perTaskOfPages(pages: number) {
  const { world, queue, counts, largest } = await host()
  const accepted = await acceptFanout(world, TENANT, { open: true })
  if (!accepted.ok) throw new Error(accepted.error.detail)
  const { id } = accepted.value.fanout.state.spec!
  const partition = fanoutPartition(TENANT, id)
  for (let page = 0; page < pages; page += 1) {
    const tasks = Array.from({ length: 20 }, (_, index) => ({ task: `@say ${page}.${index}` }))
    const added = await addPage(world, partition, { page, tasks })
    expect(added?.ok).toBe(true)
  }
  expect((await sealFanout(world, partition, pages))?.ok).toBe(true)
  await queue.idle()
  const { state } = (await readFanout(world, partition))!
  expect(state.status).toBe('completed')
  const tasks = pages * 20
  const { calls, rows, bytes } = counts
  return { calls: calls / tasks, rows: rows / tasks, bytes: bytes / tasks, largest: largest.bytes }
}

describe('the cost of a fan-out task', () => {
  it('is the same in an open fan-out of 2 pages and of 60, within 30%, and no row grows', async () => {
    const two = await perTaskOfPages(2)
    const sixty = await perTaskOfPages(60)
    console.log({ two, sixty })
    for (const kind of ['calls', 'rows', 'bytes'] as const) {
      expect(sixty[kind] / two[kind], kind).toBeLessThan(1.3)
    }
    expect(sixty.largest).toBeLessThan(20_000)
  })

  it('is the same in a fan-out of 10 and of 1,000, within 30%', async () => {
    // The first one opens what all others find open.
    await perTask(10)
    const ten = await perTask(10)
    const thousand = await perTask(1_000)
    console.log({ ten, thousand })
    for (const kind of ['calls', 'rows', 'bytes'] as const) {
      expect(thousand[kind] / ten[kind], kind).toBeLessThan(1.3)
      expect(thousand[kind] / ten[kind], kind).toBeGreaterThan(0.7)
    }
  })
})
