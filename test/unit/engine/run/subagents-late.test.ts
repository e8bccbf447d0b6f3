/** Subagents when things come late, twice, or not at all: clocks, cancels, repeated words. */

import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../../src/engine/dispatch.ts'
import { command } from '../../../../src/engine/logs/run.ts'
import { mailKey, runPartition } from '../../../../src/engine/partition/keys.ts'
import { cancelRun } from '../../../../src/engine/run/cancel.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import { fail, ok } from '../../../../src/lib/outcome.ts'
import type { Tools } from '../../../../src/ports/world.ts'
import { BANK } from '../../../support/approvals.ts'
import {
  dueAtAnyTime,
  look,
  outputOf,
  putFiles,
  runToRest,
  settle,
  startRun,
  TENANT,
  testWorld,
  typesOf,
} from '../../../support/drive.ts'
import { agent } from '../../../support/layers.ts'
import { requestsOf, spawn } from '../../../support/script.ts'
import { slowWorld, together } from '../../../support/together.ts'

const childOf = async (world: MemoryWorld, id: string) =>
  [...(await look(world, id)).state.calls.values()].find(({ child }) => child)?.child
const told = async (world: MemoryWorld, id: string) =>
  (await typesOf(world, id)).filter((type) => /^subagent\.(announced|failed)$/.test(type))

describe('the clock of a child', () => {
  it('ends it after its time, counted from its start, and reports it once [OC-25]', async () => {
    const world = slowWorld()
    const input = `${spawn({ task: '@slow 900000\n@say never', run_timeout_seconds: 1 })}\n@await\n@say {results}`
    const id = await startRun(world, { input })
    await together(world)
    const announce = (await childOf(world, id))?.announce
    expect(announce).toMatchObject({ status: 'timed_out', result: null })
    expect(announce!.duration_ms).toBeGreaterThanOrEqual(1_000)
    expect(announce!.duration_ms).toBeLessThan(1_200)
    expect(await told(world, id)).toEqual(['subagent.failed'])
  })

  it('does not run while it waits for a slot [X-15]', async () => {
    const world = testWorld()
    const task = '@say in time'
    const id = await startRun(world, {
      input: `${spawn({ task, run_timeout_seconds: 60 })}\n@await\n@say {results}`,
    })
    await Promise.all(world.queue.take().map((wake) => dispatch(world, wake)))
    const child = (await childOf(world, id))!.run_id
    // Ten minutes in which nobody has a place for it.
    world.queue.take()
    world.clock.advance(600_000)
    expect((await look(world, child)).state.status).toBe('queued')
    await tick(world)
    await settle(world)
    const { state } = await look(world, child)
    expect(state.status).toBe('completed')
    expect(state.started_at! - state.created_at).toBeGreaterThanOrEqual(600_000)
    expect(outputOf(await look(world, id))).toBe('1')
  })

  it('does not end a silent child: a long time without tool calls is not a failure [NC-26]', async () => {
    const world = slowWorld()
    const input = `${spawn({ task: '@slow 800000\n@say thought long' })}\n@await\n@say {results}`
    const id = await startRun(world, { input })
    await together(world)
    expect((await childOf(world, id))?.announce).toMatchObject({
      status: 'completed',
      result: 'thought long',
    })
  })

  it('ends it with its earlier output kept in its transcript [X-16]', async () => {
    const world = slowWorld()
    const task = '@text so far so good\n@call file_list {}\n@slow 900000\n@say never'
    const id = await startRun(world, {
      input: `${spawn({ task, run_timeout_seconds: 2 })}\n@await\n@say {results}`,
    })
    await together(world)
    const child = (await childOf(world, id))!
    expect(child.announce).toMatchObject({ status: 'timed_out', result: null, steps: 1 })
    const { steps } = (await look(world, child.run_id)).state
    expect(steps[0]?.parts[0]).toMatchObject({ type: 'text', text: 'so far so good' })
  })
})

const PAY = '@call mcp__bank__pay {}\n@say paid'

/** A world whose tool takes for ever, until it is told to stop. */
async function paying(settings: Partial<MemoryWorld['settings']> = {}) {
  let stopped = 0
  const input_schema = { type: 'object' }
  const tools: Tools = {
    list: async () => ok([{ name: 'pay', description: 'Pays.', input_schema, repeatable: false }]),
    call: (_tenant, _server, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          stopped += 1
          resolve(fail({ code: 'unknown', message: 'aborted' }))
        })
      }),
    probe: async () => fail('none'),
    forget: () => {},
  }
  const web = { check: () => undefined, send: async () => fail('none') }
  const world = slowWorld({ tools, web, settings })
  await putFiles(world, { 'base/.agents/config.toml': BANK })
  return { world, stopped: () => stopped }
}

describe('a cancel', () => {
  it('of the parent stops the child, and each end is reported once [NC-27]', async () => {
    const world = slowWorld()
    const input = `${spawn({ task: '@slow 900000\n@say never' })}\n@await\n@say never`
    const id = await startRun(world, { input })
    const begun = async () => {
      const child = await childOf(world, id)
      return child != null && (await look(world, child.run_id)).state.started !== null
    }
    await together(world, begun)
    const cancelling = cancelRun(world, runPartition(TENANT, id), 'key')
    await together(world)
    expect((await cancelling)?.run.state.status).toBe('cancelled')
    const child = (await childOf(world, id))!.run_id
    expect((await look(world, child)).state.status).toBe('cancelled')
    for (const run of [id, child]) {
      const ends = (await typesOf(world, run)).filter((type) => type === 'run.cancelled')
      expect(ends).toHaveLength(1)
    }
    expect(await dueAtAnyTime(world)).toEqual([])
  })

  it('accepted by another process is not an end before the work has stopped [NC-31]', async () => {
    const { world, stopped } = await paying({ singleProcess: false })
    const id = await startRun(world, { input: PAY })
    await together(world, async () => (await typesOf(world, id)).includes('tool.call'))
    const other = { ...world, settings: { ...world.settings, worker: 'another' } }
    const requested = { type: 'cancel.requested', by: 'api', reason: null } as const
    const accepted = await command(other, runPartition(TENANT, id), [requested])
    expect(accepted?.state).toMatchObject({ status: 'running', cancel: { reason: null } })
    await together(world)
    expect((await look(world, id)).state.status).toBe('cancelled')
    expect(stopped()).toBe(1)
  })

  it('during a tool call aborts the call, cancels the child, and is reported once [X-19]', async () => {
    const { world, stopped } = await paying()
    const id = await startRun(world, { input: `${spawn({ task: PAY })}\n@await\n@say {results}` })
    const calling = async () => {
      const child = await childOf(world, id)
      return child != null && (await typesOf(world, child.run_id)).includes('tool.call')
    }
    await together(world, calling)
    const child = (await childOf(world, id))!.run_id
    const cancelling = cancelRun(world, runPartition(TENANT, child), 'key')
    await together(world)
    expect((await cancelling)?.run.state.status).toBe('cancelled')
    expect(stopped()).toBe(1)
    expect(await told(world, id)).toEqual(['subagent.failed'])
    expect(outputOf(await look(world, id))).toBe('1')
  })
})

describe('a duplicate notice', () => {
  it('of the end of a child is applied once [NC-30]', async () => {
    const world = testWorld()
    const input = `${spawn({ task: '@say one' })}\n@await\n@say {results}`
    const id = await startRun(world, { input })
    await settle(world)
    const child = (await childOf(world, id))!
    const before = (await look(world, id)).state.seq
    const mail = {
      type: 'subagent.announced',
      call: [...(await look(world, id)).state.calls.keys()][0],
      announce: child.announce,
    }
    const alarm = { at: world.clock.now(), lane: 'main', started: true } as const
    const partition = runPartition(TENANT, id)
    const body = JSON.stringify(mail)
    await world.store.commit(partition, [
      { op: 'put', key: mailKey(child.run_id), body, expect: 'absent', alarm },
    ])
    await tick(world)
    await settle(world)
    expect((await look(world, id)).state.seq).toBe(before)
    expect(await told(world, id)).toHaveLength(1)
    const rows = await world.store.read(partition)
    expect(rows.filter(({ key }) => key.startsWith('mail/'))).toEqual([])
  })

  it('leaves no mail in the store after a hundred ends [X-27]', async () => {
    const world = testWorld()
    const id = await startRun(world, {
      input: `${spawn({ task: '@say {i}' }, 100)}\n@await\n@say {results}`,
    })
    await settle(world)
    expect(outputOf(await look(world, id))).toBe('100')
    const rows = await world.store.read(runPartition(TENANT, id))
    expect(rows.filter(({ key }) => key.startsWith('mail/'))).toEqual([])
    expect(await world.store.due(Number.MAX_SAFE_INTEGER)).toMatchObject({ entries: [] })
  })

  it('a failure after the end of a child does not keep its result from the parent [OC-36]', async () => {
    const whole = testWorld()
    let broken = 0
    // Telling those who watch comes after the commit that ends the child.
    const feed: typeof whole.feed = {
      ...whole.feed,
      publish(partition, item) {
        if (broken === 0 && item.type === 'ephemeral') {
          broken += 1
          throw new Error('nobody can be told')
        }
        whole.feed.publish(partition, item)
      },
    }
    const world = testWorld({ ...whole, feed })
    const input = `${spawn({ task: '@say part' }, 2)}\n@await\n@say {results}`
    const id = await startRun(world, { input })
    await expect(settle(world)).rejects.toThrow('nobody can be told')
    for (let minute = 0; minute < 5; minute += 1) {
      world.clock.advance(61_000)
      await tick(world)
      await settle(world)
    }
    expect(broken).toBe(1)
    expect(outputOf(await look(world, id))).toBe('2')
    expect(await told(world, id)).toEqual(['subagent.announced', 'subagent.announced'])
  })

  it('a child whose end was not received is settled by the tick, once [OC-34]', async () => {
    const world = testWorld()
    const id = await startRun(world, {
      input: `${spawn({ task: '@say one' })}\n@await\n@say {results}`,
    })
    await Promise.all(world.queue.take().map((wake) => dispatch(world, wake)))
    const child = (await childOf(world, id))!.run_id
    // Only the child is looked at; the parent's wakes are lost.
    for (let round = 0; round < 5; round += 1) {
      const mine = world.queue.take().filter(({ partition }) => partition.endsWith(child))
      await Promise.all(mine.map((wake) => dispatch(world, wake)))
    }
    expect((await look(world, child)).state.status).toBe('completed')
    expect((await look(world, id)).state.status).not.toBe('completed')
    world.clock.advance(61_000)
    await tick(world)
    await settle(world)
    expect(outputOf(await look(world, id))).toBe('1')
    expect(await told(world, id)).toHaveLength(1)
  })
})

describe('child creation', () => {
  it('during a store failure announces no child; it is created later, once [OC-24]', async () => {
    const world = testWorld()
    const { store } = world
    let broken = true
    const failing: typeof store = {
      ...store,
      async commit(partition, writes, head) {
        const first = head?.expect === null && writes.some(({ key }) => key.startsWith('f/'))
        if (broken && first && !partition.endsWith(id)) throw new Error('the store is down')
        return store.commit(partition, writes, head)
      },
    }
    const input = `${spawn({ task: '@say one' })}\n@await\n@say {results}`
    const id = await startRun(world, { input })
    const weak = { ...world, store: failing }
    const failed = await Promise.allSettled(world.queue.take().map((wake) => dispatch(weak, wake)))
    expect(failed[0]).toMatchObject({ status: 'rejected' })
    expect(await typesOf(world, id)).not.toContain('subagent.spawned')
    expect(await store.list(`${TENANT}/runs/${id}`)).toEqual([])
    broken = false
    world.clock.advance(61_000)
    await tick(world)
    await settle(world)
    expect(outputOf(await look(world, id))).toBe('1')
    expect(await store.list(`${TENANT}/runs/${id}`)).toHaveLength(1)
  })

  it('above the cap is refused, and the refusal names the limit [SW-09 X-24]', async () => {
    const input = `${spawn({ task: '@say {i}' }, 100)}\n@await 10\n@say {results}`
    const run = await runToRest(testWorld(), { input, limits: { max_children: 10 } })
    expect(outputOf(run)).toBe('10')
    const refusals = [...run.state.calls.values()].flatMap(({ refusal }) => refusal ?? [])
    expect(refusals).toHaveLength(90)
    expect(new Set(refusals).size).toBe(1)
    expect(refusals[0]).toContain('limits.max_children')
  })

  it('the agent’s own list is the only one that applies to it [OC-13]', async () => {
    const world = testWorld()
    await putFiles(world, {
      'base/.agents/agents/boss.md': agent('b', 'boss', 'tools: Agent(helper)\n'),
      'base/.agents/agents/helper.md': agent('h', 'helper'),
    })
    const input = [spawn({ task: '@say x', agent: 'explore' }), '@then', '@say {last}'].join('\n')
    const run = await runToRest(world, { input, agent: 'boss' })
    expect(outputOf(run)).toBe(
      'Forbidden: agent explore is not allowed for sessions_spawn. Allowed agents: helper',
    )
    const [request] = requestsOf(world)
    const tool = request?.tools.find(({ name }) => name === 'sessions_spawn')
    expect(tool?.description).toContain('- helper:')
    expect(tool?.description).not.toContain('- explore:')
  })

  it('an agent restricted to named agents must name one [OC-12]', async () => {
    const world = testWorld()
    await putFiles(world, {
      'base/.agents/agents/boss.md': agent('b', 'boss', 'tools: Agent(helper)\n'),
      'base/.agents/agents/helper.md': agent('h', 'helper'),
    })
    const input = `${spawn({ task: '@say x' })}\n@then\n@say {last}`
    const run = await runToRest(world, { input, agent: 'boss' })
    expect(outputOf(run)).toBe(
      'Forbidden: agent general is not allowed for sessions_spawn. Allowed agents: helper',
    )
  })

  it('a skill opened afterward does not change which children are waited for [MC-13]', async () => {
    const world = testWorld()
    await putFiles(world, {
      'base/.agents/skills/deploy/SKILL.md':
        '---\nname: deploy\ndescription: Deploys things.\n---\nPush it.\n',
    })
    const input = [
      spawn({ task: '@say one' }, 2),
      '@then',
      '@call skill {"name":"deploy"}',
      '@await',
      '@say {results}',
    ].join('\n')
    const run = await runToRest(world, { input })
    expect(outputOf(run)).toBe('2')
    expect(await typesOf(world, run.state.spec!.id)).toContain('skill.activated')
  })
})
