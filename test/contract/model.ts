/**
 * What every model promises, as tests; the words are those of `Model` in src/ports/model.ts. The
 * model at the far end speaks the scripts of src/testing/script.ts over real HTTP.
 */

import { describe, expect, it } from 'vitest'
import type { Model } from '../../src/ports/world.ts'
import { measured } from '../support/measured.ts'
import { ask, request } from '../support/model-port.ts'
import type { ModelServer } from '../support/model-server.ts'
import { minutes } from '../support/patience.ts'

interface ModelUnderTest {
  readonly model: Model
  readonly server: ModelServer
}
/** It knows one OpenAI-compatible server, and has the key of `scripted()` for it. */
export type MakeModel = () => Promise<ModelUnderTest>

const SENTENCE = /^[A-Za-z].{5,}/
/** What ends at once. */
const SOON = { wallMs: 5_000 }
const SCHEMA = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }

export function modelContract(name: string, make: MakeModel): void {
  describe(`model: ${name}`, () => {
    describe('find', () => findPromises(make))
    describe('an answer', () => answerPromises(make))
    describe('a failure', () => failurePromises(make))
    describe('an abort', () => abortPromises(make))
  })
}

/** What also a deployment promises that has no model. */
export function noModelContract(name: string, make: () => Model): void {
  it(`model: ${name} finds no model, explains why in a sentence, and fails every call`, async () => {
    const model = make()
    for (const reference of [undefined, '', 'sonnet', 'openai/gpt-5.6', 'constructor'])
      expect(model.find(reference)).toEqual({
        ok: false,
        error: { message: expect.stringMatching(SENTENCE) },
      })
    const { answer, deltas } = await ask(model, request('hi'))
    expect(answer).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(SENTENCE), retryable: false },
    })
    expect(deltas).toEqual([])
  })
}

function findPromises(make: MakeModel): void {
  it('resolves the default, an alias, and provider/model, each to one recorded name', async () => {
    const { model } = await make()
    await model.ready?.()
    for (const reference of [undefined, 'sonnet', 'openai/some-model']) {
      const found = model.find(reference)
      expect(found).toMatchObject({
        ok: true,
        value: { id: expect.stringMatching(/^[^/]+\/.+/), window: expect.any(Number) },
      })
      if (!found.ok) continue
      expect(found.value.guessed ?? false).toBe(false)
      expect(Number.isSafeInteger(found.value.window) && found.value.window > 0).toBe(true)
      // What is recorded with an answer means the same model later.
      expect(model.find(found.value.id)).toEqual(found)
    }
  })

  it('reports when a name was only assumed to belong to a server', async () => {
    const { model } = await make()
    await model.ready?.()
    expect(model.find('some-model')).toMatchObject({ ok: true, value: { guessed: true } })
  })

  it('returns a failure with a sentence that names what is missing', async () => {
    const { model } = await make()
    await model.ready?.()
    expect(model.find('anthropic/claude-sonnet-5')).toEqual({
      ok: false,
      error: { message: expect.stringContaining('ANTHROPIC_API_KEY') },
    })
  })

  it('reports how the model accepts a schema when the caller passes one', async () => {
    const { model } = await make()
    await model.ready?.()
    const plain = model.find(undefined)
    expect(plain.ok && plain.value.structured_output).toBeUndefined()
    const asked = model.find(undefined, SCHEMA)
    expect(asked.ok && typeof asked.value.structured_output?.native).toBe('boolean')
  })
}

function answerPromises(make: MakeModel): void {
  it('has text, reasoning, and calls in order; its deltas are the text and reasoning', async () => {
    const { model } = await make()
    const said = 'word '.repeat(60).trim()
    const script = `@reason hm\n@text ${said}\n@call file_read {"path":"a"}\n@call file_read {"b"`
    const { answer, deltas } = await ask(model, request(script))
    expect(answer).toMatchObject({
      ok: true,
      value: {
        parts: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: said },
          { type: 'call', tool: 'file_read', arguments: '{"path":"a"}' },
          { type: 'call', tool: 'file_read', arguments: '{"b"' },
        ],
      },
    })
    const textOf = (type: string) =>
      deltas.flatMap((delta) => (delta.type === type ? [delta.text] : [])).join('')
    expect([textOf('reasoning'), textOf('text')]).toEqual(['hm', said])
  })

  it('gives each call a distinct provider ID in both fields', async () => {
    const { model } = await make()
    const { answer } = await ask(model, request('@call file_read {}\n@call file_read {}'))
    const calls = answer.ok ? answer.value.parts.filter((part) => part.type === 'call') : []
    expect(calls).toHaveLength(2)
    for (const { id, provider_id } of calls) expect(id).toBe(provider_id)
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
  })

  it.each([
    ['@say x', 'stop'],
    ['@call file_read {}', 'calls'],
    ['@finish length\n@say x', 'length'],
    ['@finish content_filter\n@say x', 'refusal'],
    ['@finish something_new\n@say x', 'other'],
  ])('%j finishes with %s', async (script, finish) => {
    const { model } = await make()
    const { answer } = await ask(model, request(script))
    expect(answer).toMatchObject({ ok: true, value: { finish } })
  })

  it('reports the model and the usage of one call in whole tokens', async () => {
    const { model } = await make()
    const { answer } = await ask(model, request('hi', { model: 'openai/some-model' }))
    expect(answer).toMatchObject({
      ok: true,
      value: { model: 'openai/some-model', usage: { model_calls: 1 } },
    })
    const usage = answer.ok ? answer.value.usage : undefined
    for (const tokens of [usage?.input_tokens, usage?.output_tokens]) {
      expect(Number.isSafeInteger(tokens)).toBe(true)
      expect(tokens).toBeGreaterThan(0)
    }
  })

  it('follows a request with the prompt byte for byte, the notes after it, and the tools unchanged', async () => {
    const { model, server } = await make()
    const system = '  You\tare terse.\r\n\n<é>🙂 '
    await ask(model, request('hi', { system, notes: 'Not available: a' }))
    const { body } = server.requests[0]!
    expect(body.messages).toEqual([
      { role: 'system', content: system },
      { role: 'system', content: 'Not available: a' },
      { role: 'user', content: 'hi' },
    ])
    expect(JSON.stringify(body.tools)).toContain('"file_read"')
  })
}

function failurePromises(make: MakeModel): void {
  it.each([
    ['@fail 400', 'rejected', false],
    ['@fail 401', 'unauthorized', false],
    ['@fail 413', 'too_long', false],
    ['@fail 429 retry-after=7', 'rate_limited', true],
    ['@fail 503', 'unavailable', true],
    ['@cut\n@say a text that is cut', 'unavailable', true],
    ['@error\n@say a text that breaks off', 'unavailable', true],
  ])(
    '%j is an error value (%s, retryable %s) after one request',
    async (script, code, retryable) => {
      const { model, server } = await make()
      const { answer } = await ask(model, request(script))
      expect(answer).toMatchObject({
        ok: false,
        error: { code, retryable, message: expect.stringMatching(SENTENCE) },
      })
      if (code === 'rate_limited') expect(answer).toMatchObject({ error: { retryAfterMs: 7_000 } })
      const [, key = 'none'] = server.requests[0]?.headers.authorization?.split(' ') ?? []
      expect(JSON.stringify(answer)).not.toContain(key)
      expect(server.requests).toHaveLength(1)
    },
  )

  it('a broken connection is not retried, even when it served earlier calls', async () => {
    const { model, server } = await make()
    for (let nth = 0; nth < 3; nth += 1) {
      await ask(model, request('hi'))
      // The connection of the last call is free a moment after its answer.
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const { answer } = await ask(model, request('@drop\n@say x'))
    expect(answer).toMatchObject({ ok: false, error: { code: 'unavailable', retryable: true } })
    expect(server.requests).toHaveLength(4)
  })

  it('a server that is down is reported as unavailable', async () => {
    const { model, server } = await make()
    await server.close()
    const { answer } = await ask(model, request('hi'))
    expect(answer).toMatchObject({ ok: false, error: { code: 'unavailable', retryable: true } })
  })

  it('an unknown model or an unsupported schema is rejected without a request', async () => {
    const { model, server } = await make()
    const unknown = await ask(model, request('hi', { model: 'anthropic/claude-sonnet-5' }))
    const held = await ask(model, request('hi', { output_schema: SCHEMA }))
    for (const { answer } of [unknown, held])
      expect(answer).toMatchObject({ ok: false, error: { code: 'rejected', retryable: false } })
    expect(server.requests).toHaveLength(0)
  })

  it('a listener that throws fails that call without rejecting the promise', async () => {
    const { model } = await make()
    const { signal } = new AbortController()
    const onDelta = (): void => {
      throw new Error('broken on purpose')
    }
    expect(await model.respond(request('hi'), { signal, onDelta })).toMatchObject({ ok: false })
    expect((await ask(model, request('hi'))).answer).toMatchObject({ ok: true })
  })
}

function abortPromises(make: MakeModel): void {
  const ABORTED = { ok: false, error: { code: 'aborted', retryable: false } }

  it('before the call sends nothing', async () => {
    const { model, server } = await make()
    const { answer, deltas } = await ask(model, request('hi'), AbortSignal.abort(new Error('no')))
    expect([answer, deltas, server.requests]).toMatchObject([ABORTED, [], []])
  })

  it('during the call ends it at once, and no delta follows', async () => {
    const { model, server } = await make()
    const stop = new AbortController()
    const script = `@slow 200\n@say ${'word '.repeat(60)}`
    let deltas = 0
    const respond = () =>
      model.respond(request(script), {
        signal: stop.signal,
        onDelta() {
          deltas += 1
          stop.abort(new Error('no'))
        },
      })
    expect(await measured('an aborted call', respond, SOON)).toMatchObject(ABORTED)
    const heard = deltas
    // Long enough for the second half to come.
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(heard).toBeGreaterThan(0)
    expect(deltas).toBe(heard)
    expect(server.requests).toHaveLength(1)
  })

  it('of a call to a silent model returns at once', async () => {
    const { model } = await make()
    const silent = request(`@slow ${minutes(10)}\n@say x`)
    const call = () => ask(model, silent, AbortSignal.timeout(50))
    expect((await measured('an aborted call', call, SOON)).answer).toMatchObject(ABORTED)
  })
}
