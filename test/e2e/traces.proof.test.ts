/**
 * Traces as an OTLP receiver gets them: whole, a tree, the same whatever was killed on the way; and
 * the `traceparent` that comes in and goes out.
 */

import { expect, it } from 'vitest'
import { createClient, type RunEvent } from '../../src/client/index.ts'
import { timelineOf } from '../../src/console/log/timeline.ts'
import { callSpan, runSpan } from '../../src/core/trace/context.ts'
import { DEMO, pushDemo } from '../contract/host-demo.ts'
import { startCannedMcp } from '../support/canned-mcp.ts'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startEverything } from '../support/everything.ts'
import { startModelServer } from '../support/model-server.ts'
import {
  attributeOf,
  distinct,
  type OtlpReceiver,
  type ReceivedSpan,
  startOtlpReceiver,
  treeOf,
} from '../support/otlp-receiver.ts'
import { until } from '../support/patience.ts'
import { createRun, eventPages, type Server, startServer, untilEnd } from '../support/server.ts'

const CHILDREN = 4
const TASK = '@call file__list {"path":"nothing.{i}"}\n@say part {i}'
const SPAWNING = {
  input: `@spawn ${CHILDREN} ${JSON.stringify({ task: TASK, label: 'part {i}' })}\n@await\n@say {results}`,
}
const CALLER = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const TRACE = CALLER.split('-')[1]!

async function opened(thinkMs = 0) {
  const model = await startModelServer({ thinkMs })
  cleanup.push(model.close)
  const receiver = await startOtlpReceiver()
  cleanup.push(receiver.close)
  const env = { OPENAI_BASE_URL: model.url, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.origin }
  return { model, receiver, env }
}

/** The spans of a trace, once all of its runs have been exported. */
async function traceOf(receiver: OtlpReceiver, trace: string, runs: number) {
  const whole = () => distinct(receiver.spans.filter(({ traceId }) => traceId === trace))
  const isDone = () => whole().filter(({ name }) => /^invoke_/.test(name)).length >= runs
  await until('the spans of all runs', isDone)
  return whole()
}

const traced = (server: Server, request: object, traceparent: string) =>
  server.get<{ id: string }>('/v1/runs', {
    method: 'POST',
    json: request,
    headers: { traceparent },
  })

it('a run that was killed twice has the same trace as an undisturbed run', async () => {
  const { receiver, env } = await opened(60)
  let server = await startServer({ env })
  const calm = await createRun(server, SPAWNING)
  await untilEnd(server, calm.id)
  await until('a span', () => receiver.spans.length > 0)
  const first = await traceOf(receiver, receiver.spans[0]!.traceId, CHILDREN + 1)
  const expected = treeOf(first)
  expect(first.filter(({ name }) => name.startsWith('invoke_agent'))).toHaveLength(CHILDREN + 1)
  expect(first.filter(({ name }) => name.startsWith('chat '))).toHaveLength(3 + 2 * CHILDREN)
  expect(first.filter(({ name }) => name === 'wait subagents')).toHaveLength(1)

  const { id } = await traced(server, SPAWNING, CALLER)
  const typesOf = async () => (await eventPages(server, id)).map(({ type }) => type)
  for (const type of ['subagent.spawned', 'subagent.announced']) {
    await until(type, async () => (await typesOf()).includes(type))
    await server.process.stop('SIGKILL')
    server = await startServer({ before: server, env })
  }
  expect((await untilEnd(server, id)).status).toBe('completed')
  const again = await traceOf(receiver, TRACE, CHILDREN + 1)
  expect(treeOf(again)).toEqual(expected)
  const root = again.find((span) => attributeOf(span, 'strata.run.id') === id)
  expect(root?.parentSpanId).toBe('00f067aa0ba902b7')
  for (const { startTimeUnixNano, endTimeUnixNano } of again)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano))
})

it('the demo, killed twice, has the same trace as an undisturbed demo', async () => {
  const { receiver, env } = await opened(60)
  const mcp = await startEverything('streamableHttp')
  cleanup.push(mcp.close)
  let server = await startServer({ env: { ...env, ALLOW_LOOPBACK: 'true' } })
  await pushDemo(server, mcp.url, cleanup)
  const runs = 4
  const calm = await traced(server, DEMO, `00-${'c'.repeat(32)}-00f067aa0ba902b7-01`)
  await untilEnd(server, calm.id)
  const expected = await traceOf(receiver, 'c'.repeat(32), runs)
  expect(expected.filter(({ name }) => name.startsWith('invoke_agent'))).toHaveLength(runs)
  await expectConsoleSpans(server, calm.id, expected)

  const { id } = await traced(server, DEMO, CALLER)
  const count = async (type: string) =>
    (await eventPages(server, id)).filter((event) => event.type === type).length
  for (const [type, times] of [
    ['subagent.spawned', 3],
    ['subagent.announced', 1],
  ] as const) {
    await until(type, async () => (await count(type)) >= times)
    await server.process.stop('SIGKILL')
    server = await startServer({ before: server, env: { ...env, ALLOW_LOOPBACK: 'true' } })
  }
  expect(await untilEnd(server, id)).toMatchObject({
    ...{ status: 'completed', output: { text: '3 subagents agree' } },
  })
  const again = await traceOf(receiver, TRACE, runs)
  expect(treeOf(again)).toEqual(treeOf(expected))
  // The ids too: each is made of the run and of what it is about, whoever reads the log.
  const calls = (await eventPages(server, id)).flatMap(({ type, data }) =>
    type === 'tool.result' || type === 'subagent.spawned' ? [callSpan(id, String(data.call))] : [],
  )
  const own = again.filter(({ parentSpanId }) => parentSpanId === runSpan(id))
  const called = own.filter(({ name }) => name.startsWith('execute_tool'))
  expect(called.map(({ spanId }) => spanId).sort()).toEqual(calls.sort())
})

/** The timeline of the console shows the spans of the trace: names, order, and times within 1 ms. */
async function expectConsoleSpans(
  server: Server,
  root: string,
  trace: readonly ReceivedSpan[],
): Promise<void> {
  const api = createClient({ url: server.url, apiKey: server.key })
  const events: RunEvent[] = []
  for await (const event of api.runs.stream(root, { tree: true }))
    if ('seq' in event) events.push(event)
  const rows = timelineOf(events, root, 0)
  expect(rows).toHaveLength(trace.filter(({ name }) => name.startsWith('invoke_agent')).length)
  for (const { run_id, spans } of rows) {
    const exported = trace.filter(({ parentSpanId }) => parentSpanId === runSpan(run_id))
    const read = spans.filter(({ kind }) => kind !== 'queued')
    const byTime = (first: { start: number }, second: { start: number }) =>
      first.start - second.start
    const timed = exported.map(({ name, startTimeUnixNano, endTimeUnixNano }) => ({
      ...{ name, start: Number(BigInt(startTimeUnixNano) / 1_000_000n) },
      end: Number(BigInt(endTimeUnixNano) / 1_000_000n),
    }))
    expect(read.map(({ name }) => name).sort()).toEqual(timed.map(({ name }) => name).sort())
    for (const name of new Set(timed.map((span) => span.name))) {
      const ofName = (spans: readonly { name: string; start: number; end: number }[]) =>
        spans.filter((span) => span.name === name).toSorted(byTime)
      for (const [index, span] of ofName(timed).entries()) {
        const shown = ofName(read)[index]!
        expect(Math.abs(shown.start - span.start)).toBeLessThanOrEqual(1)
        expect(Math.abs(shown.end - span.end)).toBeLessThanOrEqual(1)
      }
    }
  }
}

it('a death between the end and the acknowledgement sends the same spans again', async () => {
  const { receiver, env } = await opened()
  receiver.answer(503)
  const server = await startServer({ env })
  const { id } = await traced(server, { input: '@say one' }, CALLER)
  await untilEnd(server, id)
  await until('spans that are refused', () => receiver.received.length > 0)
  await server.process.stop('SIGKILL')
  receiver.answer(200)
  await startServer({ before: server, env })
  const spans = await traceOf(receiver, TRACE, 1)
  expect(treeOf(spans).name).toBe('invoke_agent general')
})

it('a fan-out is a span with its tasks and closing run as children', async () => {
  const { receiver, env } = await opened()
  const server = await startServer({ env })
  const tasks = [{ task: '@say one' }, { task: '@say two' }]
  const json = { tasks, then: { input: '@say both' } }
  const headers = { traceparent: CALLER }
  await server.get('/v1/fanouts', { method: 'POST', json, headers })
  const { name, below } = treeOf(await traceOf(receiver, TRACE, 4))
  expect(name).toBe('invoke_workflow fanout')
  expect(below.map((one) => one.name)).toEqual(Array(3).fill('invoke_agent general'))
})

it('a trace describes the run and contains nothing of its conversation', async () => {
  const { receiver, env } = await opened()
  const server = await startServer({
    env: {
      ...env,
      OTEL_SERVICE_NAME: 'agents',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-token=a%20b',
    },
  })
  const { id } = await traced(server, { input: '@call nothing {"secret":1}\n@say hush' }, CALLER)
  await untilEnd(server, id)
  const spans = await traceOf(receiver, TRACE, 1)
  const run = spans.find(({ name }) => name === 'invoke_agent general')!
  const chat = spans.find(({ name }) => name.startsWith('chat '))!
  expect(attributeOf(run, 'gen_ai.operation.name')).toBe('invoke_agent')
  expect(attributeOf(run, 'gen_ai.agent.name')).toBe('general')
  expect(attributeOf(chat, 'gen_ai.operation.name')).toBe('chat')
  expect(attributeOf(chat, 'gen_ai.provider.name')).toBe('openai')
  expect(Number(attributeOf(chat, 'gen_ai.usage.input_tokens'))).toBeGreaterThan(0)
  const [sent] = receiver.received
  expect(sent?.headers['x-token']).toBe('a b')
  expect(sent?.body).toContain('"stringValue":"agents"')
  expect(sent?.body).toContain('deployment.environment.name')
  expect(receiver.received.map(({ body }) => body).join()).not.toMatch(/hush|secret/)
})

it('a traceparent reaches webhooks, MCP servers, and models, and an invalid one is ignored', async () => {
  const { model, receiver, env } = await opened()
  const metas: { traceparent?: string }[] = []
  const mcp = await startCannedMcp({
    tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }],
    onCall(message) {
      metas.push((message.params as { _meta: { traceparent?: string } })._meta)
      return false
    },
  })
  cleanup.push(mcp.close)
  const hooked = await startCannedServer((_, response) => void response.writeHead(204).end())
  cleanup.push(hooked.close)
  const server = await startServer({ env })
  const request = {
    input: '@call mcp__eye__look {}\n@say seen',
    mcp_servers: { eye: { url: mcp.url } },
    webhook: { url: `${hooked.origin}/hook` },
  }
  const { id } = await traced(server, request, CALLER)
  await untilEnd(server, id)
  const spans = await traceOf(receiver, TRACE, 1)
  await until('a webhook', () => hooked.received.length > 0)
  const called = spans.find(({ name }) => name === 'execute_tool mcp__eye__look')!
  const run = spans.find(({ name }) => name.startsWith('invoke_agent'))!
  const chats = spans.filter(({ name }) => name.startsWith('chat'))
  expect(metas).toMatchObject([{ traceparent: `00-${TRACE}-${called.spanId}-01` }])
  expect(hooked.received[0]?.headers.traceparent).toBe(`00-${TRACE}-${run.spanId}-01`)
  const asked = model.requests.map(({ headers }) => headers.traceparent)
  expect(asked).toEqual(chats.map(({ spanId }) => `00-${TRACE}-${spanId}-01`))

  const bad = await traced(server, { input: '@say one' }, `${CALLER}-more`)
  await untilEnd(server, bad.id)
  const other = await until('a span of another trace', () =>
    receiver.spans.find(({ traceId }) => traceId !== TRACE),
  )
  expect(other.parentSpanId).toBeUndefined()

  const unsampled = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`
  const quiet = await traced(server, { ...request, input: '@say one' }, unsampled)
  await untilEnd(server, quiet.id)
  await until('another webhook', () => hooked.received.length >= 2)
  expect(hooked.received[1]?.headers.traceparent).toBe(unsampled)
  expect(receiver.spans.some(({ traceId }) => traceId === 'a'.repeat(32))).toBe(false)
})

it('without an endpoint the log has no trace lines, and a dead receiver stops no run', async () => {
  const model = await startModelServer()
  cleanup.push(model.close)
  const off = await startServer({ env: { OPENAI_BASE_URL: model.url } })
  const plain = await createRun(off, { input: '@say one' })
  await untilEnd(off, plain.id)
  const events = await eventPages(off, plain.id)
  expect(JSON.stringify(events)).not.toContain('trace')
  const env = { OPENAI_BASE_URL: model.url, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }
  const dead = await startServer({ env })
  const run = await createRun(dead, { input: '@say one' })
  expect((await untilEnd(dead, run.id)).status).toBe('completed')
  await dead.process.line(/"event":"trace.lost"/)
})
