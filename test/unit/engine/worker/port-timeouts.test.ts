/** What a port has answered is nobody's any more once it was taken, however long its time-out is. */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { objectsWithTimeouts, withTimeouts } from '../../../../src/engine/worker/port-timeouts.ts'
import { ok } from '../../../../src/lib/outcome.ts'
import type { World } from '../../../../src/ports/world.ts'
import { testWorld } from '../../../support/drive.ts'
import { serverEntry } from '../../../support/everything.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('no response is retained until its unused time-out: ten servers, ten times [U27]', async () => {
  const kept: WeakRef<object>[] = []
  const inner = testWorld()
  const tools = {
    ...inner.tools,
    call: async () => {
      const answer = ok({ text: 'x'.repeat(100_000), is_error: false })
      kept.push(new WeakRef(answer))
      return answer
    },
  }
  const world = withTimeouts({ ...inner, tools } as unknown as World)
  const { signal } = new AbortController()
  const call = { tool: 'act', arguments: {}, key: 'k', signal } as Parameters<
    World['tools']['call']
  >[2]
  for (let nth = 0; nth < 10; nth += 1) {
    // Each time-out of its own has a timer of its own.
    const server = serverEntry({ tool_timeout_sec: 100 + nth / 10 })
    await world.tools.call('default', server, call)
  }
  for (let i = 0; i < 5; i += 1) await turn()
  collect()
  await turn()
  collect()
  expect(kept.filter((one) => one.deref() !== undefined)).toHaveLength(0)
})

it('a time-out does not depend on the timer of an invocation that is over [U27]', async () => {
  const clock = testWorld().clock
  const events = { over: {}, alive: {} }
  let event = events.over
  const world = withTimeouts(
    {
      ...testWorld(),
      settings: { ...testWorld().settings, singleProcess: false },
      store: { ...testWorld().store, read: () => new Promise(() => {}) },
      clock: {
        ...clock,
        monotonic: () => 0,
        // Timers of an event that is over never ring.
        sleep: () => (event === events.over ? new Promise(() => {}) : Promise.resolve()),
      },
    },
    () => event,
  )
  void world.store.read('one')
  event = events.alive
  await expect(world.store.read('two')).rejects.toThrow('took longer than')
})

it('an object call bound to one invocation times out too [U27]', async () => {
  const { clock, objects: inner } = testWorld()
  const objects = objectsWithTimeouts({ ...inner, get: () => new Promise(() => {}) }, clock)
  const asked = objects.get('k').catch((error: Error) => error.message)
  await turn()
  clock.advance(LIMITS.storage_call_seconds * 1_000)
  expect(await asked).toBe('reading an object took longer than 30 s')
  // Others are answered meanwhile.
  expect(await objects.list('')).toMatchObject({ objects: [] })
})
