/** MCP servers with odd tools, odd results, and good reasons, as a running server tells of them. */

import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { type CannedMcpOptions, startCannedMcp, TOOL } from '../support/canned-mcp.ts'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { ask, eventsOf, putFile, runToEnd } from '../support/node-client.ts'
import { BASE_CONFIG } from '../support/resolved.ts'

const json = { 'content-type': 'application/json' }
const events = { 'content-type': 'text/event-stream' }
const tested = async (api: NodeApi, name: string) =>
  (await ask(api, 'POST', `/v1/mcp-servers/${name}/test`, {})).body
const configOf = async (api: NodeApi, id: string) =>
  (await ask(api, 'GET', `/v1/runs/${id}/config`)).body
/** The system prompt and the notes of the first request, as the model's vendor got them. */
const promptOf = ({ model }: NodeApi) => JSON.stringify(model.requests[0]?.body)

async function apiWith(options: CannedMcpOptions) {
  const server = await startCannedMcp(options)
  cleanup.push(server.close)
  const api = await startNodeApi()
  await putFile(api, BASE_CONFIG, `[mcp_servers.x]\nurl = "${server.url}"\n`)
  return { api, server }
}

describe('a malformed tool of a server', () => {
  it('is left out with its reason in the run, its configuration, the test, and a call', async () => {
    const odd = { name: 'odd', description: 'Odd.', inputSchema: [1] }
    const { inputSchema: _, ...bare } = { ...TOOL, name: 'bare' }
    const { api, server } = await apiWith({ tools: [odd, TOOL, bare] })
    const input = '@call mcp__x__act {}\n@then\n@call mcp__x__odd {}\n@then\n@say {last}'
    const run = await runToEnd(api, { input })
    const why = 'the tool "odd": its inputSchema is a list, not an object'
    expect(run.status).toBe('completed')
    expect(run.output.text).toContain(why)
    expect(server.messages('tools/call')).toHaveLength(1)
    const warnings = [
      { code: 'tool_left_out', message: `MCP server x: ${why}` },
      { code: 'tool_mended', message: expect.stringContaining('"bare": it has no inputSchema') },
    ]
    expect(run.warnings).toEqual(warnings)
    expect(promptOf(api)).toContain('inputSchema is a list')
    const config = await configOf(api, run.id)
    expect(config.warnings).toEqual(warnings)
    expect(config.missing_tools).toEqual([{ tool: 'mcp:x/odd', why }])
    const offered = config.tools.map(({ name }: { name: string }) => name)
    expect(offered).toEqual(expect.arrayContaining(['mcp__x__act', 'mcp__x__bare']))
    expect(offered).not.toContain('mcp__x__odd')
    const { reachable, tools, findings } = await tested(api, 'x')
    expect([reachable, tools.map(({ name }: { name: string }) => name)]).toEqual([
      true,
      ['act', 'bare'],
    ])
    expect(findings).toMatchObject([
      { tool: 'odd', left_out: true, message: why },
      { tool: 'bare', left_out: false },
    ])
  })

  it('never invalidates the request: alternatives are merged, and unsupported names are left out', async () => {
    const of = (name: string) => ({
      type: 'object',
      properties: { [name]: { type: 'string' } },
      required: [name],
    })
    const anyOf = [of('content'), of('source_url')]
    const attach = { ...TOOL, name: 'attach', inputSchema: { type: 'object', anyOf } }
    const search = { ...TOOL, name: 'search', inputSchema: of('filter[id]') }
    const { api, server } = await apiWith({ tools: [attach, search, TOOL] })
    const input = '@call mcp__x__attach {"source_url":"x"}\n@then\n@say {last}'
    const run = await runToEnd(api, { input })
    expect(run).toMatchObject({ status: 'completed', output: { text: 'done' } })
    expect(server.messages('tools/call')[0]?.message.params?.arguments).toEqual({ source_url: 'x' })
    expect(run.warnings).toMatchObject([
      { code: 'tool_left_out', message: expect.stringContaining('"filter[id]" has a name') },
      { code: 'tool_mended', message: expect.stringContaining('"anyOf" at the top') },
    ])
    const { tools } = JSON.parse(JSON.stringify(api.model.requests[0]?.body))
    const shown = JSON.stringify(tools)
    expect(shown).not.toMatch(/"parameters":\{[^{}]*"anyOf"|filter\[id\]/)
    expect(shown).toContain('at least one of these sets: (content) or (source_url)')
  })

  it('among 1,000 or 10,000 valid ones keeps a run within its limits', async () => {
    const odd = Array.from({ length: 1_000 }, (_, nth) => ({ name: `odd${nth}`, inputSchema: 7 }))
    const good = Array.from({ length: 10_000 }, (_, nth) => ({ ...TOOL, name: `t${nth}` }))
    const { api } = await apiWith({ tools: [...odd, ...good], page: 2_000 })
    const run = await runToEnd(api, { input: '@call mcp__x__t7 {}\n@then\n@say {last}' })
    expect(run).toMatchObject({ status: 'completed', output: { text: 'done' } })
    const messages = run.warnings.map(({ message }: { message: string }) => message)
    expect(messages.filter((one: string) => one.includes('inputSchema is'))).toHaveLength(20)
    expect(messages).toContain('MCP server x: 980 more of its tools are omitted')
    expect(messages).toContainEqual(expect.stringContaining('lists more than 1000 tools'))
  })
})

describe('an unusable server', () => {
  it("has one reason in its test, in the run's warning and configuration, and for the model", async () => {
    const gone = await startCannedServer(() => {})
    await gone.close()
    const by = async (act: (response: ServerResponse) => unknown) => {
      const server = await startCannedServer((_, response) => void act(response))
      cleanup.push(server.close)
      return server.origin
    }
    const html = { 'content-type': 'text/html' }
    const servers: Readonly<Record<string, readonly [url: string, reason: string]>> = {
      refusing: [
        await by((r) => r.writeHead(401).end()),
        'the server rejected the credentials (401)',
      ],
      failing: [
        await by((r) => r.writeHead(500).end('s3cret')),
        'the server responded with status 500',
      ],
      moved: [
        await by((r) => r.writeHead(307, { location: '/s3cret' }).end()),
        'the server responded with status 307, a redirect, which is not followed',
      ],
      page: [
        await by((r) => r.writeHead(200, html).end('<p>s3cret')),
        "the server's response is neither JSON nor an event stream",
      ],
      gone: [gone.origin, 'the server is unreachable'],
      silent: [await by(() => {}), 'the server did not start within 1 second'],
    }
    const api = await startNodeApi()
    const entries = Object.entries(servers)
    const config = entries.map(
      ([name, [url]]) => `[mcp_servers.${name}]\nurl = "${url}/mcp"\nstartup_timeout_sec = 1\n`,
    )
    await putFile(api, BASE_CONFIG, config.join('\n'))
    const run = await runToEnd(api, { input: '@call mcp__failing__act {}\n@then\n@say {last}' })
    expect(run.output.text).toContain('the server responded with status 500')
    const { missing_servers, warnings } = await configOf(api, run.id)
    const prompt = promptOf(api)
    expect(prompt).not.toContain('s3cret')
    for (const [name, [, reason]] of entries) {
      expect(await tested(api, name)).toMatchObject({ reachable: false, error: reason })
      const warning = { code: 'unreachable', message: `MCP server ${name}: ${reason}` }
      expect(run.warnings).toContainEqual(warning)
      expect(warnings).toContainEqual(warning)
      expect(missing_servers).toContainEqual({ name, code: 'unreachable', why: reason })
      expect(prompt).toContain(
        JSON.stringify(`MCP server "${name}" (unreachable): "${reason}"`).slice(1, -1),
      )
    }
  })

  it.each([
    ['401 with a challenge', 'http', 401, 'Bearer', 'authorization_required'],
    ['401 with a challenge over SSE', 'sse', 401, 'Bearer realm="x"', 'authorization_required'],
    ['401 with another challenge', 'http', 401, 'Basic', 'unreachable'],
    ['403 for its scope', 'http', 403, 'Bearer error="insufficient_scope"', 'unreachable'],
  ])(
    'that answers %s has the same sentence everywhere',
    async (_, type, status, challenge, code) => {
      const server = await startCannedServer((_request, response) => {
        response.writeHead(status, { 'www-authenticate': challenge }).end()
      })
      cleanup.push(server.close)
      const api = await startNodeApi()
      const entry = `[mcp_servers.x]\ntype = "${type}"\nurl = "${server.origin}/mcp"\n`
      await putFile(api, BASE_CONFIG, entry)
      const { error } = await tested(api, 'x')
      expect(error).toContain(
        code === 'unreachable' ? `(${status})` : '/v1/mcp-servers/x/authorization',
      )
      const run = await runToEnd(api, { input: '@call mcp__x__act {}\n@then\n@say {last}' })
      expect(run.output.text).toContain(error)
      expect(run.warnings).toEqual([{ code, message: `MCP server x: ${error}` }])
      const { missing_servers } = await configOf(api, run.id)
      expect(missing_servers).toEqual([{ name: 'x', code, why: error }])
      expect(promptOf(api)).toContain(error)
    },
  )

  it('that hangs does not delay a run beyond its time limit', async () => {
    const server = await startCannedServer(() => {})
    cleanup.push(server.close)
    const api = await startNodeApi()
    const entry = `[mcp_servers.x]\nurl = "${server.origin}/mcp"\nstartup_timeout_sec = 60\n`
    await putFile(api, BASE_CONFIG, entry)
    const run = await runToEnd(api, { input: '@say here', limits: { timeout_seconds: 2 } })
    expect(run).toMatchObject({
      status: 'completed',
      output: { text: 'here' },
      warnings: [
        { code: 'unreachable', message: expect.stringContaining('within 1 second, half') },
      ],
    })
  })
})

describe('a server of an older revision', () => {
  it.each<[string, (response: ServerResponse) => unknown]>([
    ['500', (r) => r.writeHead(500, { 'content-type': 'text/html' }).end('TypeError')],
    ['501', (r) => r.writeHead(501).end()],
    ['401 alone', (r) => r.writeHead(401).end('no session')],
    ['403', (r) => r.writeHead(403, json).end('{"error":"no session"}')],
    ['202', (r) => r.writeHead(202).end()],
    ['200 without a body', (r) => r.writeHead(200).end()],
    ['a page', (r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>')],
    ['JSON that is no message', (r) => r.writeHead(200, json).end('{"ok":true}')],
    ['broken JSON', (r) => r.writeHead(200, json).end('{"jsonrpc"')],
    ['a message to another request', (r) => r.writeHead(200, json).end('{"id":7,"result":{}}')],
    ['a stream that stays open', (r) => r.writeHead(200, events).write('id: 1\ndata:\n\n')],
    ['a broken connection', (r) => r.destroy()],
    ['nothing at all', () => {}],
  ])(
    'that answers unknown methods with %s is initialized by its revision and used',
    async (_name, answer) => {
      const methods: string[] = []
      const { api } = await apiWith({
        onRequest({ method, body }, response) {
          const message = method === 'POST' ? JSON.parse(body) : {}
          methods.push(message.method)
          if (message.method !== 'server/discover') return false
          answer(response)
          return true
        },
      })
      const run = await runToEnd(api, { input: '@call mcp__x__act {}\n@then\n@say {last}' })
      expect(run).toMatchObject({ status: 'completed', output: { text: 'done' } })
      expect(run.warnings).toBeUndefined()
      expect(methods.slice(0, 2)).toEqual(['server/discover', 'initialize'])
    },
  )

  it('that answers 500 reports the reason of its initialization when that fails too', async () => {
    const { api } = await apiWith({
      onRequest({ body }, response) {
        const isFirst = body.includes('server/discover')
        response.writeHead(isFirst ? 500 : 403).end()
        return true
      },
    })
    expect(await tested(api, 'x')).toMatchObject({
      reachable: false,
      error: 'the server rejected the credentials (403)',
    })
  })
})

describe('a call', () => {
  const answering = (result: unknown): CannedMcpOptions => ({
    onCall({ id }, response) {
      response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      return true
    },
  })
  it.each([
    ['content of null', { content: null, structuredContent: { ok: true } }, '{"ok":true}'],
    [
      'an odd part',
      { content: [{ type: 'text', text: 'booked' }, { type: 'text' }, { type: 'odd', n: 1 }] },
      /^booked\n\[a text part without text\]\n\[a part of the type "odd"\]\n/,
    ],
    ['half a character', { content: [{ type: 'text', text: 'a\ud83d' }] }, 'a\ufffd'],
    [
      'data beside the text',
      { content: [{ type: 'text', text: 'Booked.' }], structuredContent: { order: 7 } },
      'Booked.\n[structured result]\n{"order":7}',
    ],
  ])('whose result has %s was executed once', async (_name, result, says) => {
    const { api, server } = await apiWith(answering(result))
    const run = await runToEnd(api, { input: '@call mcp__x__act {}\n@then\n@say {last}' })
    expect(run).toMatchObject({ status: 'completed' })
    expect(run.output.text).toMatch(says)
    expect(server.messages('tools/call')).toHaveLength(1)
    const done = (await eventsOf(api, run.id)).find(({ type }) => type === 'tool.result')
    expect(done.data).toMatchObject({ status: 'ok' })
  })

  it('on a session that the server rejects with 400 as unknown is made on a new session', async () => {
    const message = 'Bad Request: No valid session ID provided'
    const { api, server } = await apiWith({
      onCall(_, response, nth) {
        const error = { jsonrpc: '2.0', id: null, error: { code: -32_000, message } }
        if (nth === 0) response.writeHead(400, json).end(JSON.stringify(error))
        return nth === 0
      },
    })
    const run = await runToEnd(api, { input: '@call mcp__x__act {}\n@then\n@say {last}' })
    expect(run).toMatchObject({ status: 'completed', output: { text: 'done' } })
    expect(server.messages('initialize')).toHaveLength(2)
  })
})

it('a server without valid TLS is missing as tls_error', async () => {
  const server = await startCannedMcp()
  cleanup.push(server.close)
  const api = await startNodeApi()
  const url = server.url.replace('http:', 'https:')
  await putFile(api, BASE_CONFIG, `[mcp_servers.x]\nurl = "${url}"\n`)
  const error = 'the secure connection (TLS) failed: the host does not support TLS'
  expect(await tested(api, 'x')).toMatchObject({ reachable: false, error })
  const run = await runToEnd(api, { input: '@say x' })
  expect(run.warnings).toEqual([{ code: 'tls_error', message: `MCP server x: ${error}` }])
  const { missing_servers } = await configOf(api, run.id)
  expect(missing_servers).toMatchObject([{ name: 'x', code: 'tls_error' }])
})
