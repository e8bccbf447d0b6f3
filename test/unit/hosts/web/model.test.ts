/** What the model port makes of a good answer, and what it sends back on the next call. */

import { describe, expect, it } from 'vitest'
import type { Message } from '../../../../src/core/message.ts'
import { ask, canned, request, scripted, stream } from '../../../support/model-port.ts'

describe("a model's answer", () => {
  it('contains text, reasoning, and parallel calls in order, the usage, and the finish reason', async () => {
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

  it('notes about missing tools go in a separate system message, and the prompt stays unchanged', async () => {
    const { model, server } = await scripted()
    await ask(model, request('x', { notes: 'Not available in this run:\n- MCP server a' }))
    expect(server.requests[0]?.body.messages.slice(0, 2)).toEqual([
      { role: 'system', content: 'You are terse.' },
      { role: 'system', content: 'Not available in this run:\n- MCP server a' },
    ])
  })

  it('malformed arguments arrive verbatim and return wrapped in an object [MC-29]', async () => {
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

  it('identifies calls by our IDs when a provider uses one ID twice', async () => {
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

  it('reuses its connections for consecutive calls', async () => {
    const said = { choices: [{ delta: { content: 'x' }, finish_reason: 'stop' }] }
    const { model, server, request } = await canned('openai-compatible', (response) =>
      stream(response, [said]),
    )
    for (let i = 0; i < 20; i += 1) {
      await ask(model, request('hi'))
      // The connection of the last call is free a moment after its answer.
      await new Promise(setImmediate)
    }
    expect(server.received.length).toBe(20)
    expect(server.connections()).toBeLessThanOrEqual(3)
  })

  it.each([
    ['openai-compatible', { prompt_tokens: -5_000, completion_tokens: -1 }],
    ['openai-compatible', { prompt_tokens: 0.5, completion_tokens: 1.5 }],
    ['openai-compatible', { prompt_tokens: 1e308, completion_tokens: 1e308 }],
    ['openai-compatible', { prompt_tokens: 0, completion_tokens: 0 }],
    ['openai-compatible', undefined],
    ['anthropic', { input_tokens: -7, output_tokens: -1e9 }],
    ['anthropic', { input_tokens: 2 ** 60, output_tokens: 1e21 }],
  ] as const)('impossible usage is replaced with a marked estimate: %s %j', async (kind, usage) => {
    const { model, request } = await canned(kind, (response) =>
      stream(
        response,
        kind === 'anthropic'
          ? [
              { type: 'message_start', message: { id: 'm', model: 'm-1', usage } },
              { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
              {
                type: 'content_block_delta',
                index: 0,
                delta: { type: 'text_delta', text: 'hello' },
              },
              { type: 'content_block_stop', index: 0 },
              { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
              { type: 'message_stop' },
            ]
          : [{ choices: [{ delta: { content: 'hello' }, finish_reason: 'stop' }], usage }],
      ),
    )
    const { answer } = await ask(model, request('x'.repeat(3_000)))
    const used = answer.ok ? answer.value.usage : answer
    expect(used).toMatchObject({ output_tokens: 2, model_calls: 1, estimated: true })
    const input = answer.ok ? answer.value.usage.input_tokens : 0
    expect(input).toBeGreaterThanOrEqual(1_000)
    expect(input).toBeLessThan(2_000)
  })

  it('Anthropic: the input includes cache reads and writes, and reports how many', async () => {
    const usage = {
      input_tokens: 20,
      cache_read_input_tokens: 3_000,
      cache_creation_input_tokens: 400,
      output_tokens: 5,
    }
    const { model, request } = await canned('anthropic', (response) =>
      stream(response, [
        { type: 'message_start', message: { id: 'm', model: 'm-1', usage } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } },
        { type: 'message_stop' },
      ]),
    )
    const { answer } = await ask(model, request('hi'))
    expect(answer.ok && answer.value.usage).toEqual({
      input_tokens: 3_420,
      output_tokens: 7,
      model_calls: 1,
      cache_read_tokens: 3_000,
      cache_write_tokens: 400,
    })
  })

  it('a schema that the provider would not enforce is refused before anything is sent', async () => {
    const { model, server, request } = await canned('openai-compatible', () => {})
    const { answer } = await ask(model, { ...request('hi'), output_schema: { type: 'object' } })
    expect(answer).toMatchObject({ ok: false, error: { code: 'rejected', retryable: false } })
    expect(!answer.ok && answer.error.message).toContain('STRATA_STRUCTURED_OUTPUTS')
    expect(server.received).toEqual([])
  })

  it('Anthropic reasoning round-trips unchanged with its signature', async () => {
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

  it('OpenAI stores nothing, and encrypted reasoning round-trips', async () => {
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
