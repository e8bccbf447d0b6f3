/**
 * The whole grammar of JSON at every door that takes it: what RFC 8259 does not allow is 400
 * everywhere, what it allows is taken or refused by its schema, and nothing is ever a 500.
 */

import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../../src/core/limits.ts'
import { createApp } from '../../src/http/app.ts'
import { type TestApi, testApi } from '../support/http.ts'
import { INVALID, INVALID_BYTES, type Named, VALID } from '../support/json-texts.ts'
import { isOperators } from '../support/operators.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})

const JSON_TYPE = { 'content-type': 'application/json' }
type Body = string | Uint8Array
const send = (path: string, body: Body, more: Record<string, string> = {}, method = 'POST') =>
  api.call(method, path, { body, headers: { ...JSON_TYPE, ...more } })

const MCP = { accept: 'application/json, text/event-stream' }
const A2A = { 'a2a-version': '1.0' }
const ID = '0'.repeat(26)

/** Every route that parses JSON, from the declarations; ids that nobody has do as well as any. */
const { routes } = createApp((await testApi()).world)
const DOORS = routes
  .filter((one) => one.body !== undefined && !isOperators(one))
  .map(({ id, method, path }) => {
    const filled = path.replaceAll(/\{\w+\+?\}/g, (name) => (name === '{id}' ? ID : 'x'))
    return [id, method.toUpperCase(), filled] as const
  })

const all: readonly (readonly [string, Body])[] = [
  ...INVALID,
  ...INVALID_BYTES.map(([name, text]: Named) => [name, Buffer.from(text, 'latin1')] as const),
]

describe('J12 a text that is no JSON', () => {
  it('is there in 188 ways and more, none of which a lenient parser could take twice', () => {
    expect(INVALID.length + INVALID_BYTES.length).toBeGreaterThanOrEqual(188)
    expect(VALID.length).toBeGreaterThanOrEqual(95)
    for (const [name, text] of INVALID) expect(() => JSON.parse(text), name).toThrow()
    for (const [name, text] of VALID) expect(() => JSON.parse(text), name).not.toThrow()
  })

  it.each(all)('is 400 as the body of a run: %s', async (_, body) => {
    const answer = await send('/v1/runs', body)
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_json'])
  })

  it.each(all)('is 400 to /mcp and -32700 to A2A: %s', async (_, body) => {
    const mcp = await send('/mcp', body, MCP)
    expect([mcp.status, mcp.body.error.code]).toEqual([400, -32_700])
    const a2a = await send('/v1/a2a/general', body, A2A)
    expect([a2a.status, a2a.body.error.code]).toEqual([200, -32_700])
  })

  it.each(DOORS)('is 400 to %s', async (_, method, path) => {
    for (const [name, body] of all.filter((__, at) => at % 12 === 0)) {
      const { status, body: said } = await send(path, body, {}, method)
      expect([name, status, said.code]).toEqual([name, 400, 'invalid_json'])
    }
  })

  it('is 400 to a hook, though it is signed', async () => {
    const { body: hook } = await api.call('POST', '/v1/hooks', { json: { scheme: 'standard' } })
    const at = Math.floor(api.world.clock.now() / 1_000)
    // A BOM is passed over here: the senders of hooks are not ours to mend.
    for (const [name, text] of INVALID.filter(([, one]) => !one.startsWith('\ufeff'))) {
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(at),
        'webhook-signature': new Webhook(hook.secret).sign('msg_1', new Date(at * 1_000), text),
      }
      const { status, body } = await send(`/v1/hooks/${hook.id}`, text, headers)
      expect([name, status, body.code]).toEqual([name, 400, 'invalid_json'])
    }
  })
})

describe('J13 a text that is JSON', () => {
  const taken = async (name: string, path: string, body: string, more = {}, method = 'POST') => {
    const { status, body: said } = await send(path, body, more, method)
    // OpenAI's words for a request that its schema refuses are 400.
    const refused = [404, 409, 422].includes(status) || (status === 400 && said.error !== undefined)
    expect([name, status < 300 || refused, said]).toEqual([name, true, expect.anything()])
    expect(said?.code).not.toBe('invalid_json')
  }

  it.each(VALID)('is taken or 422 in a body: %s', async (name, value) => {
    await taken(name, '/v1/runs', value)
    await taken(name, '/v1/runs', `{"input":"@say x","output_schema":{"const":${value}}}`)
    await taken(name, '/v1/runs', `{"input":${value}}`)
    await taken(name, '/v1/runs', `{"input":"@say x","metadata":${value}}`)
    const mcp = await send(
      '/mcp',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":${value}}`,
      MCP,
    )
    expect(mcp.status).toBeLessThan(500)
    expect(mcp.body?.error?.code).not.toBe(-32_700)
  })

  it.each(DOORS)('is never a 500 to %s', async (_, method, path) => {
    for (const [name, value] of VALID.filter((__, at) => at % 8 === 0))
      await taken(name, path, value, {}, method)
  })

  it('leaves no error of ours', () => {
    expect(api.errors).toEqual([])
  })
})

describe('J07 J09 J10 what is JSON and is not kept as it was sent', () => {
  const CASES: readonly Named[] = [
    ['a number beyond all', '1e400'],
    ['below all', '-1E+999'],
    ['with many digits', `1${'0'.repeat(400)}`],
    ['half of a pair', '"\\ud800"'],
    ['its other half', '"a\\udfffb"'],
    ['the halves in the wrong order', '"\\udc00\\ud800"'],
    ['in a name', '{"\\ud800":1}'],
  ]
  it.each(CASES)('422 with its place: %s', async (_, value) => {
    const text = `{"input":"x","output_schema":{"a":[${value}]}}`
    const { status, body } = await send('/v1/runs', text)
    expect([status, body.code, body.errors[0].pointer]).toEqual([
      ...[422, 'invalid_request', '/output_schema/a/0'],
    ])
    const mcp = await send(
      '/mcp',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":${value}}`,
      MCP,
    )
    expect([mcp.status, mcp.body.error.code]).toEqual([400, -32_600])
    const a2a = await send('/v1/a2a/general', `{"a":${value}}`, A2A)
    expect(a2a.body.error.code).toBe(-32_602)
  })
  it('a large number that is one is taken', async () => {
    for (const value of ['1e308', `${'1'.repeat(300)}`, '1e-400', '9223372036854775807']) {
      const text = `{"input":"@say x","output_schema":{"maximum":${value}}}`
      expect((await send('/v1/runs', text)).status).toBe(202)
    }
  })
})

describe('J15 J16 a body of another type', () => {
  const multipart = [
    '--x\r\nContent-Type: application/json\r\n\r\n{"input":"x"}',
    '--x\r\nContent-Type: application/json\r\n\r\n{"input":"y"}\r\n--x--\r\n',
  ].join('\r\n')
  it.each([
    ...['multipart/form-data; boundary=x', 'multipart/mixed; boundary=x', 'multipart/related'],
    ...['application/jsonp', 'application/json, text/plain', 'application/json; charset=latin1'],
    ...['application/json; boundary=x', 'text/json', 'application/problem+json', 'text/html'],
  ])('415 for %s, at every door', async (type) => {
    for (const [id, method, path] of DOORS) {
      const { status } = await send(path, multipart, { 'content-type': type }, method)
      expect([id, status]).toEqual([id, 415])
    }
    const mcp = await send('/mcp', multipart, { ...MCP, 'content-type': type })
    expect([400, 415]).toContain(mcp.status)
    expect((await send('/v1/a2a/general', multipart, { 'content-type': type })).status).toBe(415)
  })
})

describe('J17 J26 a body that is too much', () => {
  const LARGE: readonly Named[] = [
    ['a megabyte of letters', 'x'.repeat(1_048_576)],
    ['of wide characters', '\u{1248b}'.repeat(262_144)],
    ['of invisible ones', '\u200b'.repeat(349_525)],
    ['bounded by bytes and not by characters', '\u{1248b}'.repeat(LIMITS.json_body_bytes / 4)],
    ['of escapes', '\\u0041'.repeat(174_762)],
  ]
  it.each(LARGE)('413 for a task of %s', async (_, text) => {
    for (const path of ['/v1/runs', '/v1/responses', '/v1/chat/completions', '/v1/ag-ui/general']) {
      const { status, body } = await send(path, `{"input":"${text}"}`)
      expect([path, status, body.code]).toEqual([path, 413, 'too_large'])
    }
    const hook = await send(`/v1/hooks/hk_${ID}`, `{"input":"${text}"}`)
    expect(hook.status).toBe(413)
  })

  it('413 or 422 for ten thousand children', async () => {
    const tasks = Array.from({ length: 10_000 }, () => ({ task: 'x' }))
    const { status } = await api.call('POST', '/v1/fanouts', { json: { tasks } })
    expect([413, 422]).toContain(status)
    const long = Array.from({ length: 10_000 }, () => ({ type: 'text', text: 'x' }))
    expect((await api.call('POST', '/v1/runs', { json: { input: long } })).status).toBe(413)
    const parts = long.slice(0, 5_000)
    expect((await api.call('POST', '/v1/runs', { json: { input: parts } })).status).toBe(422)
    const { body } = await api.call('GET', '/v1/fanouts')
    expect(body.data).toEqual([])
  })

  it('400 for more values, or deeper ones, than are read, at every door', async () => {
    const wide = `[${Array(LIMITS.json_values + 1).fill(0)}]`
    const deep = '['.repeat(LIMITS.json_depth + 1) + ']'.repeat(LIMITS.json_depth + 1)
    for (const [id, method, path] of DOORS) {
      for (const text of [wide, deep, '['.repeat(100_000), '{"a":'.repeat(40_000)]) {
        const { status, body } = await send(path, text, {}, method)
        expect([id, status, body.code]).toEqual([id, 400, 'invalid_json'])
      }
    }
  })
})

describe('a body that drips', () => {
  const dripping = (clock: TestApi['world']['clock']) =>
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        await clock.sleep(1_000)
        controller.enqueue(new Uint8Array([0x20]))
      },
    })

  it.each([
    ['POST', '/v1/runs', 'application/json'],
    ['PUT', '/v1/files/x.md', 'text/plain'],
    ['POST', `/v1/hooks/hk_${ID}`, 'application/json'],
    ['POST', '/v1/responses', 'application/json'],
  ])('408 for %s %s', async (method, path, type) => {
    const { world, key } = api
    const { app } = createApp(world)
    const began = world.clock.now()
    const request = new Request(`http://x${path}`, {
      ...{ method, body: dripping(world.clock), duplex: 'half' },
      headers: { authorization: `Bearer ${key}`, 'content-type': type },
    } as RequestInit)
    let answer: Response | undefined
    const pending = Promise.resolve(app.fetch(request)).then((response) => {
      answer = response
    })
    for (let turn = 0; turn < 100_000 && answer === undefined; turn += 1) {
      await new Promise(setImmediate)
      world.clock.advance(100)
    }
    await pending
    const said = (await answer!.json()) as { code: string }
    expect([answer!.status, said.code]).toEqual([408, 'request_timeout'])
    const waited = world.clock.now() - began
    expect(waited).toBeLessThan((LIMITS.body_seconds + 2) * 1_000)
    expect(waited).toBeGreaterThan((LIMITS.body_seconds - 2) * 1_000)
  })
})
