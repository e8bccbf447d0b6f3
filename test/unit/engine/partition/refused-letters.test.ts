/**
 * A store that refuses one put and applies nothing: what was to be told is not told, and whoever
 * owes it must notice (PROTOCOL.md rule 6).
 */

import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../../src/engine/dispatch.ts'
import { createSession } from '../../../../src/engine/session/query.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import type { Store } from '../../../../src/ports/world.ts'
import { look, settle, startRun, TENANT, testWorld, withTime } from '../../../support/drive.ts'

/** The first put of such a key into such a partition is refused. */
function refusing(
  kind: 'run' | 'session',
  key: RegExp,
): { world: MemoryWorld; times: () => number } {
  const plain = testWorld()
  let times = 0
  const commit: Store['commit'] = async (partition, writes, head) => {
    const struck = times === 0 && !head && partition.includes(`/${kind}/`)
    if (!struck || !writes.some((write) => key.test(write.key))) {
      return plain.store.commit(partition, writes, head)
    }
    times += 1
    return 'conflict'
  }
  return { world: testWorld({ ...plain, store: { ...plain.store, commit } }), times: () => times }
}

/** Two turns of one session, and all the time that their alarms may need. */
async function twoTurns(world: MemoryWorld): Promise<readonly string[]> {
  const made = await createSession(world, TENANT, { agent: null, metadata: {} })
  if (!made.ok) throw new Error(made.error.detail)
  const session_id = made.value.state.id
  const ids: string[] = []
  for (const input of ['@say one', '@say two']) {
    ids.push(await startRun(world, { input, session_id, on_busy: 'enqueue' }))
  }
  for (let minute = 0; minute < 4; minute += 1) {
    await settle(world)
    world.clock.advance(61_000)
    await tick(world)
  }
  await settle(world)
  return Promise.all(ids.map(async (id) => (await look(world, id)).state.status))
}

describe('unread mail', () => {
  it('to a session at rest is resent with growing delays, and leaves no alarm once read', async () => {
    const world = testWorld()
    const made = await createSession(world, TENANT, { agent: null, metadata: {} })
    if (!made.ok) throw new Error(made.error.detail)
    const { id } = made.value.state
    await startRun(world, { input: '@say one', session_id: id, on_busy: 'enqueue' })
    const mine = `${TENANT}/session/${id}`
    for (let wakes = world.queue.take(); wakes.length > 0; wakes = world.queue.take()) {
      const others = wakes.filter(({ partition }) => partition !== mine)
      await withTime(world, Promise.all(others.map((wake) => dispatch(world, wake))))
    }
    let sent = 0
    for (let minute = 0; minute < 60; minute += 1) {
      world.clock.advance(60_000)
      await tick(world)
      sent += world.queue.take().filter(({ partition }) => partition === mine).length
    }
    expect(sent).toBeGreaterThan(3)
    expect(sent).toBeLessThan(10)
    await dispatch(world, { partition: mine, lane: 'main', started: true, staleCount: 0 })
    expect((await world.store.due(world.clock.now() + 3_600_000)).entries).toEqual([])
  })
})

describe('a put refused by the store', () => {
  it('for an end reported to the session is repeated, and the next run gets its turn', async () => {
    const { world, times } = refusing('session', /^mail\//)
    expect(await twoTurns(world)).toEqual(['completed', 'completed'])
    expect(times()).toBe(1)
  })

  it('for a granted turn is repeated', async () => {
    const { world, times } = refusing('run', /^mail\/turn$/)
    expect(await twoTurns(world)).toEqual(['completed', 'completed'])
    expect(times()).toBe(1)
  })
})
