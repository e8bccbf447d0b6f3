import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../../src/engine/dispatch.ts'
import { homeOf, homeOfPins, homeOfSession } from '../../../../src/engine/partition/home.ts'
import { ROWS_FOLDER, runPartition } from '../../../../src/engine/partition/keys.ts'
import { messagesPage } from '../../../../src/engine/session/pages.ts'
import { deleteSession } from '../../../../src/engine/session/query.ts'
import { findSession } from '../../../../src/engine/session/store.ts'
import { load } from '../../../../src/engine/tenant/blobs.ts'
import { GRACE_MS, ROUND_MS, SWEEP, wakeSweep } from '../../../../src/engine/worker/sweep.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import { encode } from '../../../../src/lib/bytes.ts'
import { look, settle, startRun, TENANT, testWorld } from '../../../support/drive.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const settings = { retentionMs: 30 * DAY, spillBytes: 600, maxDepth: 2 }
const LONG = 'x'.repeat(2_000)

const keys = async (world: MemoryWorld, prefix: string) =>
  (await world.objects.list(prefix)).objects.map(({ key }) => key)
const put = (world: MemoryWorld, key: string) => world.objects.put(key, encode(key), 'any')

/** Lets so much time pass, the clocks of the host ticking. */
async function pass(world: MemoryWorld, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 30 * MINUTE) {
    world.clock.advance(Math.min(left, 30 * MINUTE))
    await tick(world)
    await wakeSweep(world)
    await settle(world)
  }
}

describe('stored bodies', () => {
  it('are stored under their root and deleted with it, including those of subagents', async () => {
    const world = testWorld({ settings })
    const child = JSON.stringify({ task: `@say ${LONG}`, context: LONG })
    const id = await startRun(world, { input: `@spawn 2 ${child}\n@await\n@say ${LONG}` })
    const other = await startRun(world, { input: `@say ${LONG}` })
    await settle(world)
    const home = homeOf(TENANT, id)
    expect((await keys(world, home)).length).toBeGreaterThan(2)
    await pass(world, 15 * DAY)
    const later = await startRun(world, { input: `@say ${LONG}` })
    await settle(world)
    await pass(world, 16 * DAY)
    expect(await keys(world, home)).toEqual([])
    expect(await keys(world, homeOf(TENANT, other))).toEqual([])
    const { state } = await look(world, later)
    expect(await load(world, homeOf(TENANT, later), state.output!.text)).toBe(LONG)
  })

  it('a session keeps the output of a deleted run, and loses it when deleted itself', async () => {
    const world = testWorld({ settings })
    const id = await startRun(world, { input: `@say first ${LONG}` })
    await settle(world)
    const session = id.replace('run_', 'ses_')
    await startRun(world, { input: '@say second', session_id: session })
    await settle(world)
    await pass(world, 32 * DAY)
    expect(await world.store.read(runPartition(TENANT, id))).toEqual([])
    const found = (await findSession(world, TENANT, session))!
    const { found: all } = await messagesPage(world, TENANT, found, { order: 'asc', limit: 9 })
    const home = homeOfSession(TENANT, session)
    const said = all.flatMap(({ message: one }) => (one.role === 'assistant' ? one.parts : []))
    const texts = said.map((part) => (part.type === 'text' ? load(world, home, part.text) : ''))
    expect(await Promise.all(texts)).toEqual([`first ${LONG}`, 'second'])
    await deleteSession({ world, tenant: TENANT, by: 'key' }, session)
    expect(await keys(world, home)).toEqual([])
  })

  it('reading a session that was never stored writes nothing', async () => {
    const world = testWorld({ settings })
    const id = await startRun(world, { input: `@say ${LONG}` })
    await settle(world)
    const before = await keys(world, `${TENANT}/`)
    const found = (await findSession(world, TENANT, id.replace('run_', 'ses_')))!
    const { found: all } = await messagesPage(world, TENANT, found, { order: 'asc', limit: 9 })
    expect(all).toHaveLength(2)
    expect(await keys(world, `${TENANT}/`)).toEqual(before)
  })

  it('in a cloud a deletion lists the bucket only for a run with objects there', async () => {
    const lists: string[] = []
    const world = testWorld({ settings: { ...settings, singleProcess: false } })
    const { list } = world.objects
    Object.assign(world.objects, {
      list: (prefix: string, cursor?: string) => {
        lists.push(prefix)
        return list(prefix, cursor)
      },
    })
    const plain = await startRun(world, { input: '@say x' })
    const long = await startRun(world, { input: `@say ${LONG}` })
    const writes = '@call file_write {"path":"a.txt","content":"x"}\n@say done'
    const writer = await startRun(world, { input: writes })
    await settle(world)
    const folder = `${TENANT}/files/workspaces/${writer}/`
    expect(await keys(world, folder)).toEqual([`${folder}a.txt`])
    lists.length = 0
    world.clock.advance(31 * DAY)
    await tick(world)
    await settle(world)
    expect(new Set(lists)).toEqual(new Set([homeOf(TENANT, long), folder]))
    for (const id of [plain, long, writer])
      expect(await world.store.read(runPartition(TENANT, id))).toEqual([])
    expect([await keys(world, folder), await keys(world, homeOf(TENANT, long))]).toEqual([[], []])
  })

  it('a crash after deleting bodies leaves rows that record it, and the next pass completes the work', async () => {
    const world = testWorld({ settings: { ...settings, singleProcess: false } })
    const child = JSON.stringify({ task: `@say ${LONG}` })
    const id = await startRun(world, { input: `@spawn 2 ${child}\n@await\n@say over` })
    await settle(world)
    const { drop } = world.store
    Object.assign(world.store, { drop: () => Promise.reject(new Error('died')) })
    const { objects } = world
    const { delete: remove } = objects
    let deletes = 0
    Object.assign(objects, {
      delete: (key: string, expect_: 'any') => {
        deletes += 1
        if (deletes === 2) return Promise.reject(new Error('died'))
        return remove(key, expect_)
      },
    })
    for (let count = 0; count < 2; count += 1) {
      world.clock.advance(31 * DAY)
      await tick(world)
      await expect(settle(world)).rejects.toThrow('died')
    }
    Object.assign(world.store, { drop })
    world.clock.advance(DAY)
    await tick(world)
    await settle(world)
    expect(await world.store.list(`${TENANT}/runs`)).toEqual([])
    expect(await keys(world, homeOf(TENANT, id))).toEqual([])
  })
})

describe('the sweep', () => {
  const orphanHome = homeOf(TENANT, `run_${'0'.repeat(26)}`)

  it('deletes old orphans and nothing else', async () => {
    const world = testWorld({ settings })
    const id = await startRun(world, { input: `@say ${LONG}` })
    await settle(world)
    const owned = await keys(world, homeOf(TENANT, id))
    expect(owned).not.toEqual([])
    const workspace = `${TENANT}/files/workspaces/run_${'0'.repeat(26)}/a.txt`
    const orphans = [`${orphanHome}a`, workspace, `${ROWS_FOLDER}${TENANT}/run/run_gone/b`]
    const kept = [
      `${TENANT}/files/workspaces/mine/a.txt`,
      `${homeOf(TENANT, id.replace('run_', 'ses_'))}c`,
      `${ROWS_FOLDER}${runPartition(TENANT, id)}/d`,
      `${TENANT}/blobs/e`,
    ]
    for (const key of [...orphans, ...kept]) await put(world, key)
    await pass(world, GRACE_MS - DAY)
    expect(await keys(world, '')).toEqual(expect.arrayContaining([...orphans, ...kept, ...owned]))
    await pass(world, 3 * DAY)
    const left = await keys(world, '')
    expect(left).toEqual(expect.arrayContaining([...kept, ...owned]))
    for (const key of orphans) expect(left).not.toContain(key)
  })

  it('deletes bodies that a worker wrote after the deletion of their run', async () => {
    const world = testWorld({ settings })
    const id = await startRun(world, { input: '@say x' })
    await settle(world)
    await pass(world, 31 * DAY)
    expect(await world.store.read(runPartition(TENANT, id))).toEqual([])
    await put(world, `${homeOf(TENANT, id)}late`)
    await pass(world, GRACE_MS + 2 * ROUND_MS)
    expect(await keys(world, homeOf(TENANT, id))).toEqual([])
  })

  it('keeps pins while a root that ended before their month is left, and no longer', async () => {
    const world = testWorld({ settings: { ...settings, retentionMs: 10 * DAY } })
    await startRun(world, { input: '@say x' })
    await settle(world)
    const month = homeOfPins(TENANT, world.clock.now())
    expect(await keys(world, month)).toHaveLength(1)
    await pass(world, 11 * DAY)
    expect(await world.store.list(`${TENANT}/runs`)).toEqual([])
    expect(await keys(world, month)).toHaveLength(1)
    await pass(world, 25 * DAY)
    expect(await keys(world, month)).toEqual([])
  })

  it('keeps the pin of a run that lives for months', async () => {
    const world = testWorld({ settings: { ...settings, retentionMs: DAY } })
    const id = await startRun(world, { input: '@say x' })
    const pinned = homeOfPins(TENANT, world.clock.now())
    await put(world, `${pinned}pin`)
    await pass(world, 0)
    // It waits for a worker: nobody takes its wakes.
    for (let day = 0; day < 70; day += 1) {
      world.clock.advance(DAY)
      await wakeSweep(world)
      for (const wake of world.queue.take())
        if (wake.partition === SWEEP) await dispatch(world, wake)
    }
    expect((await look(world, id)).state.ended_at).toBeNull()
    expect(await keys(world, pinned)).toContain(`${pinned}pin`)
  })

  it('continues by wakes across crashes and duplicate deliveries', async () => {
    const world = testWorld({ settings })
    for (let at = 0; at < 2_500; at += 1)
      await put(world, `${homeOf(TENANT, `run_${String(at).padStart(26, '0')}`)}a`)
    await pass(world, GRACE_MS - DAY)
    let deaths = 0
    const { delete: remove } = world.objects
    let deleted = 0
    Object.assign(world.objects, {
      delete: (key: string, expect_: 'any') => {
        deleted += 1
        if (deleted % 900 === 0) return Promise.reject(new Error('died'))
        return remove(key, expect_)
      },
    })
    let wakes = 0
    for (let minute = 0; minute < 3 * 24 * 60; minute += 1) {
      world.clock.advance(MINUTE)
      await wakeSweep(world)
      const taken = world.queue.take()
      wakes += taken.length
      // Each comes twice.
      const passes = [...taken, ...taken].map((wake) => dispatch(world, wake))
      const ends = await Promise.allSettled(passes)
      deaths += ends.filter(({ status }) => status === 'rejected').length
    }
    expect(deaths).toBeGreaterThan(0)
    expect(wakes).toBeGreaterThan(3)
    expect(await keys(world, `${TENANT}/bodies/`)).toEqual([])
  })

  it('waits an hour after a clock gap, so delayed workers create their owners first', async () => {
    const world = testWorld({ settings })
    await wakeSweep(world)
    await put(world, `${orphanHome}a`)
    world.clock.advance(4 * DAY)
    await wakeSweep(world)
    await settle(world)
    expect(await keys(world, orphanHome)).toHaveLength(1)
    await pass(world, 2 * 60 * MINUTE)
    expect(await keys(world, orphanHome)).toEqual([])
  })
})
