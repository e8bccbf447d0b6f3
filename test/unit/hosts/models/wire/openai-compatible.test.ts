/**
 * Chat completions, as vLLM, Groq, OpenRouter, Ollama and Workers AI speak them.
 * https://developers.openai.com/api/reference/resources/chat/subresources/completions/streaming-events,
 * https://docs.vllm.ai/en/latest/features/reasoning_outputs.html,
 * https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility/ and
 * https://developers.cloudflare.com/workers-ai/configuration/bindings/ (read 2026-11-23).
 */

import { expect, it } from 'vitest'
import { modelConfigFromEnv } from '../../../../../src/hosts/models/config.ts'
import { createModel } from '../../../../../src/hosts/models/model.ts'
import type { AiBinding } from '../../../../../src/hosts/models/workers-ai.ts'
import { sse } from '../../../../support/canned-server.ts'
import { ask, request } from '../../../../support/model-port.ts'
import { events, KEY, refuses, wired, wireSuite } from './wire.ts'

const chunk = (delta: object, finish_reason: string | null = null) => ({
  ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: 'llama' },
  choices: [{ index: 0, delta, finish_reason }],
})
const usage = {
  choices: [],
  usage: {
    prompt_tokens: 12,
    prompt_tokens_details: { cached_tokens: 8 },
    completion_tokens: 5,
    completion_tokens_details: { reasoning_tokens: 2 },
    total_tokens: 17,
  },
}
const tool = (more: object) => ({ tool_calls: [{ index: 0, ...more }] })
const error = (message: string, code: string | null = null) => ({
  error: { message, type: 'invalid_request_error', param: null, code },
})

const TEXT = events([
  chunk({ role: 'assistant', reasoning_content: 'hm' }),
  chunk({ content: 'Hel' }),
  chunk({ content: 'lo' }),
  chunk({}, 'stop'),
  usage,
])
const DIALECT = {
  text: TEXT,
  call: events([
    chunk(tool({ id: 'call_1', type: 'function', function: { name: 'file_read', arguments: '' } })),
    chunk(tool({ function: { arguments: '{"path":' } })),
    chunk(tool({ function: { arguments: '"a"}' } })),
    chunk({}, 'tool_calls'),
    usage,
  ]),
  refusal: events([chunk({}, 'content_filter'), usage]),
  busy: refuses(429, error('Rate limit reached.'), { 'retry-after': '7' }),
  tooLong: refuses(400, error("This model's maximum context length is 8 tokens, you asked for 9.")),
  picture: (data: string) => ({ url: `data:image/png;base64,${data}` }),
  pdf: (data: string) => ({ filename: 'a.pdf', file_data: `data:application/pdf;base64,${data}` }),
  badKey: refuses(401, error(`Incorrect API key: ${KEY}`)),
  breaks: events([
    chunk({ content: 'Hel' }),
    { error: { message: 'it broke', type: 'server_error' } },
  ]),
}

const OPEN = {
  provider: { kind: 'openai-compatible', key: KEY, headers: { 'http-referer': 'wire' } },
  base: '/v1',
  model: 'meta-llama/Llama-4',
}
wireSuite('openai-compatible', OPEN, DIALECT)
const REST = {
  provider: { kind: 'workers-ai', key: KEY, account_id: 'acc' },
  base: '/client/v4/accounts/acc/ai/v1',
  model: '@cf/openai/gpt-oss-120b',
}
wireSuite('workers-ai by REST', REST, DIALECT)

it('openai-compatible: settings are sent as members of the request, including vendor-specific ones', async () => {
  const { say, server, sent } = await wired(OPEN, TEXT)
  const settings = {
    ...{ temperature: 0, top_p: 0.5, seed: 7, stop: ['END'], max_output_tokens: 9 },
    ...{ reasoning_effort: 'high' as const, parallel_tool_calls: false },
    provider_options: { 'openai-compatible': { min_p: 0.1 } },
  } as const
  await say({ settings })
  expect(sent()).toMatchObject({
    ...{ temperature: 0, top_p: 0.5, seed: 7, stop: ['END'], max_tokens: 9, min_p: 0.1 },
    ...{ reasoning_effort: 'high', parallel_tool_calls: false, model: 'meta-llama/Llama-4' },
  })
  expect(server.received[0]?.headers).toMatchObject({ 'http-referer': 'wire' })
})

it('workers-ai: the binding needs no key, and older events are read too', async () => {
  const STRATA_PROVIDERS = JSON.stringify({ providers: { cf: { kind: 'workers-ai' } } })
  const asked: unknown[] = []
  const older = sse([
    { response: 'Hel', p: 'x' },
    { response: 'lo' },
    { response: '', usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 } },
  ])
  const ai: AiBinding = {
    run: async (model, inputs) => {
      asked.push({ model, stream: inputs.stream })
      return new Response(older, { headers: { 'content-type': 'text/event-stream' } })
    },
  }
  const config = modelConfigFromEnv({ STRATA_PROVIDERS }, { ai: true })
  const model = createModel(config, fetch, undefined, { ai })
  const { answer } = await ask(model, request('hi', { model: 'cf/@cf/meta/llama-3.1-8b-instruct' }))
  expect(answer).toMatchObject({
    ok: true,
    value: { parts: [{ type: 'text', text: 'Hello' }], usage: { input_tokens: 12 } },
  })
  expect(asked).toEqual([{ model: '@cf/meta/llama-3.1-8b-instruct', stream: true }])
})

it.each([
  ['http://127.0.0.1:1/v1', undefined, 'hm', undefined],
  ['https://api.mistral.ai/v1', undefined, undefined, undefined],
  ['https://api.groq.com/openai/v1', undefined, undefined, undefined],
  ['https://api.deepseek.com', undefined, 'hm', ''],
  ['https://api.moonshot.ai/v1', undefined, 'hm', ''],
  ['https://api.moonshot.ai/v1', 'never', undefined, undefined],
  ['http://127.0.0.1:1/v1', 'always', 'hm', ''],
  ['https://notgroq.com/v1', undefined, 'hm', undefined],
])(
  '%s with reasoning %s receives its reasoning back in its format',
  async (base_url, reasoning, given, missing) => {
    const provider = { kind: 'openai-compatible', base_url, key: KEY, reasoning }
    const STRATA_PROVIDERS = JSON.stringify({ providers: { p: provider } })
    let sent: { messages: readonly { role: string; reasoning_content?: string }[] } | undefined
    const connect: typeof fetch = async (_, init) => {
      sent = JSON.parse(String(init?.body))
      return new Response(sse([chunk({ content: 'a' }, 'stop')]))
    }
    const model = createModel(modelConfigFromEnv({ STRATA_PROVIDERS }), connect)
    const said = (text: string) => ({ type: 'text', text }) as const
    const messages = [
      { role: 'user', text: 'hi' },
      { role: 'assistant', parts: [{ type: 'reasoning', text: 'hm' }, said('a')] },
      { role: 'assistant', parts: [said('b')] },
    ] as const
    expect((await ask(model, request('hi', { model: 'p/m', messages }))).answer.ok).toBe(true)
    const answers = sent!.messages.filter(({ role }) => role === 'assistant')
    expect(answers.map((one) => one.reasoning_content)).toEqual([given, missing])
  },
)
