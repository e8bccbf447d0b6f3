import { describe, expect, it } from 'vitest'
import { newDelivery } from '../../../../src/core/webhook/delivery.ts'
import { acceptFanout } from '../../../../src/engine/fanout/accept.ts'
import { readRun } from '../../../../src/engine/logs/run.ts'
import { approvalsList } from '../../../../src/engine/partition/keys.ts'
import { decideApproval } from '../../../../src/engine/run/approvals.ts'
import { createDelivery } from '../../../../src/engine/webhook/delivery.ts'
import { deleteTree } from '../../../../src/engine/worker/retention.ts'
import { resume, tick } from '../../../../src/engine/worker/tick.ts'
import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import { encode } from '../../../../src/lib/bytes.ts'
import { BANK, bank, OPEN, setPolicy } from '../../../support/approvals.ts'
import { look, putFiles, settle, startRun, TENANT, testWorld } from '../../../support/drive.ts'
import { fullOr } from '../../../support/full.ts'
import { mortal, untilDead } from '../../../support/mortal.ts'

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
const runsBelow = async (world: MemoryWorld, id: string): Promise<string[]> => {
  const found = (await world.store.list(`${TENANT}/runs/${id}`)).map(({ partition }) => partition)
  const deeper = found.map((one) => runsBelow(world, one.split('/')[2]!))
  return [...found, ...(await Promise.all(deeper)).flat()]
}
const workspaceOf = (run: string) => `${TENANT}/files/workspaces/${run}/note.txt`

describe('retention', () => {
  it('a root and all its descendants are deleted when their time is over, rows and workspaces', async () => {
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

  it('descendants not yet in any list are deleted with their root', async () => {
    const inner = memoryStore()
    const lists = { list: inner.list }
    const store = {
      ...inner,
      list: (...args: Parameters<typeof inner.list>) => lists.list(...args),
    }
    const world = testWorld({ store, settings })
    const id = await startRun(world, FAMILY)
    const tasks = [{ task: '@say a' }, { task: '@say b' }]
    const asked = { tasks, then: { input: '@say done' } }
    const accepted = await acceptFanout(world, TENANT, asked)
    if (!accepted.ok) throw new Error(accepted.error.detail)
    const fanout = accepted.value.fanout.state.spec!.id
    await settle(world)
    const below = [...(await runsBelow(world, id)), ...(await runsBelow(world, fanout))]
    expect(below).toHaveLength(4 + 3)
    lists.list = async () => []
    expect(await deleteTree(world, `${TENANT}/run/${id}`)).toBe(true)
    expect(await deleteTree(world, `${TENANT}/fanout/${fanout}`)).toBe(true)
    expect(await world.store.heads(below)).toEqual(below.map(() => null))
  })

  it('a live run, and a configuration without retention, keep everything', async () => {
    const world = testWorld({ settings: { retentionMs: null } })
    const id = await startRun(world, { input: '@say x' })
    await settle(world)
    expect((await look(world, id)).head.wake_at).toBeNull()
    await later(world, 1_000 * DAY)
    expect(await readRun(world, `${TENANT}/run/${id}`)).toBeDefined()
  })

  it('a live or unreported descendant is kept, and its root with it, until it has ended and reported [OC-39 OC-40]', async () => {
    const { tools, calls } = bank()
    const world = testWorld({ settings: { retentionMs: DAY / 2 }, tools, web: OPEN })
    await putFiles(world, { 'base/.agents/config.toml': BANK })
    await setPolicy(world, { approvals: { '*__pay': 'ask' } })
    const asks = JSON.stringify({ task: '@call mcp__bank__pay {"amount":1}\n@say {last}' })
    // The second answers at once; the first waits for a person long after its root has ended.
    const input = `@spawn 1 ${asks}\n@spawn 1 {"task":"@say quick"}\n@await 1\n@say over`
    const join = {
      policy: 'any',
      deadline_seconds: null,
      on_child_failure: 'continue',
      cancel_rest: false,
    } as const
    const id = await startRun(world, { input, join })
    await settle(world)
    expect((await look(world, id)).state.status).toBe('completed')
    const [approval] = await world.store.list(approvalsList(TENANT, 'pending'))
    const { id: asked, run_id: child } = JSON.parse(approval!.body)
    for (const hours of [13, 3, 2]) await later(world, hours * 3_600_000)
    expect(await readRun(world, `${TENANT}/run/${id}`)).toBeDefined()
    expect((await look(world, child)).state.waiting?.on).toBe('approval')
    await decideApproval(world, TENANT, asked, { decision: 'approve', by: 'key' })
    await settle(world)
    // It could end its work; then nobody is left to keep anything for.
    expect(calls).toHaveLength(1)
    for (let look_ = 0; look_ < 4; look_ += 1) await later(world, 3_600_000)
    expect(await world.store.list(`${TENANT}/runs`)).toEqual([])
    expect(await world.store.list(`${TENANT}/runs/${id}`)).toEqual([])
  })

  it('a failed deletion is retried; nothing is forgotten before it is deleted [OC-41]', async () => {
    const world = testWorld({ settings })
    const id = await startRun(world, FAMILY)
    await settle(world)
    await world.objects.put(workspaceOf(id), encode('x'), 'any')
    const remove = world.objects.delete
    Object.assign(world.objects, { delete: () => Promise.reject(new Error('the disk is away')) })
    world.clock.advance(31 * DAY)
    await tick(world)
    await expect(settle(world)).rejects.toThrow('the disk is away')
    expect(await readRun(world, `${TENANT}/run/${id}`)).toBeDefined()
    expect(await due(world)).toEqual([`${TENANT}/run/${id}`])
    Object.assign(world.objects, { delete: remove })
    await later(world, 3_600_000)
    expect(await readRun(world, `${TENANT}/run/${id}`)).toBeUndefined()
    expect((await world.objects.list(`${TENANT}/files/`)).objects).toEqual([])
    expect(await due(world)).toEqual([])
  })

  it('a hundred run trees leave the store unchanged once deleted [X-27]', async () => {
    const world = testWorld({ settings: { ...settings, retentionMs: DAY } })
    const kept = async () => {
      const lists = [`${TENANT}/runs`, `${TENANT}/sessions`, `${TENANT}/deliveries`]
      const rows = await Promise.all(lists.map((list) => world.store.list(list)))
      return { rows: rows.flat().length, due: (await due(world)).length }
    }
    const before = await kept()
    const ids: string[] = []
    for (let count = 0; count < 100; count += 1) ids.push(await startRun(world, FAMILY))
    await settle(world)
    expect(await kept()).toEqual({ rows: 100, due: 100 })
    await later(world, 2 * DAY)
    expect(await kept()).toEqual(before)
    for (const id of ids) {
      expect(await world.store.list(`${TENANT}/runs/${id}`)).toEqual([])
      expect(await world.store.read(`${TENANT}/run/${id}`)).toEqual([])
    }
  })

  it('in a cloud a due root is sent without a write, and rescheduled when its wake was lost', async () => {
    const world = testWorld({ settings: { ...settings, singleProcess: false } })
    const id = await startRun(world, { input: '@say x' })
    await settle(world)
    const { version, head } = await look(world, id)
    const { send } = world.queue
    Object.assign(world.queue, { send: async () => 'lost' })
    world.clock.advance(head.wake_at! + 30_000 - world.clock.now())
    await tick(world)
    expect((await look(world, id)).version).toBe(version)
    world.clock.advance(60_000)
    await tick(world)
    const moved = await look(world, id)
    expect([moved.version, moved.head.redeliveries]).toEqual([version + 1, 1])
    Object.assign(world.queue, { send })
    await later(world, 120_000)
    expect(await readRun(world, `${TENANT}/run/${id}`)).toBeUndefined()
  })

  it('one tick sends everything that a busy minute leaves, page by page', async () => {
    // 100 runs a second; three pages of alarms in the gate.
    const runs = fullOr(6_000, 2_100)
    const world = testWorld({ settings: { ...settings, singleProcess: false } })
    const [first] = [await startRun(world, { input: '@say x' })]
    await settle(world)
    const log = await world.store.read(`${TENANT}/run/${first}`)
    const { wake_at } = (await look(world, first)).head
    for (let count = 1; count < runs; count += 1) {
      const id = `run_${String(count).padStart(26, '0')}`
      const facts = log.filter(({ key }) => key !== 'head')
      const rows = facts.map(({ key, body }) => {
        return { op: 'put', key, body: body.replaceAll(first, id), expect: 'absent' } as const
      })
      const alarm = { at: wake_at!, lane: 'main', started: true } as const
      const body = log.find(({ key }) => key === 'head')!.body.replaceAll(first, id)
      await world.store.commit(`${TENANT}/run/${id}`, rows, { expect: null, body, alarm })
    }
    await later(world, 30 * DAY)
    expect(await due(world)).toEqual([])
    expect(await world.store.list(`${TENANT}/runs`)).toEqual([])
  })

  it('a crash during deletion leaves the root, which completes the rest', async () => {
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

  it('a start ignores runs that only wait for deletion', async () => {
    const world = testWorld({ settings })
    for (let count = 0; count < 5; count += 1) await startRun(world, { input: '@say x' })
    await settle(world)
    expect(await resume(world)).toBe(0)
  })

  it('deliveries expire 30 days after their last attempt [X-27]', async () => {
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
