/**
 * A budget of tokens or dollars is exceeded by no more than one call, however many children spend
 * from it at once (PROTOCOL.md rule 23), with models that count honestly and ones that do not.
 */

import { expect, it } from 'vitest'
import { sse, startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startNodeApi } from '../support/node-api.ts'
import { ask, runToEnd } from '../support/node-client.ts'
import { until } from '../support/patience.ts'

interface Asked {
  readonly max_tokens?: number
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}
interface Said {
  readonly prompt: number
  readonly completion: number
  readonly calls?: readonly object[]
  readonly refusal?: string
  readonly finish?: string
}
const PRICE = { input_per_million: 30, output_per_million: 30 }

/** A server whose model answers what it is told to, and what it billed. */
async function startBilling(answer: (body: Asked) => Said) {
  const billed = { calls: 0, tokens: 0 }
  const vendor = await startCannedServer(({ body }, response) => {
    const said = answer(JSON.parse(body))
    if (said.refusal) {
      response.writeHead(400, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify({ error: { message: said.refusal } }))
    }
    const { prompt, completion, calls } = said
    billed.calls += 1
    billed.tokens += prompt + completion
    const usage = { prompt_tokens: prompt, completion_tokens: completion }
    const delta = calls ? { tool_calls: calls } : { content: 'done' }
    const finish_reason = said.finish ?? (calls ? 'tool_calls' : 'stop')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const events = [{ choices: [{ index: 0, delta, finish_reason }] }, { choices: [], usage }]
    response.end(`${sse(events)}data: [DONE]\n\n`)
  })
  cleanup.push(vendor.close)
  const one = { kind: 'openai-compatible', base_url: `${vendor.origin}/v1`, key: 'sk-none-123' }
  const models = { 'a/one': { price: PRICE } }
  const api = await startNodeApi({
    STRATA_PROVIDERS: JSON.stringify({ providers: { a: one }, default: 'a/one', models }),
    STRATA_MODEL: '',
  })
  return { api, billed, vendor }
}
type Api = Awaited<ReturnType<typeof startBilling>>['api']

const tasks = (count: number) => Array.from({ length: count }, (_, at) => ({ task: `task ${at}` }))

async function fanOut(api: Api, json: object) {
  const made = await ask(api, 'POST', '/v1/fanouts', json)
  expect(made.status).toBe(202)
  return until('its end', async () => {
    const { body } = await ask(api, 'GET', `/v1/fanouts/${made.body.id}`)
    return body.status !== 'running' && body
  })
}

/** A prompt of 2,700 tokens by its own count, whatever was sent. */
const CALL = { prompt: 2_700, completion: 120 }

it('20 children exceed a budget of 8,000 tokens by at most one call, and the others do not start', async () => {
  const { api, billed } = await startBilling(() => CALL)
  const done = await fanOut(api, { tasks: tasks(20), limits: { max_tokens: 8_000 } })
  expect(billed.tokens).toBeLessThanOrEqual(8_000 + 2_820)
  expect(billed.calls).toBeGreaterThanOrEqual(2)
  expect(done.children.completed).toBe(billed.calls)
  expect(done.children.cancelled).toBe(20 - billed.calls)
  expect(done.released_by).toBe('budget')
  expect(done.budget).toMatchObject({
    max_tokens: { limit: 8_000, spent: billed.tokens, reserved: 0 },
    ended_by: 'max_tokens',
  })
})

it('60 children of 12,500 tokens each exceed a budget of 2 dollars by at most one call', async () => {
  const { api, billed } = await startBilling(() => ({ prompt: 2_500, completion: 10_000 }))
  const done = await fanOut(api, { tasks: tasks(60), limits: { max_cost_usd: 2 } })
  expect(billed.tokens * 30e-6).toBeLessThanOrEqual(2 + 0.375)
  expect(billed.calls).toBeGreaterThanOrEqual(4)
  expect(done.budget.max_cost_usd.spent).toBeCloseTo(billed.calls * 0.375)
  expect(done.budget.ended_by).toBe('max_cost_usd')
})

it('20 subagents of one answer exceed the budget by at most one call', async () => {
  const spawn = (index: number) => ({
    index,
    id: `call_${index}`,
    function: {
      name: 'sessions_spawn',
      arguments: JSON.stringify({ task: `part ${index}` }),
    },
  })
  const calls = Array.from({ length: 20 }, (_, at) => spawn(at))
  const { api, billed } = await startBilling(({ messages }) =>
    messages.length === 2 && String(messages[1]!.content).includes('root')
      ? { ...CALL, calls }
      : CALL,
  )
  const run = await runToEnd(api, { input: 'root', limits: { max_tokens: 20_000 } })
  expect(billed.tokens).toBeLessThanOrEqual(20_000 + 2_820)
  expect(billed.calls).toBeGreaterThanOrEqual(5)
  expect(run.usage.input_tokens + run.usage.output_tokens).toBe(billed.tokens)
})

it('children that keep calling tools exceed the budget by at most one call', async () => {
  const again = [
    { index: 0, id: 'call_1', function: { name: 'file_list', arguments: '{"path":"/"}' } },
  ]
  const { api, billed } = await startBilling(() => ({ ...CALL, calls: again }))
  await fanOut(api, { tasks: tasks(6), limits: { max_tokens: 100_000 } })
  expect(billed.tokens).toBeLessThanOrEqual(100_000 + 2_820)
  expect(billed.tokens).toBeGreaterThan(60_000)
})

it('the budget bounds an answer and is reported as the reason why it was cut', async () => {
  const bounds: (number | undefined)[] = []
  const { api } = await startBilling(({ max_tokens }) => {
    bounds.push(max_tokens)
    return { prompt: 1_000, completion: max_tokens ?? 50_000, finish: 'length' }
  })
  const run = await runToEnd(api, { input: 'hi', limits: { max_tokens: 9_000 } })
  expect(bounds).toEqual([expect.any(Number)])
  expect(bounds[0]).toBeLessThan(9_000)
  expect(run.stop_reason).toBe('budget')
  expect(run.usage.input_tokens + run.usage.output_tokens).toBeLessThanOrEqual(9_000)
})

it('a model without an output bound exceeds the budget by at most one call', async () => {
  const { api, billed } = await startBilling(({ max_tokens }) =>
    max_tokens === undefined
      ? CALL
      : { ...CALL, refusal: "Unsupported parameter: 'max_tokens' is not supported." },
  )
  const done = await fanOut(api, { tasks: tasks(8), limits: { max_tokens: 9_000 } })
  expect(done.children.completed).toBe(billed.calls)
  expect(billed.calls).toBeGreaterThanOrEqual(3)
  expect(billed.tokens).toBeLessThanOrEqual(9_000 + 2_820)
})

it('a run without such a budget has no output bound and no measurement', async () => {
  const bounds: (number | undefined)[] = []
  const { api } = await startBilling(({ max_tokens }) => {
    bounds.push(max_tokens)
    return CALL
  })
  const { id } = await runToEnd(api, { input: 'hi', limits: { max_model_calls: 2 } })
  expect(bounds).toEqual([undefined])
  const events = (await ask(api, 'GET', `/v1/runs/${id}/events`)).body.data
  const answer = events.find(({ type }: { type: string }) => type === 'assistant.message')
  expect(answer.data).not.toHaveProperty('prompt_bytes')
})
