/** What a provider reports, true or not, through a running server: counts, shares, price, budget. */

import { expect, it } from 'vitest'
import { sse, startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startNodeApi } from '../support/node-api.ts'
import { ask, eventsOf, runToEnd } from '../support/node-client.ts'
import { eventually } from '../support/patience.ts'

it.each([
  [{ prompt_tokens: -1_000_000, completion_tokens: -1_000_000 }],
  [{ prompt_tokens: 0.1, completion_tokens: 0.1 }],
  [undefined],
])('a token budget is enforced for every usage report of the provider: %j', async (usage) => {
  let calls = 0
  const provider = await startCannedServer((_, response) => {
    const call = { index: 0, id: `c${calls++}`, function: { name: 'file_list', arguments: '{}' } }
    const choices = [{ delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(sse([{ choices, usage }]))
  })
  cleanup.push(provider.close)
  const api = await startNodeApi({ OPENAI_BASE_URL: `${provider.origin}/v1` })
  const run = await runToEnd(api, { input: 'list '.repeat(1_000), limits: { max_tokens: 3_000 } })
  expect(run).toMatchObject({ status: 'completed', stop_reason: 'budget' })
  expect(calls).toBeLessThanOrEqual(3)
  expect(run.usage).toMatchObject({ estimated: true })
  expect(run.usage.input_tokens).toBeGreaterThan(1_600)
  const said = (await eventsOf(api, run.id)).filter(({ type }) => type === 'assistant.message')
  for (const { data } of said) expect(data.usage).toMatchObject({ estimated: true })
})

/** A provider that answers with one subagent first, and with a sentence then. */
async function priced(prices: object) {
  const said = (delta: object, finish_reason: string) => ({ choices: [{ delta, finish_reason }] })
  const spawn = {
    index: 0,
    id: 'c0',
    function: { name: 'sessions_spawn', arguments: '{"task":"look below"}' },
  }
  let calls = 0
  const provider = await startCannedServer((_, response) => {
    const answer = calls++ === 0 ? said({ tool_calls: [spawn] }, 'tool_calls') : said(DONE, 'stop')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(sse([{ ...answer, usage: USED }]))
  })
  cleanup.push(provider.close)
  const hook = await startCannedServer((_, response) => void response.end())
  cleanup.push(hook.close)
  const api = await startNodeApi({ OPENAI_BASE_URL: `${provider.origin}/v1` })
  const policy = await ask(api, 'GET', '/v1/policy')
  const etag = policy.headers.get('etag') ?? ''
  const put = await ask(api, 'PUT', '/v1/policy', { prices }, { 'if-match': etag })
  expect([put.status, put.body.prices]).toEqual([200, prices])
  return { api, hook }
}
const DONE = { content: 'done' }
const USED = {
  prompt_tokens: 1_000,
  completion_tokens: 100,
  prompt_tokens_details: { cached_tokens: 800 },
  completion_tokens_details: { reasoning_tokens: 60 },
}
const SHARES = { cache_read_tokens: 800, reasoning_tokens: 60 }
const CALL = { input_tokens: 1_000, output_tokens: 100, model_calls: 1, ...SHARES }

it('cached and reasoning tokens are counted and priced in step, run, subagent, and webhook', async () => {
  const price = { input_per_million: 10, output_per_million: 50, cache_read_per_million: 1 }
  const { api, hook } = await priced({ 'openai/scripted': price })
  // Two hundred in full, eight hundred from the cache; what was thought is part of the output.
  const cost = (200 * 10 + 800 * 1 + 100 * 50) / 1e6
  const webhook = { url: `${hook.origin}/`, events: ['run.completed'] }
  const run = await runToEnd(api, { input: 'go', webhook })
  expect(run.usage.model_calls).toBeGreaterThanOrEqual(3)
  const calls: number = run.usage.model_calls
  const all = Object.fromEntries(Object.entries(CALL).map(([name, count]) => [name, calls * count]))
  expect(run.usage).toEqual({ ...all, list_price: expect.closeTo(calls * cost, 9) })
  expect(run.cost).toBeCloseTo(calls * cost, 9)
  const events = await eventsOf(api, run.id)
  const said = events.filter(({ type }) => type === 'assistant.message')
  for (const { data } of said) {
    expect(data.usage).toEqual({ ...CALL, list_price: expect.closeTo(cost, 9) })
  }
  const told = events.find(({ type }) => type === 'subagent.announced')
  expect(told.data.announce.usage).toEqual({ ...CALL, list_price: expect.closeTo(cost, 9) })
  await eventually(() => expect(hook.received.length).toBeGreaterThan(0))
  expect(JSON.parse(hook.received[0]!.body).data.usage).toEqual(run.usage)
})

it('cached tokens without a separate price cost the same as any input', async () => {
  const { api } = await priced({
    'openai/scripted': { input_per_million: 10, output_per_million: 50 },
  })
  const run = await runToEnd(api, { input: 'go' })
  expect(run.cost).toBeCloseTo((run.usage.model_calls * (1_000 * 10 + 100 * 50)) / 1e6, 9)
})

it('usage grouped by model and by kind adds up to the usage of the day', async () => {
  const api = await startNodeApi()
  const run = await runToEnd(api, { input: '@say one' })
  await runToEnd(api, { input: '@say two' })
  for (const [member, group] of [
    ['model', run.model],
    ['kind', 'main'],
    ['agent', 'general'],
  ]) {
    const { status, body } = await ask(api, 'GET', `/v1/usage?group_by=${member}`)
    expect([status, body.group_by]).toEqual([200, member])
    const { groups, ...sum } = body.total
    expect(groups).toEqual([{ group, ...sum }])
    expect(sum.runs).toBe(2)
  }
})
