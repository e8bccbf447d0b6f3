import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../../src/engine/dispatch.ts'
import { runPartition, sessionPartition } from '../../../../src/engine/partition/keys.ts'
import type { SessionHead } from '../../../../src/engine/session/store.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import type { Store } from '../../../../src/ports/world.ts'
import { HEAD } from '../../../../src/ports/world.ts'
import { TENANT, withTime } from '../../../support/drive.ts'
import { testApi } from '../../../support/http.ts'

const MINUTE = 60_000

/** A session whose first run cannot be written to when the next one comes to interrupt it. */
const interrupting = async () => {
  const store = memoryStore()
  let failing: string | undefined
  const fragile: Store = {
    ...store,
    async commit(partition, writes, head) {
      if (partition !== failing) return store.commit(partition, writes, head)
      failing = undefined
      throw new Error('the store is away')
    },
  }
  const api = await testApi({ store: fragile })
  const session = (await api.call('POST', '/v1/sessions', { json: { agent: 'general' } })).body.id
  const post = (input: string, more: Record<string, unknown> = {}) => {
    const headers = { 'idempotency-key': Buffer.from(input).toString('hex') }
    return api.call('POST', '/v1/runs', { json: { input, session_id: session, ...more }, headers })
  }
  const first = (await post('@say one')).body.id as string
  const interrupt = () => post('@say two', { on_busy: 'interrupt' })
  failing = runPartition(TENANT, first)
  expect((await interrupt()).status).toBe(500)
  const partition = sessionPartition(TENANT, session)
  const head = async (): Promise<SessionHead> => {
    const row = (await store.read(partition)).find(({ key }) => key === HEAD)
    return JSON.parse(row!.body)
  }
  const run = async (id: string) => (await api.call('GET', `/v1/runs/${id}`)).body
  return { api, first, interrupt, partition, head, run }
}

describe('on_busy: interrupt with an unreachable active run', () => {
  it('is durable from the ticket on: a retry with the same key cancels that run', async () => {
    const { api, first, interrupt, head, run } = await interrupting()
    const retried = await interrupt()
    expect(retried.status).toBe(202)
    await api.settle()
    expect((await run(first)).status).toBe('cancelled')
    expect((await run(retried.body.id)).status).toBe('completed')
    expect((await head()).session).not.toHaveProperty('interrupts')
  })

  it('is completed by the session itself without a retry, and only once', async () => {
    const { api, first, partition, head, run } = await interrupting()
    const { wake_at, session } = await head()
    expect(session.interrupts).toBe(first)
    expect(wake_at).not.toBeNull()
    const { world } = api
    world.queue.take()
    world.clock.advance(MINUTE + 1)
    await withTime(world, tick(world))
    const looked = world.queue.take().filter((wake) => wake.partition === partition)
    expect(looked).toHaveLength(1)
    await withTime(world, Promise.all(looked.map((wake) => dispatch(world, wake))))
    expect((await head()).session).not.toHaveProperty('interrupts')
    await api.settle()
    expect((await run(first)).status).toBe('cancelled')
    expect((await run(session.queue[0]!.run_id)).status).toBe('completed')
    expect((await head()).wake_at).toBeNull()
  })
})
