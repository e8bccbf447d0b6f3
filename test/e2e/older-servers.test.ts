/** MCP servers that speak only the transport of 2024 (HTTP with SSE), written without a `type`. */

import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { type McpMessage, TOOL } from '../support/canned-mcp.ts'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startNodeApi } from '../support/node-api.ts'
import { ask, putFile, runToEnd } from '../support/node-client.ts'
import { BASE_CONFIG } from '../support/resolved.ts'

const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2024-11-05',
    capabilities: { tools: {} },
    serverInfo: { name: 'older', version: '1' },
  },
  'tools/list': { tools: [TOOL] },
  'tools/call': { content: [{ type: 'text', text: 'done by the older server' }] },
}

/** Streams at GET /sse, takes messages at POST /messages, and refuses any other POST, or worse. */
async function startOlderMcp(refusal: number | ((response: ServerResponse) => void)) {
  let stream: ServerResponse | undefined
  const server = await startCannedServer(({ method, url, body }, response) => {
    if (method === 'GET' && url === '/sse') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
      return void stream.write('event: endpoint\ndata: /messages?session=1\n\n')
    }
    if (method !== 'POST' || !url.startsWith('/messages'))
      return typeof refusal === 'number'
        ? void response.writeHead(refusal).end()
        : refusal(response)
    const { id, method: name } = JSON.parse(body) as McpMessage
    response.writeHead(202).end()
    const answer = RESULTS[name]
      ? { result: RESULTS[name] }
      : { error: { code: -32_601, message: 'Method not found' } }
    if (id !== undefined) {
      stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n\n`)
    }
  })
  cleanup.push(server.close)
  return server
}

const HINT = 'it supports only the older transport, SSE; set type = "sse"'

const ELSEWHERE = 'set type = "sse" and the URL of its stream'

describe('a server that speaks only SSE', () => {
  it.each([400, 404, 405])(
    'is detected when it answers %i to a message, with the setting to write',
    async (refusal) => {
      const { origin } = await startOlderMcp(refusal)
      const api = await startNodeApi()
      await putFile(api, BASE_CONFIG, `[mcp_servers.x]\nurl = "${origin}/sse"\n`)
      const test = (await ask(api, 'POST', '/v1/mcp-servers/x/test', {})).body
      expect(test).toMatchObject({ reachable: true, error: null, tools: [{ name: 'act' }] })
      expect(test.findings).toEqual([{ tool: null, left_out: false, message: HINT }])
      const run = await runToEnd(api, { input: '@call mcp__x__act {}\n@then\n@say {last}' })
      expect(run.output.text).toContain('done by the older server')
      expect(run.warnings).toMatchObject([{ message: `MCP server x: ${HINT}` }])
    },
  )

  it.each(['names its endpoint', 'says nothing', 'says nothing, as plain text'])(
    'is detected when it answers a message with an open stream that %s',
    async (kind) => {
      const { origin } = await startOlderMcp((response) => {
        const type = kind.endsWith('text') ? 'text/plain' : 'text/event-stream'
        response.writeHead(200, { 'content-type': type }).flushHeaders()
        if (kind === 'names its endpoint')
          response.write('event: endpoint\ndata: /messages?session=2\n\n')
      })
      const api = await startNodeApi()
      await putFile(api, BASE_CONFIG, `[mcp_servers.x]\nurl = "${origin}/sse"\n`)
      const test = (await ask(api, 'POST', '/v1/mcp-servers/x/test', {})).body
      expect(test).toMatchObject({ reachable: true, error: null, tools: [{ name: 'act' }] })
      expect(test.findings).toEqual([{ tool: null, left_out: false, message: HINT }])
      const run = await runToEnd(api, { input: '@call mcp__x__act {}\n@then\n@say {last}' })
      expect(run.output.text).toContain('done by the older server')
    },
  )

  it('whose stream is at another URL fails with the setting to write', async () => {
    const server = await startCannedServer(({ method }, response) => {
      if (method !== 'POST') return void response.writeHead(404).end()
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      response.write('event: endpoint\ndata: /messages\n\n')
    })
    cleanup.push(server.close)
    const api = await startNodeApi()
    await putFile(api, BASE_CONFIG, `[mcp_servers.x]\nurl = "${server.origin}/mcp"\n`)
    const test = (await ask(api, 'POST', '/v1/mcp-servers/x/test', {})).body
    expect(test).toMatchObject({ reachable: false, error: expect.stringContaining(ELSEWHERE) })
  })

  it('is used without a warning when its type is set', async () => {
    const { origin, received } = await startOlderMcp(405)
    const api = await startNodeApi()
    await putFile(api, BASE_CONFIG, `[mcp_servers.x]\nurl = "${origin}/sse"\ntype = "sse"\n`)
    const test = (await ask(api, 'POST', '/v1/mcp-servers/x/test', {})).body
    expect(test).toMatchObject({ reachable: true, findings: [] })
    expect(received.filter(({ method, url }) => method === 'POST' && url === '/sse')).toEqual([])
  })
})

describe('a server that speaks neither transport', () => {
  it('times out with the setting to write when it answers with an open stream', async () => {
    const server = await startCannedServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    })
    cleanup.push(server.close)
    const api = await startNodeApi()
    const config = `[mcp_servers.x]\nurl = "${server.origin}/mcp"\nstartup_timeout_sec = 2\n`
    await putFile(api, BASE_CONFIG, config)
    const reason = expect.stringContaining(
      `the server did not start within 2 seconds: its response to a message started but never ended; if it supports only the older transport, ${ELSEWHERE}`,
    )
    const test = (await ask(api, 'POST', '/v1/mcp-servers/x/test', {})).body
    expect(test).toMatchObject({ reachable: false, error: reason })
    const run = await runToEnd(api, { input: '@say hello' })
    expect(run.warnings).toMatchObject([{ message: reason }])
  })

  it('keeps the reason of its first answer', async () => {
    const server = await startCannedServer((_, response) => void response.writeHead(405).end())
    cleanup.push(server.close)
    const api = await startNodeApi()
    await putFile(api, BASE_CONFIG, `[mcp_servers.x]\nurl = "${server.origin}/mcp"\n`)
    const test = (await ask(api, 'POST', '/v1/mcp-servers/x/test', {})).body
    expect(test).toMatchObject({ reachable: false, error: 'the server responded with status 405' })
  })
})
