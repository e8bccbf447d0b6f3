/** The order of a log: what a model was shown stands before what it answered. */

import { describe, expect, it } from 'vitest'
import { runPartition } from '../../../../src/engine/partition/keys.ts'
import { factsAfter } from '../../../../src/engine/partition/log.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import {
  look,
  outputOf,
  runToRest,
  settle,
  startRun,
  TENANT,
  testWorld,
} from '../../../support/drive.ts'

async function types(world: MemoryWorld, id: string): Promise<string[]> {
  const rows = await world.store.read(runPartition(TENANT, id))
  return factsAfter(rows, 0).map(({ fact }) => fact.type)
}

describe('the log', () => {
  it('contains the result of a refused call before the answer to it', async () => {
    const world = testWorld()
    const input = '@call no_such_tool {}\n@then\n@call file_read not json\n@say {tools} told'
    const run = await runToRest(world, { input })
    expect(outputOf(run)).toBe('2 told')
    expect(await types(world, run.state.spec!.id)).toEqual([
      'run.created',
      'run.started',
      'assistant.message',
      'tool.result',
      'assistant.message',
      'tool.result',
      'assistant.message',
      'run.completed',
    ])
  })

  it('contains the release of the barrier before the answer that follows it', async () => {
    const world = testWorld()
    const id = await startRun(world, { input: '@spawn 2\n@await\n@say saw {results}' })
    await settle(world)
    const all = await types(world, id)
    expect(outputOf(await look(world, id))).toBe('saw 2')
    expect(all.slice(-4)).toEqual([
      'run.resumed',
      'barrier.released',
      'assistant.message',
      'run.completed',
    ])
    expect(all.filter((type) => type === 'barrier.released')).toHaveLength(1)
  })
})
