/** The tools port against the reference MCP server and against servers that misbehave. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ServerEntry } from '../../../src/core/config/types.ts'
import { pinnedFetch } from '../../../src/hosts/node/outbound.ts'
import { openStdio } from '../../../src/hosts/node/stdio.ts'
import { guardedFetch } from '../../../src/hosts/web/fetch.ts'
import { createMcpTools, type McpOptions } from '../../../src/hosts/web/mcp.ts'
import type { Secrets } from '../../../src/ports/world.ts'
import { type CannedMcpOptions, startCannedMcp, TOOL } from '../../support/canned-mcp.ts'
import {
  type Everything,
  everythingByStdio,
  serverEntry,
  startEverything,
} from '../../support/everything.ts'

const cleanup: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of cleanup.splice(0).reverse()) await close()
})

const secretsOf = (values: Record<string, string>): Secrets => ({
  get: async (_, name) => values[name],
  names: async () => new Set(Object.keys(values)),
  seal: async (text) => text,
  open: async (text) => text,
})
function mcp(more: Partial<McpOptions> = {}) {
  const policy = { allowLoopback: true }
  const fetch = guardedFetch(policy, pinnedFetch(policy))
  const tools = createMcpTools({ secrets: secretsOf({}), fetch, stdio: openStdio, ...more })
  cleanup.push(tools.close)
  return {
    ...tools,
    run: (server: ServerEntry, tool: string, args: Record<string, unknown> = {}) =>
      tools.call('default', server, {
        tool,
        arguments: args,
        key: 'key-1',
        signal: new AbortController().signal,
      }),
  }
}
async function canned(options: CannedMcpOptions = {}, entry: Partial<ServerEntry> = {}) {
  const server = await startCannedMcp(options)
  cleanup.push(server.close)
  const name = 'canned'
  return { server, entry: serverEntry({ name, transport: 'http', url: server.url, ...entry }) }
}

describe('the reference server', () => {
  const running: Everything[] = []
  beforeAll(async () => {
    running.push(await startEverything('streamableHttp'), await startEverything('sse'))
  }, 30_000)
  afterAll(async () => {
    for (const one of running) await one.close()
  })
  const entries = {
    stdio: () => everythingByStdio(),
    http: () => serverEntry({ transport: 'http', url: running[0]?.url ?? '' }),
    sse: () => serverEntry({ transport: 'sse', url: running[1]?.url ?? '' }),
  }
  it.each(['stdio', 'http', 'sse'] as const)('lists and runs its tools over %s', async (kind) => {
    const tools = mcp()
    const entry = entries[kind]()
    const listed = await tools.list('default', entry)
    const names = listed.ok ? listed.value.map((tool) => tool.name) : []
    expect(names).toContain('echo')
    expect(await tools.run(entry, 'echo', { message: 'hi' })).toEqual({
      ok: true,
      value: { text: 'Echo: hi', is_error: false },
    })
    const image = await tools.run(entry, 'get-tiny-image')
    expect(image.ok && image.value.text).toMatch(/\n\[image: image\/png, \d+ bytes\]\n/)
    expect(await tools.run(entry, 'get-sum', { a: 'x' })).toMatchObject({
      ok: true,
      value: { is_error: true },
    })
  })
  it('repeatable is what the annotations say', async () => {
    const listed = await mcp().list('default', entries.http())
    const byName = new Map((listed.ok ? listed.value : []).map((tool) => [tool.name, tool]))
    expect(byName.get('echo')?.repeatable).toBe(true)
    expect(byName.get('simulate-research-query')?.repeatable).toBe(false)
  })
  it('A17 is offered neither sampling nor elicitation', async () => {
    const listed = await mcp().list('default', entries.http())
    const names = listed.ok ? listed.value.map((tool) => tool.name).join(' ') : ''
    expect(names).not.toMatch(/sampling|elicitation|roots/)
  })
  it("a local server sees its own variables, not the deployment's, and no loader tricks", async () => {
    process.env.OPENAI_API_KEY_TEST = 'deployment-secret'
    const env = { MINE: 'yes', NODE_OPTIONS: '--no-warnings', LD_PRELOAD: '/x.so' }
    const seen = await mcp().run(everythingByStdio({ env }), 'get-env')
    delete process.env.OPENAI_API_KEY_TEST
    const text = seen.ok ? seen.value.text : ''
    expect(text).toContain('"MINE": "yes"')
    expect(text).not.toMatch(/deployment-secret|NODE_OPTIONS|LD_PRELOAD/)
  })
  it('SDK-11 two servers that differ only in their env are two processes', async () => {
    const tools = mcp()
    const [one, two] = await Promise.all(
      ['1', '2'].map((n) => tools.run(everythingByStdio({ env: { N: n } }), 'get-env')),
    )
    expect(one?.ok && one.value.text).toContain('"N": "1"')
    expect(two?.ok && two.value.text).toContain('"N": "2"')
  })
  it('a call that takes too long is a time-out, and the next one works', async () => {
    const tools = mcp()
    const entry = serverEntry({ ...entries.http(), tool_timeout_sec: 0.2 })
    const slow = { duration: 5, steps: 1 }
    const late = await tools.run(entry, 'trigger-long-running-operation', slow)
    expect(late).toMatchObject({ ok: false, error: { code: 'timeout' } })
    expect(await tools.run(entry, 'echo', { message: 'x' })).toMatchObject({ ok: true })
  })
})

describe('SDK-10 a local server', () => {
  it('gets its arguments unchanged, blanks included', async () => {
    const script =
      'require("fs").writeFileSync(process.argv[1], JSON.stringify(process.argv.slice(2)));' +
      'process.exit()'
    const { mkdtemp, readFile, rm } = await import('node:fs/promises')
    const dir = await mkdtemp('/tmp/strata-test-')
    cleanup.push(() => rm(dir, { recursive: true }))
    const args = ['-e', script, `${dir}/seen`, '--path', '/a b', '$HOME', '"']
    await mcp().list('default', everythingByStdio({ args, startup_timeout_sec: 5 }))
    expect(JSON.parse(await readFile(`${dir}/seen`, 'utf8'))).toEqual(args.slice(3))
  })
  it('that does not exist, exits or is not allowed is a sentence', async () => {
    const gone = serverEntry({ command: '/no/such/command' })
    expect(await mcp().list('default', gone)).toEqual({
      ok: false,
      error: 'the command was not found',
    })
    const exits = serverEntry({ command: process.execPath, args: ['-e', 'process.exit(3)'] })
    expect(await mcp().list('default', exits)).toMatchObject({ ok: false })
    expect(await mcp({ stdio: undefined }).list('default', gone)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/not allowed here/),
    })
  })
  it('MCP-10 that hangs at its start costs its own start-up time-out, not that of others', async () => {
    const tools = mcp()
    const hangs = serverEntry({
      command: process.execPath,
      args: ['-e', 'setInterval(() => {}, 1000)'],
      startup_timeout_sec: 0.5,
    })
    const { entry } = await canned()
    const began = performance.now()
    const [late, well] = await Promise.all([
      tools.list('default', hangs),
      tools.list('default', entry).then((listed) => ({ listed, ms: performance.now() - began })),
    ])
    expect(late).toMatchObject({ ok: false, error: expect.stringMatching(/0.5 seconds/) })
    expect(well.listed.ok).toBe(true)
    expect(well.ms).toBeLessThan(400)
  })
})

describe('lists', () => {
  it('SDK-12 filters: deny wins, names may carry the server', async () => {
    const named = ['now', 'then', 'never', 'other'].map((name) => ({ ...TOOL, name }))
    const enabled_tools = ['now', 'mcp__canned__then', 'never']
    const lists = { enabled_tools, disabled_tools: ['canned__never'] }
    const { entry } = await canned({ tools: named }, lists)
    const tools = mcp()
    const listed = await tools.list('default', entry)
    expect(listed.ok && listed.value.map((tool) => tool.name)).toEqual(['now', 'then'])
    expect(await tools.run(entry, 'never')).toMatchObject({ ok: false, error: { code: 'unsent' } })
    expect(await tools.run(entry, 'other')).toMatchObject({ ok: false, error: { code: 'unsent' } })
  })
  it('SDK-13 filters that leave nothing are an error that says so', async () => {
    const { entry } = await canned({}, { enabled_tools: ['nothing'] })
    expect(await mcp().list('default', entry)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/leave none of its 1 tools/),
    })
  })
  it('A07 a schema that points elsewhere refuses the server', async () => {
    const inputSchema = { type: 'object', properties: { a: { $ref: 'https://evil.example/s' } } }
    const { entry } = await canned({ tools: [{ ...TOOL, inputSchema }] })
    expect(await mcp().list('default', entry)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/refers to another document/),
    })
  })
  it('are asked once while they are fresh, and again after forget', async () => {
    const { entry, server } = await canned()
    const tools = mcp()
    await Promise.all([tools.list('default', entry), tools.list('default', entry)])
    await tools.list('default', { ...entry, tool_timeout_sec: 1 })
    expect(server.messages('tools/list').length).toBe(1)
    tools.forget('another')
    await tools.list('default', entry)
    expect(server.messages('tools/list').length).toBe(1)
    tools.forget('default')
    await tools.list('default', entry)
    expect(server.messages('tools/list').length).toBe(2)
  })
  it('MC-14 an unreachable server is a sentence, and is asked again next time', async () => {
    const { entry, server } = await canned()
    await server.close()
    const tools = mcp()
    expect(await tools.list('default', entry)).toEqual({
      ok: false,
      error: 'the server cannot be reached',
    })
  })
  it('T23 a server on loopback is refused where loopback is not allowed', async () => {
    const { entry, server } = await canned()
    const policy = { allowLoopback: false }
    const tools = mcp({ fetch: guardedFetch(policy, pinnedFetch(policy)) })
    expect(await tools.list('default', entry)).toMatchObject({ ok: false })
    expect(server.received.length).toBe(0)
  })
})

describe('calls', () => {
  it('carry their idempotency key in _meta', async () => {
    const { entry, server } = await canned()
    expect(await mcp().run(entry, 'act', { a: 1 })).toMatchObject({ ok: true })
    expect(server.messages('tools/call')[0]?.message.params).toMatchObject({
      name: 'act',
      arguments: { a: 1 },
      _meta: { 'strata/idempotency-key': 'key-1' },
    })
  })
  it("T13 carry the tenant's secrets as they are now, and no header for a missing one", async () => {
    const values: Record<string, string> = { TOKEN: 'one', OTHER: 'x-secret' }
    const { entry, server } = await canned(
      {},
      {
        bearer_token_env_var: 'TOKEN',
        http_headers: { 'x-static': 's' },
        env_http_headers: { 'x-env': 'OTHER', 'x-missing': 'PATH' },
      },
    )
    const tools = mcp({ secrets: secretsOf(values) })
    await tools.run(entry, 'act')
    values.TOKEN = 'two'
    await tools.run(entry, 'act')
    const [first, second] = server.messages('tools/call').map((one) => one.headers)
    expect(first).toMatchObject({ authorization: 'Bearer one', 'x-static': 's' })
    expect(first?.['x-env']).toBe('x-secret')
    expect(first?.['x-missing']).toBeUndefined()
    expect(second?.authorization).toBe('Bearer two')
  })
  it('I22 a secret that no header can carry is named, not quoted', async () => {
    const { entry } = await canned({}, { bearer_token_env_var: 'TOKEN' })
    const listed = await mcp({ secrets: secretsOf({ TOKEN: 'sec\nret' }) }).list('default', entry)
    expect(listed).toMatchObject({ ok: false, error: expect.not.stringContaining('sec\nret') })
    expect(listed).toMatchObject({ error: expect.stringMatching(/authorization/) })
  })
  it('A16 a huge result is cut with a marker, NUL is gone', async () => {
    const { entry } = await canned({
      onCall: (message, response) => {
        const text = `a\u0000${'é'.repeat(400_000)}`
        const result = { content: [{ type: 'text', text }] }
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
        return true
      },
    })
    const called = await mcp().run(entry, 'act')
    const text = called.ok ? called.value.text : ''
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(262_144)
    expect(Buffer.byteLength(text)).toBeGreaterThan(262_000)
    expect(text).toMatch(/^a\ufffdé+\n\[cut: the whole result has \d+ bytes\]$/)
  })
  it('that never reached the server are unsent', async () => {
    const { entry, server } = await canned()
    const tools = mcp()
    await tools.list('default', entry)
    await server.close()
    // Let the closed connections be noticed; a call on one of them would be unknown.
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await tools.run(entry, 'act')).toMatchObject({ ok: false, error: { code: 'unsent' } })
  })
  it.each([
    [400, 'unsent'],
    [429, 'unsent'],
    [500, 'unknown'],
    [503, 'unknown'],
  ])('answered with status %i are %s, and the body is not quoted', async (status, code) => {
    const { entry } = await canned({
      onCall: (_, response) => {
        response.writeHead(status).end('internal detail')
        return true
      },
    })
    const called = await mcp().run(entry, 'act')
    expect(called).toMatchObject({ ok: false, error: { code } })
    expect(JSON.stringify(called)).not.toContain('internal')
  })
  it.each(['at once', 'in the stream', 'by a clean end'])(
    'F26 whose connection breaks %s are unknown, sent once, and soon',
    async (how) => {
      const { entry, server } = await canned({
        onCall: (_, response) => {
          if (how === 'at once') response.destroy()
          else {
            response.writeHead(200, { 'content-type': 'text/event-stream' })
            response.write(': hello\n\n')
            setTimeout(() => (how === 'in the stream' ? response.destroy() : response.end()), 20)
          }
          return true
        },
      })
      const began = performance.now()
      const called = await mcp().run(entry, 'act')
      expect(called).toMatchObject({ ok: false, error: { code: 'unknown' } })
      expect(performance.now() - began).toBeLessThan(1_500)
      expect(server.messages('tools/call').length).toBe(1)
    },
  )
  it('after the server forgot the session are made once more on a new one', async () => {
    const { entry, server } = await canned({
      onCall: (_, response, nth) => {
        if (nth === 0) response.writeHead(404).end()
        return nth === 0
      },
    })
    expect(await mcp().run(entry, 'act')).toMatchObject({ ok: true })
    expect(server.messages('initialize').length).toBe(2)
  })
  it('that are cancelled before they leave are unsent, after that unknown', async () => {
    const { entry, server } = await canned({ onCall: () => true })
    const tools = mcp()
    const call = (signal: AbortSignal) =>
      tools.call('default', entry, { tool: 'act', arguments: {}, key: 'k', signal })
    const before = await call(AbortSignal.abort())
    expect(before).toMatchObject({ ok: false, error: { code: 'unsent' } })
    expect(server.messages('tools/call').length).toBe(0)
    const during = await call(AbortSignal.timeout(200))
    expect(during).toMatchObject({ ok: false, error: { code: 'unknown' } })
  })
  it('MCP-06 on one server go on while another configuration appears', async () => {
    const { entry, server } = await canned({
      onCall: (message, response, nth) => {
        const result = { content: [{ type: 'text', text: `call ${nth}` }] }
        response.writeHead(200, { 'content-type': 'application/json' })
        const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, result })
        setTimeout(() => response.end(body), nth === 0 ? 200 : 0)
        return true
      },
    })
    const tools = mcp()
    const slow = tools.run(entry, 'act')
    await new Promise((resolve) => setTimeout(resolve, 100))
    tools.forget('default')
    const other = { ...entry, http_headers: { 'x-new': '1' } }
    expect(await tools.run(other, 'act')).toMatchObject({ ok: true, value: { text: 'call 1' } })
    expect(await slow).toMatchObject({ ok: true, value: { text: 'call 0' } })
    expect(server.messages('initialize').length).toBe(2)
  })
  it('share one connection, which closes when nobody has used it for a while', async () => {
    const { entry, server } = await canned()
    const tools = mcp({ idleMs: 50 })
    await Promise.all([tools.run(entry, 'act'), tools.run(entry, 'act')])
    expect(server.messages('initialize').length).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 120))
    await tools.run(entry, 'act')
    expect(server.messages('initialize').length).toBe(2)
  })
})
