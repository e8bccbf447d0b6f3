/** Answers of MCP servers that never end, and what is said of servers that answer nonsense. */

import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { readBudget } from '../../../../src/hosts/outbound/read-budget.ts'
import { boundedAnswer } from '../../../../src/hosts/outbound/response-limit.ts'
import type { CannedMcpOptions } from '../../../support/canned-mcp.ts'
import { canned, mcp } from '../../../support/mcp-port.ts'

const MIB = 1024 * 1024

/** Sends blanks until nobody reads any more; a broken client would be fed a gigabyte. */
function flood(response: ServerResponse, type: string, sent: { mib: number }): true {
  response.writeHead(200, { 'content-type': type })
  const chunk = Buffer.alloc(MIB, type === 'text/event-stream' ? 'data: ' : ' ')
  const more = () => {
    while (sent.mib < 1_024 && !response.destroyed) {
      sent.mib += 1
      if (!response.write(chunk)) return void response.once('drain', more)
    }
    response.end()
  }
  more()
  return true
}

describe('an endless answer', () => {
  it.each(['application/json', 'text/event-stream'])('is cut off as %s [U27]', async (type) => {
    const sent = { mib: 0 }
    const { entry } = await canned({ onCall: (_, response) => flood(response, type, sent) })
    const called = await mcp().run(entry, 'act')
    expect(called).toMatchObject({ ok: false, error: { code: 'unknown' } })
    expect(sent.mib).toBeLessThan(200)
  })

  it('is measured by its decompressed size [U28]', async () => {
    const bomb = gzipSync(Buffer.alloc(128 * MIB, ' '), { level: 9 })
    const { entry } = await canned({
      onCall(_, response) {
        const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
        response.writeHead(200, headers).end(bomb)
        return true
      },
    })
    const called = await mcp().run(entry, 'act')
    expect(called).toMatchObject({
      ok: false,
      error: { code: 'unknown', message: expect.stringContaining('exceeds') },
    })
  })

  it.each([
    ['lone line feeds', '\n'],
    ['CR LF', '\r\n'],
    ['lone carriage returns', '\r'],
  ])('does not include a stream of many small events with %s', async (_, end) => {
    const event = `data: ${'x'.repeat(50)}${end}${end}`
    const text = event.repeat(100)
    expect(await bounded(text).text()).toBe(text)
    // Lines of one event belong together.
    const long = `data: ${'x'.repeat(50)}${end}`.repeat(3)
    await expect(bounded(long).text()).rejects.toThrow('exceeds')
  })
})

/** Read in pieces of seven bytes, with at most a hundred in each event. */
const bounded = (text: string): Response =>
  boundedAnswer(streamOf(text, 7), {
    what: 'an event',
    message: { name: 'small', bytes: 100 },
    total: { name: 'large', bytes: 1_000_000 },
    holding: readBudget.open(),
  })

/** An event stream that comes in pieces of so many bytes. */
function streamOf(text: string, piece: number): Response {
  const bytes = Buffer.from(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, nth) =>
    bytes.subarray(nth * piece, (nth + 1) * piece),
  )
  const headers = { 'content-type': 'text/event-stream; charset=utf-8' }
  return new Response(ReadableStream.from(pieces), { headers })
}

const json = { 'content-type': 'application/json' }
const html = { 'content-type': 'text/html' }
type OnRequest = NonNullable<CannedMcpOptions['onRequest']>
const by =
  (act: (response: ServerResponse) => unknown): OnRequest =>
  (_, response) => {
    act(response)
    return true
  }
/** Answers `tools/list`; everything else as usual. */
const listing = (result: object): OnRequest =>
  function list(request, response) {
    const message = request.method === 'POST' ? JSON.parse(request.body) : {}
    if (message.method !== 'tools/list') return false
    response.writeHead(200, json)
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...result }))
    return true
  }

describe('an unusable server', () => {
  const cases: readonly [what: string, options: CannedMcpOptions, says: RegExp][] = [
    ['closes the connection', { onRequest: by((r) => r.destroy()) }, /closed the connection/],
    ['never answers', { onRequest: () => true }, /within 2 seconds/],
    [
      'answers with a page',
      { onRequest: by((r) => r.writeHead(200, html).end('<p>s3cret')) },
      /is neither JSON nor an event stream/,
    ],
    [
      'answers with half a message',
      { onRequest: by((r) => r.writeHead(200, json).end('{"s3cret')) },
      /not a JSON-RPC message/,
    ],
    [
      'speaks another protocol',
      {
        onRequest(request, response) {
          const { id, method } = JSON.parse(request.body || '{}')
          if (method !== 'initialize') return false
          const serverInfo = { name: 's3cret', version: '1' }
          const result = { protocolVersion: '1999-01-01', capabilities: {}, serverInfo }
          response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
          return true
        },
      },
      /protocol revision/,
    ],
    [
      'refuses to list',
      { onRequest: listing({ error: { code: -32_000, message: 's3cret' } }) },
      /returned an error \(-32000\)/,
    ],
    [
      'lists no list',
      { onRequest: listing({ result: { tools: 's3cret' } }) },
      /tool list is invalid/,
    ],
    [
      'redirects',
      { onRequest: by((r) => r.writeHead(307, { location: '/s3cret' }).end()) },
      /status 307, a redirect, which is not followed/,
    ],
    ['fails', { onRequest: by((r) => r.writeHead(500).end('s3cret')) }, /status 500$/],
    ['refuses us', { onRequest: by((r) => r.writeHead(401).end('s3cret')) }, /credentials \(401\)/],
  ]
  it.each(cases)('that %s reports the exact reason', async (_, options, says) => {
    const { entry } = await canned(options, { startup_timeout_sec: 2 })
    const probed = await mcp().probe('default', entry)
    const listed = await mcp().list('default', entry)
    // One sentence, whoever asks.
    expect(listed).toEqual(probed)
    const said = probed.ok ? '' : probed.error
    expect(said).toMatch(says)
    expect(said).not.toMatch(/s3cret|could not be started/)
  })
})

describe('an unusable server over SSE', () => {
  const cases: readonly [number, RegExp][] = [
    [401, /credentials \(401\)/],
    [404, /status 404/],
    [500, /status 500/],
    [307, /status 307, a redirect/],
  ]
  it.each(cases)('reports the reason for status %i', async (status, says) => {
    const { entry } = await canned(
      { onRequest: by((r) => r.writeHead(status, { location: '/x' }).end('s3cret')) },
      { startup_timeout_sec: 2, transport: 'sse' },
    )
    const probed = await mcp().probe('default', entry)
    expect(probed).toMatchObject({ ok: false, error: expect.stringMatching(says) })
    expect(await mcp().list('default', entry)).toEqual(probed)
  })
})

describe('a server that sends messages forever', () => {
  const notice = (nth: number) =>
    `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: nth, progress: nth } })}\n\n`

  it('is abandoned after a limited number of messages, with the reason [A18 U27]', async () => {
    let sent = 0
    const { entry } = await canned({
      onCall(_, response) {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const more = () => {
          while (sent < 1_000_000 && !response.destroyed) {
            sent += 100
            const text = Array.from({ length: 100 }, (_one, nth) => notice(nth)).join('')
            if (!response.write(text)) return void response.once('drain', more)
          }
          response.end()
        }
        more()
        return true
      },
    })
    const called = await mcp().run(entry, 'act')
    expect(called).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining(`more than ${LIMITS.tool_messages} messages`) },
    })
    expect(sent).toBeLessThan(100_000)
  })

  it('is abandoned after a limited number of requests, although each is answered [A17]', async () => {
    let sent = 0
    const { entry } = await canned({
      onCall(_, response) {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const asked = (id: number) =>
          `data: ${JSON.stringify({ jsonrpc: '2.0', id, method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } })}\n\n`
        const more = () => {
          while (sent < 20_000 && !response.destroyed) {
            sent += 100
            const text = Array.from({ length: 100 }, (_one, nth) => asked(sent + nth)).join('')
            if (!response.write(text)) return void response.once('drain', more)
          }
          response.end()
        }
        more()
        return true
      },
    })
    expect(await mcp().run(entry, 'act')).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining(`${LIMITS.tool_server_requests} requests`) },
    })
  })

  it('is read piece by piece when its bytes arrive in one chunk [U27]', async () => {
    const bytes = Buffer.alloc(2 * MIB, 'data: x\n\n')
    const headers = { 'content-type': 'text/event-stream' }
    const given = new Response(ReadableStream.from([bytes, bytes]), { headers })
    const bounds = {
      what: 'it',
      message: { name: 'small', bytes: MIB },
      total: { name: 'large', bytes: 64 * MIB },
      holding: readBudget.open(),
    }
    const sizes: number[] = []
    const parts: Uint8Array[] = []
    for await (const part of boundedAnswer(given, bounds).body!) {
      sizes.push(part.length)
      parts.push(part)
    }
    expect(Buffer.concat(parts).equals(Buffer.concat([bytes, bytes]))).toBe(true)
    expect(Math.max(...sizes.slice(1))).toBeLessThanOrEqual(16_384)
  })

  it('yields to other work even when all its bytes are already there [U27]', async () => {
    let given = 0
    const bytes = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (given++ < 500) controller.enqueue(Buffer.from(notice(given).repeat(200)))
        else controller.close()
      },
    })
    const headers = { 'content-type': 'text/event-stream' }
    const answer = boundedAnswer(new Response(bytes, { headers }), {
      what: 'it',
      message: { name: 'small', bytes: MIB },
      total: { name: 'large', bytes: 64 * MIB },
      holding: readBudget.open(),
    })
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    })
    const text = await answer.text()
    clearInterval(timer)
    expect(text.length).toBeGreaterThan(5 * MIB)
    expect(turns).toBeGreaterThan(3)
  })
})
