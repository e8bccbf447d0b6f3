/** What a run makes of odd answers of its model, through the running server. */

import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { sse, startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startNodeApi } from '../support/node-api.ts'
import { ask, eventsOf, putFile, runToEnd } from '../support/node-client.ts'

type Reply = (response: ServerResponse) => void

const USAGE = { prompt_tokens: 10, completion_tokens: 5 }
const chunk = (delta: object, finish_reason: string | null, usage?: object) => ({
  choices: [{ index: 0, delta, finish_reason }],
  ...(usage ? { usage } : {}),
})
const says =
  (...chunks: readonly object[]): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`${sse(chunks)}data: [DONE]\n\n`)
  }
const text = (content: string) => says(chunk({ content }, 'stop', USAGE))
const fails =
  (status: number, body: unknown): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }

/** A server whose answers come in this order; the last one again and again. */
async function vendor(...replies: readonly Reply[]) {
  const sent: { readonly messages: readonly { role: string; content: string }[] }[] = []
  const server = await startCannedServer(({ body }, response) => {
    const call = sent.push(JSON.parse(body)) - 1
    replies[Math.min(call, replies.length - 1)]!(response)
  })
  cleanup.push(server.close)
  const base_url = `${server.origin}/v1`
  return { sent, provider: { kind: 'openai-compatible', base_url, key: 'sk-vendor-1234' } }
}

async function served(...replies: readonly Reply[]) {
  const { sent, provider } = await vendor(...replies)
  const providers = JSON.stringify({ providers: { a: provider }, default: 'a/one' })
  const api = await startNodeApi({
    STRATA_PROVIDERS: providers,
    STRATA_MODEL: '',
    LOG_LEVEL: 'debug',
  })
  return { api, sent }
}

describe('an empty answer', () => {
  it('is requested once more, and both calls are counted', async () => {
    const { api, sent } = await served(says(chunk({}, 'stop', USAGE)), text('hello'))
    const run = await runToEnd(api, { input: 'hi' })
    expect(run).toMatchObject({ status: 'completed', output: { text: 'hello' } })
    expect(run.warnings ?? []).toEqual([])
    expect(sent).toHaveLength(2)
    expect(run.usage).toMatchObject({ input_tokens: 20, output_tokens: 10, model_calls: 2 })
  })

  it.each([
    ['nothing', {}],
    ['blanks', { content: ' \n' }],
    ['thoughts alone', { reasoning_content: 'hm' }],
  ])('that repeats with %s completes the run with a warning', async (_, delta) => {
    const { api, sent } = await served(says(chunk(delta, 'stop', USAGE)))
    const run = await runToEnd(api, { input: 'hi' })
    expect(run.status).toBe('completed')
    expect(run.warnings).toEqual([
      { code: 'empty_answer', message: 'a/one returned an empty answer twice.' },
    ])
    expect(sent).toHaveLength(2)
  })

  it('is accepted when the budget has no room for another call', async () => {
    const { api, sent } = await served(says(chunk({}, 'stop', USAGE)))
    const run = await runToEnd(api, { input: 'hi', limits: { max_model_calls: 1 } })
    expect([run.status, sent.length]).toEqual(['completed', 1])
  })
})

describe('a call cut by the limit of output tokens', () => {
  it.each(['{"path": "a', ''])('%j is reported as cut and not executed', async (written) => {
    const call = { index: 0, id: 'c', function: { name: 'file_read', arguments: written } }
    const { api, sent } = await served(says(chunk({ tool_calls: [call] }, 'length')), text('done'))
    await putFile(api, 'base/a.txt', 'x')
    const run = await runToEnd(api, { input: 'hi' })
    expect(run.status).toBe('completed')
    const told = sent[1]!.messages.at(-1)!
    expect(told).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('cut: the answer'),
    })
    expect(told.content).not.toContain('JSON')
  })
})

describe('a model chain', () => {
  it.each([
    [401, 'unauthorized', { error: { message: 'no such key' } }],
    [402, 'payment_required', { error: { message: 'Insufficient Balance' } }],
    [404, 'model_not_found', { error: { message: 'no such model' } }],
  ])('tries the next model when the first returns %i', async (status, code, body) => {
    const [a, b] = [await vendor(fails(status, body)), await vendor(text('hello'))]
    const STRATA_PROVIDERS = JSON.stringify({
      providers: { a: a.provider, b: b.provider },
      aliases: { chain: ['a/one', 'b/two'] },
      default: 'chain',
    })
    const api = await startNodeApi({ STRATA_PROVIDERS, STRATA_MODEL: '' })
    const run = await runToEnd(api, { input: 'hi' })
    expect(run).toMatchObject({ status: 'completed', output: { text: 'hello' } })
    const { data } = (await eventsOf(api, run.id)).find(({ type }) => type === 'assistant.message')
    expect(data.tried).toMatchObject([{ model: 'a/one', code }])
    expect(run.warnings[0].message).toContain(body.error.message)
  })
})

describe('a refusal', () => {
  it("of the key shows the vendor's message without the key", async () => {
    const body = { error: { message: 'sk-vendor-1234 is blocked until you verify your mail' } }
    const { api } = await served(fails(401, body))
    const run = await runToEnd(api, { input: 'hi' })
    expect(run.error).toEqual({
      code: 'model_unauthorized',
      message: 'a rejected the API key: [redacted] is blocked until you verify your mail',
    })
  })

  it('for content is not reported as a refusal of the key', async () => {
    const { api } = await served(fails(403, { error: { message: 'flagged by moderation' } }))
    const run = await runToEnd(api, { input: 'hi' })
    expect(run.error).toEqual({
      code: 'model_rejected',
      message: 'a responded with 403: flagged by moderation',
    })
  })
})

it('a repaired answer is logged and counted in the metrics', async () => {
  const { api } = await served(
    says({ choices: [{ delta: 7 }] }, chunk({ content: 'hello' }, 'stop', USAGE)),
  )
  expect(await runToEnd(api, { input: 'hi' })).toMatchObject({ output: { text: 'hello' } })
  const { text: metrics } = await ask(api, 'GET', '/metrics')
  expect(metrics).toContain('strata_model_mended_total{provider="a",model="one"} 1')
})

describe('an answer that breaks off after some text', () => {
  const cut: Reply = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(sse([chunk({ content: 'void half of a sentence' }, null)]), () => {
      setTimeout(() => response.destroy(), 200)
    })
  }
  const typesIn = (text: string): string[] =>
    [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data).type as string)

  it('ends the stream of a response with the failure when the run fails afterwards', async () => {
    const { api } = await served(cut, fails(400, { error: { message: 'no' } }))
    const asked = { model: 'agent/general', input: 'hi', stream: true }
    const { text: stream } = await ask(api, 'POST', '/v1/responses', asked)
    const types = typesIn(stream)
    expect(types).toContain('response.output_text.delta')
    expect(types.at(-1)).toBe('response.failed')
  })

  it('is closed and voided in AG-UI when a call without text follows', async () => {
    const call = { index: 0, id: 'c', function: { name: 'file_list', arguments: '{"path":"."}' } }
    const calls = says(chunk({ tool_calls: [call] }, 'tool_calls', USAGE))
    const { api } = await served(cut, calls, text('Final words.'))
    const input = {
      ...{ threadId: 't-1', runId: 'r-1', state: {}, tools: [], context: [], forwardedProps: {} },
      messages: [{ id: 'm-1', role: 'user', content: 'hi' }],
    }
    const answer = await ask(api, 'POST', '/v1/ag-ui/general', input)
    const types = typesIn(answer.text)
    const count = (type: string) => types.filter((one) => one === type).length
    expect(count('TEXT_MESSAGE_START')).toBe(2)
    expect(count('TEXT_MESSAGE_END')).toBe(2)
    expect(types.indexOf('CUSTOM')).toBeLessThan(types.indexOf('TOOL_CALL_START'))
    expect(types.at(-1)).toBe('RUN_FINISHED')
  })
})
