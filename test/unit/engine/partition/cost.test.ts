import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../../src/engine/dispatch.ts'
import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import { systemClock } from '../../../../src/hosts/shared/clock.ts'
import type { World } from '../../../../src/ports/world.ts'
import { perform } from '../../../measure/cost/scenarios.ts'
import { countingStore } from '../../../support/counting-store.ts'
import { look, startRun, testWorld } from '../../../support/drive.ts'
import { testLanes } from '../../../support/test-lanes.ts'

const PER_STEP = 100

/** What a run with so many subagents costs the store, for each of them. */
async function perChild(children: number) {
  const { store, counts } = countingStore(memoryStore())
  const queue = testLanes({
    widths: { main: 4, subagent: 8, background: 4 },
    handle: (wake) => dispatch(world, wake),
  })
  // The engine on the lanes of a real host, only the store is one that counts.
  const memory = testWorld({ store })
  const world: World = { ...memory, clock: systemClock, queue }
  const steps = Array.from({ length: Math.ceil(children / PER_STEP) }, (_, step) => {
    const here = Math.min(PER_STEP, children - step * PER_STEP)
    return `@spawn ${here} {"task":"@say part {i} of ${step}"}\n@then`
  })
  const input = [...steps, '@await', '@say saw {results}'].join('\n')
  const id = await startRun({ ...memory, ...world } as typeof memory, { input })
  await queue.idle()
  const run = await look(memory, id)
  expect(run.state.status).toBe('completed')
  expect(run.state.pending_input).toHaveLength(children)
  return {
    calls: counts.calls / children,
    rows: counts.rows / children,
    bytes: counts.bytes / children,
  }
}

describe('the cost of a subagent', () => {
  it('is the same for 10, 100, and 1,000 subagents, within 30%', async () => {
    const ten = await perChild(10)
    const hundred = await perChild(100)
    const thousand = await perChild(1_000)
    console.log({ ten, hundred, thousand })
    for (const kind of ['calls', 'rows', 'bytes'] as const) {
      for (const many of [hundred, thousand]) {
        expect(many[kind] / ten[kind], kind).toBeLessThan(1.3)
        expect(many[kind] / ten[kind], kind).toBeGreaterThan(0.7)
      }
    }
  })
})

it('a stateless invocation rewrites no body that is already in the bucket', async () => {
  const how = { spillBytes: 32_768, forgetful: true }
  const { objects } = await perform(memoryStore(), '@say hello', how)
  expect(objects.puts).toBe(0)
})
