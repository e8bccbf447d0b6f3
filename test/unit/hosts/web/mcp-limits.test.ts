/** Lists and results of MCP servers beyond all bounds, and callers who give up waiting. */

import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { cutStrings } from '../../../../src/hosts/mcp/string-cutter.ts'
import { callSeconds, startupSeconds } from '../../../../src/hosts/mcp/time.ts'
import type { CannedMcpOptions } from '../../../support/canned-mcp.ts'
import { cleanup } from '../../../support/cleanup.ts'
import { serverEntry } from '../../../support/everything.ts'
import { HOSTILE, startHostilePeer } from '../../../support/hostile/index.ts'
import { canned, mcp } from '../../../support/mcp-port.ts'
import { measured } from '../../../support/measured.ts'
import { minutes } from '../../../support/patience.ts'

const MIB = 1_048_576
const json = { 'content-type': 'application/json' }
const tool = (name: string, bytes = 10) => ({
  name,
  inputSchema: { type: 'object', description: 'x'.repeat(bytes) },
})

describe('a tool list', () => {
  it.each<[string, CannedMcpOptions, RegExp]>([
    ['of too many tools on one page', { tools: many(1_001) }, /more than 1000 tools/],
    ['of too many tools on many pages', { tools: many(1_001), page: 100 }, /more than 1000 tools/],
    ['of too many bytes on many pages', { tools: many(50, 100_000), page: 1 }, /longer than \d+/],
  ])('%s is used up to its limit, and the cut is reported', async (_, options, says) => {
    const { entry } = await canned(options)
    const listed = await mcp().list('default', entry)
    expect(listed).toMatchObject({ ok: true, findings: [{ message: expect.stringMatching(says) }] })
    const most = options.page === 1 ? LIMITS.tool_list_bytes / 100_000 : LIMITS.tools_per_server
    expect(listed.ok && listed.value.length).toBeGreaterThan(most - 2)
    expect(listed.ok && listed.value.length).toBeLessThanOrEqual(most)
  })

  it('with too many bytes on one page is abandoned while being read, and the reason is reported', async () => {
    // Texts are cut on their way, so it takes many of them.
    const { entry } = await canned({ tools: many(50, 100_000) })
    const tools = mcp()
    const says = { ok: false, error: expect.stringMatching(/exceeds \d+ bytes/) }
    expect(await tools.list('default', entry)).toMatchObject(says)
    expect(await tools.probe('default', entry)).toMatchObject(says)
  })

  it('with endless pages stops at the page limit', async () => {
    let asked = 0
    const { entry } = await canned({
      onRequest(request, response) {
        const message = JSON.parse(request.body || '{}')
        if (message.method !== 'tools/list') return false
        asked += 1
        const result = { tools: [tool(`t${asked}`, 100_000)], nextCursor: String(asked) }
        response.writeHead(200, json)
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
        return true
      },
    })
    expect(await mcp().list('default', entry)).toMatchObject({
      ok: true,
      findings: [{ message: expect.stringContaining('longer than') }],
    })
    expect(asked).toBeLessThanOrEqual(LIMITS.tool_list_bytes / 100_000 + 1)
  })

  it('of a thousand tools is accepted', async () => {
    const { entry } = await canned({ tools: many(1_000), page: 100 })
    const listed = await mcp().list('default', entry)
    expect(listed.ok && listed.value).toHaveLength(1_000)
  })
})

function many(count: number, bytes = 10) {
  return Array.from({ length: count }, (_, nth) => tool(`t${nth}`, bytes))
}

describe('a result', () => {
  it('of 40 MB is cut while being read, and its size is reported [A16]', async () => {
    const { entry } = await canned({
      onCall(message, response) {
        const result = { content: [{ type: 'text', text: 'x'.repeat(40 * MIB) }] }
        response.writeHead(200, json)
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
        return true
      },
    })
    const called = await mcp().run(entry, 'act')
    const text = called.ok ? called.value.text : ''
    expect(text.length).toBeLessThanOrEqual(LIMITS.tool_result_bytes)
    expect(text).toMatch(new RegExp(`^x+\\n\\[result cut from ${40 * MIB} bytes\\]$`))
  })

  it('of very many small values is a failure that gives the reason', async () => {
    const { entry } = await canned({
      onCall(message, response) {
        const result = { content: [], structuredContent: { list: Array(3 * MIB).fill(1) } }
        response.writeHead(200, json)
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
        return true
      },
    })
    expect(await mcp().run(entry, 'act')).toMatchObject({
      ok: false,
      error: { code: 'unknown', message: expect.stringContaining('exceeds') },
    })
  })
})

describe('a text inside JSON that is cut in transit', () => {
  const cut = (text: string, limit: number, piece: number): string => {
    const cutter = cutStrings(limit)
    const bytes = Buffer.from(text)
    const out: Uint8Array[] = []
    for (let at = 0; at < bytes.length; at += piece) {
      out.push(cutter(bytes.subarray(at, at + piece)))
    }
    return Buffer.concat(out).toString()
  }
  const value = {
    short: 'ab"c\\',
    long: `é😀"\\\n\u2028${'x'.repeat(30)}`,
    n: [1, { deep: '\u0001'.repeat(9) }],
  }

  it.each([1, 2, 3, 7, 1_000])('leaves valid JSON wherever it is cut, in pieces of %i', (piece) => {
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      for (let limit = 5; limit < 60; limit += 1) {
        const parsed = JSON.parse(cut(text, limit, piece)) as typeof value
        for (const [had, has] of [
          [value.short, parsed.short],
          [value.long, parsed.long],
        ]) {
          const kept = has!.replace(/\n\[cut in transit: the full text has \d+ bytes\]$/, '')
          expect(had!.startsWith(kept)).toBe(true)
        }
        expect(parsed.n[0]).toBe(1)
      }
    }
  })

  it('is unchanged when nothing is too long, and each line of a stream is its own text', () => {
    const stream = 'event: "odd\ndata: {"a":"bb"}\n\ndata: {"a":"cc"}\n\n'
    expect(cut(stream, 10, 5)).toBe(stream)
  })
})

/** Time-outs that outlast the test. */
const NEVER = { startup_timeout_sec: minutes(10) / 1_000, tool_timeout_sec: minutes(10) / 1_000 }

describe('a caller that stops waiting', () => {
  it('returns at once for a list, a probe, and a call, even when the server never answers', async () => {
    const peer = await startHostilePeer(HOSTILE['accepts-silently'])
    cleanup.push(peer.close)
    const url = `${peer.origin}/mcp`
    const entry = serverEntry({ name: 'silent', transport: 'http', url, ...NEVER })
    const tools = mcp()
    const stop = new AbortController()
    const call = { tool: 'act', arguments: {}, key: 'k', signal: stop.signal }
    const all = () =>
      Promise.all([
        tools.list('default', entry, stop.signal),
        tools.probe('default', entry, stop.signal),
        tools.call('default', entry, call),
      ])
    setTimeout(() => stop.abort('over'), 50)
    const answers = await measured('three aborted calls', all, { wallMs: 5_000 })
    for (const one of answers) expect(one).toMatchObject({ ok: false })
  })

  it('does not affect other callers that wait for the same list', async () => {
    const { entry } = await canned()
    const tools = mcp()
    const stop = new AbortController()
    const given = tools.list('default', entry, stop.signal)
    const other = tools.list('default', entry)
    stop.abort('over')
    expect(await given).toMatchObject({ ok: false, error: 'the request was aborted' })
    expect(await other).toMatchObject({ ok: true })
  })

  it('has its time-out of one hour shortened to that of the deployment', () => {
    const entry = serverEntry({ startup_timeout_sec: 3_600, tool_timeout_sec: 3_600 })
    expect(startupSeconds(entry)).toBe(LIMITS.server_startup_seconds)
    expect(callSeconds(entry)).toBe(LIMITS.tool_call_seconds)
  })
})
