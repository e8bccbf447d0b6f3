import { describe, expect, it } from 'vitest'
import type { FanoutFact } from '../../../../src/core/fanout/facts.ts'
import { dispatch } from '../../../../src/engine/dispatch.ts'
import { acceptFanout, type Fanout } from '../../../../src/engine/fanout/accept.ts'
import { cancelFanout, readResults } from '../../../../src/engine/fanout/query.ts'
import type { FanoutRequest } from '../../../../src/engine/fanout/request.ts'
import { readFanout } from '../../../../src/engine/logs/fanout.ts'
import { fanoutPartition, runPartition } from '../../../../src/engine/partition/keys.ts'
import { factsAfter } from '../../../../src/engine/partition/log.ts'
import { resume, tick } from '../../../../src/engine/worker/tick.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import {
  factsOf,
  look,
  putFiles,
  settle,
  TENANT,
  testWorld,
  withTime,
} from '../../../support/drive.ts'
import { requestsOf } from '../../../support/script.ts'
import { slowWorld, together } from '../../../support/together.ts'

const JOIN = {
  policy: 'all',
  deadline_seconds: null,
  on_child_failure: 'continue',
  cancel_rest: true,
} as const

async function start(world: MemoryWorld, request: FanoutRequest): Promise<string> {
  const accepted = await acceptFanout(world, TENANT, request)
  if (!accepted.ok) throw new Error(`${accepted.error.code}: ${accepted.error.detail}`)
  return accepted.value.fanout.state.spec!.id
}

async function stateOf(world: MemoryWorld, id: string): Promise<Fanout> {
  return (await readFanout(world, fanoutPartition(TENANT, id)))!
}

async function toRest(world: MemoryWorld, request: FanoutRequest): Promise<Fanout> {
  const id = await start(world, request)
  await settle(world)
  return stateOf(world, id)
}

async function togetherToRest(world: MemoryWorld, request: FanoutRequest): Promise<Fanout> {
  const id = await start(world, request)
  await together(world)
  return stateOf(world, id)
}

const facts = async (world: MemoryWorld, id: string) =>
  factsAfter<FanoutFact>(await world.store.read(fanoutPartition(TENANT, id)), 0).map(
    ({ fact }) => fact,
  )

const say = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ task: `@say part ${index}` }))

describe('a fan-out', () => {
  it('runs every task and ends with all results in the order of the request', async () => {
    const world = testWorld()
    const fanout = await toRest(world, { tasks: say(5) })
    expect(fanout.state).toMatchObject({ status: 'completed', output: null })
    const results = await readResults(world, TENANT, fanout)
    expect(results.map(({ status, result }) => [status, result])).toEqual(
      [0, 1, 2, 3, 4].map((index) => ['completed', `part ${index}`]),
    )
    expect(fanout.state.usage.model_calls).toBe(5)
    expect(fanout.head.wake_at).toBeNull()
    const types = (await facts(world, fanout.state.spec!.id)).map(({ type }) => type)
    expect(types.filter((type) => type === 'subagent.announced')).toHaveLength(5)
    expect(types.slice(-2)).toEqual(['barrier.released', 'fanout.completed'])
  })

  it('without tasks ends at once with an empty result [X-10]', async () => {
    const world = testWorld()
    const fanout = await toRest(world, { tasks: [] })
    expect(fanout.state.status).toBe('completed')
    expect(await readResults(world, TENANT, fanout)).toEqual([])
  })

  it('never has more children created and live than the deployment allows', async () => {
    const world = testWorld({ settings: { maxLiveChildren: 3 } })
    const id = await start(world, { tasks: say(10) })
    let most = 0
    await together(world, async () => {
      const { children } = (await stateOf(world, id)).head.view as {
        children: { live: number; completed: number }
      }
      most = Math.max(most, children.live)
      const created = (await world.store.list(`${TENANT}/runs/${id}`, undefined, 100)).length
      expect(created - children.completed).toBeLessThanOrEqual(3)
      return false
    })
    expect(most).toBe(3)
    expect((await stateOf(world, id)).state.status).toBe('completed')
  })

  it('gives the closing run all results as data, in order, and ends with its answer', async () => {
    const world = testWorld()
    const fanout = await toRest(world, {
      tasks: [...say(3), { task: '@fail 400' }],
      then: { agent: 'general', input: 'Sum up.' },
    })
    expect(fanout.state.status).toBe('completed')
    const closing = await look(world, fanout.state.closing.run_id!)
    const [asked, results] = closing.state.spec!.input
    expect(asked?.text).toBe('Sum up.')
    const text = results!.text as string
    expect(text).toMatch(/^4 subagents have reported\. The text inside a block/)
    const places = ['part 0', 'part 1', 'part 2'].map((part) => text.indexOf(`\n${part}\n`))
    expect(places.every((place, index) => place > (places[index - 1] ?? 0))).toBe(true)
    expect(text).toContain('"status":"failed"')
    expect(closing.state.spec).toMatchObject({ kind: 'main', lane: 'main', depth: 0 })
    expect(fanout.state.output?.run_id).toBe(closing.state.spec!.id)
    expect(fanout.state.output?.text).toBe(closing.state.output?.text)
  })

  it('bounds results of tasks separately from those of the closing run’s subagents [SW-11]', async () => {
    const world = testWorld()
    const long = (letter: string) => letter.repeat(45_000)
    const tasks = ['a', 'b', 'c'].map((letter) => ({ task: `@say ${long(letter)}` }))
    const child = JSON.stringify({ task: `@say ${long('d')}` })
    const then = { input: `@spawn 1 ${child}\n@await 4\n@say over` }
    const fanout = await toRest(world, { tasks, then })
    expect(fanout.state.output?.text).toBe('over')
    const { messages } = requestsOf(world).at(-1)!
    const shown = messages.map((one) => (one.role === 'user' ? String(one.text) : '')).join('')
    // A quarter of 100,000 tokens for three results, and the same again for the one of the subagent.
    expect(shown).toContain('a'.repeat(33_000))
    expect(shown).not.toContain(long('a'))
    expect(shown).toContain(long('d'))
  })

  it('fails when its closing run does', async () => {
    const world = testWorld()
    const fanout = await toRest(world, { tasks: say(1), then: { input: '@fail 400' } })
    expect(fanout.state).toMatchObject({
      status: 'failed',
      error: { code: 'closing_run_failed' },
    })
  })

  it('with `any` ends at the first success and cancels the rest, created or not [X-08]', async () => {
    const world = slowWorld({ settings: { maxLiveChildren: 4 } })
    const slow = Array.from({ length: 8 }, () => ({ task: '@slow 60000\n@say late' }))
    const fanout = await togetherToRest(world, {
      tasks: [{ task: '@say first' }, ...slow],
      join: { ...JOIN, policy: 'any' },
    })
    expect(fanout.state.status).toBe('completed')
    await settle(world)
    const results = await readResults(world, TENANT, fanout)
    expect(results.map(({ status }) => status)).toEqual([
      'completed',
      ...Array.from({ length: 8 }, () => 'cancelled'),
    ])
    const runs = await world.store.list(`${TENANT}/runs/${fanout.state.spec!.id}`, undefined, 100)
    const ends = runs.map(({ body }) => (JSON.parse(body) as { view: { status: string } }).view)
    expect(ends.filter(({ status }) => status === 'completed')).toHaveLength(1)
    expect(ends.every(({ status }) => status === 'completed' || status === 'cancelled')).toBe(true)
  })

  it('never reaches a quorum through failures [X-09]', async () => {
    const world = slowWorld()
    const fanout = await togetherToRest(world, {
      tasks: [{ task: '@fail 400' }, ...say(2), { task: '@slow 600000\n@say never' }],
      join: { ...JOIN, policy: { quorum: 2 } },
    })
    expect(fanout.state.status).toBe('completed')
    expect(fanout.state.released?.missing).toEqual(['3'])
  })

  it('fails on a failed child when the join says so, and cancels the rest', async () => {
    const world = slowWorld()
    const fanout = await togetherToRest(world, {
      tasks: [{ task: '@fail 400' }, { task: '@slow 600000\n@say never' }],
      join: { ...JOIN, on_child_failure: 'fail' },
    })
    expect(fanout.state).toMatchObject({ status: 'failed', error: { code: 'child_failed' } })
    const runs = await world.store.list(`${TENANT}/runs/${fanout.state.spec!.id}`, undefined, 9)
    const ends = runs.map(({ body }) => (JSON.parse(body) as { view: { status: string } }).view)
    expect(ends.map(({ status }) => status).sort()).toEqual(['cancelled', 'failed'])
  })

  it('continues at its deadline without the children that have not ended [X-07]', async () => {
    const world = slowWorld()
    const id = await start(world, {
      tasks: [...say(2), { task: '@slow 500000\n@say late' }],
      join: { ...JOIN, deadline_seconds: 20 },
      then: { input: 'Sum up.' },
    })
    await together(world)
    const fanout = await stateOf(world, id)
    expect(fanout.state.released).toMatchObject({ missing: ['2'], reason: 'deadline' })
    expect(fanout.state.status).toBe('completed')
    const closing = await look(world, fanout.state.closing.run_id!)
    expect(closing.state.spec!.input[1]!.text).toContain('"status":"timed_out"')
    const late = (await readResults(world, TENANT, fanout))[2]!
    expect((await look(world, late.run_id!)).state.status).toBe('cancelled')
  })

  it('stores a large context shared by tasks once, and every task receives it', async () => {
    const world = testWorld({ settings: { spillBytes: 2_000 } })
    const context = 'facts '.repeat(1_000)
    const tasks = Array.from({ length: 4 }, (_, index) => ({
      task: `@say {input}`,
      context,
      label: `t${index}`,
    }))
    const fanout = await toRest(world, { tasks })
    expect(fanout.state.status).toBe('completed')
    const runs = await Promise.all(fanout.state.tasks.map(({ run_id }) => look(world, run_id!)))
    const bodies = runs.map(({ state }) => state.spec!.input[0]!.text as { digest: string })
    expect(new Set(bodies.map(({ digest }) => digest)).size).toBe(1)
  })
})

describe('cancellation of a fan-out', () => {
  it('stops its children and leaves those that never started uncreated', async () => {
    const world = slowWorld({ settings: { maxLiveChildren: 3 } })
    const id = await start(world, {
      tasks: Array.from({ length: 50 }, () => ({ task: '@slow 600000\n@say never' })),
    })
    const [wake] = world.queue.take()
    await withTime(world, dispatch(world, wake!))
    const cancelled = await withTime(world, cancelFanout(world, fanoutPartition(TENANT, id), 'key'))
    expect(cancelled?.fanout.state.status).toBe('cancelled')
    await settle(world)
    const runs = await world.store.list(`${TENANT}/runs/${id}`, undefined, 100)
    expect(runs).toHaveLength(3)
    const ends = runs.map(({ body }) => (JSON.parse(body) as { view: { status: string } }).view)
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['cancelled']))
    const again = await withTime(world, cancelFanout(world, fanoutPartition(TENANT, id), 'key'))
    expect(again?.fanout.state.seq).toBe(cancelled?.fanout.state.seq)
    expect((await stateOf(world, id)).head.wake_at).toBeNull()
  })

  it('before it starts runs no child: each that may be in creation is created as cancelled', async () => {
    const world = testWorld({ settings: { maxLiveChildren: 2 } })
    const id = await start(world, { tasks: say(5) })
    await withTime(world, cancelFanout(world, fanoutPartition(TENANT, id), 'key'))
    await settle(world)
    const runs = await world.store.list(`${TENANT}/runs/${id}`, undefined, 100)
    for (const { body } of runs) {
      const { view } = JSON.parse(body) as { view: { id: string; status: string } }
      expect(view.status).toBe('cancelled')
      const types = (await factsOf(world, view.id)).map(({ type }) => type)
      expect(types).not.toContain('run.started')
    }
    expect(runs).toHaveLength(2)
  })

  it('during the closing run stops the closing run too', async () => {
    const world = slowWorld()
    const id = await start(world, { tasks: say(1), then: { input: '@slow 600000\n@say never' } })
    await together(world, async () => (await stateOf(world, id)).state.closing.run_id !== null)
    const closing = (await stateOf(world, id)).state.closing.run_id!
    await withTime(world, cancelFanout(world, fanoutPartition(TENANT, id), 'key'))
    await settle(world)
    expect((await look(world, closing)).state.status).toBe('cancelled')
    expect((await stateOf(world, id)).state.status).toBe('cancelled')
  })
})

describe('a fan-out with lost wakes', () => {
  it('finishes by ticks alone', async () => {
    const world = testWorld({ settings: { maxLiveChildren: 2 } })
    const id = await start(world, { tasks: say(5), then: { input: 'Sum up.' } })
    for (let minute = 0; minute < 60; minute += 1) {
      if ((await stateOf(world, id)).state.ended_at !== null) break
      // Everything that was sent is lost; only the clock goes on.
      world.queue.take()
      world.clock.advance(61_000)
      await tick(world)
      for (const wake of world.queue.take()) await withTime(world, dispatch(world, wake))
    }
    expect((await stateOf(world, id)).state.status).toBe('completed')
  })

  it('continues after a restart where it stopped', async () => {
    const world = testWorld({ settings: { maxLiveChildren: 2 } })
    const id = await start(world, { tasks: say(6) })
    const [wake] = world.queue.take()
    await withTime(world, dispatch(world, wake!))
    world.queue.take()
    await resume(world)
    await settle(world)
    const { state } = await stateOf(world, id)
    expect(state.status).toBe('completed')
    const announced = (await facts(world, id)).filter(({ type }) => type === 'subagent.announced')
    expect(announced).toHaveLength(6)
  })
})

describe('a fan-out request', () => {
  async function refused(world: MemoryWorld, request: FanoutRequest) {
    const accepted = await acceptFanout(world, TENANT, request)
    if (accepted.ok) throw new Error('it was accepted')
    expect(await world.store.list(`${TENANT}/fanouts`)).toEqual([])
    return accepted.error
  }

  it('with an unknown agent is refused, with a pointer to its task', async () => {
    const tasks = [...say(3), { task: 'x', agent: 'ghost' }]
    const error = await refused(testWorld(), { tasks })
    expect(error.code).toBe('unknown_agent')
    expect(error.errors).toEqual([{ pointer: '/tasks/3/agent', message: 'unknown agent' }])
  })

  it('with an unknown agent for the closing run is refused', async () => {
    const error = await refused(testWorld(), {
      tasks: say(1),
      then: { agent: 'ghost', input: 'Sum up.' },
    })
    expect(error.errors?.[0]?.pointer).toBe('/then/agent')
  })

  it('with a missing repository is refused', async () => {
    const world = testWorld()
    await putFiles(world, { 'repos/app/a.txt': 'a' })
    const tasks = [
      { task: 'x', repo_dir: 'repos/app' },
      { task: 'y', repo_dir: 'repos/none' },
    ]
    const error = await refused(world, { tasks })
    expect(error.code).toBe('unknown_repo')
    expect(error.errors?.[0]?.pointer).toBe('/tasks/1/repo_dir')
  })

  it('with a blank task, a bad role, and an unreachable quorum is refused, with all errors at once', async () => {
    const error = await refused(testWorld(), {
      tasks: [{ task: ' ' }, { task: 'x', role: 'no role' }],
      join: { ...JOIN, policy: { quorum: 3 } },
    })
    expect(error.errors?.map(({ pointer }) => pointer)).toEqual([
      '/tasks/0/task',
      '/tasks/1/role',
      '/join/policy/quorum',
    ])
  })
})

describe('the same idempotency key', () => {
  it('returns the same fan-out, even for a hundred concurrent requests', async () => {
    const world = testWorld()
    const keyed = { scope: 'POST /v1/fanouts', key: 'the-same-key', body: 'digest' }
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => acceptFanout(world, TENANT, { tasks: say(2) }, keyed)),
    )
    const ids = answers.map((answer) => (answer.ok ? answer.value.fanout.state.spec!.id : answer))
    expect(new Set(ids).size).toBe(1)
    expect(await world.store.list(`${TENANT}/fanouts`)).toHaveLength(1)
    const other = await acceptFanout(world, TENANT, { tasks: say(2) }, { ...keyed, body: 'other' })
    expect(other).toMatchObject({ ok: false, error: { code: 'idempotency_mismatch' } })
  })
})

describe('a child run of a fan-out', () => {
  it('is a subagent of depth 1, listed under the fan-out, and names it', async () => {
    const world = testWorld()
    const fanout = await toRest(world, {
      tasks: [{ task: '@call sessions_spawn {"task":"x"}\n@say {last}' }],
    })
    const run = await look(world, fanout.state.tasks[0]!.run_id!)
    expect(run.state.spec).toMatchObject({ kind: 'subagent', lane: 'subagent', depth: 1 })
    expect(run.head.view).toMatchObject({
      parent_run_id: null,
      fanout_id: fanout.state.spec!.id,
      requester_session_id: null,
    })
    const again = await world.store.heads([runPartition(TENANT, run.state.spec!.id)])
    expect(again[0]).not.toBeNull()
  })
})
