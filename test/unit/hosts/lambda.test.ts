/** The Lambda handlers' own promises, as far as they need no cloud. */

import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { adoptKey, newKey, verifyKey } from '../../../src/engine/tenant/api-keys.ts'
import { originDoor } from '../../../src/hosts/aws/origin-key.ts'
import { tracedLines } from '../../../src/hosts/aws/trace.ts'
import type { LambdaRuntime, Metadata, ResponseStream } from '../../../src/hosts/aws/url.ts'
import { answer, requestOf } from '../../../src/hosts/aws/url.ts'
import { deadLetters, lambdaHandlers } from '../../../src/hosts/lambda.ts'
import { wakeOf } from '../../../src/hosts/shared/wake.ts'
import { createApp } from '../../../src/http/app.ts'
import type { Assets } from '../../../src/http/assets.ts'
import { encode } from '../../../src/lib/bytes.ts'
import { testWorld } from '../../support/drive.ts'

const NOWHERE = 'http://127.0.0.1:1'
const ENV = {
  AWS_REGION: 'us-east-1',
  STRATA_TABLE: 't',
  STRATA_BUCKET: 'b',
  STRATA_QUEUE_MAIN: NOWHERE,
  STRATA_QUEUE_SUBAGENT: NOWHERE,
  STRATA_QUEUE_BACKGROUND: NOWHERE,
  STRATA_QUEUE_RESUME: NOWHERE,
  STRATA_MASTER_KEY: '0'.repeat(64),
}
const RUNTIME: LambdaRuntime = {
  streamifyResponse: (handler) => handler,
  HttpResponseStream: { from: (stream) => stream },
}
const lines: string[] = []
const print = (line: string): number => lines.push(line)
const { work } = lambdaHandlers(ENV, RUNTIME, print)
const dead = deadLetters(print)
const context = (ms: number) => ({ getRemainingTimeInMillis: () => ms })
const record = (messageId: string, body: unknown) => ({
  messageId,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const wake = { partition: 'default/run/run_x', lane: 'main', started: false, staleCount: 51 }

describe('the work handler', () => {
  it('returns only malformed messages, for the dead-letter queue', async () => {
    const Records = [record('a', 'no json'), record('b', wake), record('c', { partition: 7 })]
    const answer = await work({ Records }, context(900_000))
    expect(answer.batchItemFailures).toEqual([{ itemIdentifier: 'a' }, { itemIdentifier: 'c' }])
  })

  it('returns messages it has no time to process', async () => {
    const answer = await work({ Records: [record('a', wake)] }, context(10_000))
    expect(answer.batchItemFailures).toEqual([{ itemIdentifier: 'a' }])
  })

  it('a failed pass is still acknowledged, and reported', async () => {
    lines.length = 0
    // Not an address of ours: the engine's assertion throws.
    const Records = [record('a', { ...wake, partition: 'nonsense', staleCount: 0 })]
    expect((await work({ Records }, context(900_000))).batchItemFailures).toEqual([])
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({ Errors: 1, where: 'nonsense' })
  })
})

it('a machine shell is not available in a function, which warns at startup', () => {
  lines.length = 0
  lambdaHandlers({ ...ENV, ALLOW_SHELL: 'true' }, RUNTIME, print)
  const warning = 'ALLOW_SHELL is set, but only a Node server supports it'
  expect(lines.map((line) => JSON.parse(line))).toContainEqual({ warning })
})

it('a dead letter is reported as a metric and acknowledged, without a verdict on its run', async () => {
  lines.length = 0
  expect((await dead({ Records: [record('a', wake)] })).batchItemFailures).toEqual([])
  expect(JSON.parse(lines[0]!)).toMatchObject({ DeadLetters: 1 })
})

it('a log line names the trace of the invocation that wrote it, if there is one', () => {
  const id = '1-5759e988-bd862e3fe1be46a994272793'
  const env: Record<string, string> = {}
  const written: string[] = []
  const write = tracedLines((line) => written.push(line), env)
  for (const header of [
    `Root=${id};Parent=53995c3f42cd8ad8;Sampled=1`,
    `Root=${id};Parent=53995c3f42cd8ad8;Sampled=0`,
    'Root=1-x"y;Sampled=1',
    '',
  ]) {
    env._X_AMZN_TRACE_ID = header
    write(JSON.stringify({ event: 'request' }))
  }
  expect(written.map((line) => JSON.parse(line).xray_trace_id)).toEqual([
    id,
    undefined,
    undefined,
    undefined,
  ])
})

it('a function URL event becomes the original request', async () => {
  const request = requestOf({
    rawPath: '/v1/files/a%20b%2Fc',
    rawQueryString: 'x=1&y=%2F',
    headers: { 'content-type': 'text/plain', authorization: 'Bearer x' },
    requestContext: { domainName: 'abc.lambda-url.eu-central-1.on.aws', http: { method: 'PUT' } },
    body: Buffer.from('ü').toString('base64'),
    isBase64Encoded: true,
  })
  expect([request.method, request.url]).toEqual([
    'PUT',
    'https://abc.lambda-url.eu-central-1.on.aws/v1/files/a%20b%2Fc?x=1&y=%2F',
  ])
  expect(request.headers.get('authorization')).toBe('Bearer x')
  expect(await request.text()).toBe('ü')
})

/** What a function URL's stream is told. */
function recorded() {
  const chunks: string[] = []
  const told: { metadata: Metadata | undefined; ended: boolean } = {
    metadata: undefined,
    ended: false,
  }
  const stream: ResponseStream = {
    write(chunk, done) {
      chunks.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())
      done?.()
    },
    end() {
      told.ended = true
    },
    on: () => {},
  }
  const runtime: LambdaRuntime = {
    ...RUNTIME,
    HttpResponseStream: {
      from(given, metadata) {
        told.metadata = metadata
        return given
      },
    },
  }
  return { chunks, told, stream, runtime }
}

describe('the HTTP handler', () => {
  const event = (method: string, more: object = {}) => ({
    rawPath: '/v1/runs',
    rawQueryString: '',
    headers: {},
    requestContext: { domainName: 'x.on.aws', http: { method } },
    ...more,
  })
  const { app } = createApp(testWorld({}))

  it('reads cookies from their separate member, and returns them there', async () => {
    const cookies = ['theme=dark', '__Host-strata=one']
    const given = event('GET', { cookies })
    expect(requestOf(given).headers.get('cookie')).toBe('theme=dark; __Host-strata=one')
    const headers: [string, string][] = ['one=1; Secure', 'two=2'].map((set) => ['set-cookie', set])
    const setting = { fetch: async () => new Response('', { headers }) }
    const { told, stream, runtime } = recorded()
    const from = { runtime, context: context(60_000) }
    await answer(setting as unknown as typeof app, given, stream, from)
    expect(told.metadata).toEqual({
      statusCode: 200,
      headers: expect.not.objectContaining({ 'set-cookie': expect.anything() }),
      cookies: ['one=1; Secure', 'two=2'],
    })
  })

  it('answers an invalid request with a problem, and a GET with any body', async () => {
    const cases = [
      [event('TRACE'), 400],
      [event('GET', { headers: { 'x-a': 'a\nb' } }), 400],
      [
        event('GET', {
          rawPath: undefined,
          requestContext: { ...event('GET').requestContext, domainName: ':' },
        }),
        400,
      ],
      [event('GET', { body: 'e30=', isBase64Encoded: true }), 401],
      [event('GET', { headers: undefined, rawQueryString: undefined }), 401],
      [event('GET', { rawPath: '/v1/files/a/%2e%2e/b' }), 400],
      [event('BREW'), 401],
    ] as const
    for (const [given, status] of cases) {
      const { chunks, told, stream, runtime } = recorded()
      await answer(app, given, stream, { runtime, context: context(60_000) })
      expect([told.metadata?.statusCode, told.ended], JSON.stringify(given)).toEqual([status, true])
      expect(told.metadata?.headers['content-type']).toBe('application/problem+json')
      expect(JSON.parse(chunks.join(''))).toMatchObject({ status })
    }
  })

  it('serves openapi.json from the files beside its bundle, and reports when they are missing', async () => {
    const asked = async (...assets: [] | [Assets]) => {
      const { told, chunks, stream, runtime } = recorded()
      const { http } = lambdaHandlers(ENV, runtime, print, ...assets)
      await http(event('GET', { rawPath: '/openapi.json' }), stream, context(60_000))
      return [told.metadata?.statusCode, chunks.join('')]
    }
    expect(await asked(async (name) => `the file ${name}`)).toEqual([200, 'the file openapi.json'])
    expect(await asked()).toEqual([503, expect.stringContaining('openapi.json is missing')])
  })

  it('returns 404 to every caller when the distribution’s key is required and missing', async () => {
    const now = 'k'.repeat(32)
    const before = 'b'.repeat(32)
    const keys = { STRATA_ORIGIN_KEY: now, STRATA_ORIGIN_KEY_PREVIOUS: before }
    const asked = async (headers: Record<string, string>) => {
      const { told, chunks, stream, runtime } = recorded()
      const { http } = lambdaHandlers({ ...ENV, ...keys }, runtime, print)
      await http(event('GET', { rawPath: '/healthz', headers }), stream, context(60_000))
      return [told.metadata?.statusCode, JSON.parse(chunks.join('')).code ?? 'ok']
    }
    expect(await asked({})).toEqual([404, 'not_found'])
    expect(await asked({ 'x-strata-origin-key': `${now}x` })).toEqual([404, 'not_found'])
    expect(await asked({ 'x-strata-origin-key': now })).toEqual([200, 'ok'])
    expect(await asked({ 'x-strata-origin-key': before })).toEqual([200, 'ok'])
    expect(() => lambdaHandlers({ ...ENV, STRATA_ORIGIN_KEY: 'short' }, RUNTIME, print)).toThrow(
      'STRATA_ORIGIN_KEY must have at least 32 characters',
    )
    const passed = originDoor(keys)(
      event('GET', { headers: { 'x-strata-origin-key': now, a: 'b' } }),
    )
    expect(passed?.headers).toEqual({ a: 'b' })
  })

  it('a stream ends before the function does, and its source with it', async () => {
    const { chunks, told, stream, runtime } = recorded()
    let cancelled = false
    const endless = new Hono().all('*', () => {
      const start = (to: ReadableStreamDefaultController) => to.enqueue(encode('one'))
      const cancel = (): void => {
        cancelled = true
      }
      return new Response(new ReadableStream({ start, cancel }))
    })
    const soon = { runtime, context: context(10_050) }
    await answer(endless as unknown as typeof app, event('GET'), stream, soon)
    expect([chunks, told.ended, cancelled]).toEqual([['one'], true, true])
  })
})

it('a wake survives serialization unchanged, and nothing else parses as one', () => {
  const sent = { ...wake }
  expect(wakeOf(JSON.stringify(sent))).toEqual(sent)
  for (const other of [
    '',
    'null',
    '[]',
    '{}',
    { ...wake, lane: 'fast' },
    { ...wake, staleCount: '1' },
  ])
    expect(wakeOf(other)).toBeUndefined()
})

describe('the admin key of a deployment', () => {
  const make = (fill: number) => newKey((bytes) => new Uint8Array(bytes).fill(fill)).key

  it('is adopted once, works, and is revoked when another replaces it', async () => {
    const world = testWorld({})
    for (const key of [make(1), make(1)]) await adoptKey(world, 'default', key)
    expect(await verifyKey(world, make(1))).toMatchObject({ tenant: 'default', scopes: ['*'] })
    await adoptKey(world, 'default', make(2))
    const later = { ...world, store: { ...world.store } }
    expect(await verifyKey(later, make(1))).toBeUndefined()
    expect(await verifyKey(later, make(2))).toBeDefined()
  })

  it('is refused with an explanation when malformed', async () => {
    await expect(adoptKey(testWorld({}), 'default', 'secret')).rejects.toThrow(/strata key/)
  })
})
