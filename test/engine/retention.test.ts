import { describe, expect, it } from 'vitest'
import { newDelivery } from '../../src/core/delivery.ts'
import { createDelivery } from '../../src/engine/deliver.ts'
import { readRun } from '../../src/engine/log.ts'
import { recover, tick } from '../../src/engine/tick.ts'
import type { MemoryWorld } from '../../src/hosts/memory/world.ts'
import { encode } from '../../src/lib/bytes.ts'
import { look, settle, startRun, TENANT, testWorld } from '../support/drive.ts'
import { mortal, untilDead } from '../support/mortal.ts'

const DAY = 86_400_000
const settings = { retentionMs: 30 * DAY, maxDepth: 2 }
const BRANCH = JSON.stringify('@spawn 1 {"task":"@say leaf"}\n@await\n@say branch')
const FAMILY = { input: `@spawn 2 {"task":${BRANCH}}\n@await\n@say done` }

const later = async (world: MemoryWorld, ms: number) => {
  world.clock.advance(ms)
  await tick(world)
  await settle(world)
}
const due = async (world: MemoryWorld) =>
  (await world.store.due(Number.MAX_SAFE_INTEGER)).entries.map(({ partition }) => partition)
const workspaceOf = (run: string) => `${TENANT}/files/workspaces/${run}/note.txt`

describe('retention', () => {
  it('a root and all below it are deleted when their time is over, rows and workspaces', async () => {
    const world = testWorld({ settings })
    const id = await startRun(world, FAMILY)
    const other = await startRun(world, { input: '@say other' })
    await settle(world)
    const [child] = await world.store.list(`${TENANT}/runs/${id}`)
    await world.objects.put(workspaceOf(id), encode('x'), 'any')
    await world.objects.put(workspaceOf(child!.partition.split('/')[2]!), encode('x'), 'any')
    await world.objects.put(workspaceOf('run_other'), encode('x'), 'any')
    // Only roots owe it, and it costs no write of its own.
    expect((await due(world)).sort()).toEqual(
      [`${TENANT}/run/${id}`, `${TENANT}/run/${other}`].sort(),
    )
    expect((await look(world, other)).version).toBe(2)
    await later(world, 30 * DAY - 60_000)
    expect(await readRun(world, `${TENANT}/run/${id}`)).toBeDefined()
    await later(world, 120_000)
    expect(await world.store.list(`${TENANT}/runs`)).toEqual([])
    expect(await world.store.list(`${TENANT}/runs/${id}`)).toEqual([])
    expect(await world.store.read(child!.partition)).toEqual([])
    expect(await readRun(world, `${TENANT}/run/${id}`)).toBeUndefined()
    const { objects } = await world.objects.list(`${TENANT}/files/`)
    expect(objects.map(({ key }) => key)).toEqual([workspaceOf('run_other')])
    expect(await due(world)).toEqual([])
  })

  it('a live run and a configuration without it keep everything', async () => {
    const world = testWorld({ settings: { retentionMs: null } })
    const id = await startRun(world, { input: '@say x' })
    await settle(world)
    expect((await look(world, id)).head.wake_at).toBeNull()
    await later(world, 1_000 * DAY)
    expect(await readRun(world, `${TENANT}/run/${id}`)).toBeDefined()
  })

  it('a death in between leaves the root, which owes the rest', async () => {
    let drops = 0
    const dying = mortal(() => undefined, { settings })
    const { world } = dying
    const id = await startRun(world, FAMILY)
    await settle(world)
    const { drop } = world.store
    Object.assign(world.store, {
      drop: async (partition: string) => {
        drops += 1
        if (drops > 2) throw new Error('this process has died')
        return drop(partition)
      },
    })
    world.clock.advance(31 * DAY)
    await tick(world)
    await untilDead(world)
    const next = testWorld({ ...world, store: { ...world.store, drop }, settings })
    expect(await next.store.list(`${TENANT}/runs`)).toHaveLength(1)
    await later(next, 3_600_000)
    expect(await next.store.list(`${TENANT}/runs`)).toEqual([])
    expect(await next.store.list(`${TENANT}/runs/${id}`)).toEqual([])
  })

  it('a start does not look at what only waits to be deleted', async () => {
    const world = testWorld({ settings })
    for (let count = 0; count < 5; count += 1) await startRun(world, { input: '@say x' })
    await settle(world)
    expect(await recover(world)).toBe(0)
  })

  it('X-27 deliveries say when they may go: 30 days after their last attempt', async () => {
    const world = testWorld()
    const expiries: (number | undefined)[] = []
    const { commit } = world.store
    Object.assign(world.store, {
      commit: (...given: Parameters<typeof commit>) => {
        const [, writes, head] = given
        expiries.push(head?.expiresAt)
        for (const write of writes) if (write.op === 'put') expiries.push(write.expiresAt)
        return commit(...given)
      },
    })
    const about = {
      id: 'dlv_x',
      tenant: TENANT,
      run_id: 'run_x',
      seq: 1,
      event_type: 'run.completed',
    }
    const delivery = newDelivery({ ...about, url: 'https://x.example' }, world.clock.now())
    await createDelivery(world, delivery, '{}', 'sealed')
    await settle(world)
    expect(expiries.length).toBeGreaterThan(3)
    const month = world.clock.now() + 29 * DAY
    expect(expiries.every((at) => at !== undefined && at > month && at < month + 10 * DAY)).toBe(
      true,
    )
  })
})
