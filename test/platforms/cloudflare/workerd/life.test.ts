/**
 * Runs as objects, in workerd: the Worker and its objects are the real ones, only the model is
 * played. An object dies in the middle, an event runs out of what the platform lets it ask.
 */

import { runInDurableObject } from 'cloudflare:test'
import { expect, it, onTestFinished, vi } from 'vitest'
import { holderOf } from '../../../../src/hosts/cloudflare/bindings/address.ts'
import { switches } from '../hearing.ts'
import { env, migrate } from './env.ts'
import { ask, ended, playModel } from './model.ts'

await migrate()

const partitionOf = (id: string): string => `default/run/${id}`
const objectOf = (id: string) => env.PARTITIONS.getByName(holderOf(partitionOf(id))!)
const headOf = async (id: string) =>
  JSON.parse((await objectOf(id).heads([partitionOf(id)]))[0]!.body) as {
    lease: object | null
    epoch: number
    crashes?: object
  }
const factsOf = async (id: string): Promise<string[]> => {
  const rows = await objectOf(id).read(partitionOf(id))
  const facts = rows.filter(({ key }) => key.startsWith('f/'))
  return facts.flatMap(({ body }) => factsIn(body).facts.map(({ type }) => type))
}
const holders = () =>
  runInDurableObject(env.LANES.getByName('main/0'), (_, state) =>
    state.storage.sql.exec('SELECT p FROM place').toArray(),
  )
const factsIn = (body: string) => JSON.parse(body) as { facts: { type: string }[] }

it('an object that dies during a run continues at once, because its lease is void', async () => {
  let calls = 0
  let hang = true
  playModel(async () => {
    calls += 1
    if (hang) await new Promise(() => {})
  })
  const { id } = await ask('POST', '/runs', { input: '@say done' })
  await vi.waitFor(() => expect(calls).toBe(1), 30_000)
  // A call of ten seconds makes the worker take a lease, which would hold for another minute.
  await vi.waitFor(async () => expect((await headOf(id)).lease).not.toBe(null), {
    timeout: 30_000,
    interval: 200,
  })
  expect(await holders()).toContainEqual({ p: partitionOf(id) })
  hang = false
  const died = Date.now()
  await runInDurableObject(objectOf(id), (_, state) => state.abort('killed')).catch(() => {})
  expect(await ended(id)).toMatchObject({ status: 'completed', output: { text: 'done' } })
  expect(Date.now() - died).toBeLessThan(30_000)
  expect(calls).toBe(2)
  // It may have killed its worker: that pass was counted, and an end in peace forgets it.
  expect((await headOf(id)).crashes).toBe(undefined)
  // And the place that the dead one took is free.
  await vi.waitFor(async () => expect(await holders()).not.toContainEqual({ p: partitionOf(id) }), {
    timeout: 20_000,
    interval: 100,
  })
})

it('an object that dies at work resumes within seconds without a request', async () => {
  let calls = 0
  let hang = true
  playModel(async () => {
    calls += 1
    if (hang) await new Promise(() => {})
  })
  const { id } = await ask('POST', '/runs', { input: '@say done' })
  await vi.waitFor(() => expect(calls).toBe(1), 30_000)
  hang = false
  const died = Date.now()
  await runInDurableObject(objectOf(id), (_, state) => state.abort('killed')).catch(() => {})
  await vi.waitFor(() => expect(calls).toBe(2), { timeout: 60_000, interval: 50 })
  expect(Date.now() - died).toBeLessThan(15_000)
  expect(await ended(id)).toMatchObject({ status: 'completed', output: { text: 'done' } })
})

it('an event that runs out of calls hands its run over, and the next events finish it', async () => {
  playModel()
  Object.assign(switches, { most: { queries: 600, calls: 60 }, spent: 0, calls: 0 })
  onTestFinished(() => void (switches.most = undefined))
  const input = '@spawn 100 {"task":"@say part {i}"}\n@await\n@say {results}'
  const { id } = await ask('POST', '/runs', { input })
  expect(await ended(id)).toMatchObject({ status: 'completed', output: { text: '100' } })
  const facts = await factsOf(id)
  expect(facts.filter((type) => type === 'subagent.announced')).toHaveLength(100)
  expect(switches.spent).toBeGreaterThan(0)
  // An answer's spawns end in the event that began with them: of a thousand, four calls each, there
  // is room between what we use (6,000) and what the platform has (10,000).
  expect(switches.calls).toBeLessThan(60 + 100 * 4)
})

it('a fan-out wakes its closing call once, and makes at most one model call per step', async () => {
  let asked = 0
  playModel(({ messages }) => {
    if (JSON.stringify(messages).includes('@await')) asked += 1
  })
  const input = '@spawn 50 {"task":"@say part {i}"}\n@await\n@say saw {results}'
  const { id } = await ask('POST', '/runs', { input })
  expect(await ended(id)).toMatchObject({ output: { text: 'saw 50' } })
  const steps = (await factsOf(id)).filter((type) => type === 'assistant.message').length
  expect(asked).toBe(steps)
})

it('subagents of one object call their models concurrently, beyond its connection limit', async () => {
  const asked = new Set<string>()
  let all = (): void => {}
  const together = new Promise<void>((resolve) => {
    all = resolve
  })
  playModel(async ({ messages }) => {
    const said = JSON.stringify(messages.at(-1))
    if (!said.includes('part ') || said.includes('@spawn')) return
    asked.add(said)
    if (asked.size === 12) all()
    await together
  })
  const input = '@spawn 12 {"task":"@say part {i}"}\n@await\n@say {results} of us'
  const { id } = await ask('POST', '/runs', { input })
  expect(await ended(id)).toMatchObject({ status: 'completed', output: { text: '12 of us' } })
})
