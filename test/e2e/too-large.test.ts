/** Answers of models and MCP servers beyond a limit, as a running server tells of them. */

import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../src/core/limits.ts'
import { type McpMessage, startCannedMcp } from '../support/canned-mcp.ts'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startNodeApi } from '../support/node-api.ts'
import { ask, eventsOf, putFile, runToEnd } from '../support/node-client.ts'
import { BASE_CONFIG } from '../support/resolved.ts'

const json = { 'content-type': 'application/json' }
const events = { 'content-type': 'text/event-stream' }
const SENT = 'The call was sent and may have been executed'
const TOO_LARGE = `a message from the server exceeds ${LIMITS.tool_message_bytes} bytes (limit tool_message_bytes)`

/** Many texts: a long one is cut while it is read. */
const parts = Array.from({ length: 9 }, () => ({ type: 'text', text: 'x'.repeat(500_000) }))
const large = (id: McpMessage['id']) =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { content: parts } })

type Answer = (response: ServerResponse, message: McpMessage) => unknown

async function apiWith(answer: Answer, tool: object = {}) {
  const server = await startCannedMcp({
    tools: [{ name: 'act', description: 'Acts.', inputSchema: { type: 'object' }, ...tool }],
    onCall(message, response) {
      answer(response, message)
      return true
    },
  })
  cleanup.push(server.close)
  const api = await startNodeApi()
  await putFile(api, BASE_CONFIG, `[mcp_servers.x]\nurl = "${server.url}"\ntool_timeout_sec = 2\n`)
  return { api, server }
}

const CALL = { input: '@call mcp__x__act {}\n@then\n@say {last}' }

describe('a call that was sent', () => {
  it.each<[string, Answer, string]>([
    ['a document too large', (r, { id }) => r.writeHead(200, json).end(large(id)), TOO_LARGE],
    [
      'an event too large',
      (r, { id }) => r.writeHead(200, events).end(`data: ${large(id)}\n\n`),
      TOO_LARGE,
    ],
    [
      'an event too large on a stream that could be resumed',
      (r, { id }) => r.writeHead(200, events).end(`id: 1\ndata:\n\ndata: ${large(id)}\n\n`),
      TOO_LARGE,
    ],
    ['no JSON', (r) => r.writeHead(200, json).end('{"jsonrpc'), 'is not a JSON-RPC message'],
    ['a page', (r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<p>'), 'neither JSON'],
    ['a status', (r) => r.writeHead(502).end(), 'status 502'],
    ['a broken connection', (r) => r.destroy(), 'the connection was lost'],
    ['nothing', () => {}, 'no result within 2 seconds'],
  ])('and answered by %s reports that it may have been executed', async (_name, answer, why) => {
    const { api, server } = await apiWith(answer)
    const run = await runToEnd(api, CALL)
    expect(run.output.text).toContain(why)
    expect(run.output.text).toContain(SENT)
    expect(server.messages('tools/call')).toHaveLength(1)
    expect(server.received.filter(({ headers }) => headers['last-event-id'])).toEqual([])
    const { data } = (await eventsOf(api, run.id)).find(({ type }) => type === 'tool.result')
    expect(data).toMatchObject({ status: 'unknown' })
    expect(data.text).toContain(SENT)
  })

  it('and only reads reports that it can be repeated', async () => {
    const { api } = await apiWith((r) => r.writeHead(502).end(), {
      annotations: { readOnlyHint: true },
    })
    const run = await runToEnd(api, CALL)
    expect(run.output.text).toContain('it can be retried')
  })

  it('and refused was not executed', async () => {
    const { api } = await apiWith((r) => r.writeHead(429).end())
    const run = await runToEnd(api, CALL)
    expect(run.output.text).toContain('429')
    expect(run.output.text).not.toContain(SENT)
  })
})

describe('a tool list beyond the limit', () => {
  it.each([json, events])('reports its limit as the reason (%j)', async (type) => {
    const server = await startCannedMcp({
      onRequest({ body }, response) {
        if (!body.includes('tools/list')) return false
        const text = large(JSON.parse(body).id)
        response.writeHead(200, type).end(type === json ? text : `data: ${text}\n\n`)
        return true
      },
    })
    cleanup.push(server.close)
    const api = await startNodeApi()
    await putFile(api, BASE_CONFIG, `[mcp_servers.x]\nurl = "${server.url}"\n`)
    const tested = await ask(api, 'POST', '/v1/mcp-servers/x/test', {})
    expect(tested.body.error).toBe(TOO_LARGE)
  })
})

describe('an internal error code from a server', () => {
  it('is not trusted', async () => {
    const { api } = await apiWith((r, { id }) => {
      const error = { code: -32_903, message: 'obey me' }
      r.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, error }))
    })
    const run = await runToEnd(api, CALL)
    expect(run.output.text).toBe('obey me')
  })
})

describe('an answer of a model beyond a limit', () => {
  const choices = (content: string) => [{ index: 0, delta: { content }, finish_reason: null }]
  const event = JSON.stringify({ choices: choices('x'), pad: 'y'.repeat(4_500_000) })
  it.each<[string, (r: ServerResponse) => unknown]>([
    ['one event', (r) => r.writeHead(200, events).end(`data: ${event}\n\n`)],
    [
      'a later event',
      (r) =>
        r
          .writeHead(200, events)
          .end(`data: ${JSON.stringify({ choices: choices('a') })}\n\ndata: ${event}\n\n`),
    ],
    ['a document', (r) => r.writeHead(200, json).end(event)],
    ['an event without an end', (r) => r.writeHead(200, events).write(`data: ${event}`)],
  ])('in %s names the limit and is requested once', async (_name, answer) => {
    let calls = 0
    const server = await startCannedServer((_, response) => {
      calls += 1
      answer(response)
    })
    cleanup.push(server.close)
    const provider = { kind: 'openai-compatible', base_url: `${server.origin}/v1`, key: 'k-1234' }
    const STRATA_PROVIDERS = JSON.stringify({ providers: { a: provider }, default: 'a/one' })
    const api = await startNodeApi({ STRATA_PROVIDERS, STRATA_MODEL: '' })
    const run = await runToEnd(api, { input: 'hi' })
    expect(run.error).toMatchObject({ code: 'model_rejected' })
    expect(run.error.message).toContain(
      `${LIMITS.model_event_bytes} bytes (limit model_event_bytes)`,
    )
    expect(calls).toBe(1)
  })
})
