/** The tools port against MCP servers that misbehave: lists, and what became of a call. */

import { describe, expect, it } from 'vitest'
import { pinnedFetch } from '../../../../src/hosts/node/outbound.ts'
import { guardedFetch } from '../../../../src/hosts/outbound/fetch.ts'
import { TOOL } from '../../../support/canned-mcp.ts'
import { canned, mcp, secretsOf } from '../../../support/mcp-port.ts'
import { measured } from '../../../support/measured.ts'

describe('tool lists', () => {
  it('apply filters: deny wins, and names may include the server [SDK-12]', async () => {
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
  it('are an error with an explanation when filters leave nothing [SDK-13]', async () => {
    const { entry } = await canned({}, { enabled_tools: ['nothing'] })
    expect(await mcp().list('default', entry)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/exclude all of its 1 tools/),
    })
  })
  it('omit a tool whose schema refers elsewhere [A07]', async () => {
    const inputSchema = { type: 'object', properties: { a: { $ref: 'https://evil.example/s' } } }
    const { entry } = await canned({ tools: [{ ...TOOL, inputSchema }] })
    expect(await mcp().list('default', entry)).toMatchObject({
      ok: true,
      value: [],
      findings: [{ left_out: true, message: expect.stringMatching(/refers to another document/) }],
    })
  })
  it('are requested once while fresh, and again after forget', async () => {
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
  it('report an unreachable server in a sentence and query it again next time [MC-14]', async () => {
    const { entry, server } = await canned()
    await server.close()
    const tools = mcp()
    expect(await tools.list('default', entry)).toEqual({
      ok: false,
      error: 'the server is unreachable',
    })
  })
  it('refuse a server on loopback where loopback is not allowed [T23]', async () => {
    const { entry, server } = await canned()
    const policy = { allowLoopback: false }
    const tools = mcp({ fetch: guardedFetch(policy, pinnedFetch(policy)) })
    expect(await tools.list('default', entry)).toMatchObject({ ok: false })
    expect(server.received.length).toBe(0)
  })
})

describe('tool calls', () => {
  it('carry their idempotency key in _meta', async () => {
    const { entry, server } = await canned()
    expect(await mcp().run(entry, 'act', { a: 1 })).toMatchObject({ ok: true })
    expect(server.messages('tools/call')[0]?.message.params).toMatchObject({
      name: 'act',
      arguments: { a: 1 },
      _meta: { 'strata/idempotency-key': 'key-1' },
    })
  })
  it('carry the current secrets, and no header for a missing one [T13]', async () => {
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
  it.each([
    { bearer_token_env_var: 'TOKEN' },
    { env_http_headers: { 'x-k': 'TOKEN' } },
    { http_headers: { 'x-k': `a $\{TOKEN}` } },
  ])('are not sent without a secret that cannot be decrypted: %j', async (config) => {
    const { entry, server } = await canned({}, config)
    const secrets = { ...secretsOf({}), names: async () => new Set(['TOKEN']) }
    const error = 'the master key does not decrypt the secret TOKEN'
    expect(await mcp({ secrets }).list('default', entry)).toEqual({ ok: false, error })
    expect(server.received).toHaveLength(0)
  })
  it('name a secret that no header can carry, without quoting it [I22]', async () => {
    const { entry } = await canned({}, { bearer_token_env_var: 'TOKEN' })
    const listed = await mcp({ secrets: secretsOf({ TOKEN: 'sec\nret' }) }).list('default', entry)
    expect(listed).toMatchObject({ ok: false, error: expect.not.stringContaining('sec\nret') })
    expect(listed).toMatchObject({ error: expect.stringMatching(/authorization/) })
  })
  it.each([
    [{ http_headers: { 'X-Forwarded-For': '127.0.0.1' } }, /"X-Forwarded-For".*identifies/],
    [{ env_http_headers: { Host: 'TOKEN' } }, /"Host".*names the host/],
    [{ env_http_headers: { 'X-T': 'LINES' } }, /"X-T" contains control characters/],
    [{ http_headers: { 'X-T': `a $\{LINES}` } }, /"X-T" contains control characters/],
    [{ http_headers: { 'X-T': `$\{ACCENT}` } }, /"X-T" contains control characters or non-ASCII/],
  ])('refuse a forbidden header when it is used: %j [T18]', async (given, says) => {
    const { entry, server } = await canned({}, given)
    const values = { TOKEN: 'tok-1234', LINES: 'one-canary\r\nX-Evil: 1', ACCENT: 'caf\u00e9' }
    const listed = await mcp({ secrets: secretsOf(values) }).list('default', entry)
    expect(listed).toMatchObject({ ok: false, error: expect.stringMatching(says) })
    expect(JSON.stringify(listed)).not.toContain('canary')
    expect(server.received).toHaveLength(0)
  })
  it.each([
    { bearer_token_env_var: 'BOUND' },
    { env_http_headers: { 'x-k': 'BOUND' } },
    { http_headers: { 'x-k': `a $\{BOUND}` } },
  ])('do not send a secret bound to another host, and report that: %j [T15]', async (given) => {
    const { entry, server } = await canned({}, given)
    const values = { BOUND: 'canary-4711-value' }
    for (const to of [['api.example.com'], ['*.0.0.1'], ['stdio'], []]) {
      const secrets = secretsOf(values, { BOUND: to })
      const tools = mcp({ secrets })
      const says = /secret BOUND is bound to .* not sent to "127\.0\.0\.1"/
      expect(await tools.list('default', entry)).toMatchObject({
        ok: false,
        error: expect.stringMatching(says),
      })
    }
    expect(server.received).toHaveLength(0)
    const bound = mcp({ secrets: secretsOf(values, { BOUND: ['127.0.0.1'] }) })
    expect(await bound.list('default', entry)).toMatchObject({ ok: true })
  })
  it('send no bound secret to a host that is composed of secrets [T15]', async () => {
    const { entry, server } = await canned({}, { bearer_token_env_var: 'BOUND' })
    const secrets = secretsOf(
      { BOUND: 'canary-4711-value', HOST: `127.0.0.1:${server.port}` },
      {
        BOUND: ['127.0.0.1'],
      },
    )
    const url = `http://$\{HOST}/mcp`
    const listed = await mcp({ secrets }).list('default', { ...entry, url })
    expect(listed).toMatchObject({
      ok: false,
      error: expect.stringMatching(/a host name that contains secrets/),
    })
    expect(server.received).toHaveLength(0)
  })
  it('cut a huge result with a marker and remove NUL characters [A16]', async () => {
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
    expect(text).toMatch(/^a\ufffdé+\n\[result cut from \d+ bytes\]$/)
  })
  it('that never reached the server are reported as unsent', async () => {
    const { entry, server } = await canned()
    const tools = mcp()
    await tools.list('default', entry)
    await server.close()
    // Let the closed connections be noticed, turn by turn of the event loop; a call on one of them
    // would be unknown.
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setTimeout(resolve, 5))
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
    'whose connection breaks %s are unknown, sent once, and return soon [F26]',
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
      // Not after the time that a call may take, which would be a time-out.
      const call = () => mcp().run(entry, 'act')
      const called = await measured('a broken connection', call, { wallMs: 10_000 })
      expect(called).toMatchObject({ ok: false, error: { code: 'unknown' } })
      expect(server.messages('tools/call').length).toBe(1)
    },
  )
  it('are repeated once in a new session after the server has forgotten the old one', async () => {
    const { entry, server } = await canned({
      onCall: (_, response, nth) => {
        if (nth === 0) response.writeHead(404).end()
        return nth === 0
      },
    })
    expect(await mcp().run(entry, 'act')).toMatchObject({ ok: true })
    expect(server.messages('initialize').length).toBe(2)
  })
  it('that are cancelled before they are sent are unsent, and unknown afterwards', async () => {
    const leaves = new AbortController()
    const { entry, server } = await canned({
      onCall: () => {
        leaves.abort()
        return true
      },
    })
    const tools = mcp()
    const call = (signal: AbortSignal) =>
      tools.call('default', entry, { tool: 'act', arguments: {}, key: 'k', signal })
    const before = await call(AbortSignal.abort())
    expect(before).toMatchObject({ ok: false, error: { code: 'unsent' } })
    expect(server.messages('tools/call').length).toBe(0)
    const during = await call(leaves.signal)
    expect(during).toMatchObject({ ok: false, error: { code: 'unknown' } })
  })
  it('on one server continue while another configuration appears [MCP-06]', async () => {
    const arrived = Promise.withResolvers<void>()
    let finish = (): unknown => undefined
    const { entry, server } = await canned({
      onCall: (message, response, nth) => {
        const result = { content: [{ type: 'text', text: `call ${nth}` }] }
        response.writeHead(200, { 'content-type': 'application/json' })
        const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, result })
        if (nth > 0) response.end(body)
        else {
          finish = () => response.end(body)
          arrived.resolve()
        }
        return true
      },
    })
    const tools = mcp()
    const slow = tools.run(entry, 'act')
    await arrived.promise
    tools.forget('default')
    const other = { ...entry, http_headers: { 'x-new': '1' } }
    expect(await tools.run(other, 'act')).toMatchObject({ ok: true, value: { text: 'call 1' } })
    finish()
    expect(await slow).toMatchObject({ ok: true, value: { text: 'call 0' } })
    expect(server.messages('initialize').length).toBe(2)
  })
  it('share one connection, which closes after a period without use', async () => {
    const { entry, server } = await canned()
    const tools = mcp({ idleMs: 50 })
    await Promise.all([tools.run(entry, 'act'), tools.run(entry, 'act')])
    expect(server.messages('initialize').length).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 120))
    await tools.run(entry, 'act')
    expect(server.messages('initialize').length).toBe(2)
  })
})
