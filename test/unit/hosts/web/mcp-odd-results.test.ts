/** Results with odd parts: the call was done, so its status stays and what can be read is read. */

import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { ServerEntry } from '../../../../src/core/config/types.ts'
import { LIMITS } from '../../../../src/core/limits.ts'
import { type McpMessage, TOOL } from '../../../support/canned-mcp.ts'
import { canned, mcp } from '../../../support/mcp-port.ts'

const json = { 'content-type': 'application/json' }
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const text = (words: string) => ({ type: 'text', text: words })

type Answer = (response: ServerResponse, message: McpMessage) => void

async function called(answer: Answer, entry: Partial<ServerEntry> = {}, tool: object = TOOL) {
  const options = {
    tools: [tool as Record<string, unknown>],
    onCall(message: McpMessage, response: ServerResponse) {
      answer(response, message)
      return true
    },
  }
  const made = await canned(options, entry)
  const tools = mcp()
  await tools.list('default', made.entry)
  const outcome = await tools.run(made.entry, 'act')
  return { outcome, sent: made.server.messages('tools/call').length }
}

const answering =
  (result: unknown): Answer =>
  (response, { id }) =>
    response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, result }))

async function resultOf(result: unknown, tool: object = TOOL) {
  const { outcome, sent } = await called(answering(result), {}, tool)
  expect(sent).toBe(1)
  if (!outcome.ok) throw new Error(outcome.error.message)
  return outcome.value
}

describe('a malformed tool result', () => {
  it.each([
    ['content of null', { content: null }, ''],
    ['no content', {}, ''],
    ['a text as content', { content: 'words' }, 'words'],
    ['one part as content', { content: text('words') }, 'words'],
    ['data as content', { content: { price: 7 } }, '[a part of no type]\n{"price":7}'],
    ['texts as parts', { content: ['one', 'two'] }, 'one\ntwo'],
    ['a part of null', { content: [text('one'), null] }, 'one\n[a part that is null]'],
    [
      'a text of null',
      { content: [text('one'), { type: 'text', text: null }] },
      /^one\n\[a text part/,
    ],
    ['a text part without text', { content: [{ type: 'text' }, text('two')] }, /^\[.*\]\ntwo$/],
    ['a text under another name', { content: [{ type: 'text', value: 'v' }] }, /"value":"v"/],
    ['a number as text', { content: [{ type: 'text', text: 7 }] }, '7'],
    ['data as text', { content: [{ type: 'text', text: { a: 1 } }] }, '{"a":1}'],
    ['a part without a type', { content: [{ text: 'words' }] }, 'words'],
    ['a type of null', { content: [{ type: null, text: 'words' }] }, 'words'],
    [
      'an unknown type',
      { content: [text('one'), { type: 'chart', x: 1 }] },
      /^one\n.*"chart"\]\n.*"x":1/,
    ],
    ['annotations of null', { content: [{ ...text('words'), annotations: null }] }, 'words'],
    [
      'odd annotations',
      { content: [{ ...text('words'), annotations: { priority: 'x' } }] },
      'words',
    ],
    ['_meta of null', { content: [{ ...text('words'), _meta: null }], _meta: null }, 'words'],
    [
      'an image without data',
      { content: [{ type: 'image' }, text('t')] },
      /^\[image: .*missing\]\nt$/,
    ],
    [
      'an image without a type',
      { content: [{ type: 'image', data: PIXEL }] },
      /^\[image, image\/png/,
    ],
    [
      'a data URL',
      { content: [{ type: 'image', data: `data:image/png;base64,${PIXEL}` }] },
      /^\[image, image\/png/,
    ],
    ['a link without a URI', { content: [{ type: 'resource_link', name: 'n' }] }, '[resource: n]'],
    ['a resource of null', { content: [{ type: 'resource', resource: null }, text('t')] }, /\nt$/],
    [
      'a resource without a URI',
      { content: [{ type: 'resource', resource: { text: 't' } }] },
      /\nt$/,
    ],
    [
      'a resource without content',
      { content: [{ type: 'resource', resource: { uri: 'u' } }] },
      /u, without/,
    ],
    ['structuredContent of null', { content: [text('words')], structuredContent: null }, 'words'],
    [
      'half characters',
      { content: [text('a\ud83d')], structuredContent: { b: '\udc00' } },
      'a\ufffd\n[structured result]\n{"b":"\ufffd"}',
    ],
    ['isError of null', { content: [text('words')], isError: null }, 'words'],
    ['isError of a text', { content: [text('words')], isError: 'false' }, 'words'],
    ['isError of a map', { content: [text('words')], isError: {} }, 'words'],
    ['members of its own', { answer: 42 }, '{"answer":42}'],
    ['the result of older revisions', { toolResult: 'words' }, '{"toolResult":"words"}'],
    ['no map around a text', 'words', 'words'],
    ['no map around its parts', [text('words')], 'words'],
    ['nothing', null, ''],
  ])('with %s is reported as done', async (_name, result, says) => {
    const value = await resultOf(result)
    expect(value.is_error).toBe(false)
    if (typeof says === 'string') expect(value.text).toBe(says)
    else expect(value.text).toMatch(says)
  })

  it.each([true, 'true', 'True', 1])('with isError of %j is an error', async (isError) => {
    const value = await resultOf({ content: [{ type: 'odd' }], isError })
    expect(value).toMatchObject({ is_error: true, text: expect.stringContaining('odd') })
  })

  it.each([
    ['missing', {}],
    ['null', { structuredContent: null }],
    ['a text', { structuredContent: 'words' }],
    ['of another form', { structuredContent: { other: 1 } }],
  ])('whose structuredContent is %s despite an outputSchema is done', async (_name, members) => {
    const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
    const tool = { ...TOOL, outputSchema }
    const value = await resultOf({ content: [text('words')], ...members }, tool)
    expect(value).toMatchObject({ is_error: false, text: expect.stringMatching(/^words/) })
  })

  it('of an unknown type exposes no more of its content than the limit', async () => {
    const part = { type: 'video', data: 'x'.repeat(100_000) }
    const value = await resultOf({ content: [part, text('words')] })
    expect(value.text).toMatch(/^\[a part of the type "video"\]\n.*\n\[cut from .*\nwords$/s)
    expect(value.text.length).toBeLessThan(LIMITS.result_part_bytes + 200)
  })
})

describe('structuredContent', () => {
  it.each([
    ['a text', [text('Three items.')], { items: [1, 2, 3] }],
    ['a picture', [{ type: 'image', data: PIXEL }], { width: 1 }],
    ['other data', [text('{"items":[1]}')], { items: [1, 2] }],
  ])('reaches the model together with %s', async (_name, content, structuredContent) => {
    const value = await resultOf({ content, structuredContent })
    expect(value.text).toMatch(/\n\[structured result\]\n\{.*\}$/)
    expect(value.text).toContain(JSON.stringify(structuredContent))
  })

  it.each([
    ['the same JSON', [text('{ "b": 2,\n "a": 1 }')], { a: 1, b: 2 }],
    ['the same in a wrapper', [text('hello')], { result: 'hello' }],
    ['the same number in a wrapper', [text('7')], { result: 7 }],
    ['one text an item', [text('"a"'), text('"b"')], { result: ['a', 'b'] }],
    ['one plain text an item', [text('a'), text('b')], { result: ['a', 'b'] }],
    ['the same after a summary', [text('Two.'), text('{"a":1}')], { a: 1 }],
  ])('is not repeated beside %s', async (_name, content, structuredContent) => {
    const value = await resultOf({ content, structuredContent })
    expect(value.text).toBe(content.map((part) => part.text).join('\n'))
  })

  it('alone becomes the text', async () => {
    expect(await resultOf({ content: [], structuredContent: { a: 1 } })).toMatchObject({
      text: '{"a":1}',
    })
  })

  it('beside a text has a separate limit and reports when it is cut', async () => {
    const structuredContent = { list: Array(100_000).fill('é') }
    const { text: said } = await resultOf({ content: [text('words')], structuredContent })
    expect(said.startsWith('words\n[structured result]\n{"list":["é"')).toBe(true)
    expect(said).toMatch(/\n\[cut from \d+ bytes\]$/)
    expect(Buffer.byteLength(said)).toBeLessThan(LIMITS.structured_result_bytes + 200)
  })

  it('nested without end is reported as such', async () => {
    const deep = `{"a":${'['.repeat(4_000)}${']'.repeat(4_000)}}`
    const { outcome } = await called((response, { id }) =>
      response
        .writeHead(200, json)
        .end(
          `{"jsonrpc":"2.0","id":${id},"result":{"content":["words"],"structuredContent":${deep}}}`,
        ),
    )
    const says = expect.stringMatching(
      /^words\n.*\n\[omitted: data nested deeper than 500 levels\]$/,
    )
    expect(outcome).toMatchObject({ ok: true, value: { text: says } })
  })
})

describe('an answer to a call', () => {
  const result = { content: [text('words')] }
  const by =
    (body: (id: unknown) => unknown, type = 'application/json'): Answer =>
    (response, { id }) =>
      response
        .writeHead(200, type === '' ? {} : { 'content-type': type })
        .end(JSON.stringify(body(id)))
  const events =
    (...lines: string[]): Answer =>
    (response, { id }) =>
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(lines.join('\n').replaceAll('ID', String(id)))
  const message = '{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"words"}]}}'

  it.each<[string, Answer]>([
    ['with an error of null', by((id) => ({ jsonrpc: '2.0', id, result, error: null }))],
    [
      'with an empty error',
      by((id) => ({ jsonrpc: '2.0', id, result, error: { code: 0, message: '' } })),
    ],
    ['with other members', by((id) => ({ jsonrpc: '2.0', id, result, time: 7, method: null }))],
    ['without jsonrpc', by((id) => ({ id, result }))],
    ['with the id as a text', by((id) => ({ jsonrpc: '2.0', id: String(id), result }))],
    ['without an id', by(() => ({ jsonrpc: '2.0', result }))],
    ['with an id of null', by(() => ({ jsonrpc: '2.0', id: null, result }))],
    ['in a list', by((id) => [{ jsonrpc: '2.0', id, result }])],
    ['without its envelope', by(() => result)],
    ['that says it is a text', by((id) => ({ jsonrpc: '2.0', id, result }), 'text/plain')],
    ['that says nothing of its type', by((id) => ({ jsonrpc: '2.0', id, result }), '')],
    [
      'as JSON of another name',
      by((id) => ({ jsonrpc: '2.0', id, result }), 'application/vnd.x+json'),
    ],
    ['as an event of another name', events('event: response', `data: ${message}`, '', '')],
    ['as a line of JSON where an event should be', events(message)],
    ['as a list in an event', events(`data: [${message}]`, '', '')],
    ['as an event without its end', events(`data: ${message}`)],
    [
      'as events that are called JSON',
      (response, { id }) =>
        response.writeHead(200, json).end(`data: ${message.replace('ID', String(id))}\n\n`),
    ],
    [
      'as an event with an error of null',
      events(`data: ${message.slice(0, -1)},"error":null}`, '', ''),
    ],
  ])('%s is accepted as the result of the call', async (_name, answer) => {
    const { outcome, sent } = await called(answer, { tool_timeout_sec: 5 })
    expect(outcome).toEqual({ ok: true, value: { text: 'words', is_error: false } })
    expect(sent).toBe(1)
  })

  it.each<[string, Answer, RegExp]>([
    ['is a text', by((id) => ({ jsonrpc: '2.0', id, error: 'no such file' })), /no such file/],
    [
      'has no code',
      by((id) => ({ jsonrpc: '2.0', id, error: { message: 'no such file' } })),
      /no such/,
    ],
    [
      'has a text as its code',
      by((id) => ({ id, error: { code: '-32602', message: 'no such file' } })),
      /no such/,
    ],
    [
      'has no words',
      by((id) => ({ jsonrpc: '2.0', id, error: { code: -1, data: { why: 'x' } } })),
      /why/,
    ],
  ])('whose error %s becomes an error that the model reads', async (_name, answer, says) => {
    const { outcome } = await called(answer)
    const value = { is_error: true, text: expect.stringMatching(says) }
    expect(outcome).toMatchObject({ ok: true, value })
  })

  it.each<[string, Answer, RegExp]>([
    [
      'is a page',
      (r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<p>s3cret'),
      /neither/,
    ],
    ['is half a message', (r) => r.writeHead(200, json).end('{"s3cret'), /not a JSON-RPC message/],
    ['is no message', (r) => r.writeHead(200, json).end('{"s3cret": 1}'), /not a JSON-RPC message/],
    ['is cut', (r) => r.writeHead(200, json).end('{"jsonrpc":"2.0","id":3,"res'), /not a JSON-RPC/],
  ])('that %s leaves the outcome of the call unknown', async (_name, answer, says) => {
    const { outcome, sent } = await called(answer)
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'unknown', message: expect.stringMatching(says) },
    })
    expect(JSON.stringify(outcome)).not.toContain('s3cret')
    expect(sent).toBe(1)
  })

  it.each([307, 308])('of %i, a redirect, means that the call was not made', async (status) => {
    const { outcome } = await called((response) =>
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(),
    )
    const says = expect.stringContaining('a redirect, which is not followed')
    expect(outcome).toMatchObject({ ok: false, error: { code: 'unsent', message: says } })
  })
})

describe('an error in the body of an HTTP error', () => {
  const failing = (status: number, body: object) =>
    called((response) => response.writeHead(status, json).end(JSON.stringify(body)))
  const message = 'city is required'
  const data = { field: 'city' }

  it.each([400, 409, 422, 500, 503])(
    'with status %i is the answer of the server, including its data',
    async (status) => {
      const error = { code: -32_602, message, data }
      const { outcome, sent } = await failing(status, { jsonrpc: '2.0', id: null, error })
      expect(sent).toBe(1)
      expect(outcome).toEqual({
        ok: true,
        value: {
          text: `the server responded with status ${status}: ${message}\n[data] {"field":"city"}`,
          is_error: true,
        },
      })
    },
  )

  it('has bounded data', async () => {
    const error = { code: 7, message, data: 'x'.repeat(LIMITS.result_part_bytes + 1) }
    const { outcome } = await failing(400, { jsonrpc: '2.0', id: 1, error })
    expect(outcome.ok && outcome.value.text.length).toBeLessThan(LIMITS.result_part_bytes + 200)
  })

  it('without a message becomes a full sentence', async () => {
    const { outcome } = await failing(400, { jsonrpc: '2.0', id: 1, error: { code: -32_602 } })
    expect(outcome.ok && outcome.value.text).toBe(
      'the server responded with status 400: ' +
        'the server returned an error without a message (-32602)',
    )
  })

  it('from a proxy leaves the outcome unknown', async () => {
    const { outcome } = await failing(504, { error: { code: 504, message: 'timed out' } })
    expect(outcome).toEqual({
      ok: false,
      error: { code: 'unknown', message: 'the server responded with status 504: timed out' },
    })
  })
})

it.each([
  [{ code: -32_602, message: 'no', data: 'why' }, 'no\n[data] why'],
  [{ code: -32_602 }, 'the server returned an error without a message (-32602)'],
  [{}, /^the server returned an error without a message/],
  [{ code: 1, message: null, data: { a: 1 } }, /without a message \(1\)\n\[data\] \{"a":1\}$/],
])('an error %j in a 200 answer is reported with its data', async (error, says) => {
  const { outcome } = await called((response, { id }) =>
    response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, error })),
  )
  expect(outcome).toMatchObject({ ok: true, value: { is_error: true } })
  expect(outcome.ok && outcome.value.text).toMatch(says)
})

describe('a result in almost valid JSON', () => {
  const around = (result: string, id: unknown) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`
  const TEXT = '{"content":[{"type":"text","text":"a\nb"}]}'
  const GOOD = '{"content":["paid"]}'
  const cases: readonly (readonly [string, (id: unknown) => string, string, string])[] = [
    ['NaN', (id) => around('{"structuredContent":{"mean":NaN}}', id), '{"mean":"NaN"}', 'NaN'],
    ['-Infinity', (id) => around('{"content":["a: NaN"],"x":-Infinity}', id), 'a: NaN', 'NaN'],
    ['a raw line break', (id) => around(TEXT, id), 'a\nb', 'control characters'],
    ['a raw tab', (id) => around('{"content":["a\tb"]}', id), 'a\tb', 'control characters'],
    ['a lone backslash', (id) => around('{"content":["C:\\Users"]}', id), 'C:\\Users', 'backslash'],
    ['a second line', (id) => `${around(GOOD, id)}\n{"level":"info"}`, 'paid', 'around'],
    ['words after it', (id) => `${around(GOOD, id)}\nDone {1}`, 'paid', 'around'],
    ['words before it', (id) => `[INFO] starting [\n${around(GOOD, id)}`, 'paid', 'around'],
  ]

  it.each(cases)(
    'is read despite %s, and the repair is reported',
    async (_name, body, says, mend) => {
      const { outcome, sent } = await called((response, { id }) =>
        response.writeHead(200, json).end(body(id)),
      )
      expect(sent).toBe(1)
      expect(outcome).toMatchObject({ ok: true, value: { is_error: false } })
      const shown = outcome.ok ? outcome.value.text : ''
      expect(shown).toMatch(/^\[mended JSON: [^\n]*\]\n/)
      expect(shown.split('\n')[0]).toContain(mend)
      expect(shown.slice(shown.indexOf('\n') + 1)).toBe(says)
    },
  )

  it.each(['\ufeff', '\ufeff\ufeff\n'])('is read despite a byte order mark', async (mark) => {
    const { outcome } = await called((response, { id }) =>
      response.writeHead(200, json).end(mark + around(GOOD, id)),
    )
    expect(outcome).toEqual({ ok: true, value: { text: 'paid', is_error: false } })
  })

  it('is read in a stream as well', async () => {
    const { outcome } = await called((response, { id }) =>
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`data: ${around('{"structuredContent":{"mean":NaN}}', id)}\n\n`),
    )
    expect(outcome.ok && outcome.value.text).toContain('{"mean":"NaN"}')
  })

  it('after a notification in the same answer is read without a report', async () => {
    const notice = '{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
    const { outcome } = await called((response, { id }) =>
      response.writeHead(200, json).end(`${notice}\n${around(GOOD, id)}`),
    )
    expect(outcome).toEqual({ ok: true, value: { text: 'paid', is_error: false } })
  })

  it('is read for a tool list, and the list reports the repair', async () => {
    const { entry } = await canned({
      onRequest(request, response) {
        const { method, id } = request.method === 'POST' ? JSON.parse(request.body) : {}
        if (method !== 'tools/list') return false
        const tool = '{"name":"act","description":"a\nb","inputSchema":{"type":"object"}}'
        response.writeHead(200, json).end(around(`{"tools":[${tool}]}`, id))
        return true
      },
    })
    expect(await mcp().list('default', entry)).toMatchObject({
      value: [{ name: 'act', description: 'a\nb' }],
      findings: [{ message: expect.stringContaining('control characters') }],
    })
  })
})

describe('an MCP session that the server has forgotten', () => {
  const error = (message: string, code = -32_000) =>
    JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })
  const cases: readonly [number, string][] = [
    [404, ''],
    [400, error('Bad Request: No valid session ID provided')],
    [400, error('Bad Request: Server not initialized')],
    [400, error('Session not found', -32_001)],
    [400, '{"error":"invalid_session"}'],
    [400, '{"detail":"SessionExpired"}'],
    [400, 'Mcp-Session-Id header is required'],
    [400, 'Unknown session: 7'],
    [400, 'The session does not exist (expired)'],
    [410, 'session terminated'],
    [422, '{"detail":[{"msg":"sessionId not found"}]}'],
    [200, error('Session not found', -32_001)],
    [400, error('Session ID mismatch')],
    [400, 'Mcp-Session-Id does not match'],
    [400, 'sessionId was not recognised'],
    [400, 'The session could not be found'],
    [400, "Session 7 doesn't exist"],
    [400, 'This request belongs to a different session'],
    [400, error('Wrong session')],
    [400, '{"error":{"code":"SESSION_GONE"}}'],
  ]

  it.each(cases)('as reported by %i %s is renewed once for a call', async (status, body) => {
    const { entry, server } = await canned({
      onCall(_, response, nth) {
        if (nth === 0) response.writeHead(status, json).end(body)
        return nth === 0
      },
    })
    expect(await mcp().run(entry, 'act')).toMatchObject({ ok: true, value: { text: 'done' } })
    expect(server.messages('initialize')).toHaveLength(2)
    expect(server.messages('tools/call')).toHaveLength(2)
  })

  it.each(cases)('as reported by %i %s is renewed for a list', async (status, body) => {
    let isLost = true
    const { entry, server } = await canned({
      onRequest(request, response) {
        if (request.method !== 'POST' || !isLost) return false
        if (JSON.parse(request.body).method !== 'tools/list') return false
        isLost = false
        response.writeHead(status, json).end(body)
        return true
      },
    })
    expect(await mcp().list('default', entry)).toMatchObject({ ok: true, value: [{ name: 'act' }] })
    expect(server.messages('initialize')).toHaveLength(2)
  })

  it.each([
    [400, 'invalid arguments'],
    [400, error('unknown tool', -32_602)],
    [403, 'no session'],
    [500, 'session not found'],
    [200, error('the session 7 was not found', -32_602)],
  ])('is not what %i %s reports', async (status, body) => {
    const { entry, server } = await canned({
      onCall(message, response) {
        response.writeHead(status, json).end(body.replace('"id":null', `"id":${message.id}`))
        return true
      },
    })
    await mcp().run(entry, 'act')
    expect(server.messages('tools/call')).toHaveLength(1)
  })

  it.each([
    [404, 'Could not find session'],
    [400, 'Invalid session'],
  ])('over SSE, as reported by %i %s, is renewed', async (status, body) => {
    let stream: ServerResponse | undefined
    let isLost = true
    const { entry, server } = await canned(
      {
        onRequest(request, response) {
          if (request.method === 'GET') {
            stream = response
            response.writeHead(200, { 'content-type': 'text/event-stream' })
            response.write('event: endpoint\ndata: /messages\n\n')
            return true
          }
          const { id, method } = JSON.parse(request.body)
          const results: Record<string, object> = {
            initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} } },
            'tools/call': { content: ['done'] },
          }
          if (method === 'tools/call' && isLost) {
            isLost = false
            response.writeHead(status).end(body)
            return true
          }
          response.writeHead(202).end()
          const result = results[method]
          if (result) stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
          return true
        },
      },
      { transport: 'sse' },
    )
    expect(await mcp().run(entry, 'act')).toMatchObject({ ok: true, value: { text: 'done' } })
    expect(server.messages('initialize')).toHaveLength(2)
  })

  it('and that is lost again is reported instead of being retried forever', async () => {
    const { entry, server } = await canned({
      onCall(_, response) {
        response.writeHead(400).end('no session')
        return true
      },
    })
    expect(await mcp().run(entry, 'act')).toMatchObject({
      ok: false,
      error: { code: 'unsent', message: 'the server responded with status 400' },
    })
    expect(server.messages('tools/call')).toHaveLength(2)
  })
})
