import { describe, expect, it } from 'vitest'
import { judge } from '../../../../src/core/crash-count.ts'
import { dispatch } from '../../../../src/engine/dispatch.ts'
import { readRun } from '../../../../src/engine/logs/run.ts'
import { sendMessage } from '../../../../src/engine/run/messages.ts'
import { countPass, giveAllBack } from '../../../../src/engine/worker/crash-count.ts'
import { resume, tick } from '../../../../src/engine/worker/tick.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import type { Model, Wake } from '../../../../src/ports/world.ts'
import { look, settle, startRun, TENANT, testWorld } from '../../../support/drive.ts'
import { scriptModel } from '../../../support/script.ts'

const MINUTE = 60_000
const BAD = '@say poison'

/** A process on a store of its predecessor, which stops dead when it asks the model this. */
function processes() {
  const script = scriptModel()
  let deaths = 0
  let together = 0
  const stored = testWorld()
  const { objects, clock, secrets } = stored
  const next = (): { world: MemoryWorld; dead: () => boolean } => {
    let dead = false
    let running = 0
    const model: Model = {
      ...script,
      async respond(request, options) {
        running += 1
        const text = JSON.stringify(request.messages)
        if (text.includes('poison')) {
          dead = true
          deaths += 1
          together = Math.max(together, running)
          await new Promise(() => {})
        }
        await clock.sleep(1_000)
        running -= 1
        return script.respond(request, options)
      },
    }
    const { store } = stored
    const stop = <T>(act: () => Promise<T>): Promise<T> => (dead ? new Promise(() => {}) : act())
    const failing = {
      ...store,
      read: (...given: Parameters<typeof store.read>) => stop(() => store.read(...given)),
      heads: (...given: Parameters<typeof store.heads>) => stop(() => store.heads(...given)),
      commit: (...given: Parameters<typeof store.commit>) => stop(() => store.commit(...given)),
    }
    const world = testWorld({ store: failing, objects, clock, secrets, model })
    return { world, dead: () => dead }
  }
  return { next, deaths: () => deaths, together: () => together, stored }
}

/** Handles wakes until nothing is due, or the process has stopped dead. */
async function work(world: MemoryWorld, dead: () => boolean): Promise<void> {
  for (let round = 0; round < 200 && !dead(); round += 1) {
    const wakes = world.queue.take()
    if (wakes.length === 0) return
    let left = wakes.length
    for (const wake of wakes) {
      void dispatch(world, wake).finally(() => {
        left -= 1
      })
    }
    for (let turn = 0; turn < 3_000 && left > 0 && !dead(); turn += 1) {
      for (let pause = 0; pause < 3; pause += 1) await new Promise(setImmediate)
      if (world.clock.sleepers() > 0) world.clock.advance(10)
    }
  }
}

describe('a run that crashes its workers', () => {
  it('fails as poison after five crashes over half an hour, and affects no neighbor (promise 10)', async () => {
    const { next, deaths, stored } = processes()
    const first = next()
    const bad = await startRun(first.world, { input: BAD })
    const good = await Promise.all(
      Array.from({ length: 3 }, () => startRun(first.world, { input: '@say fine' })),
    )
    const began = stored.clock.now()
    await work(first.world, first.dead)
    for (let start = 0; start < 60; start += 1) {
      const process = next()
      await resume(process.world)
      await work(process.world, process.dead)
      if (!process.dead()) await tick(process.world).then(() => work(process.world, process.dead))
      stored.clock.advance(MINUTE)
    }
    const { state } = await look(stored, bad)
    expect(state).toMatchObject({ status: 'failed', error: { code: 'poison' } })
    expect(stored.clock.now() - began).toBeGreaterThan(30 * MINUTE)
    expect(state.ended_at! - began).toBeGreaterThanOrEqual(30 * MINUTE)
    // The first death is not counted: nobody had a reason to suspect it.
    expect(deaths()).toBe(6)
    for (const id of good) expect((await look(stored, id)).state.status).toBe('completed')
  })

  it('waits 2, 4, 8, and 16 minutes from its second claim on', () => {
    const since = 1_000_000
    const at = (count: number, minutes: number) =>
      judge({ count, since, last: since }, since + minutes * MINUTE).kind
    expect([at(1, 0), at(2, 1.9), at(2, 2), at(3, 3.9), at(3, 4)]).toEqual([
      'go',
      'later',
      'alone',
      'later',
      'alone',
    ])
    expect([at(4, 7.9), at(4, 8), at(5, 29), at(5, 30)]).toEqual([
      'later',
      'alone',
      'later',
      'poison',
    ])
    expect(judge(undefined, 0).kind).toBe('go')
  })

  it('is alone in its process from its second claim on', async () => {
    const slow = scriptModel()
    let most = 0
    let now = 0
    const world = testWorld()
    const model: Model = {
      ...slow,
      async respond(request, options) {
        now += 1
        const text = JSON.stringify(request.messages)
        if (text.includes('suspect')) most = Math.max(most, now)
        await world.clock.sleep(2_000)
        now -= 1
        return slow.respond(request, options)
      },
    }
    const all = testWorld({ ...world, model })
    const suspect = await startRun(all, { input: '@say suspect' })
    const partition = `${TENANT}/run/${suspect}`
    await claimsOf(all, partition, { count: 2, since: 0, last: 0 })
    for (let count = 0; count < 5; count += 1) await startRun(all, { input: '@say other' })
    const wakes: Wake[] = all.queue.take().map((wake) => ({ ...wake, suspect: true }))
    for (const wake of wakes) await all.queue.send([wake])
    await settle(all)
    expect(most).toBe(1)
    expect((await look(all, suspect)).state.status).toBe('completed')
  })

  it('a fact clears the claims, and a pass that ends normally returns its claim', async () => {
    const world = testWorld()
    const id = await startRun(world, { input: '@fail 503 1\n@say x' })
    const partition = `${TENANT}/run/${id}`
    await claimsOf(world, partition, { count: 1, since: 1, last: 1 })
    const [wake] = world.queue.take()
    await world.queue.send([{ ...wake!, suspect: true }])
    await settle(world)
    // It has failed once and waits: that was a fact.
    expect((await look(world, id)).head.crashes).toBeUndefined()
    const { version } = await look(world, id)
    await handleAndSettle(world, { ...wake!, suspect: true })
    const run = await look(world, id)
    expect(run.head.crashes).toBeUndefined()
    expect(run.version).toBe(version + 2)
    expect(run.state.status).toBe('waiting')
  })

  it('only one of two concurrent passes after the second claim is counted and made', async () => {
    const world = testWorld()
    const id = await startRun(world, { input: '@say x' })
    const partition = `${TENANT}/run/${id}`
    const last = world.clock.now() - 2 * MINUTE
    await claimsOf(world, partition, { count: 2, since: last, last })
    const place = { partition, lane: 'main', started: false } as const
    const claims = await Promise.all([countPass(world, place), countPass(world, place)])
    const later = world.clock.now() + 4 * MINUTE
    expect(claims).toEqual(['counted', { kind: 'later', at: later, started: false }])
    expect((await look(world, id)).head.crashes?.count).toBe(3)
  })

  it('new mail for a suspect run is processed when its pause is over, regardless of the tick', async () => {
    const world = testWorld()
    const id = await startRun(world, { input: '@say x' })
    const partition = `${TENANT}/run/${id}`
    const last = world.clock.now() - MINUTE
    await claimsOf(world, partition, { count: 2, since: last, last })
    const [wake] = world.queue.take()
    expect(wake?.suspect).toBeUndefined()
    await dispatch(world, wake!)
    expect((await look(world, id)).state.status).toBe('queued')
    expect(world.queue.nextAt()).toBe(last + 2 * MINUTE)
    world.clock.advance(MINUTE)
    await settle(world)
    expect((await look(world, id)).state.status).toBe('completed')
  })

  it('new mail is not delayed by a pass that ended normally [I18]', async () => {
    const world = testWorld()
    const id = await startRun(world, { input: '@fail 503 1\n@say x' })
    const partition = `${TENANT}/run/${id}`
    const [wake] = world.queue.take()
    await world.queue.send([wake!])
    await settle(world)
    const before = { count: 2, since: 1, last: world.clock.now() - 2 * MINUTE }
    await claimsOf(world, partition, before)
    // Nothing is due yet, so that it makes no fact.
    await handleAndSettle(world, { ...wake!, suspect: true })
    expect((await look(world, id)).head.crashes).toEqual(before)
    await sendMessage(world, partition, 'news')
    const place = { partition, lane: 'main', started: true } as const
    expect(await countPass(world, place)).toBe('counted')
  })

  it('a pass from an old wake leaves the alarm marked as started', async () => {
    const world = testWorld()
    const id = await startRun(world, { input: '@fail 503 100\n@say x' })
    await settle(world)
    await countPass(world, { partition: `${TENANT}/run/${id}`, lane: 'main', started: false })
    const { entries } = await world.store.due(world.clock.now() + 60 * MINUTE)
    expect(entries.map(({ alarm }) => alarm.started)).toEqual([true])
  })

  it('a process that shuts down returns its claims', async () => {
    const world = testWorld({
      model: { ...scriptModel(), respond: () => new Promise(() => {}) },
    })
    const id = await startRun(world, { input: '@say x' })
    const [wake] = world.queue.take()
    void dispatch(world, { ...wake!, suspect: true })
    for (let turn = 0; turn < 30; turn += 1) await new Promise(setImmediate)
    const claims = async () => (await readRun(world, `${TENANT}/run/${id}`))?.head.crashes?.count
    expect(await claims()).toBe(1)
    await giveAllBack(world)
    expect(await claims()).toBeUndefined()
  })

  it('a waiting run is not suspected, however often it is resent', async () => {
    const world = testWorld()
    const id = await startRun(world, { input: '@fail 503 100\n@say x' })
    await settle(world)
    for (let looks = 0; looks < 9; looks += 1) {
      await resume(world)
      await settle(world)
      world.clock.advance(10)
    }
    const run = await look(world, id)
    expect(run.state.status).toBe('waiting')
    expect(run.head.crashes).toBeUndefined()
  })
})

it('a poison pass for a run that has already ended increments the stale count it forwards [I18]', async () => {
  const world = testWorld()
  const id = await startRun(world, { input: '@say hello' })
  const partition = `${TENANT}/run/${id}`
  await settle(world)
  const [row] = await world.store.heads([partition])
  const last = world.clock.now() - 60 * MINUTE
  const crashes = { count: 5, since: last, last }
  const body = JSON.stringify({ ...JSON.parse(row!.body), crashes })
  await world.store.commit(partition, [], { expect: row!.version, body })
  const sent: Wake[] = []
  const send = async (wakes: readonly Wake[]) => {
    sent.push(...wakes)
    return 'ok' as const
  }
  const lane = { lane: 'main', started: true } as const
  const wake: Wake = { partition, ...lane, staleCount: 7, suspect: true }
  await dispatch({ ...world, queue: { send } }, wake)
  expect(sent).toMatchObject([{ partition, staleCount: 8, suspect: false }])
})

async function handleAndSettle(world: MemoryWorld, wake: Wake): Promise<void> {
  await world.queue.send([wake])
  await settle(world)
}

async function claimsOf(world: MemoryWorld, partition: string, claims: object): Promise<void> {
  const [row] = await world.store.heads([partition])
  const head = JSON.parse(row!.body)
  await world.store.commit(partition, [], {
    expect: row!.version,
    body: JSON.stringify({ ...head, crashes: claims }),
    alarm: { at: head.wake_at, lane: 'main', started: false },
    listed: head.listed ?? undefined,
  })
}
