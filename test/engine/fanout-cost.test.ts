/** What a fan-out costs on the lanes and the store of the Node host, for each of its tasks. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { acceptFanout } from '../../src/engine/fanout/accept.ts'
import { handle } from '../../src/engine/handle.ts'
import { readFanout } from '../../src/engine/log.ts'
import { fanoutPartition } from '../../src/engine/names.ts'
import { lanes } from '../../src/hosts/node/queue.ts'
import { openSqlite } from '../../src/hosts/node/sqlite.ts'
import { systemClock } from '../../src/hosts/web/clock.ts'
import type { World } from '../../src/ports/world.ts'
import { cleanup } from '../support/cleanup.ts'
import { countingStore } from '../support/counting-store.ts'
import { TENANT, testWorld } from '../support/drive.ts'

async function perTask(tasks: number) {
  const folder = mkdtempSync(join(tmpdir(), 'strata-cost-'))
  const sqlite = await openSqlite(join(folder, 'strata.db'))
  cleanup.push(async () => {
    sqlite.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const { store, counts } = countingStore(sqlite)
  const queue = lanes({
    widths: { main: 4, subagent: 8, background: 4 },
    handle: (wake) => handle(world, wake),
    onError: (error) => {
      throw error
    },
  })
  const world: World = { ...testWorld({ store }), clock: systemClock, queue }
  const began = performance.now()
  const accepted = await acceptFanout(world, TENANT, {
    tasks: Array.from({ length: tasks }, (_, index) => ({ task: `@say part ${index}` })),
    then: { input: '@say saw {results}' },
  })
  if (!accepted.ok) throw new Error(accepted.error.detail)
  await queue.idle()
  const ms = performance.now() - began
  const { id } = accepted.value.fanout.state.spec!
  const { state } = (await readFanout(world, fanoutPartition(TENANT, id)))!
  expect(state).toMatchObject({ status: 'completed', output: { text: `saw ${tasks}` } })
  const { calls, rows, bytes } = counts
  return { ms, calls: calls / tasks, rows: rows / tasks, bytes: bytes / tasks }
}

describe('the cost of a task', () => {
  it('is the same in a fan-out of 10 and of 1,000, within 30 %', async () => {
    // The first one opens what all others find open.
    await perTask(10)
    const ten = await perTask(10)
    const thousand = await perTask(1_000)
    console.log({ ten, thousand })
    for (const kind of ['calls', 'rows', 'bytes'] as const) {
      expect(thousand[kind] / ten[kind], kind).toBeLessThan(1.3)
      expect(thousand[kind] / ten[kind], kind).toBeGreaterThan(0.7)
    }
  }, 360_000)
})
