/** Rules 18 and 45a: every child's announce wakes a worker; the closing call of the model is made once. */

import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../../src/engine/dispatch.ts'
import { runLogType } from '../../../../src/engine/logs/run.ts'
import { isSuperseded } from '../../../../src/engine/partition/drain.ts'
import { runPartition } from '../../../../src/engine/partition/keys.ts'
import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import type { Store, Wake } from '../../../../src/ports/world.ts'
import { look, startRun, TENANT, testWorld, withTime } from '../../../support/drive.ts'
import { scriptModel } from '../../../support/script.ts'

it.each([8, 50, 300])(
  'the wakes of %i children, handled at once by as many workers, cause one model call',
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

describe('a wake that names its mail', () => {
  const clouds = { settings: { ...testWorld().settings, singleProcess: false } }
  const state = { ...runLogType.machine.initial }
  const run = (...keys: readonly string[]) =>
    ({ state, mail: keys.map((key) => ({ key, fact: { type: 'x' } })) }) as never
  const kind = (early: boolean) => ({ ...runLogType, isEarly: () => early })

  it.each([
    ['leaves its pass to later mail', 'mail/a', false, {}, true],
    ['makes the pass when its mail is the last', 'mail/b', false, {}, false],
    ['makes it beside mail that waits for its record', 'mail/a', true, {}, false],
    ['makes it when the run is suspect', 'mail/a', false, { suspect: true }, false],
    ['makes it when it names none', undefined, false, {}, false],
  ] as const)('%s', (_, mail, early, more, left) => {
    const wake = { mail, ...more }
    expect(isSuperseded(clouds, kind(early), run('mail/a', 'mail/b'), wake)).toBe(left)
  })

  it('makes the pass in a single process', () => {
    const found = run('mail/a', 'mail/b')
    expect(isSuperseded(testWorld(), kind(false), found, { mail: 'mail/a' })).toBe(false)
  })
})

it('of the workers woken at once by eight ends, one commits', async () => {
  let refused = 0
  const inner = memoryStore()
  const store: Store = {
    ...inner,
    async commit(partition, writes, head) {
      const result = await inner.commit(partition, writes, head)
      if (result === 'conflict') refused += 1
      return result
    },
  }
  const world = testWorld({ store, settings: { singleProcess: false, flushMs: 5_000 } })
  const id = await startRun(world, {
    input: '@spawn 8 {"task":"@say part {i}"}\n@await 8\n@say saw {results}',
  })
  const partition = runPartition(TENANT, id)
  const held: Wake[] = []
  for (let wakes = world.queue.take(); wakes.length > 0; wakes = world.queue.take()) {
    held.push(...wakes.filter(({ mail }) => mail !== undefined))
    const others = wakes.filter(({ mail }) => mail === undefined)
    await withTime(world, Promise.all(others.map((wake) => dispatch(world, wake))))
  }
  expect(held.map((wake) => wake.partition)).toEqual(Array(8).fill(partition))
  refused = 0
  const processes = held.map((_, at) => ({
    ...world,
    store: { ...store },
    settings: { ...world.settings, worker: `worker-${at}` },
  }))
  await withTime(world, Promise.all(held.map((wake, at) => dispatch(processes[at]!, wake))))
  expect((await look(world, id)).state.output?.text).toBe('saw 8')
  expect(refused).toBe(0)
})
