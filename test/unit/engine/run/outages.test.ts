/** Outages of a model: how runs wait them out, what they show meanwhile, and how they end. */

import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../../src/engine/dispatch.ts'
import { runPartition } from '../../../../src/engine/partition/keys.ts'
import { cancelRun } from '../../../../src/engine/run/cancel.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import type { MemoryOverrides, MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import { fail } from '../../../../src/lib/outcome.ts'
import type { ModelFailure } from '../../../../src/ports/world.ts'
import { testApi } from '../../../support/api.ts'
import { setPolicy } from '../../../support/approvals.ts'
import {
  factsOf,
  look,
  outputOf,
  putFiles,
  settle,
  startRun,
  TENANT,
  testWorld,
  typesOf,
  withTime,
} from '../../../support/drive.ts'
import { scriptModel } from '../../../support/script.ts'

const MINUTE = 60_000
const DOWN: ModelFailure = { code: 'unavailable', message: 'HTTP 503', retryable: true }

/** A model that is down while `isDown` says so; each call of it is counted. */
function outage(failure: ModelFailure = DOWN) {
  const script = scriptModel()
  const provider = { isDown: true, calls: 0, failure }
  const model: typeof script = {
    ...script,
    async respond(request, options) {
      provider.calls += 1
      return provider.isDown ? fail(provider.failure) : script.respond(request, options)
    },
  }
  return { provider, model }
}

function worldIn(seconds: number, overrides: MemoryOverrides = {}) {
  const { provider, model } = outage()
  const settings = { modelPatienceSeconds: seconds, ...overrides.settings }
  const world = testWorld({ model, ...overrides, settings })
  return { provider, world }
}

/** As hosts do it: one pass over a partition at a time, however many wakes there are. */
async function rest(world: MemoryWorld): Promise<void> {
  for (;;) {
    const wakes = new Map(world.queue.take().map((wake) => [wake.partition, wake]))
    if (wakes.size === 0) return
    await withTime(world, Promise.all([...wakes.values()].map((wake) => dispatch(world, wake))))
  }
}

/** Time goes by in steps of so many ms; whoever is due is woken. */
async function pass(world: MemoryWorld, ms: number, step = MINUTE): Promise<void> {
  for (let gone = 0; gone < ms; gone += step) {
    world.clock.advance(Math.min(step, ms - gone))
    await tick(world)
    await rest(world)
  }
}

describe('a model outage', () => {
  it('of two hours costs a run only time: its own clock stands still', async () => {
    const { provider, world } = worldIn(3 * 3_600)
    const id = await startRun(world, { input: '@say at last', limits: { timeout_seconds: 60 } })
    await settle(world)
    const began = world.clock.now()
    await pass(world, 120 * MINUTE)
    const { state } = await look(world, id)
    expect(state).toMatchObject({ status: 'waiting', waiting: { on: 'model' } })
    expect(state.outage).toMatchObject({
      since: began,
      isReported: true,
      error: { message: 'HTTP 503' },
    })
    expect(provider.calls).toBeLessThan(45)
    provider.isDown = false
    await pass(world, 6 * MINUTE)
    const run = await look(world, id)
    expect([run.state.status, outputOf(run)]).toEqual(['completed', 'at last'])
    expect(run.state.outage).toBeNull()
    const facts = await factsOf(world, id)
    const waits = facts.filter(({ type }) => type === 'run.waiting').length
    expect(facts.filter(({ type }) => type.startsWith('model.'))).toMatchObject([
      { type: 'model.unavailable', since: began, gives_up_at: began + 3 * 3_600_000 },
      { type: 'model.recovered', since: began, attempts: waits },
    ])
  })

  it('of a single attempt records no outage', async () => {
    const { provider, world } = worldIn(600)
    const id = await startRun(world, { input: '@say soon' })
    await settle(world)
    provider.isDown = false
    await pass(world, 3_000, 1_000)
    expect(await typesOf(world, id)).toEqual([
      'run.created',
      'run.started',
      'run.waiting',
      'run.resumed',
      'assistant.message',
      'run.completed',
    ])
  })

  it('beyond the patience ends the run, with the duration of the attempts', async () => {
    const { world } = worldIn(600)
    const id = await startRun(world, { input: '@say never' })
    await settle(world)
    await pass(world, 12 * MINUTE, 10_000)
    const { state } = await look(world, id)
    expect(state.status).toBe('failed')
    expect(state.error).toMatchObject({
      code: 'model_unavailable',
      message: expect.stringMatching(
        /^HTTP 503 \(\d+ attempts in 6\d\d s; exceeds the limit of 600 s \(model_patience_seconds\)\)$/,
      ),
    })
  })

  it('with a Retry-After beyond the patience ends the run at once', async () => {
    const { provider, world } = worldIn(600)
    provider.failure = { ...DOWN, code: 'rate_limited', retryAfterMs: 86_400_000 }
    const id = await startRun(world, { input: '@say never' })
    await settle(world)
    const { state } = await look(world, id)
    expect(state.error?.message).toContain(
      '1 attempt in 0 s, and the provider requested a wait of 86400 s',
    )
  })

  it('ends at once on a cancel', async () => {
    const { world } = worldIn(3_600)
    const id = await startRun(world, { input: '@say never' })
    await settle(world)
    const cancelled = cancelRun(world, runPartition(TENANT, id), 'key')
    await settle(world)
    await cancelled
    expect((await look(world, id)).state.status).toBe('cancelled')
  })

  it('with a clock jump costs one attempt, not the run', async () => {
    const { provider, world } = worldIn(3_600)
    const id = await startRun(world, { input: '@say at last', limits: { timeout_seconds: 60 } })
    await settle(world)
    provider.isDown = false
    world.clock.set(world.clock.now() + 40 * 3_600_000)
    await tick(world)
    await settle(world)
    expect((await look(world, id)).state.status).toBe('completed')
  })

  it('that recurs every second charges nothing twice', async () => {
    const { provider, world } = worldIn(3_600)
    const id = await startRun(world, { input: '@text one\n@call no_such_tool {}\n@say two' })
    for (let second = 0; second < 40; second += 1) {
      provider.isDown = second % 2 === 0
      await pass(world, 1_000, 1_000)
    }
    provider.isDown = false
    await pass(world, 10 * MINUTE)
    const { state } = await look(world, id)
    expect(state.status).toBe('completed')
    expect(state.usage.model_calls).toBe(state.steps.length)
  })
})

describe('subagents in an outage', () => {
  const child = JSON.stringify({ task: '@say part', wait: true })

  it('stop the clock of the waiting parent, which states the reason', async () => {
    const { provider, world } = worldIn(3 * 3_600)
    provider.isDown = false
    const input = `@spawn 2 ${child}\n@say saw {tools}`
    const id = await startRun(world, { input, limits: { timeout_seconds: 300 } })
    // The first call of the parent is answered, then the provider is away.
    const { respond } = world.model
    const seen = world.model as { respond: typeof respond }
    let first = true
    seen.respond = async (...given) => {
      const answer = await respond(...given)
      if (first) provider.isDown = true
      first = false
      return answer
    }
    await settle(world)
    await pass(world, 120 * MINUTE)
    const { state } = await look(world, id)
    expect(state).toMatchObject({ status: 'waiting', waiting: { on: 'subagents' } })
    expect(state.waiting).toHaveProperty('since')
    const types = await typesOf(world, id)
    expect(types.filter((type) => type === 'subagent.waiting')).toHaveLength(2)
    provider.isDown = false
    await pass(world, 8 * MINUTE)
    expect((await look(world, id)).state.status).toBe('completed')
  })
})

describe('many runs in an outage', () => {
  it('call no more often than the circuit breaker allows, and all complete', async () => {
    const { provider, world } = worldIn(3_600)
    const runs = await Promise.all(
      Array.from({ length: 100 }, () => startRun(world, { input: '@say here' })),
    )
    await settle(world)
    // All were under way before one had failed.
    expect(provider.calls).toBe(100)
    await pass(world, 20 * MINUTE, 5_000)
    // One try in half a minute, not a hundred.
    expect(provider.calls).toBeLessThanOrEqual(100 + 6 + 2 * 20)
    provider.isDown = false
    await pass(world, 7 * MINUTE, 5_000)
    const ends = await Promise.all(runs.map((id) => look(world, id)))
    expect(ends.map(({ state }) => state.status)).toEqual(runs.map(() => 'completed'))
    expect(ends.every(({ state }) => state.usage.model_calls === 1)).toBe(true)
  })

  it('a Retry-After from another run does not end a run with less patience', async () => {
    const { provider, world } = worldIn(3_600)
    provider.failure = { ...DOWN, code: 'rate_limited', retryAfterMs: 40_000 }
    const others = Array.from({ length: 6 }, () => startRun(world, { input: '@say here' }))
    await Promise.all(others)
    await settle(world)
    const limits = { model_patience_seconds: 20 }
    const id = await startRun(world, { input: '@say at last', limits })
    await settle(world)
    expect((await look(world, id)).state).toMatchObject({ waiting: { on: 'model' } })
    provider.isDown = false
    const before = provider.calls
    await pass(world, 21_000, 1_000)
    const run = await look(world, id)
    expect([run.state.status, outputOf(run)]).toEqual(['completed', 'at last'])
    expect(provider.calls).toBeGreaterThan(before)
  })

  it('runs that are held back state so in their wait', async () => {
    const { world } = worldIn(3_600)
    const start = () => Promise.all([1, 2, 3, 4, 5].map(() => startRun(world, { input: '@say x' })))
    await start()
    await settle(world)
    const [id] = await start()
    await settle(world)
    expect((await look(world, id!)).state.outage?.error.message).toBe(
      'not called after 5 consecutive failures; last failure: HTTP 503',
    )
  })
})

describe('the patience of a run', () => {
  const AGENT = '---\nname: calm\ndescription: x\nmodelPatienceSeconds: 30\n---\nBe calm.\n'

  it('comes from the closest source: request, agent, policy, then deployment', async () => {
    const { world } = worldIn(40)
    await putFiles(world, { 'base/.agents/agents/calm.md': AGENT })
    const patience = async (request: object): Promise<number | undefined> => {
      const id = await startRun(world, { input: '@say x', ...request })
      await settle(world)
      return (await look(world, id)).state.started?.model_patience_seconds
    }
    expect(await patience({})).toBe(40)
    await setPolicy(world, { model_patience_seconds: 35 })
    expect(await patience({})).toBe(35)
    expect(await patience({ agent: 'calm' })).toBe(30)
    expect(await patience({ agent: 'calm', limits: { model_patience_seconds: 0 } })).toBe(0)
  })
})

describe('POST /v1/runs/{id}/retry', () => {
  async function waiting() {
    const { provider, model } = outage()
    const api = await testApi({ model, settings: { modelPatienceSeconds: 3_600 } })
    const { body } = await api.call('POST /v1/runs', { input: '@say now' })
    await settle(api.world)
    return { api, provider, id: body.id as string }
  }

  it('calls the model now, and the run shows what it was waiting for', async () => {
    const { api, provider, id } = await waiting()
    const before = (await api.call(`GET /v1/runs/${id}`)).body
    expect(before).toMatchObject({ status: 'waiting', waiting_on: 'model' })
    expect(before.outage).toMatchObject({ attempts: 1, error: { message: 'HTTP 503' } })
    const { since, retry_at, gives_up_at } = before.outage
    expect(Date.parse(gives_up_at) - Date.parse(since)).toBe(3_600_000)
    expect(Date.parse(retry_at)).toBeGreaterThan(Date.parse(since))
    provider.isDown = false
    const { status, body } = await api.call(`POST /v1/runs/${id}/retry`)
    expect([status, body.retried]).toEqual([200, [id]])
    await settle(api.world)
    const after = (await api.call(`GET /v1/runs/${id}`)).body
    expect(after).toMatchObject({ status: 'completed', waiting_on: null })
    expect(after).not.toHaveProperty('outage')
    const audit = (await api.call('GET /v1/audit')).body.data
    expect(audit[0]).toMatchObject({ kind: 'run', name: id, action: 'retry' })
    const events = (await api.call(`GET /v1/runs/${id}/events?limit=50`)).body.data
    const resumed = events.find((event: { type: string }) => event.type === 'run.resumed')
    expect(resumed.data).toEqual({ by: 'api' })
  })

  it('passes an open circuit breaker', async () => {
    const { api, provider, id } = await waiting()
    for (let other = 0; other < 6; other += 1) await api.call('POST /v1/runs', { input: '@say x' })
    await settle(api.world)
    provider.isDown = false
    await api.call(`POST /v1/runs/${id}/retry`)
    await settle(api.world)
    expect((await api.call(`GET /v1/runs/${id}`)).body.status).toBe('completed')
  })

  it('is refused when the run does not wait for a model', async () => {
    const { api, provider, id } = await waiting()
    provider.isDown = false
    await api.call(`POST /v1/runs/${id}/retry`)
    await settle(api.world)
    const ended = await api.call(`POST /v1/runs/${id}/retry`)
    expect([ended.status, ended.body.code]).toEqual([409, 'run_ended'])
    const queued = (await api.call('POST /v1/runs', { input: '@say x' })).body.id
    const early = await api.call(`POST /v1/runs/${queued}/retry`)
    expect([early.status, early.body.code]).toEqual([409, 'conflict'])
    const none = await api.call('POST /v1/runs/run_00000000000000000000000000/retry')
    expect(none.status).toBe(404)
  })
})
