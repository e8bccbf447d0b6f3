/** Odd lists and results of servers of the revision without sessions (2026-07-28). */

import { expect, it } from 'vitest'
import type { McpMessage } from '../../../support/canned-mcp.ts'
import { canned, mcp } from '../../../support/mcp-port.ts'

const json = { 'content-type': 'application/json' }
const REVISION = '2026-07-28'

/** A server that answers each request with these results, as they are. */
const modern = (results: (message: McpMessage) => unknown) =>
  canned({
    onRequest(request, response) {
      const message = request.method === 'POST' ? JSON.parse(request.body) : {}
      if (message.id === undefined) return false
      const discovered = { supportedVersions: [REVISION], capabilities: { tools: {} } }
      const result =
        message.method === 'server/discover'
          ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...discovered }
          : results(message)
      response.writeHead(200, json)
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
      return true
    },
  })

it('a malformed tool or result without members that the revision requires affects no other', async () => {
  const act = { name: 'act', inputSchema: { type: 'object' } }
  const marked = { type: 'object', properties: { a: { type: 'array', 'x-mcp-header': 'A' } } }
  const tools = [act, { name: 'bare' }, { name: 'odd', inputSchema: 7 }]
  const { entry, server } = await modern(({ method, params }) => {
    if (method === 'tools/call')
      return { content: null, structuredContent: { a: 1 }, isError: null }
    return params?.cursor === 'x'
      ? { tools: [{ name: 'marked', inputSchema: marked }], nextCursor: null }
      : { tools, nextCursor: 'x' }
  })
  const port = mcp()
  const listed = await port.list('default', entry)
  expect(listed.ok && listed.value.map(({ name }) => name)).toEqual(['act', 'bare'])
  expect(listed).toMatchObject({
    findings: [
      { tool: 'odd', left_out: true },
      { tool: 'marked', left_out: true, message: expect.stringContaining('x-mcp-header') },
      { tool: 'bare', left_out: false },
    ],
  })
  expect(await port.run(entry, 'act')).toEqual({
    ok: true,
    value: { text: '{"a":1}', is_error: false },
  })
  expect(server.messages('initialize')).toHaveLength(0)
  const sent = server.messages('tools/list').map(({ message }) => message.params)
  expect(JSON.stringify(sent)).not.toContain('strata/walk')
})

it('a call carries the headers that its tool requires, starting with the first call', async () => {
  const properties = { region: { type: 'string', 'x-mcp-header': 'Region' } }
  const { entry, server } = await modern(({ method }) =>
    method === 'tools/call'
      ? { content: ['done'] }
      : { tools: [{ name: 'act', inputSchema: { type: 'object', properties } }] },
  )
  const port = mcp()
  await port.list('default', entry)
  expect(await port.run(entry, 'act', { region: 'eu' })).toMatchObject({ ok: true })
  expect(server.messages('tools/call')[0]?.headers['mcp-param-region']).toBe('eu')
})
