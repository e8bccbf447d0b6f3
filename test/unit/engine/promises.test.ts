/**
 * The promises of a run, each as the one thing that must not happen. `node test/tools/promises.ts` plants
 * what breaks them (test/sim/planting/promises.ts), so each of these tests is known to be able to fail.
 * Promise 8 is proved in test/unit/core/run/time.test.ts, promise 10 in poison.test.ts.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dispatch } from '../../../src/engine/dispatch.ts'
import type { Head } from '../../../src/engine/partition/format.ts'
import { childrenList, runPartition } from '../../../src/engine/partition/keys.ts'
import { cancelRun } from '../../../src/engine/run/cancel.ts'
import { createSession } from '../../../src/engine/session/query.ts'
import { createKey } from '../../../src/engine/tenant/api-keys.ts'
import { tick } from '../../../src/engine/worker/tick.ts'
import { memoryClock } from '../../../src/hosts/memory/clock.ts'
import { memoryFeed } from '../../../src/hosts/memory/feed.ts'
import type { MemoryWorld } from '../../../src/hosts/memory/world.ts'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'
import { createApp } from '../../../src/http/app.ts'
import { ok } from '../../../src/lib/outcome.ts'
import type { Queue, Tools } from '../../../src/ports/world.ts'
import { BANK, bank, OPEN, setPolicy } from '../../support/approvals.ts'
import {
  factsOf,
  look,
  outputOf,
  putFiles,
  settle,
  startRun,
  TENANT,
  testWorld,
  withTime,
} from '../../support/drive.ts'
import { type Death, mortal, untilDead } from '../../support/mortal.ts'
import { scriptModel } from '../../support/script.ts'
import { together } from '../../support/together.ts'

const turns = async (count = 30): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate)
}

describe('a 202 response', () => {
  it('is sent only once the run is on disk (promise 1)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'strata-promise-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'strata.db')
    let gated = false
    let release = (): void => undefined
    let reached = (): void => undefined
    const atTheDisk = new Promise<void>((resolve) => (reached = resolve))
    const disk = async (): Promise<void> => {
      if (!gated) return
      reached()
      await new Promise<void>((resolve) => (release = resolve))
    }
    const store = await openSqlite(path, 0, disk)
    const world = testWorld({ store, web: OPEN })
    const { key } = await createKey(world, TENANT, ['*'])
    const { app } = createApp(world, { onError: () => undefined })
    let answered = false
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const create = () =>
      app.request('/v1/runs', { method: 'POST', headers, body: '{"input":"@say x"}' })
    // The first request of a process takes long for reasons of its own.
    await create()
    gated = true
    const asked = Promise.resolve(create()).finally(() => {
      answered = true
    })
    await atTheDisk
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(answered).toBe(false)
    gated = false
    release()
    const response = await asked
    expect(response.status).toBe(202)
    const { id } = (await response.json()) as { id: string }
    await store.close()
    // What a process finds that starts with nothing but the file.
    const after = await openSqlite(path, 0)
    onTestFinished(() => after.close())
    const rows = await after.read(runPartition(TENANT, id))
    expect(rows.map(({ key: row }) => row)).toContain('head')
  })
})

describe('an alarm', () => {
  it('exists for every live run: with every message lost, ticks finish every run (promise 2)', async () => {
    const world = testWorld()
    const { send } = world.queue
    let ticking = false
    const deaf: Queue = {
      send: (wakes, delay) => (ticking ? send(wakes, delay) : Promise.resolve('lost')),
    }
    const lossy = { ...world, queue: { ...world.queue, ...deaf } } as MemoryWorld
    const inputs = [
      '@say hello',
      '@fail 503 times=2\n@say at last',
      '@spawn 3 {"task":"@say part {i}"}\n@await\n@say saw {results}',
    ]
    const ids = await Promise.all(inputs.map((input) => startRun(lossy, { input })))
    const ended = async () =>
      (await Promise.all(ids.map((id) => look(lossy, id)))).every(
        ({ state }) => state.ended_at !== null,
      )
    for (let minute = 0; minute < 40 && !(await ended()); minute += 1) {
      for (const head of await headsOf(lossy, ids)) {
        if (head.view.ended_at === null) expect(head.wake_at, head.view.id).not.toBeNull()
      }
      lossy.clock.advance(60_000)
      ticking = true
      await tick(lossy)
      ticking = false
      await settle(lossy)
    }
    const said = await Promise.all(ids.map(async (id) => outputOf(await look(lossy, id))))
    expect(said).toEqual(['hello', 'at last', 'saw 3'])
  })
})

async function headsOf(world: MemoryWorld, ids: readonly string[]): Promise<Head[]> {
  const rows = await world.store.heads(ids.map((id) => runPartition(TENANT, id)))
  return rows.map((row) => JSON.parse(row!.body) as Head)
}

describe('two workers on one run', () => {
  it('record one answer per step, which never changes (promise 3)', async () => {
    // Neither writes anything before its first answer is there, so no lease decides.
    const world = testWorld({ settings: { singleProcess: false, flushMs: 5_000 } })
    await putFiles(world, { 'repos/app/a.txt': 'x' })
    const script = scriptModel()
    /** A process of its own, which hears another answer and nothing of the other's work. */
    const worker = (name: string, afterMs: number): MemoryWorld => {
      const respond: typeof script.respond = async (request, options) => {
        await world.clock.sleep(afterMs)
        const answer = await script.respond(request, options)
        if (!answer.ok) return answer
        return ok({ ...answer.value, parts: [{ type: 'text', text: name }, ...answer.value.parts] })
      }
      const model = { ...script, respond }
      const settings = { ...world.settings, worker: name }
      return { ...world, store: { ...world.store }, feed: memoryFeed(), model, settings }
    }
    const input = '@call file_read {"path":"a.txt"}\n@call file_list {}\n@say over'
    const id = await startRun(world, { input, repo_dir: 'repos/app' })
    const [wake] = world.queue.take()
    const seen: string[] = []
    const watch = async () => {
      for (const fact of await factsOf(world, id)) {
        if (fact.type === 'assistant.message') seen.push(JSON.stringify(fact))
      }
    }
    const both = Promise.all([
      dispatch(worker('slow', 1_000), wake!),
      dispatch(worker('quick', 700), wake!),
    ])
    await withTime(world, both)
    await watch()
    await settle(world)
    await watch()
    const answers = (await factsOf(world, id)).flatMap((fact) =>
      fact.type === 'assistant.message' ? [fact] : [],
    )
    expect(answers.map(({ step }) => step)).toEqual([0, 1])
    // What was read first is what stands there at the end.
    expect(new Set(seen).size).toBe(2)
    expect((await look(world, id)).state.status).toBe('completed')
  })
})

describe('a tool whose worker dies during the call', () => {
  it('is not repeated and ends as unknown when once, and is repeated under its key when repeatable (promise 4)', async () => {
    const keys: Record<string, string[]> = { pay: [], look: [] }
    let dead = false
    const { tools } = bank()
    const deadly: Tools = {
      ...tools,
      async call(_, __, { tool, key }) {
        keys[tool]!.push(key)
        if (!dead) await new Promise(() => undefined)
        return ok({ text: `${tool} done`, is_error: false })
      },
    }
    const death: Death = () => (dead ? 'before' : undefined)
    const { world, successor } = mortal(death, { tools: deadly, web: OPEN })
    await putFiles(world, { 'base/.agents/config.toml': BANK })
    const calls = '@call mcp__bank__pay {"amount":1}\n@call mcp__bank__look {"amount":1}'
    const id = await startRun(world, { input: `${calls}\n@say {tools} results` })
    for (const wake of world.queue.take()) void dispatch(world, wake).catch(() => undefined)
    for (let turn = 0; turn < 100 && keys.pay!.length + keys.look!.length < 2; turn += 1) {
      await turns(5)
      world.clock.advance(10)
    }
    dead = true
    const next = await successor()
    expect(keys.pay).toHaveLength(1)
    expect(keys.look).toHaveLength(2)
    expect(new Set(keys.look).size).toBe(1)
    const results = (await factsOf(next, id)).flatMap((fact) =>
      fact.type === 'tool.result' ? [[fact.tool, fact.status, fact.text]] : [],
    )
    expect(results.toSorted()).toEqual([
      ['mcp__bank__look', 'ok', 'look done'],
      ['mcp__bank__pay', 'unknown', expect.stringContaining('was not retried')],
    ])
    expect(outputOf(await look(next, id))).toBe('2 results')
  })
})

describe('a waiting run', () => {
  const SLOW_CHILD = JSON.stringify({ task: '@fail 503 times=2\n@say part' })
  const waits = {
    subagents: `@spawn 1 ${SLOW_CHILD}\n@await\n@say {results}`,
    approval: '@call mcp__bank__pay {"amount":1}\n@say {last}',
    model: '@fail 503 times=1\n@say at last',
    session: '@say second',
  }

  /** A world with one run in each kind of wait, each of them as a process leaves it. */
  async function waiting(look_at: keyof typeof waits) {
    const { tools } = bank()
    const world = testWorld({ tools, web: OPEN })
    await putFiles(world, { 'base/.agents/config.toml': BANK })
    await setPolicy(world, { approvals: { '*__pay': 'ask' } })
    let session_id: string | undefined
    if (look_at === 'session') {
      const made = await createSession(world, TENANT, { agent: null, metadata: {} })
      if (!made.ok) throw new Error(made.error.detail)
      session_id = made.value.state.id
      await startRun(world, { input: waits.approval, session_id })
    }
    const id = await startRun(world, { input: waits[look_at], ...(session_id && { session_id }) })
    return { world, id }
  }

  it.each(Object.keys(waits) as (keyof typeof waits)[])(
    'uses no invocation, timer, or message while it waits for %s (promise 5)',
    async (kind) => {
      const { world, id } = await waiting(kind)
      let handled = 0
      let returned = 0
      for (let round = 0; round < 50; round += 1) {
        for (const wake of world.queue.take()) {
          handled += 1
          void dispatch(world, wake).then(() => {
            returned += 1
          })
        }
        await turns()
      }
      expect((await look(world, id)).state.waiting?.on).toBe(kind)
      expect(handled).toBeGreaterThan(0)
      expect(returned).toBe(handled)
      expect(world.clock.sleepers()).toBe(0)
    },
  )

  it('parks in the store: no message fails, and none is kept waiting (promise 6)', async () => {
    for (const kind of Object.keys(waits) as (keyof typeof waits)[]) {
      const { world, id } = await waiting(kind)
      const clock = world.clock.now()
      for (let round = 0; round < 50; round += 1) {
        // One that throws or never returns would be a message that is not acknowledged.
        const looks = world.queue.take().map((wake) => dispatch(world, wake))
        await withTime(world, Promise.all(looks))
      }
      const { state, head } = await look(world, id)
      expect([state.status, state.waiting?.on]).toEqual(['waiting', kind])
      expect(head.lease).toBeNull()
      expect(head.wake_at).toBeGreaterThan(clock)
    }
  })
})

describe('an acknowledged cancel', () => {
  const PAY = '@slow 5000\n@call mcp__bank__pay {"amount":1}\n@say paid'

  it('starts no new effect or queued run, ends all descendants, and is idempotent (promise 7)', async () => {
    const { tools, calls } = bank()
    const clock = memoryClock()
    const world = testWorld({ clock, model: scriptModel(clock), tools, web: OPEN })
    await putFiles(world, { 'base/.agents/config.toml': BANK })
    const task = { task: PAY }
    const input = `@spawn 3 ${JSON.stringify(task)}\n@text and\n@call mcp__bank__look {"amount":1}`
    const id = await startRun(world, { input: `${input}\n${PAY}` })
    const live = async () => [...(await look(world, id)).state.calls.values()].filter(isSpawned)
    await together(world, async () => (await live()).length === 3)
    const queued = await startRun(world, { input: PAY })
    const asked = calls.length
    const requests = (world.model as ReturnType<typeof scriptModel>).requests.length
    const held = world.queue.take()
    const cancels = Promise.all(
      [id, queued].map((one) => cancelRun(world, partitionOf(one), 'key')),
    )
    await turns()
    await world.queue.send([...held, ...world.queue.take()])
    await together(world)
    await cancels
    const family = [id, queued, ...(await live()).map(({ child }) => child!.run_id)]
    expect(family).toHaveLength(5)
    const before = await Promise.all(family.map((one) => factsOf(world, one)))
    for (const [index, one] of family.entries()) {
      expect((await look(world, one)).state.status, one).toBe('cancelled')
      expect(before[index]!.filter(({ type }) => type === 'run.cancelled')).toHaveLength(1)
    }
    expect(before[1]!.map(({ type }) => type)).toEqual([
      'run.created',
      'cancel.requested',
      'run.cancelled',
    ])
    expect(calls.length).toBe(asked)
    expect((world.model as ReturnType<typeof scriptModel>).requests.length).toBe(requests)

    await withTime(world, cancelRun(world, partitionOf(id), 'key'))
    await together(world)
    expect(await factsOf(world, id)).toEqual(before[0])
  })
})

const partitionOf = (id: string): string => runPartition(TENANT, id)
const isSpawned = ({ child }: { child: object | null }): boolean => child !== null

describe('the result of an effect', () => {
  it('is named by its cause, so a repeated spawn creates one child (promise 9)', async () => {
    const created: string[] = []
    let died = false
    // After the child is there, and before its parent could write that it is.
    const death: Death = (partition, writes, head) => {
      if (head?.expect !== null || !writes.some(({ key }) => key.startsWith('f/'))) return undefined
      created.push(partition)
      if (created.length === 1 || died) return undefined
      died = true
      return 'after'
    }
    const { world, successor } = mortal(death)
    const id = await startRun(world, {
      input: '@spawn 1 {"task":"@say part"}\n@await\n@say {results}',
    })
    await untilDead(world)
    expect(died).toBe(true)
    const next = await successor()
    const run = await look(next, id)
    expect(outputOf(run)).toBe('1')
    const children = await next.store.list(childrenList(TENANT, id))
    const [call] = [...run.state.calls.values()]
    const [, theirs] = created.map((partition) => partition.slice(partition.lastIndexOf('/') + 1))
    expect(call?.child?.run_id).toBe(theirs)
    expect(children).toHaveLength(1)
  })
})
