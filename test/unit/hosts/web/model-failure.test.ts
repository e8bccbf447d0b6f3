/** Every way in which a model call goes wrong is a value that says whether to try again. */

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startCannedServer } from '../../../support/canned-server.ts'
import { cleanup } from '../../../support/cleanup.ts'
import { ask, canned, request, scripted, stream } from '../../../support/model-port.ts'

describe('a model call that fails', () => {
  it('with 429 is retryable after the delay that the provider states [F21]', async () => {
    const { model } = await scripted()
    const seconds = await ask(model, request('@fail 429 retry-after=7'))
    expect(seconds.answer).toMatchObject({
      ok: false,
      error: { code: 'rate_limited', retryable: true, retryAfterMs: 7_000 },
    })
    const now = Date.UTC(2026, 10, 28)
    const { model: other, request: to } = await canned('openai-compatible', (response) => {
      const date = new Date(now + 60_000).toUTCString()
      response.writeHead(503, { 'retry-after': date }).end('{}')
    })
    vi.setSystemTime(now)
    onTestFinished(() => void vi.useRealTimers())
    const { answer } = await ask(other, to('hi'))
    expect(answer).toMatchObject({
      ok: false,
      error: { code: 'unavailable', retryable: true, retryAfterMs: 60_000 },
    })
  })

  it('sends no hidden retry: one call is one request [F21]', async () => {
    const { model, server } = await scripted()
    await ask(model, request('@fail 503'))
    expect(server.requests.length).toBe(1)
  })

  it.each([
    [400, 'rejected', false],
    [404, 'model_not_found', false],
    [402, 'payment_required', false],
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

  it.each([
    [400, "This model's maximum context length is 128000 tokens. However, you requested 130000."],
    [400, 'Your input exceeds the context window of this model.'],
    [400, 'prompt is too long: 208310 tokens > 200000 maximum'],
    [400, 'input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000'],
    [400, 'the request exceeds the available context size, try increasing it'],
    [400, 'The input token count (1200000) exceeds the maximum number of tokens allowed'],
    [413, 'Request exceeds the maximum size'],
  ])('status %i with "%s" is too_long: a shorter request may succeed', async (status, message) => {
    const { model, request } = await canned('openai-compatible', (response) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message, type: 'invalid_request_error' } }))
    })
    const { answer } = await ask(model, request('hi'))
    expect(answer).toMatchObject({ ok: false, error: { code: 'too_long', retryable: false } })
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

  it('redacts a key that a provider quotes in another refusal [I22]', async () => {
    const { model, request } = await canned('openai-compatible', (response) => {
      const error = { message: 'bad request from sk-very-secret and sk-someone-elses' }
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error }))
    })
    const { answer } = await ask(model, request('hi'))
    expect(answer.ok ? '' : answer.error.message).toContain('[redacted] and [redacted]')
  })

  it.each(['@cut', '@error'])('with a stream that breaks (%s) is retryable [F22]', async (how) => {
    const { model } = await scripted()
    const long = 'x'.repeat(300)
    const { answer, deltas } = await ask(model, request(`${how}\n@say ${long}`))
    expect(deltas.length).toBeGreaterThan(0)
    expect(answer).toMatchObject({ ok: false, error: { code: 'unavailable', retryable: true } })
  })

  it('is reported as cut when the stream closes without a finish reason, with every provider [F22]', async () => {
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

  it('with a refused connection is retryable and does not crash', async () => {
    const { server, model, request } = await canned('openai-compatible', () => {})
    await server.close()
    const { answer } = await ask(model, request('hi'))
    expect(answer).toMatchObject({ ok: false, error: { code: 'unavailable', retryable: true } })
  })

  it('through an abort has its own failure code, before and during the stream', async () => {
    const { model, server } = await scripted()
    const before = await ask(model, request('hi'), AbortSignal.abort())
    expect(before.answer).toMatchObject({ ok: false, error: { code: 'aborted' } })
    expect(server.requests.length).toBe(0)
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 50)
    const during = await ask(model, request('@slow 600000\n@say hi'), controller.signal)
    expect(during.answer).toMatchObject({ ok: false, error: { code: 'aborted' } })
  })

  it('does not send the key along with a redirect', async () => {
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
