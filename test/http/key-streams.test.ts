/** Streams end with the right to them. */

import { expect, it } from 'vitest'
import { keyPartition } from '../../src/engine/partition/keys.ts'
import { createKey, forgetKey } from '../../src/engine/tenant/api-keys.ts'
import { makeToken } from '../../src/engine/tenant/tokens.ts'
import { createApp } from '../../src/http/app.ts'
import { startRun, TENANT, testWorld } from '../support/drive.ts'

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
}

/** A stream of a run that has not begun; all of it that came, as time goes on by seconds. */
async function opened() {
  const world = testWorld()
  const { app } = createApp(world)
  const id = await startRun(world, { input: '@say done' })
  const made = await createKey(world, TENANT, ['*'])
  const open = async (text: string) => {
    const headers = { authorization: `Bearer ${text}`, accept: 'text/event-stream' }
    const { status, body } = await app.request(`/v1/runs/${id}/events`, { headers })
    expect(status).toBe(200)
    const seen = { text: '', over: false }
    const reader = body!.getReader()
    const read = async (): Promise<void> => {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        seen.text += new TextDecoder().decode(value)
      }
      seen.over = true
    }
    void read()
    await turns()
    return { seen, reader }
  }
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      world.clock.advance(1_000)
      await turns()
    }
  }
  return { world, id, made, open, pass }
}

it('C15 the stream of a revoked key closes within a minute, wherever it was revoked, and says why', async () => {
  const { world, made, open, pass } = await opened()
  const { seen } = await open(made.key)
  await pass(15)
  expect(seen).toMatchObject({ over: false, text: expect.stringContaining('event: run.created') })
  // By another process: this one knows the key until its cache is over.
  await world.store.drop(keyPartition(made.id))
  await pass(40)
  expect(seen.over).toBe(true)
  expect(seen.text).toMatch(/: closed: the API key was revoked\n\n$/)
  expect(world.clock.sleepers()).toBe(0)
})

it('C15 of a key that was revoked here it closes sooner, and of one that stands it goes on', async () => {
  const { world, id, made, open, pass } = await opened()
  const other = await createKey(world, TENANT, ['runs:read'])
  const [gone, stays] = [await open(made.key), await open(other.key)]
  await world.store.drop(keyPartition(made.id))
  forgetKey(world, made.id)
  await pass(20)
  expect([gone.seen.over, stays.seen.over]).toEqual([true, false])
  await pass(30)
  expect(stays.seen.over).toBe(false)
  await stays.reader.cancel()
  await pass(16)
  expect(world.clock.sleepers()).toBe(0)
  expect(id).toMatch(/^run_/)
})

it('C15 of a token it closes with its last second, and with the end of a key that expires', async () => {
  const { world, id, made, open, pass } = await opened()
  const maker = { world, tenant: TENANT, by: made.id, scopes: ['*'] }
  const wanted = { kind: 'run', subject: id, actions: ['stream'], expires_in_seconds: 7 } as const
  const token = await makeToken(maker, wanted)
  const expires_at = new Date(world.clock.now() + 30_000).toISOString()
  const short = await createKey(world, TENANT, ['runs:read'], { expires_at })
  const [byToken, byKey] = [await open(token.ok ? token.value.token : ''), await open(short.key)]
  await pass(6)
  expect(byToken.seen.over).toBe(false)
  await pass(1)
  expect(byToken.seen.text).toMatch(/: closed: the token has expired\n\n$/)
  await pass(43)
  expect(byKey.seen.text).toMatch(/: closed: the API key has expired\n\n$/)
})

it('a stream that ends by itself leaves nothing behind, and is as it was', async () => {
  const { world, made, open, pass } = await opened()
  const { app } = createApp(world)
  const { reader } = await open(made.key)
  await reader.cancel()
  await pass(16)
  expect(world.clock.sleepers()).toBe(0)
  const headers = { authorization: `Bearer ${made.key}` }
  const list = await app.request('/v1/runs', { headers })
  expect(await list.json()).toMatchObject({ data: [{ status: 'queued' }] })
  expect(world.clock.sleepers()).toBe(0)
})
