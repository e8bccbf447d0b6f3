/**
 * Spawns that are waited for, on the real server: the end of a subagent is the result of the call,
 * and the model is asked once less. Readers, endpoints and a killed server see each result once.
 */

import { describe, expect, it } from 'vitest'
import type { Event } from '../../src/core/run/views/event.ts'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startModelServer } from '../support/model-server.ts'
import { until } from '../support/patience.ts'
import {
  childrenOf,
  createRun,
  eventPages,
  type RunShown,
  runToEnd,
  type Server,
  sharedServer,
  startServer,
  transcript,
  untilEnd,
} from '../support/server.ts'
import { follow } from '../support/sse.ts'

const server = sharedServer()

const waited = (call: object, count = 1): string =>
  `@spawn ${count} ${JSON.stringify({ ...call, wait: true })}`
const script = (...lines: string[]): string => lines.join('\n')
const resultsOf = async (id: string) =>
  (await transcript(server(), id)).flatMap((one) => one.results ?? [])
const typesOf = async (from: Server, id: string): Promise<string[]> =>
  (await eventPages(from, id)).map(({ type }) => type)
const count = (types: readonly string[], type: string): number =>
  types.filter((one) => one === type).length

/** Waits until the run waits for its subagents. */
const parked = (from: Server, id: string): Promise<RunShown> =>
  until('a run that waits for subagents', async () => {
    const run = await from.get<RunShown & { waiting_on: string | null }>(`/v1/runs/${id}`)
    return run.waiting_on === 'subagents' && run
  })

describe('an awaited spawn', () => {
  it('makes 10 model calls for a fan-out of eight, where the barrier makes 11', async () => {
    const counts: number[] = []
    for (const wait of [true, false]) {
      const before = server().model.calls()
      const spawn = `@spawn 8 ${JSON.stringify({ task: '@slow 1500\n@say part {i}', wait })}`
      const input = wait
        ? script(spawn, '@say got {tools}')
        : script(spawn, '@await', '@say saw {results}')
      const run = await runToEnd(server(), { input })
      expect(run).toMatchObject({
        status: 'completed',
        output: { text: wait ? 'got 8' : 'saw 8' },
        children: { completed: 8 },
      })
      counts.push(server().model.calls() - before)
      expect(run).toMatchObject({ usage: { model_calls: counts.at(-1) } })
    }
    expect(counts).toEqual([10, 11])
  })

  it('is answered by the announce with one result per child and no message [MC-11]', async () => {
    const input = script(
      waited({ task: '@slow 500\n@say part {i}', label: 'w{i}' }, 3),
      '@say done',
    )
    const run = await runToEnd(server(), { input })
    const messages = await transcript(server(), run.id)
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    const results = await resultsOf(run.id)
    expect(results.map(({ text }) => /\n(part \d)\n/.exec(text)?.[1])).toEqual([
      'part 1',
      'part 2',
      'part 3',
    ])
    for (const { text, is_error } of results) {
      expect(is_error).toBe(false)
      expect(text).toMatch(/data from that subagent.*<subagent_result boundary="\w+">/s)
    }
    const types = await typesOf(server(), run.id)
    expect(count(types, 'run.waiting')).toBe(1)
    expect(count(types, 'tool.result')).toBe(3)
    expect(types).not.toContain('barrier.released')
  })

  it('is the default for calls by the names Task and Agent', async () => {
    const task = { prompt: '@slow 300\n@say hi', description: 'w' }
    const input = script(
      `@call Task ${JSON.stringify(task)}`,
      `@call Agent ${JSON.stringify({ ...task, subagent_type: 'general' })}`,
      `@call Task ${JSON.stringify({ ...task, wait: false })}`,
      `@call spawn_agent ${JSON.stringify({ task: task.prompt })}`,
      '@await 2',
      '@say done',
    )
    const run = await runToEnd(server(), { input })
    const texts = (await resultsOf(run.id)).map(({ text }) => text.slice(0, 10))
    expect(texts).toEqual(['A subagent', 'A subagent', '{"run_id":', '{"run_id":'])
  })

  it('whose subagent fails or is too slow is a failed call with the reason', async () => {
    const input = script(
      waited({ label: 'bad', task: '@fail 400' }),
      waited({ label: 'slow', task: '@slow 600000\n@say late' }),
      waited({ label: 'good', task: '@say fine' }),
      '@say got {tools}',
    )
    const run = await runToEnd(server(), { input, join: { deadline_seconds: 5 } })
    expect(run).toMatchObject({ status: 'completed', output: { text: 'got 3' } })
    const results = await resultsOf(run.id)
    expect(results.map(({ is_error }) => is_error)).toEqual([true, true, false])
    expect(results[0]?.text).toMatch(/"status":"failed".*"error":\{"code":"model_rejected"/)
    expect(results[1]?.text).toMatch(/"status":"timed_out".*cancelled/)
    const children = await childrenOf(server(), run.id)
    const ended = await Promise.all(children.map(({ id }) => untilEnd(server(), id)))
    expect(ended.find(({ label }) => label === 'slow')?.status).toBe('cancelled')
  })

  it('receives a message meanwhile and shows it with the results', async () => {
    const input = script(waited({ task: '@slow 3000\n@say part' }), '@say done')
    const { id } = await createRun(server(), { input })
    await parked(server(), id)
    const sent = await server().ask(`/v1/runs/${id}/messages`, {
      method: 'POST',
      json: { content: 'be quick' },
    })
    expect(sent.status).toBe(202)
    expect(await untilEnd(server(), id)).toMatchObject({ status: 'completed' })
    const messages = await transcript(server(), id)
    expect(messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
      'assistant',
    ])
    expect(messages[3]?.text).toBe('be quick')
  })

  it('ends at once on a cancel of the parent, with everything below it', async () => {
    const { id } = await createRun(server(), {
      input: script(waited({ task: '@slow 600000\n@say never' }, 2), '@say never'),
    })
    await parked(server(), id)
    await server().ask(`/v1/runs/${id}/cancel`, { method: 'POST' })
    expect(await untilEnd(server(), id)).toMatchObject({ status: 'cancelled' })
    for (const child of await childrenOf(server(), id)) {
      expect(await untilEnd(server(), child.id)).toMatchObject({ status: 'cancelled' })
    }
  })
})

describe('readers of a run', () => {
  it('see the end of each call once in a stream, and of each subagent at an endpoint', async () => {
    const told: Event[] = []
    const receiver = await startCannedServer((request, response) => {
      told.push((JSON.parse(request.body) as { data: Event }).data)
      response.writeHead(204).end()
    })
    cleanup.push(receiver.close)
    const made = await server().ask('/v1/webhook-endpoints', {
      method: 'POST',
      json: { url: `${receiver.origin}/hook`, events: ['subagent.announced'] },
    })
    expect(made.status).toBe(201)
    const input = script(waited({ task: '@slow 300\n@say part {i}' }, 2), '@say done')
    const { id } = await createRun(server(), { input })
    const events: Event[] = []
    await follow(server(), id, (event) => events.push(event))
    const results = events.filter(({ type }) => type === 'tool.result')
    expect(results.map(({ data }) => [data.status, data.text]).sort()).toEqual([
      ['ok', 'part 1'],
      ['ok', 'part 2'],
    ])
    expect(
      count(
        events.map(({ type }) => type),
        'subagent.announced',
      ),
    ).toBe(2)
    const spawned = events.filter(({ type }) => type === 'subagent.spawned')
    expect(spawned.map(({ data }) => data.wait)).toEqual([true, true])
    const own = () => new Set(told.flatMap((one) => (one.run_id === id ? [one.id] : [])))
    await until('two deliveries', () => own().size === 2)
    expect(own().size).toBe(2)
  })
})

describe('a server that is killed while a parent waits within a step', () => {
  it('resumes with one result per call and one end per child', async () => {
    const model = await startModelServer()
    cleanup.push(model.close)
    const env = { OPENAI_BASE_URL: model.url }
    let now = await startServer({ env })
    const input = script(waited({ task: '@slow 1000\n@say part {i}' }, 4), '@say got {tools}')
    const { id } = await createRun(now, { input })
    await parked(now, id)
    const results = async () => count(await typesOf(now, id), 'tool.result')
    for (const least of [0, 1]) {
      await until('results', async () => (await results()) >= least)
      await now.process.stop('SIGKILL')
      now = await startServer({ env, before: now })
    }
    // Longer than a child rests that both kills hit (PROTOCOL.md rule 34).
    expect(await untilEnd(now, id)).toMatchObject({
      status: 'completed',
      output: { text: 'got 4' },
      children: { completed: 4 },
    })
    const types = await typesOf(now, id)
    expect(count(types, 'tool.result')).toBe(4)
    expect(count(types, 'subagent.announced')).toBe(4)
    expect(count(types, 'assistant.message')).toBe(2)
  })
})
