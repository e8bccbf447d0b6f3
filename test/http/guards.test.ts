/** Headers that make an answer harmless in a browser, on every route and every refusal. */

import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createLog, failureEntry, requestLog } from '../../src/hosts/shared/log.ts'
import { createApp } from '../../src/http/app.ts'
import type { LogEntry } from '../../src/ports/world.ts'
import { type TestApi, testApi } from '../support/http.ts'
import { receivers } from '../support/receivers.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ web: receivers() })
})
const { routes } = createApp((await testApi()).world)
const PAGES = ['/', '/docs/plain', '/llms.txt', '/openapi.json', '/nothing', '/v1/nothing', '/docs']
const ASKED: readonly (readonly [string, string])[] = [
  ...routes.map(({ method, path }) => [method.toUpperCase(), path] as const),
  ...PAGES.map((path) => ['GET', path] as const),
  ...['OPTIONS', 'HEAD', 'TRY'].map((method) => [method, '/v1/runs'] as const),
]
const filled = (path: string): string => path.replaceAll(/\{\w+\+?\}/g, 'x')

describe('every answer', () => {
  it.each(ASKED)(
    'of %s %s is nothing to sniff, to frame, to refer to or to keep',
    async (method, path) => {
      for (const key of [undefined, null, 'strata_x'] as const) {
        const { headers, status } = await api.call(
          method,
          filled(path),
          key === undefined ? {} : { key },
        )
        const say = (name: string) => [path, status, headers.get(name)]
        expect(say('x-content-type-options')).toEqual([path, status, 'nosniff'])
        expect(say('referrer-policy')).toEqual([path, status, 'no-referrer'])
        expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
        expect(headers.get('content-security-policy')).toContain("default-src 'none'")
        expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
        expect(headers.get('strict-transport-security')).toBe(null)
        if (/^\/(v1|mcp|metrics)/.test(path)) expect(say('cache-control')[2]).toMatch(/no-store/)
      }
    },
  )

  it.each([
    ['/v1/keys', { scopes: ['runs:read'] }],
    ['/v1/hooks', { scheme: 'standard' }],
    ['/v1/webhook-endpoints', { url: 'https://one.example/x' }],
    ['/v1/runs', { input: '@say x', webhook: { url: 'https://one.example/x' } }],
  ])('that shows a secret is kept nowhere: POST %s', async (path, json) => {
    const { status, headers } = await api.call('POST', path, { json })
    expect(status).toBeLessThan(300)
    expect(headers.get('cache-control')).toBe('no-store')
    const again = await api.call('GET', headers.get('location') ?? path)
    expect(again.headers.get('cache-control')).toBe('no-store')
  })

  it('insists on https where the operator says so, and only there', async () => {
    const { world } = await testApi({ settings: { hstsSeconds: 3_600 } })
    const { app } = createApp(world)
    for (const path of ['/healthz', '/v1/runs', '/nothing']) {
      const { headers } = await app.request(path)
      expect(headers.get('strict-transport-security')).toBe('max-age=3600')
    }
  })
})

describe('J21 a link in an answer', () => {
  const HOSTS: Record<string, string>[] = [
    { host: 'evil.example' },
    { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'ftp' },
    { forwarded: 'host=evil.example;proto=http', 'x-original-host': 'evil.example' },
    { 'x-forwarded-prefix': '//evil.example', 'x-rewrite-url': 'http://evil.example/' },
  ]
  it.each(HOSTS)('has the configured address, whatever %s says', async (headers) => {
    const settings = { publicUrl: 'https://agents.example.com' }
    const { world, key } = await testApi({ settings, web: receivers() })
    const { app } = createApp(world)
    const said: string[] = []
    const ask = async (method: string, path: string, json?: object) => {
      const body = json === undefined ? {} : { body: JSON.stringify(json) }
      // As in a request line in absolute form: the authority is the caller's.
      const answer = await app.request(`http://evil.example${path}`, {
        ...{ method, ...body },
        headers: {
          ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...{ ...headers, 'a2a-version': '1.0' },
        },
      })
      said.push(await answer.clone().text(), JSON.stringify([...answer.headers]))
      return answer
    }
    for (const { method, path } of routes) if (method === 'get') await ask('GET', filled(path))
    for (const path of PAGES) await ask('GET', path)
    await ask('POST', '/v1/runs', { input: '@say x' })
    await ask('POST', '/v1/sessions', {})
    await ask('POST', '/v1/webhook-endpoints', { url: 'https://one.example/x' })
    const rpc = { jsonrpc: '2.0', id: 1, method: 'GetExtendedAgentCard' }
    const card = await ask('POST', '/v1/a2a/general', rpc)
    expect(await card.text()).toContain('https://agents.example.com/v1/a2a/general')
    expect(said.join('\n')).not.toContain('evil.example')
  })
})

describe('a line of the log', () => {
  const HOSTILE = [
    ...['\n', '\r\n', '\u0000', '\u001b[31m', '\u001b]0;x\u0007', '\u009b2J', '\u0085', '\u2028'],
    ...[
      '\u2029',
      '\u202e',
      '\u2066',
      '\u200b',
      '\ufeff',
      '{"level":"error"}\n',
      '\t',
      '\u007f',
      '\ud800',
    ],
    ...[
      '\u{e0041}',
      '"',
      '\\',
      '\u061c',
      '\u0008\u0008',
      '\n12:00:00.000 info  forged=yes',
      'x'.repeat(5_000),
    ],
  ]
  const text = fc
    .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 20 })), {
      maxLength: 8,
    })
    .map((parts) => parts.join(''))
  const entry = fc.record({
    level: fc.constantFrom('info', 'warn', 'error') as fc.Arbitrary<LogEntry['level']>,
    event: text,
    path: text,
    message: text,
    where: text,
    method: text,
  })
  const written = (
    pretty: boolean,
    write: (log: ReturnType<typeof createLog>) => void,
  ): string[] => {
    const lines: string[] = []
    write(createLog({ level: 'debug', sink: (line) => void lines.push(line), pretty }))
    return lines
  }
  /** Nothing that a terminal obeys, or that hides or turns what a person reads. */
  const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

  it.each([false, true])('holds no character that acts, whoever sent it (pretty: %s)', (pretty) => {
    fc.assert(
      fc.property(entry, (one) => {
        const lines = written(pretty, (log) => log.write(one))
        expect(lines).toHaveLength(1)
        expect(lines[0]).not.toMatch(UNSEEN)
        if (!pretty) expect(JSON.parse(lines[0]!).level).toBe(one.level)
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([false, true])(
    'of a failure neither, but for the lines of its stack (pretty: %s)',
    (pretty) => {
      fc.assert(
        fc.property(text, text, (where, said) => {
          const [line = ''] = written(pretty, (log) =>
            log.write(failureEntry(where, new Error(said))),
          )
          expect(line.replaceAll(pretty ? /\n {4}/g : '', '')).not.toMatch(UNSEEN)
          // What stands below the first line is indented or a stack, never a line like ours.
          if (pretty) expect(line.split('\n').slice(1).join('\n')).not.toMatch(/^(?! {4})/m)
        }),
        { numRuns: 1_000 },
      )
    },
  )

  it('of a request neither, whatever its path and its headers are', async () => {
    for (const pretty of [false, true]) {
      const lines: string[] = []
      const log = createLog({ level: 'debug', sink: (line) => void lines.push(line), pretty })
      const { app } = createApp(api.world, {
        onRequest: requestLog(log),
        onError: (error, id) => log.write(failureEntry(id, error)),
      })
      for (const hostile of HOSTILE) {
        const path = `/v1/runs/${encodeURIComponent(hostile.toWellFormed())}`
        await app.request(path, {
          headers: { 'user-agent': 'x', traceparent: 'x\u001b'.slice(0, 1) },
        })
        await app.fetch(new Request(`http://x${path}`), { target: `/v1/runs/${hostile}` })
      }
      expect(lines.length).toBeGreaterThanOrEqual(HOSTILE.length)
      for (const line of lines) expect(line).not.toMatch(UNSEEN)
    }
  })
})
