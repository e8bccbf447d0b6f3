import { beforeEach, describe, expect, it } from 'vitest'
import { type TestApi, testApi } from '../../../support/api.ts'
import { BASE_CONFIG } from '../../../support/resolved.ts'

const ONE = '/v1/mcp-servers/docs'
const URL = 'https://docs.example/mcp'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})
const put = (body: Record<string, unknown>, headers = {}) => api.call(`PUT ${ONE}`, body, headers)
const toml = async () => (await api.read(BASE_CONFIG)) ?? ''

describe('an MCP server managed over REST', () => {
  it('is created, read, patched, and deleted', async () => {
    const made = await put({ url: URL, headers: { 'X-Region': 'eu' }, timeoutSeconds: 5 })
    expect(made.status).toBe(201)
    expect(made.body.server).toMatchObject({
      name: 'docs',
      enabled: true,
      type: 'http',
      url: URL,
      startup_timeout_sec: 5,
    })
    expect(await toml()).toBe(
      `[mcp_servers.docs]\nurl = "${URL}"\nstartup_timeout_sec = 5\n` +
        'http_headers = { X-Region = "eu" }\n',
    )
    expect((await api.call(`DELETE ${ONE}`)).status).toBe(200)
    expect((await api.call(`GET ${ONE}`)).status).toBe(404)
  })

  it('is saved and listed when disabled [MCP-01]', async () => {
    await put({ url: URL, enabled: false })
    const { body } = await api.call('GET /v1/mcp-servers')
    expect(body.data).toMatchObject([{ name: 'docs', enabled: false }])
    const { body: shown } = await api.call('GET /v1/mcp-servers?include_disabled=false')
    expect(shown.data).toEqual([])
  })

  it('a patch of one field leaves the others unchanged, and a put clears what it omits [MCP-02]', async () => {
    await put({ url: URL, enabled_tools: ['a'], http_headers: { A: '1', B: '2' } })
    const patched = await api.call(`PATCH ${ONE}`, { tool_timeout_sec: 9, headers: { B: null } })
    expect(patched.body.server).toMatchObject({
      url: URL,
      enabled_tools: ['a'],
      tool_timeout_sec: 9,
    })
    expect(await toml()).toContain('http_headers = { A = "1" }')
    await put({ url: URL })
    expect(await toml()).toBe(`[mcp_servers.docs]\nurl = "${URL}"\n`)
  })

  it('an unknown server returns "server not found" [MCP-03 GC-67]', async () => {
    for (const request of [`PATCH ${ONE}`, `GET ${ONE}`, `DELETE ${ONE}`]) {
      const { status, body } = await api.call(request, request.startsWith('P') ? {} : undefined)
      expect([status, body.detail]).toEqual([404, 'server not found'])
    }
  })

  it('values of headers and env are hidden in every response [MCP-05]', async () => {
    await put({ url: URL, http_headers: { 'X-Key': 'canary-1' } })
    const stdio = { command: 'npx', env: { TOKEN: 'canary-2' } }
    await api.call('PUT /v1/mcp-servers/local', stdio)
    await api.call('PATCH /v1/mcp-servers/local', { env: { TOKEN: 'canary-3' } })
    for (const path of ['', '/docs', '/local', '/local/versions', '/docs/versions']) {
      const { body } = await api.call(`GET /v1/mcp-servers${path}`)
      expect(JSON.stringify(body)).not.toContain('canary')
    }
    const { body } = await api.call('POST /v1/resolve', {})
    expect(JSON.stringify(body)).not.toContain('canary')
    const { body: audit } = await api.call('GET /v1/audit')
    expect(JSON.stringify(audit)).not.toContain('canary')
  })

  it('"[redacted]" preserves the stored value, and is refused where none is stored', async () => {
    await put({ url: URL, http_headers: { 'X-Key': 'secret' } })
    const shown = (await api.call(`GET ${ONE}`)).body
    const { url, http_headers } = shown
    await put({ url, http_headers, tool_timeout_sec: 3 })
    expect(await toml()).toContain('X-Key = "secret"')
    const refused = await put({ url, http_headers: { Other: '[redacted]' } })
    expect(refused.status).toBe(422)
  })

  it('unknown keys, comments, and a faulty neighbor survive and do not block a write [CX-18 SKO-18]', async () => {
    const before =
      '# mine\n[mcp_servers.bad]\ncommand = "x"\nurl = "https://y" # both\n\n' +
      '[mcp_servers.docs] # docs\nurl = "https://docs.example/mcp"\nscopes = ["a"] # foreign\n\n' +
      '[model]\nname = "m"\n'
    await api.write({ [BASE_CONFIG]: before })
    expect((await api.call(`PATCH ${ONE}`, { enabled: false })).status).toBe(200)
    const line = 'scopes = ["a"] # foreign\n'
    expect(await toml()).toBe(before.replace(line, `${line}enabled = false\n`))
    await put({ url: 'https://new.example/mcp' })
    expect(await toml()).toContain(line)
    expect((await api.call('PATCH /v1/mcp-servers/bad', { enabled: false })).status).toBe(422)
  })

  it('omitting enabled leaves an existing switch unchanged', async () => {
    await put({ url: URL, enabled: false })
    expect((await put({ url: URL })).body.server.enabled).toBe(false)
  })

  it('what the loader rejects is refused and not stored [GC-63 GC-65 GC-66 T12 T18]', async () => {
    for (const [body, says] of [
      [{ command: 'npx', url: URL }, /command and url cannot both be set/],
      [{ type: 'stdio' }, /command is required for stdio servers/],
      [{ type: 'http' }, /url is required for http/],
      [{ url: URL, timeoutSeconds: -1 }, /timeoutSeconds.*must be >= 0/],
      [{ url: URL, toolTimeoutSeconds: -1 }, /toolTimeoutSeconds.*must be >= 0/],
      [{ url: URL, http_headers: { Authorization: 'Bearer x' } }, /credential/],
      [
        { url: URL, http_headers: { 'X-Forwarded-For': '127.0.0.1' } },
        /X-Forwarded-For.*identifies/,
      ],
      [{ url: URL, env_http_headers: { Host: 'SECRET' } }, /Host.*names the host/],
      [{ url: URL, http_headers: { 'X-A': 'a\r\nX-B: c' } }, /control characters/],
      [{ url: URL, http_headers: { 'X-A': 'é' } }, /non-ASCII/],
      [{ url: 'https://user:pass@h' }, /user name or password/],
      [{ args: ['x'] }, /no command or url/],
    ] as const) {
      const { status, body: problem } = await put(body)
      expect([status, problem.detail]).toEqual([422, expect.stringMatching(says)])
      const [place] = problem.errors
      // The field that is wrong, in the words of who sent it or in TOML's.
      const [, field] = place.pointer.split('/')
      expect([...Object.keys(body), 'command', 'url'], place.message).toContain(field)
    }
    expect(await toml()).toBe('')
  })

  it('422 a secret bound to another host is refused and not stored [T15]', async () => {
    const bindings = async () => new Map([['TOKEN', ['docs.example']]])
    Object.assign(api.world.secrets, { bindings })
    expect((await put({ url: URL, bearer_token_env_var: 'TOKEN' })).status).toBe(201)
    const before = await toml()
    for (const url of ['https://evil.example/mcp', 'https://docs.example.evil.example/mcp']) {
      const { status, body } = await put({ url, bearer_token_env_var: 'TOKEN' })
      expect([status, body.detail]).toEqual([422, expect.stringMatching(/bound to docs.example/)])
      expect(JSON.stringify(body.errors)).toContain('secret_host_mismatch')
    }
    expect(await toml()).toBe(before)
  })

  it('a name that cannot be part of a tool name is refused [GC-62 T21]', async () => {
    for (const name of ['-x', 'a__b', '__proto__', 'x'.repeat(65), 'sеrver', 'a_']) {
      const { status } = await api.call(`PUT /v1/mcp-servers/${encodeURIComponent(name)}`, {
        url: URL,
      })
      expect([name, status]).toEqual([name, 422])
    }
  })

  it('a name that exists in another case means the existing server', async () => {
    await put({ url: URL })
    await api.call('PATCH /v1/mcp-servers/DOCS', { enabled: false })
    expect(await toml()).toBe(`[mcp_servers.docs]\nurl = "${URL}"\nenabled = false\n`)
  })

  it('409 for a PUT whose name exists in another case, and nothing is changed', async () => {
    await put({ url: URL })
    const before = await toml()
    const clash = await api.call('PUT /v1/mcp-servers/Docs', { url: 'https://other.example/mcp' })
    expect([clash.status, clash.body.code]).toEqual([409, 'case_conflict'])
    expect(clash.body.errors).toMatchObject([{ pointer: '/name' }])
    expect(await toml()).toBe(before)
  })

  it('a file that is not TOML is not overwritten', async () => {
    await api.write({ [BASE_CONFIG]: 'a = [\n' })
    const { status, body } = await put({ url: URL })
    expect([status, body.code]).toEqual([422, 'invalid_config'])
    expect(await toml()).toBe('a = [\n')
  })

  it('the first write beside an older mcp.json migrates its servers', async () => {
    const old = {
      version: 1,
      servers: { time: { command: 'uvx', headers: {}, timeoutSeconds: 10 } },
    }
    await api.write({ 'base/.goclaw/mcp.json': JSON.stringify(old) })
    await put({ url: URL })
    const { body } = await api.call('GET /v1/mcp-servers')
    expect(body.data).toMatchObject([
      { name: 'docs' },
      { name: 'time', command: 'uvx', startup_timeout_sec: 10 },
    ])
  })

  it('a repository switches an inherited server off with one line [X-29]', async () => {
    await put({ url: URL })
    await api.write({ 'repos/app/README.md': '' })
    await api.call(`PATCH ${ONE}?layer=repos/app`, { enabled: false })
    const { body } = await api.call('POST /v1/resolve', { repo_dir: 'repos/app' })
    expect(body.unavailable).toMatchObject([{ name: 'docs', code: 'disabled' }])
  })
})

describe('concurrent writers of one config.toml', () => {
  it('lose nothing: each of 30 servers written at once is present [K35]', async () => {
    const writes = Array.from({ length: 30 }, (_, i) =>
      api.call(`PUT /v1/mcp-servers/s${i}`, { url: `https://s${i}.example/mcp` }),
    )
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(Array(30).fill(201))
    const { body } = await api.call('GET /v1/mcp-servers')
    expect(body.data).toHaveLength(30)
  })

  it('lose no change to different servers, and every comment stays [X-33]', async () => {
    const before =
      '# Ours.\n[mcp_servers.a] # first\nurl = "https://a.example/mcp" # a\n\n' +
      '# Theirs.\n[mcp_servers.b] # second\nurl = "https://b.example/mcp" # b\n\n[other]\nkept = 1 # yes\n'
    await api.write({ [BASE_CONFIG]: before })
    const patches = ['a', 'b'].flatMap((name) => [
      api.call(`PATCH /v1/mcp-servers/${name}`, { tool_timeout_sec: 7 }),
      api.call(`PATCH /v1/mcp-servers/${name}`, { enabled: false }),
    ])
    expect((await Promise.all(patches)).map(({ status }) => status)).toEqual(Array(4).fill(200))
    const after = await toml()
    for (const line of before.split('\n')) expect(after.split('\n')).toContain(line)
    expect(after.match(/^tool_timeout_sec = 7$/gm)).toHaveLength(2)
    expect(after.match(/^enabled = false$/gm)).toHaveLength(2)
  })

  it('may use an If-Match that covers one server and not its neighbors', async () => {
    const { etag } = await put({ url: URL })
    await api.call('PUT /v1/mcp-servers/other', { url: 'https://o.example/mcp' })
    expect((await put({ url: URL, tool_timeout_sec: 2 }, { 'if-match': etag! })).status).toBe(200)
    expect((await put({ url: URL }, { 'if-match': etag! })).status).toBe(412)
  })
})

describe('versions of a server', () => {
  it('values that JSON cannot represent can be read, deleted, and restored [T05]', async () => {
    const odd = [
      'big = 9223372036854775807',
      'since = 2024-01-01T00:00:00Z',
      'day = 2024-01-02',
      'most = inf',
      'least = -inf',
    ]
    const text = `[mcp_servers.docs]\nurl = "${URL}"\n${odd.join('\n')}\ntools.x.approval = "auto"\n`
    await api.write({ [BASE_CONFIG]: text })
    const listed = await api.call('GET /v1/mcp-servers')
    expect([listed.status, listed.body.data[0].name]).toEqual([200, 'docs'])
    const patched = await api.call(`PATCH ${ONE}`, { enabled: false })
    expect(patched.status).toBe(200)
    expect(await toml()).toContain(odd.join('\n'))
    expect((await api.call(`DELETE ${ONE}`)).status).toBe(200)
    expect(await toml()).not.toContain('docs')

    const { body } = await api.call(`GET ${ONE}/versions`)
    const back = await api.call(`POST ${ONE}/rollback`, { version: body.data[1].version })
    expect(back.status).toBe(200)
    const restored = await toml()
    for (const line of odd) expect(restored).toContain(line.replace('00Z', '00.000Z').split('.')[0])
    expect(restored).toContain('tools = { x = { approval = "auto" } }')
    expect((await api.call(`GET ${ONE}`)).etag).toBe(patched.etag)
  })

  it('a rollback restores the previous table, including hidden values', async () => {
    await put({ url: URL, http_headers: { K: 'v1' } })
    await put({ url: URL, http_headers: { K: 'v2' } })
    const { body } = await api.call(`GET ${ONE}/versions`)
    await api.call(`POST ${ONE}/rollback`, { version: body.data[1].version })
    expect(await toml()).toContain('K = "v1"')
  })
})
