import { describe, expect, it } from 'vitest'
import { messages } from '../../../../src/core/run/prompt/transcript.ts'
import { readRun } from '../../../../src/engine/logs/run.ts'
import { homeOfRun } from '../../../../src/engine/partition/home.ts'
import { runPartition, snapshotPartition } from '../../../../src/engine/partition/keys.ts'
import { load } from '../../../../src/engine/tenant/blobs.ts'
import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import { countingStore } from '../../../support/counting-store.ts'
import { look, settle, startRun, TENANT, testWorld } from '../../../support/drive.ts'

/** Steps with a tool call each, then one that fails for good at last: the run parks in between. */
const STEPS = 60
const BIG = 'x'.repeat(2_000)
const INPUT = [
  ...Array.from({ length: STEPS }, (_, step) => `@call file_list {"path":"${step}-${BIG}"}\n@then`),
  '@say done',
].join('\n')

async function long() {
  const store = memoryStore()
  const world = testWorld({ store })
  const id = await startRun(world, { input: INPUT, limits: { max_steps: 100 } })
  await settle(world)
  return { world, store, id, partition: runPartition(TENANT, id) }
}

/** What a process that knows nothing yet reads. */
async function cold(of: Awaited<ReturnType<typeof long>>) {
  const { store, counts } = countingStore(of.store)
  const { objects, clock, secrets } = of.world
  const world = testWorld({ store, objects, clock, secrets })
  const run = await readRun(world, of.partition)
  return { run: run!, counts, world }
}

const snapshotRows = async (of: Awaited<ReturnType<typeof long>>) =>
  of.store.read(snapshotPartition(of.partition))

/** The whole conversation, loaded. */
async function said(world: MemoryWorld, state: Parameters<typeof messages>[0]) {
  const home = homeOfRun(TENANT, state.spec)
  const full = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(full))
    if (value === null || typeof value !== 'object') return value
    if ('digest' in value && 'preview' in value) return load(world, home, value as never)
    const entries = await Promise.all(
      Object.entries(value).map(async ([key, one]) => [key, await full(one)] as const),
    )
    return Object.fromEntries(entries)
  }
  return full(messages(state))
}

describe('a snapshot of a long run', () => {
  it('reduces the rows and bytes of a cold read, and gives the same result', async () => {
    const of = await long()
    const whole = await look(of.world, of.id)
    expect(whole.state.seq).toBeGreaterThan(128)
    expect((await snapshotRows(of)).length).toBeGreaterThan(0)
    const short = await cold(of)
    for (const { key } of await snapshotRows(of)) {
      await of.store.commit(snapshotPartition(of.partition), [{ op: 'delete', key }])
    }
    const full = await cold(of)
    console.log({ with: short.counts, without: full.counts })
    expect(short.counts.rows).toBeLessThan(full.counts.rows / 2)
    expect(short.counts.bytes).toBeLessThan(full.counts.bytes / 2)
    expect(await said(short.world, short.run.state)).toEqual(await said(full.world, full.run.state))
    const { steps: _, calls: __, ...rest } = short.run.state
    const { steps: ___, calls: ____, ...same } = full.run.state
    expect(rest).toEqual(same)
    expect([...short.run.state.calls.keys()]).toEqual([...full.run.state.calls.keys()])
    expect(short.run.version).toBe(full.run.version)
  })

  it.each([
    ['folded by other rules', (text: string) => text.replace(/"fold":\d+/, '"fold":999'), 'about'],
    ['that was altered', (text: string) => text.replace('completed', 'cancelled'), 'p/0000'],
    ['whose part is missing', () => '""', 'p/0001'],
    ['of the future', (text: string) => text.replace(/"seq":\d+/, '"seq":99999'), 'about'],
  ])('%s is ignored', async (_, change, name) => {
    const of = await long()
    const rows = await snapshotRows(of)
    const row = rows.find(({ key }) => key === name)!
    const body = change(row.body)
    expect(body).not.toBe(row.body)
    const put = { op: 'put', key: row.key, body, expect: 'any' } as const
    await of.store.commit(snapshotPartition(of.partition), [put])
    const { run } = await cold(of)
    expect(run.state).toEqual((await look(of.world, of.id)).state)
  })

  it('is not written for a short run', async () => {
    const world = testWorld()
    const id = await startRun(world, { input: '@say x' })
    await settle(world)
    expect(await world.store.read(snapshotPartition(runPartition(TENANT, id)))).toEqual([])
  })
})
