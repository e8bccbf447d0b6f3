/** The model port against real HTTP: the scripted server, and canned answers of the vendors. */

import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { Message } from '../../../src/core/message.ts'
import { createModel } from '../../../src/hosts/web/model.ts'
import { modelConfigFromEnv } from '../../../src/hosts/web/model-config.ts'
import type { Delta, Model, ModelRequest } from '../../../src/ports/world.ts'
import { sse, startCannedServer } from '../../support/canned-server.ts'
import { startModelServer } from '../../support/model-server.ts'

const cleanup: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of cleanup.splice(0)) await close()
})

const request = (text: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'gpt',
  system: 'You are terse.',
  messages: [{ role: 'user', text }],
  tools: [{ name: 'file_read', description: 'Reads.', input_schema: { type: 'object' } }],
  ...more,
})

function ask(model: Model, what: ModelRequest, signal = new AbortController().signal) {
  const deltas: Delta[] = []
  const answered = model.respond(what, { signal, onDelta: (delta) => deltas.push(delta) })
  return answered.then((answer) => ({ answer, deltas }))
}

async function scripted() {
  const server = await startModelServer()
  cleanup.push(server.close)
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-very-secret' }
  return { server, model: createModel(modelConfigFromEnv(env)) }
}

async function canned(
  kind: 'anthropic' | 'openai' | 'openai-compatible',
  handler: (response: ServerResponse, call: number) => void,
) {
  let call = 0
  const server = await startCannedServer((_, response) => handler(response, call++))
  cleanup.push(server.close)
  const provider = { kind, base_url: `${server.origin}/v1`, key: 'sk-very-secret' }
  const model = createModel({
    providers: { p: provider },
    aliases: {},
    default: 'p/m-1',
    windows: {},
  })
  return { server, model, request: (text: string) => request(text, { model: 'p/m-1' }) }
}

const stream = (response: ServerResponse, events: readonly unknown[]) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(sse(events))
}

describe('an answer', () => {
  it('holds text, reasoning and parallel calls in order, usage and the finish', async () => {
    const { model, server } = await scripted()
    const script = '@reason hm\n@text reading\n@call file_read {"path":"a"}\n@call file_read {"b"'
    const { answer, deltas } = await ask(model, request(script))
    expect(answer).toMatchObject({
      ok: true,
      value: {
        parts: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: 'reading' },
          { type: 'call', tool: 'file_read', arguments: '{"path":"a"}' },
          { type: 'call', tool: 'file_read', arguments: '{"b"' },
        ],
        finish: 'calls',
        usage: { model_calls: 1 },
        model: 'openai/gpt-5.6',
      },
    })
    expect(answer.ok && answer.value.usage.input_tokens).toBeGreaterThan(0)
    expect(deltas).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'reading' },
    ])
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-very-secret')
  })

  it('MC-29 malformed arguments reach us as the model wrote them, and go back inside an object', async () => {
    const { model, server } = await scripted()
    const call = { type: 'call', tool: 'file_read', arguments: '{"b"' } as const
    const messages: Message[] = [
      { role: 'user', text: '@call file_read {"b"\n@say {last}' },
      { role: 'assistant', parts: [{ ...call, id: 'call_ours', provider_id: 'theirs' }] },
      {
        role: 'tool',
        results: [{ call: 'call_ours', tool: 'file_read', text: 'not JSON', is_error: true }],
      },
    ]
    const { answer } = await ask(model, request('', { messages }))
    expect(answer).toMatchObject({ ok: true, value: { parts: [{ text: 'not JSON' }] } })
    const sent = server.requests[0]?.body.messages ?? []
    expect(sent[2]?.tool_calls).toMatchObject([
      { id: 'theirs', function: { arguments: '{"malformed_arguments":"{\\"b\\""}' } },
    ])
    expect(sent[3]).toMatchObject({ tool_call_id: 'theirs' })
  })

  it('names calls by our ids when a provider used one id twice', async () => {
    const { model, server } = await scripted()
    const turn = (id: string): Message[] => [
      {
        role: 'assistant',
        parts: [{ type: 'call', id, provider_id: 'call_0', tool: 'file_read', arguments: '{}' }],
      },
      { role: 'tool', results: [{ call: id, tool: 'file_read', text: 'x', is_error: false }] },
    ]
    const messages = [{ role: 'user', text: 'hi' } as const, ...turn('call_a'), ...turn('call_b')]
    await ask(model, request('', { messages }))
    const ids = server.requests[0]?.body.messages.flatMap((one) =>
      one.role === 'tool' ? [(one as { tool_call_id?: string }).tool_call_id] : [],
    )
    expect(ids).toEqual(['call_a', 'call_b'])
  })

  it('reuses its connections for calls in a row', async () => {
    const said = { choices: [{ delta: { content: 'x' }, finish_reason: 'stop' }] }
    const { model, server, request } = await canned('openai-compatible', (response) =>
      stream(response, [said]),
    )
    for (let i = 0; i < 20; i += 1) await ask(model, request('hi'))
    expect(server.received.length).toBe(20)
    // The next call may begin a moment before the connection of the last one is free again.
    expect(server.connections()).toBeLessThanOrEqual(3)
  })

  it('Anthropic reasoning with its signature makes the round trip unchanged', async () => {
    const { model, server, request } = await canned('anthropic', (response) =>
      stream(response, [
        {
          type: 'message_start',
          message: { id: 'm', model: 'm-1', usage: { input_tokens: 3, output_tokens: 1 } },
        },
        {
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'thinking', thinking: '' },
        },
        {
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'thinking_delta', thinking: 'hm' },
        },
        {
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'signature_delta', signature: 'S1' },
        },
        { type: 'content_block_stop', index: 0 },
        { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'hello' } },
        { type: 'content_block_stop', index: 1 },
        {
          type: 'message_delta',
          delta: { stop_reason: 'end_turn', stop_sequence: null },
          usage: { output_tokens: 7 },
        },
        { type: 'message_stop' },
      ]),
    )
    const { answer } = await ask(model, request('hi'))
    expect(answer).toMatchObject({
      ok: true,
      value: { finish: 'stop', usage: { input_tokens: 3, output_tokens: 7 } },
    })
    const parts = answer.ok ? answer.value.parts : []
    const stored = JSON.parse(JSON.stringify(parts))
    const messages: Message[] = [
      { role: 'user', text: 'hi' },
      { role: 'assistant', parts: stored },
      { role: 'user', text: 'more' },
    ]
    await ask(model, { ...request(''), messages })
    const sent = JSON.parse(server.received[1]?.body ?? '{}') as { messages: unknown[] }
    expect(sent.messages[1]).toMatchObject({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'S1' },
        { type: 'text', text: 'hello' },
      ],
    })
  })

  it('nothing is stored at OpenAI, and encrypted reasoning makes the round trip', async () => {
    const item = { type: 'reasoning', id: 'rs_1', encrypted_content: 'E1', summary: [] }
    const { model, server, request } = await canned('openai', (response) =>
      stream(response, [
        { type: 'response.created', response: { id: 'r', created_at: 0, model: 'm-1' } },
        { type: 'response.output_item.added', output_index: 0, item },
        { type: 'response.output_item.done', output_index: 0, item },
        {
          type: 'response.output_item.added',
          output_index: 1,
          item: { type: 'message', id: 'msg_1' },
        },
        { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 1, delta: 'hello' },
        {
          type: 'response.output_item.done',
          output_index: 1,
          item: { type: 'message', id: 'msg_1' },
        },
        {
          type: 'response.completed',
          response: { usage: { input_tokens: 3, output_tokens: 7 } },
        },
      ]),
    )
    const { answer } = await ask(model, request('hi'))
    expect(answer).toMatchObject({ ok: true, value: { finish: 'stop', model: 'p/m-1' } })
    const parts = answer.ok ? answer.value.parts : []
    const messages: Message[] = [
      { role: 'user', text: 'hi' },
      { role: 'assistant', parts: JSON.parse(JSON.stringify(parts)) },
      { role: 'user', text: 'more' },
    ]
    await ask(model, { ...request(''), messages })
    const sent = JSON.parse(server.received[1]?.body ?? '{}') as {
      store: boolean
      input: unknown[]
    }
    expect(sent.store).toBe(false)
    expect(JSON.stringify(sent.input)).toContain('"encrypted_content":"E1"')
  })
})

describe('a failure is a value', () => {
  it('F21 429 is retryable after what the provider says', async () => {
    const { model } = await scripted()
    const seconds = await ask(model, request('@fail 429 retry-after=7'))
    expect(seconds.answer).toMatchObject({
      ok: false,
      error: { code: 'rate_limited', retryable: true, retryAfterMs: 7_000 },
    })
    const { model: other, request: to } = await canned('openai-compatible', (response) => {
      const date = new Date(Date.now() + 60_000).toUTCString()
      response.writeHead(503, { 'retry-after': date }).end('{}')
    })
    const { answer } = await ask(other, to('hi'))
    expect(answer).toMatchObject({ ok: false, error: { code: 'unavailable', retryable: true } })
    const after = (!answer.ok && answer.error.retryAfterMs) || 0
    expect(after).toBeGreaterThan(55_000)
    expect(after).toBeLessThanOrEqual(60_000)
  })

  it('F21 there is no hidden retry: one call is one request', async () => {
    const { model, server } = await scripted()
    await ask(model, request('@fail 503'))
    expect(server.requests.length).toBe(1)
  })

  it.each([
    [400, 'rejected', false],
    [404, 'rejected', false],
    [422, 'rejected', false],
    [408, 'unavailable', true],
    [409, 'unavailable', true],
    [500, 'unavailable', true],
    [529, 'unavailable', true],
  ])('status %i is %s', async (status, code, retryable) => {
    const { model } = await scripted()
    const { answer } = await ask(model, request(`@fail ${status}`))
    expect(answer).toMatchObject({ ok: false, error: { code, retryable } })
  })

  it.each([401, 403])('status %i is unauthorized and quotes no key', async (status) => {
    const { model, request } = await canned('openai-compatible', (response) => {
      const error = { message: 'Incorrect API key provided: sk-very-secret' }
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error }))
    })
    const { answer } = await ask(model, request('hi'))
    expect(answer).toMatchObject({ ok: false, error: { code: 'unauthorized', retryable: false } })
    expect(JSON.stringify(answer)).not.toContain('very-secret')
  })

  it('I22 a key that a provider quotes in another refusal is redacted', async () => {
    const { model, request } = await canned('openai-compatible', (response) => {
      const error = { message: 'bad request from sk-very-secret and sk-someone-elses' }
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error }))
    })
    const { answer } = await ask(model, request('hi'))
    expect(answer.ok ? '' : answer.error.message).toContain('[redacted] and [redacted]')
  })

  it.each(['@cut', '@error'])(
    'F22 a stream that breaks (%s) is a retryable failure',
    async (how) => {
      const { model } = await scripted()
      const long = 'x'.repeat(300)
      const { answer, deltas } = await ask(model, request(`${how}\n@say ${long}`))
      expect(deltas.length).toBeGreaterThan(0)
      expect(answer).toMatchObject({ ok: false, error: { code: 'unavailable', retryable: true } })
    },
  )

  it('F22 a stream that closes cleanly without a finish is cut, with every provider', async () => {
    const half = {
      'openai-compatible': [{ choices: [{ delta: { content: 'half' } }] }],
      anthropic: [
        {
          type: 'message_start',
          message: { id: 'm', model: 'm-1', usage: { input_tokens: 3, output_tokens: 1 } },
        },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'half' } },
      ],
      openai: [
        { type: 'response.created', response: { id: 'r', created_at: 0, model: 'm-1' } },
        { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'x' } },
        { type: 'response.output_text.delta', item_id: 'x', output_index: 0, delta: 'half' },
      ],
    } as const
    for (const kind of ['openai-compatible', 'anthropic', 'openai'] as const) {
      const { model, request } = await canned(kind, (response) => stream(response, half[kind]))
      const { answer, deltas } = await ask(model, request('hi'))
      expect(deltas, kind).toEqual([{ type: 'text', text: 'half' }])
      expect(answer, kind).toMatchObject({ ok: false, error: { retryable: true } })
    }
  })

  it('a refused connection is retryable and is not a crash', async () => {
    const { server, model, request } = await canned('openai-compatible', () => {})
    await server.close()
    const { answer } = await ask(model, request('hi'))
    expect(answer).toMatchObject({ ok: false, error: { code: 'unavailable', retryable: true } })
  })

  it('an abort is a failure of its own, before and during the stream', async () => {
    const { model, server } = await scripted()
    const before = await ask(model, request('hi'), AbortSignal.abort())
    expect(before.answer).toMatchObject({ ok: false, error: { code: 'aborted' } })
    expect(server.requests.length).toBe(0)
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 50)
    const during = await ask(model, request('@slow 2000\n@say hi'), controller.signal)
    expect(during.answer).toMatchObject({ ok: false, error: { code: 'aborted' } })
  })

  it('a redirect does not carry the key along', async () => {
    const target = await startCannedServer((_, response) => void response.end('{}'))
    cleanup.push(target.close)
    const { model, request } = await canned('anthropic', (response) => {
      response.writeHead(307, { location: `${target.origin}/v1/messages` }).end()
    })
    const { answer } = await ask(model, request('hi'))
    expect(answer).toMatchObject({ ok: false, error: { code: 'rejected' } })
    expect(target.received.length).toBe(0)
  })
})
