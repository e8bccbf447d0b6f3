/** Rule 45a: every child's announce wakes a worker; the closing call of the model is made once. */

import { expect, it } from 'vitest'
import { dispatch } from '../../src/engine/dispatch.ts'
import { runPartition } from '../../src/engine/partition/keys.ts'
import type { Wake } from '../../src/ports/world.ts'
import { look, startRun, TENANT, testWorld, withTime } from '../support/drive.ts'
import { scriptModel } from '../support/script.ts'

it.each([8, 50, 300])(
  'the wakes of %i children, handled at once by as many workers, ask the model once',
  async (children) => {
    const model = scriptModel()
    const world = testWorld({
      model,
      // As in the clouds: others may be at work, results may wait for five seconds.
      settings: { singleProcess: false, flushMs: 5_000, maxLiveChildren: children },
    })
    const id = await startRun(world, {
      input: `@spawn ${Math.min(children, 120)} {"task":"@say part {i}"}\n${
        children > 120
          ? `@then\n@spawn 120 {"task":"@say part {i}"}\n@then\n@spawn ${children - 240} {"task":"@say part {i}"}\n`
          : ''
      }@await ${children}\n@say saw {results}`,
    })
    const partition = runPartition(TENANT, id)
    const worker = (count: number) => ({
      ...world,
      settings: { ...world.settings, worker: `worker-${count}` },
    })
    let held: Wake[] = []
    let count = 0
    for (let round = 0; round < 400; round += 1) {
      const wakes = world.queue.take()
      // The parent's wakes are kept until all children have told their ends.
      const ofParent = wakes.filter((wake) => wake.partition === partition)
      const others = wakes.filter((wake) => wake.partition !== partition)
      held = [...held, ...ofParent]
      if (others.length > 0) {
        await withTime(
          world,
          Promise.all(others.map((wake) => dispatch(worker((count += 1)), wake))),
        )
        continue
      }
      if (held.length === 0) break
      const together = held
      held = []
      // Who loses to all the others goes home; a look of somebody else does what is left.
      const looks = together.map((wake) => dispatch(worker((count += 1)), wake))
      await withTime(world, Promise.allSettled(looks))
    }
    const { state } = await look(world, id)
    expect([state.status, state.output?.text]).toEqual(['completed', `saw ${children}`])
    const asked = model.requests.filter(({ messages }) =>
      JSON.stringify(messages[0]).includes('@await'),
    )
    // One for each step that spawns, and the one that closes.
    expect(asked.length).toBe(state.steps.length)
    expect(state.usage.model_calls).toBe(model.requests.length)
  },
)
