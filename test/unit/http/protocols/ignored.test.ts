/** Requests in other products' words: what means nothing here is left out and named. */

import { describe, expect, it } from 'vitest'
import { createApp } from '../../../../src/http/app.ts'
import type { SeenRequest } from '../../../../src/http/request/request-log.ts'
import { type Answer, type TestApi, testApi } from '../../../support/http.ts'

/** The answer of a request that ends with its run. */
async function answered(api: TestApi, path: string, json: object, headers = {}): Promise<Answer> {
  let isAnswered = false
  const answer = api.call('POST', path, { json, headers }).finally(() => {
    isAnswered = true
  })
  while (!isAnswered) {
    await new Promise(setImmediate)
    await api.settle()
  }
  return answer
}
const namesIn = ({ headers }: Answer): string[] => headers.get('strata-ignored')?.split(', ') ?? []
const eventsOf = ({ text }: Answer) =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data))

const hello = { role: 'user', content: '@say hello' }
const chat = (more: object): object => ({ messages: [hello], ...more })
const input = (...items: object[]): object => ({ input: [...items, hello] })
const WEATHER = { type: 'function', name: 'weather', parameters: { type: 'object' } }

describe('a chat completion', () => {
  it.each([
    ['nothing', {}, []],
    ['members that are null', { temperature: null, tools: null, audio: null, user: null }, []],
    ['an unknown member', { chat_template_kwargs: { thinking: true } }, ['chat_template_kwargs']],
    ['an unknown member that is null', { min_p: null }, ['min_p']],
    [
      'members that ask for nothing',
      { frequency_penalty: 0, logprobs: false, logit_bias: {}, modalities: ['text'], n: 1 },
      ['frequency_penalty', 'logprobs', 'modalities'],
    ],
    ['a name of the caller', { user: 'u-1', verbosity: 'low' }, ['user', 'verbosity']],
    ['no text that ends the answer', { stop: [] }, []],
    ['an empty text that ends the answer', { stop: '' }, []],
    [
      'the name of a tool message',
      {
        messages: [
          { role: 'assistant', content: null, tool_calls: [call('c1')], reasoning_content: 'Hm' },
          { role: 'tool', tool_call_id: 'c1', name: 'weather', content: null },
          { ...hello, cache_control: { type: 'ephemeral' } },
        ],
      },
      [
        'messages[0].tool_calls[0].index',
        'messages[0].reasoning_content',
        'messages[1].name',
        'messages[2].cache_control',
      ],
    ],
    [
      'thoughts among the parts of an answer',
      {
        messages: [
          { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm' }, text('Hi')] },
          hello,
        ],
      },
      ['messages[0].content[0] thinking'],
    ],
    [
      'unknown members of a function',
      { tools: [{ type: 'function', function: { name: 'w', examples: [] }, defer: true }] },
      ['tools[0].function.examples', 'tools[0].defer'],
    ],
  ])('with %s is answered and names what was ignored', async (_, more, names) => {
    const api = await testApi()
    const answer = await answered(api, '/v1/chat/completions', chat(more))
    expect([answer.status, answer.body.error]).toEqual([200, undefined])
    expect(answer.body.choices[0].message.content).toBe('hello')
    expect(namesIn(answer)).toEqual(names)
    expect(answer.body.strata?.ignored ?? []).toEqual(names)
  })

  it.each([
    ['a penalty', { frequency_penalty: 0.5 }, 'frequency_penalty'],
    ['likelihoods', { logprobs: true }, 'logprobs'],
    ['a spoken answer', { modalities: ['text', 'audio'] }, 'modalities'],
    ['two answers', { n: 2 }, 'n'],
    ['a search', { web_search_options: {} }, 'web_search_options'],
    ['a forced tool', { tool_choice: 'required' }, 'tool_choice'],
    ['a tool of a provider', { tools: [{ type: 'web_search' }] }, 'tools[0].type'],
    [
      'a part that cannot be read',
      { messages: [{ role: 'user', content: [{ type: 'video_url' }] }] },
      'messages[0].content[0].type',
    ],
    ['an unknown role', { messages: [{ role: 'boss', content: 'x' }] }, 'messages[0].role'],
  ])('with %s is refused with its path [400]', async (_, more, param) => {
    const { status, body } = await (await testApi()).call('POST', '/v1/chat/completions', {
      json: chat(more),
    })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ type: 'invalid_request_error', param })
  })

  it('that is streamed names what was ignored in its first chunk', async () => {
    const json = chat({ stream: true, top_k: 40 })
    const answer = await answered(await testApi(), '/v1/chat/completions', json)
    expect(namesIn(answer)).toEqual(['top_k'])
    expect(eventsOf(answer)[0].strata.ignored).toEqual(['top_k'])
  })

  it('is logged with the number of ignored members', async () => {
    const { world, key } = await testApi()
    const seen: SeenRequest[] = []
    const { app } = createApp(world, { onRequest: (request) => seen.push(request) })
    for (const more of [{ top_k: 1, min_p: 0, n: 2 }, { n: 2 }]) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const body = JSON.stringify(chat(more))
      await app.request('/v1/chat/completions', { method: 'POST', headers, body })
    }
    expect(seen.map(({ ignored }) => ignored)).toEqual([2, undefined])
  })

  it('names no more ignored members than fit in a header, and nothing that ends its line', async () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`member_${n}`, n]))
    const json = chat({ 'a\r\nset-cookie: x, é': 1, ['x'.repeat(5_000)]: 1, ...many })
    const names = namesIn(await answered(await testApi(), '/v1/chat/completions', json))
    expect(names).toHaveLength(21)
    expect(names[0]).toBe('a??set-cookie:?x???')
    expect(names[1]).toBe('x'.repeat(64))
    expect(names.at(-1)).toBe('and 32 more')
  })
})

const call = (id: string) => ({
  ...{ id, index: 0, type: 'function', function: { name: 'weather', arguments: '{}' } },
})
const text = (words: string) => ({ type: 'text', text: words })

const RESULT = { type: 'function_call_output', call_id: 'c1' }

describe('a response', () => {
  it.each([
    ['members that are null', { prompt: null, max_tool_calls: null, conversation: null }, []],
    ['no response before', { previous_response_id: '', conversation: '', model: '' }, []],
    ['an unknown member', { moderation: 'auto', include: ['x'] }, ['moderation', 'include']],
    [
      'reasoning that is sent back',
      input({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' }),
      ['input[0] reasoning'],
    ],
    [
      'an answer and a result that are null',
      input({ role: 'assistant', content: null }, { ...RESULT, output: null }),
      [],
    ],
    ['a reference to reasoning', input({ type: 'item_reference', id: 'rs_1' }), []],
    [
      'calls of tools of a provider',
      input({ type: 'web_search_call', id: 'ws_1' }, { type: 'web_search_call', id: 'ws_2' }),
      ['input[0] web_search_call (2 times)'],
    ],
    [
      'an answer as it came',
      input({
        ...{ type: 'message', id: 'msg_1', status: 'completed', role: 'assistant', extra: 1 },
        content: [
          { type: 'output_text', text: 'Hi', annotations: [], logprobs: [] },
          { type: 'reasoning_text', text: 'Hm' },
        ],
      }),
      ['input[0].extra', 'input[0].content[1] reasoning_text'],
    ],
  ])('with %s is answered and names what was ignored', async (_, more, names) => {
    const api = await testApi()
    const answer = await answered(api, '/v1/responses', { input: '@say hello', ...more })
    expect([answer.status, answer.body.error]).toEqual([200, null])
    expect(answer.body.output.at(-1).content[0].text).toBe('hello')
    expect(namesIn(answer)).toEqual(names)
    expect(answer.body.strata.ignored ?? []).toEqual(names)
  })

  it.each([
    ['a stored prompt', { prompt: { id: 'pmpt_1' } }, 'prompt'],
    ['likelihoods', { top_logprobs: 3 }, 'top_logprobs'],
    ['a tool of a provider', { tools: [{ type: 'file_search' }] }, 'tools[0].type'],
    [
      'a picture as a result',
      input({ ...RESULT, output: [{ type: 'input_image', image_url: 'https://x.example/a.png' }] }),
      'input[0].output[0]',
    ],
    ['a tool without a name', { tools: [{ type: 'function' }] }, 'tools[0].name'],
    ['a reference to a message', input({ type: 'item_reference', id: 'msg_1' }), 'input[0]'],
    ['a role that nobody has', input({ role: 'boss', content: 'x' }), 'input[0].role'],
    [
      'a part that cannot be read',
      input({ role: 'user', content: [{ type: 'input_video' }] }),
      'input[0].content[0].type',
    ],
    ['a call without a name', input({ type: 'function_call', call_id: 'c' }), 'input[0].name'],
    ['an unknown format', { text: { format: { type: 'grammar' } } }, 'text.format.type'],
  ])('with %s is refused with its path [400]', async (_, more, param) => {
    const json = { input: 'x', ...more }
    const { status, body } = await (await testApi()).call('POST', '/v1/responses', { json })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ type: 'invalid_request_error', param })
  })

  it('that is streamed names what was ignored in every event that contains the response', async () => {
    const json = { input: '@say hello', stream: true, tools: [{ ...WEATHER, defer: true }] }
    const answer = await answered(await testApi(), '/v1/responses', json)
    const names = eventsOf(answer).flatMap(({ response }) => response?.strata.ignored ?? [])
    expect(names).toEqual(Array.from({ length: 3 }, () => 'tools[0].defer'))
  })
})

describe('an AG-UI turn', () => {
  const turn = (more: object): object => ({
    ...{ threadId: 't', runId: 'r', state: {}, tools: [], context: [], forwardedProps: {} },
    messages: [{ id: 'm1', ...hello }],
    ...more,
  })

  it.each([
    ['nothing', {}, []],
    ['lists that are null', { tools: null, context: null, state: null }, []],
    ['a state', { state: { count: 1 } }, ['state']],
    ['forwarded properties', { forwardedProps: { theme: 'dark' } }, ['forwardedProps']],
    ['an unknown member', { config: { a: 1 } }, ['config']],
    [
      'data as context',
      { context: [{ description: 'Cart', value: { items: 2 }, id: 'c1' }] },
      ['context[0].id'],
    ],
    [
      'messages for people',
      {
        messages: [
          { id: 'm0', role: 'reasoning', content: 'Hm' },
          { id: 'm1', ...hello },
        ],
      },
      ['messages[0] reasoning'],
    ],
  ])('with %s is run and names what was ignored', async (_, more, names) => {
    const answer = await answered(await testApi(), '/v1/ag-ui/general', turn(more))
    const events = eventsOf(answer)
    expect(events.at(-1).type).toBe('RUN_FINISHED')
    expect(namesIn(answer)).toEqual(names)
    expect(events[0].metadata.strata.ignored ?? []).toEqual(names)
  })
})

describe('an A2A call', () => {
  const VERSION = { 'a2a-version': '1.0' }
  const send = (message: object, more: object = {}): object => ({
    ...{ jsonrpc: '2.0', id: 1, method: 'SendMessage' },
    params: {
      message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: '@say hello' }], ...message },
      ...more,
    },
  })

  it.each([
    ['members that are null', send({ contextId: null, metadata: null }), []],
    ['empty names', send({ contextId: '', taskId: '' }, { tenant: '' }), []],
    ['an extension', send({ extensions: ['https://x.example/e'] }), ['message.extensions']],
    [
      'unknown members',
      send({ kind: 'message', parts: [{ text: '@say hello', metadata: { a: 1 } }] }, { extra: 1 }),
      ['message.parts[0].metadata', 'message.kind', 'extra'],
    ],
    [
      'metadata that a run cannot keep',
      send({ metadata: { ticket: '4711', nested: { a: 1 } } }),
      ['message.metadata.nested'],
    ],
  ])('with %s is executed and names what was ignored', async (_, json, names) => {
    const answer = await answered(await testApi(), '/v1/a2a/general', json, VERSION)
    expect(answer.body.error).toBeUndefined()
    const { metadata, status } = answer.body.result.task
    expect(status.state).toBe('TASK_STATE_COMPLETED')
    expect(namesIn(answer)).toEqual(names)
    expect(metadata.strata.ignored ?? []).toEqual(names)
  })

  it('that requests something unsupported is refused with its path', async () => {
    const json = send({ referenceTaskIds: ['run_00000000000000000000000000'] })
    const { body } = await answered(await testApi(), '/v1/a2a/general', json, VERSION)
    expect(body.error.code).toBe(-32_602)
    expect(body.error.data[0].fieldViolations[0].field).toBe('message.referenceTaskIds')
  })
})

describe('GET /v1/models/{model}', () => {
  it("finds a model by its ID, with its slash encoded or not, or returns 404 in OpenAI's format", async () => {
    const api = await testApi()
    const { body } = await api.call('GET', '/v1/models')
    const [model] = body.data
    for (const id of [model.id, encodeURIComponent(model.id)])
      expect((await api.call('GET', `/v1/models/${id}`)).body).toEqual(model)
    const missing = await api.call('GET', '/v1/models/agent/nobody')
    expect([missing.status, missing.body.error.type]).toEqual([404, 'invalid_request_error'])
  })
})
