/** Conversations that outgrow the model's window: what the model is shown, what everybody else is. */

import { describe, expect, it } from 'vitest'
import type { Message } from '../../../../src/core/message.ts'
import { COMPACT_SYSTEM } from '../../../../src/core/prompt.ts'
import type { TranscriptCompacted } from '../../../../src/core/run/log/facts.ts'
import { createSession } from '../../../../src/engine/session/query.ts'
import { fail, ok } from '../../../../src/lib/outcome.ts'
import type { Model, ModelRequest } from '../../../../src/ports/world.ts'
import {
  factsOf,
  look,
  outputOf,
  putFiles,
  runToRest,
  settle,
  startRun,
  TENANT,
  testWorld,
} from '../../../support/drive.ts'
import { testApi } from '../../../support/http.ts'
import { agent } from '../../../support/layers.ts'
import { scriptModel } from '../../../support/script.ts'

const WINDOW = 12_000
/** Each file fills a good part of the window. */
const FILES = Object.fromEntries(
  Array.from({ length: 10 }, (_, at) => [`repos/app/${at}.txt`, `${at}`.repeat(9_000)]),
)
const LEAN = { 'base/.agents/agents/lean.md': agent('You read.', 'lean', 'tools: [Read]\n') }

/** The scripted model with a small window, which refuses what is larger as vendors do. */
function smallModel(window = WINDOW, announced = window) {
  const script = scriptModel()
  const sizes: number[] = []
  const model: Model = {
    find: (reference) => ok({ id: reference ?? 'test/model', window: announced }),
    async respond(request, options) {
      const size = sizeOf(request)
      sizes.push(size)
      if (size > window * 4) {
        return fail({ code: 'too_long', message: 'prompt is too long', retryable: false })
      }
      return script.respond(request, options)
    },
  }
  return { model, sizes, requests: script.requests }
}
const sizeOf = ({ system, messages, tools }: ModelRequest): number =>
  JSON.stringify([system, messages, tools]).length
const textIn = (messages: readonly Message[]): string => JSON.stringify(messages)

async function worldWith(model: Model) {
  const world = testWorld({ model })
  await putFiles(world, { ...FILES, ...LEAN })
  return world
}
const reads = (times: number): string =>
  Array.from({ length: times }, (_, at) => `@call file_read {"path":"${at}.txt"}\n@then`).join('\n')
const LONG = {
  input: `${reads(9)}\n@say that is all`,
  agent: 'lean',
  repo_dir: 'repos/app',
} as const
const compactions = (facts: readonly { type: string }[]) =>
  facts.filter(({ type }) => type === 'transcript.compacted') as TranscriptCompacted[]

describe('a conversation that outgrows the window', () => {
  it('is summarized, continues where it stopped, and never exceeds the window', async () => {
    const { model, sizes } = smallModel()
    const world = await worldWith(model)
    const run = await runToRest(world, LONG)
    expect(run.state).toMatchObject({ status: 'completed', stop_reason: 'end_turn' })
    expect(run.state.steps).toHaveLength(10)
    expect(Math.max(...sizes)).toBeLessThan(WINDOW * 4)
    const found = compactions(await factsOf(world, run.state.spec!.id))
    expect(found.length).toBeGreaterThanOrEqual(2)
    const steps = found.map(({ step }) => step)
    expect(steps).toEqual([...new Set(steps)])
    for (const { step, kept_from, model: by } of found) {
      expect(kept_from).toBeLessThanOrEqual(step)
      expect(by).toBe('Compaction')
    }
  })

  it('keeps the task verbatim and the newest step, and drops old steps', async () => {
    const { model, requests } = smallModel()
    const world = await worldWith(model)
    await runToRest(world, LONG)
    const last = requests.at(-1)!
    expect(last.messages[0]).toEqual({ role: 'user', text: LONG.input })
    expect(last.messages[1]).toMatchObject({
      role: 'user',
      text: expect.stringContaining('@resume'),
    })
    const shown = last.messages.filter(({ role }) => role === 'tool')
    expect(shown.length).toBeGreaterThanOrEqual(1)
    expect(shown.length).toBeLessThan(9)
    expect(last.messages.at(-1)?.role).toBe('tool')
  })

  it('keeps a todo list created in an omitted step', async () => {
    const { model, requests } = smallModel()
    const world = await worldWith(model)
    const lister = agent('You read.', 'lister', 'tools: [Read, TodoWrite]\n')
    await putFiles(world, { 'base/.agents/agents/lister.md': lister })
    const todos = [{ content: 'Remember me', status: 'in_progress' }]
    const input = `@call todo ${JSON.stringify({ todos })}\n@then\n${LONG.input}`
    const run = await runToRest(world, { ...LONG, agent: 'lister', input })
    expect(run.state.status).toBe('completed')
    const [, summary, ...rest] = requests.at(-1)!.messages
    expect(textIn([summary!])).toContain('[>] Remember me')
    expect(textIn(rest)).not.toContain('Remember me')
  })

  it('is complete in the log and the transcript', async () => {
    const { model } = smallModel()
    const api = await testApi({ model })
    await putFiles(api.world, { ...FILES, ...LEAN })
    const { id } = (await api.call('POST', '/v1/runs', { json: LONG })).body
    await api.settle()
    const { data } = (await api.call('GET', `/v1/runs/${id}/transcript`)).body
    expect(data.filter(({ role }: Message) => role === 'tool')).toHaveLength(9)
    expect(data.filter(({ role }: Message) => role === 'assistant')).toHaveLength(10)
    expect(JSON.stringify(data)).not.toContain('@resume')
    const events = (await api.call('GET', `/v1/runs/${id}/events?limit=100`)).body.data
    expect(events.map(({ type }: { type: string }) => type)).toContain('transcript.compacted')
  })

  it('adds the cost of the summaries to the usage and the budget', async () => {
    const { model } = smallModel()
    const world = await worldWith(model)
    const run = await runToRest(world, LONG)
    const times = compactions(await factsOf(world, run.state.spec!.id)).length
    expect(run.state.usage.model_calls).toBe(10 + times)
    const poor = await runToRest(world, { ...LONG, limits: { max_model_calls: 5 } })
    expect(poor.state).toMatchObject({ status: 'completed', stop_reason: 'budget' })
    expect(poor.state.usage.model_calls).toBe(5)
  })

  it('is charged at the deployment’s model price when the policy has none', async () => {
    const { model } = smallModel()
    const price = { input_per_million: 1_000, output_per_million: 1_000 }
    const find: Model['find'] = (reference) => ok({ id: reference ?? 'x/y', window: WINDOW, price })
    const run = await runToRest(await worldWith({ ...model, find }), LONG)
    const { input_tokens, output_tokens, list_price } = run.state.usage
    expect(list_price).toBeCloseTo((input_tokens + output_tokens) / 1_000, 9)
  })

  it('is compacted when the provider reports it as too long, regardless of the announced window', async () => {
    const { model, sizes } = smallModel(WINDOW, 10 * WINDOW)
    const world = await worldWith(model)
    const run = await runToRest(world, LONG)
    expect(run.state).toMatchObject({ status: 'completed', stop_reason: 'end_turn' })
    expect(run.state.steps).toHaveLength(10)
    expect(Math.max(...sizes)).toBeGreaterThan(WINDOW * 4)
  })

  it('ends as context_too_large when even the shortest form is too long, without a loop [Z07]', async () => {
    const { model, sizes } = smallModel(100, 100)
    const world = await worldWith(model)
    const run = await runToRest(world, LONG)
    expect(run.state).toMatchObject({ status: 'failed', error: { code: 'context_too_large' } })
    expect(sizes.length).toBeLessThan(5)
  })

  it('continues with an excerpt when no model can summarize', async () => {
    const { model } = smallModel()
    const mute: Model = {
      ...model,
      async respond(request, options) {
        if (request.model !== 'Compaction') return model.respond(request, options)
        return fail({ code: 'rejected', message: 'no such model', retryable: false })
      },
    }
    const world = await worldWith(mute)
    const run = await runToRest(world, { ...LONG, limits: { max_steps: 12 } })
    expect(run.state.status).toBe('completed')
    const [first] = compactions(await factsOf(world, run.state.spec!.id))
    expect(first).toMatchObject({ model: null, usage: { model_calls: 0 } })
    expect(JSON.stringify(first!.summary)).toContain('file_read')
  })

  it('is summarized by the next model when the summary model is unavailable', async () => {
    const { model } = smallModel()
    const asked: string[] = []
    const away: Model = {
      ...model,
      async respond(request, options) {
        if (request.system === COMPACT_SYSTEM) asked.push(request.model)
        if (request.model !== 'Compaction') return model.respond(request, options)
        return fail({ code: 'unavailable', message: 'busy', retryable: true })
      },
    }
    const world = await worldWith(away)
    const run = await runToRest(world, LONG)
    expect(run.state.stop_reason).toBe('end_turn')
    expect(asked.slice(0, 2)).toEqual(['Compaction', 'test/model'])
    const [first] = compactions(await factsOf(world, run.state.spec!.id))
    expect(first!.model).not.toBeNull()
  })

  it('waits and retries after a transient failure of the summary', async () => {
    const { model } = smallModel()
    let failures = 2
    const flaky: Model = {
      ...model,
      async respond(request, options) {
        if (request.system !== COMPACT_SYSTEM || failures-- <= 0) {
          return model.respond(request, options)
        }
        return fail({ code: 'unavailable', message: 'busy', retryable: true })
      },
    }
    const world = await worldWith(flaky)
    const id = await startRun(world, LONG)
    await settle(world)
    expect((await look(world, id)).state).toMatchObject({ waiting: { on: 'model' } })
    world.clock.advance(2_000)
    await settle(world)
    expect((await look(world, id)).state.stop_reason).toBe('end_turn')
  })

  it('subagent results covered by a summary are not shown again', async () => {
    const { model, requests } = smallModel()
    const world = await worldWith(model)
    const task = `@say ${'y'.repeat(1_500)}`
    const input = `@spawn 3 {"task":"${task}","label":"w{i}"}\n@await\n${reads(8)}\n@say saw {results}`
    const run = await runToRest(world, { input, repo_dir: 'repos/app' })
    expect(run.state.status).toBe('completed')
    expect(outputOf(run)).toBe('saw 3')
    const { messages } = requests.at(-1)!
    expect(textIn(messages).match(/<subagent_result /g)).toBeNull()
  })
})

describe('a session that outgrows the window', () => {
  it('shows its next runs the summary and later messages, and the full history to people', async () => {
    const { model, requests, sizes } = smallModel()
    const world = await worldWith(model)
    const made = await createSession(world, TENANT, { agent: null, metadata: {} })
    const session_id = made.ok ? made.value.state.id : ''
    for (let turn = 0; turn < 12; turn += 1) {
      const input = `@call file_read {"path":"1.txt"}\n@say turn ${turn}`
      const run = await runToRest(world, { ...LONG, input, session_id })
      expect(outputOf(run)).toBe(`turn ${turn}`)
    }
    expect(Math.max(...sizes)).toBeLessThan(WINDOW * 4)
    const { messages } = requests.at(-1)!
    expect(textIn(messages)).toContain('<summary boundary=')
    expect(textIn(messages)).not.toContain('turn 0')
    expect(textIn(messages)).toContain('turn 10')
  })
})
