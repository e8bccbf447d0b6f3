import { describe, expect, it } from 'vitest'
import {
  inlineServers,
  parseConfig,
  parseTomlConfig,
  type RawServer,
} from '../../../../src/core/config/server/file.ts'
import { judgeServer, mergeServer, offers } from '../../../../src/core/config/server/server.ts'
import { encode } from '../../../../src/lib/bytes.ts'
import { INPUT_BOUND, measured } from '../../../support/measured.ts'

const URL_X = 'url = "https://x.example/mcp"'
const config = (body: string, name = 'x') => parseTomlConfig(`[mcp_servers.${name}]\n${body}\n`)
const raw = (body: string, name = 'x'): RawServer => config(body, name).servers[0]!
const judge = (server: RawServer) => judgeServer(server)
const server = (body: string) => {
  const judged = judge(raw(body))
  if (!judged.ok) throw new Error(JSON.stringify(judged.error))
  return judged.value.draft
}
const faults = (body: string) => {
  const judged = judge(raw(body))
  return judged.ok ? [] : judged.error
}
const merged = (base: string, over: string) => mergeServer(raw(base), raw(over))
const mergedServer = (base: string, over: string) => {
  const judged = judge(merged(base, over))
  if (!judged.ok) throw new Error(JSON.stringify(judged.error))
  return judged.value.draft
}

describe('a server entry', () => {
  it('with neither command nor url is an error that names the server [CX-03 GC-19]', () => {
    expect(faults('enabled = true')[0]?.message).toBe('server x: no command or url')
    expect(faults('command = ""\nurl = " "')[0]?.message).toBe('server x: no command or url')
  })

  it('with fields of both transports is an error [CX-01 CX-02 GC-63 T12]', () => {
    expect(faults(`command = "a"\n${URL_X}`)[0]).toMatchObject({
      code: 'command_and_url',
      line: 3,
      message: expect.stringContaining('command and url cannot both be set'),
    })
    expect(faults(`${URL_X}\nargs = ["a"]`)[0]?.message).toContain('args is not supported')
    expect(faults(`${URL_X}\nenv = { A = "1" }`)[0]?.message).toContain('env is not supported')
    expect(faults('command = "a"\nhttp_headers = { X = "1" }')).toHaveLength(1)
  })

  it('with an unknown type is an error, and the known types choose the transport [GC-20]', () => {
    expect(faults(`type = "websocket"\n${URL_X}`)[0]?.code).toBe('unknown_transport')
    expect(server(URL_X).transport).toBe('http')
    expect(server(`type = "sse"\n${URL_X}`).transport).toBe('sse')
    expect(server(`transport = "streamable-http"\n${URL_X}`).transport).toBe('http')
    expect(server('command = "a"').transport).toBe('stdio')
  })

  it('with a type but not its field reports which one is required [GC-65]', () => {
    expect(faults('type = "stdio"')[0]?.message).toContain('command is required for stdio servers')
    expect(faults('type = "http"')[0]?.message).toContain('url is required for http/sse servers')
    expect(faults(`type = "stdio"\n${URL_X}`)[0]?.message).toContain('command is required')
  })

  it('has lists of tools trimmed of blanks and duplicates, with a warning [GC-24 SDK-15]', () => {
    const judged = judge(raw(`${URL_X}\nenabled_tools = ["open", " open ", "", "shot"]`))
    expect(judged.ok && judged.value.draft.enabled_tools).toEqual(['open', 'shot'])
    expect(judged.ok && judged.value.found[0]).toMatchObject({
      code: 'duplicate_tool',
      severity: 'warning',
    })
  })

  it('lets deny win among its tools, under either name [GC-25 CX-07 SDK-12]', () => {
    const lists = 'enabled_tools = ["open", "shot"]\ndisabled_tools = ["shot"]'
    const entry = { ...server(`${URL_X}\n${lists}`), origin: ORIGIN }
    expect(['open', 'shot', 'other'].map((tool) => offers(entry, tool))).toEqual([
      true,
      false,
      false,
    ])
    const denied = { ...server(`${URL_X}\ndisabled_tools = ["x__now"]`), origin: ORIGIN }
    expect([offers(denied, 'now'), offers(denied, 'then')]).toEqual([false, true])
  })

  it('has times in seconds above zero, which override milliseconds [CX-05 CX-06 GC-66 T05]', () => {
    expect(server(`${URL_X}\nstartup_timeout_sec = 2.5`).startup_timeout_sec).toBe(2.5)
    expect(server(`${URL_X}\nstartup_timeout_ms = 10000`).startup_timeout_sec).toBe(10)
    const both = `${URL_X}\nstartup_timeout_ms = 10000\nstartup_timeout_sec = 3`
    expect(server(both).startup_timeout_sec).toBe(3)
    for (const value of ['9223372036854775807', 'nan', 'inf', '-1', '"20"', '0']) {
      const [fault] = faults(`${URL_X}\nstartup_timeout_sec = ${value}`)
      expect([value, fault?.line, fault?.message]).toEqual([
        value,
        3,
        expect.stringContaining('must be >= 0'),
      ])
    }
  })

  it('keeps arguments separate, blanks included [SDK-10]', () => {
    expect(server('command = "a"\nargs = ["--path", "/a b"]').args).toEqual(['--path', '/a b'])
  })

  it('loses variables that run other code first, with a warning [MCP-04]', () => {
    const judged = judge(
      raw('command = "a"\nenv = { NODE_OPTIONS = "-r x", LD_PRELOAD = "y", A = 1 }'),
    )
    expect(judged.ok && judged.value.draft.env).toEqual({ A: '1' })
    expect(judged.ok && judged.value.found[0]?.code).toBe('env_dropped')
  })

  it.each([
    'Connection',
    'Keep-Alive',
    'Proxy-Connection',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'Content-Length',
    'Expect',
    'HOST',
    'Forwarded',
    'Via',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Real-IP',
    'CF-Connecting-IP',
    'X-Amz-Security-Token',
    'X-Amz-Date',
    'X-Goog-Signature',
    'X-Goog-IAM-Authorization-Token',
    'x-ms-date',
    'Metadata-Flavor',
    'Mcp-Session-Id',
    'Last-Event-ID',
    'X A',
    'X-Ä',
    'X\\nY',
    '',
  ])('with the header %j is refused in http_headers and in env_http_headers [T18]', (name) => {
    for (const map of ['http_headers', 'env_http_headers']) {
      const [fault] = faults(`${URL_X}\n${map} = { "${name}" = "A" }`)
      expect([map, fault?.code]).toEqual([map, 'header_refused'])
      expect(fault?.message).not.toMatch(/[\n\r\t]/)
    }
  })

  it('with control or non-ASCII characters in header values is refused when it is stored [T18]', () => {
    for (const value of [
      'a\\nb',
      'a\\tb',
      'a\\u0000',
      'caf\\u00e9',
      '\\u007f',
      `$\{X:-\\u200b}`,
      'x'.repeat(8_193),
    ]) {
      const [fault] = faults(`${URL_X}\nhttp_headers = { "X-A" = "${value}" }`)
      expect([value, fault?.code]).toEqual([value, 'header_value'])
      expect(fault?.message.length).toBeLessThan(200)
    }
    const fine = '"X-Goog-Api-Key" = "K", "X-MCP-Toolsets" = "a, b;c=\\"d\\"", Accept = "*/*"'
    expect(Object.keys(server(`${URL_X}\nhttp_headers = { ${fine} }`).http_headers)).toHaveLength(3)
  })

  it('with credentials in the file is an error: bearer_token, Authorization, a password in the URL [T18]', () => {
    const bad = ['bearer_token = "x"', 'http_headers = { authorization = "Bearer x" }']
    for (const line of bad) expect(faults(`${URL_X}\n${line}`)[0]?.code).toBe('literal_secret')
    expect(faults('url = "https://me:pw@x.example/"')[0]?.code).toBe('literal_secret')
    expect(server(`${URL_X}\nhttp_headers = { "X-Region" = "eu" }`).http_headers).toEqual({
      'X-Region': 'eu',
    })
    expect(faults('url = "ftp://x.example/"')[0]?.code).toBe('invalid_url')
  })
})

describe('an overlay’s entry', () => {
  it('merges env per key [GC-15 CX-09]', () => {
    const env = mergedServer('command = "a"\nenv = { A = "1", B = "2" }', 'env = { B = "3" }').env
    expect(env).toEqual({ A: '1', B: '3' })
  })

  it('keeps what it does not name, and an explicit {} clears [GC-17]', () => {
    const base = `${URL_X}\nhttp_headers = { X = "1" }`
    expect(mergedServer(base, 'tool_timeout_sec = 5').http_headers).toEqual({ X: '1' })
    expect(mergedServer(base, 'http_headers = {}').http_headers).toEqual({})
  })

  it('replaces scalars and lists', () => {
    const base = 'command = "a"\nargs = ["1", "2"]\ntool_timeout_sec = 9'
    const over = 'args = ["3"]\ntool_timeout_sec = 4'
    expect(mergedServer(base, over)).toMatchObject({
      args: ['3'],
      tool_timeout_sec: 4,
      command: 'a',
    })
  })

  it('with a new url replaces the whole entry, and inherits no process and no credential [GC-18]', () => {
    expect(mergedServer('type = "stdio"\ncommand = "x"', URL_X)).toMatchObject({
      transport: 'http',
      command: null,
    })
    const base = `${URL_X}\nbearer_token_env_var = "T"\nhttp_headers = { X = "1" }`
    expect(mergedServer(base, 'url = "https://evil.example/"')).toMatchObject({
      bearer_token_env_var: null,
      http_headers: {},
    })
  })

  it('with only a new type also replaces the whole entry, which then lacks its url', () => {
    const judged = judge(merged(URL_X, 'type = "sse"'))
    expect(judged.ok ? [] : judged.error.map((one) => one.code)).toEqual(['no_transport'])
  })

  it('with a wrong type makes the server invalid, without a fallback', () => {
    expect(judge(merged(URL_X, 'enabled = "no"')).ok).toBe(false)
  })
})

describe('server files', () => {
  it('with broken TOML are one error with a line [T02 T06 GC-27]', () => {
    const texts: readonly [string, number][] = [
      ['a = 1\na = 2', 2],
      ['[mcp_servers.a]\n[mcp_servers.a]', 2],
      ['a = {b = 1}\na.c = 2', 2],
      ['# x\ry\na = 1', 1],
      ['# \u0001', 1],
      ['[mcp_servers.x]\nurl = nope', 2],
    ]
    for (const [text, line] of texts) {
      const parsed = parseTomlConfig(text)
      expect([text, parsed.broken, parsed.found[0]?.line]).toEqual([text, true, line])
    }
  })

  it('accept no dates as settings [T03 T04]', () => {
    expect(parseTomlConfig('a=07:32:00\nb=1').broken).toBe(true)
    expect(parseTomlConfig('a=2024-02-30').broken).toBe(true)
    expect(faults(`${URL_X}\ncwd = 2024-01-01`)).toHaveLength(1)
  })

  it('are bounded in size, nesting, and numbers before the parser sees them [T08 T09]', () => {
    const bad = [
      `a = ${'['.repeat(50_000)}`,
      `[${'a.'.repeat(3_000)}b]`,
      `# ${'x'.repeat(65_537)}`,
      'a=1\n'.repeat(10_000),
      Array.from({ length: 33 }, (_, i) => `[mcp_servers.s${i}]\n${URL_X}\n`).join(''),
    ]
    for (const text of bad) {
      const shown = text.slice(0, 20)
      expect(
        measured(shown, () => parseTomlConfig(text).broken, INPUT_BOUND),
        shown,
      ).toBe(true)
    }
  })

  it('in UTF-16 and broken UTF-8 are refused [T10]', () => {
    for (const bytes of [new Uint8Array([0xff, 0xfe, 0x61, 0x00]), new Uint8Array([0x61, 0xff])]) {
      expect(parseConfig(bytes, 'config.toml').found[0]?.code).toBe('invalid_utf8')
    }
    expect(
      parseConfig(encode('\uFEFF[mcp_servers.x]\ncommand = "a"\n'), 'config.toml').servers,
    ).toHaveLength(1)
  })

  it('with names that could forge a tool’s prefix, or twins that differ in case, are errors [T21]', () => {
    const parsed = parseTomlConfig(
      ['a__b', '__proto__', 'Time', 'time']
        .map((name) => `[mcp_servers.${name}]\n${URL_X}\n`)
        .join(''),
    )
    expect(parsed.servers.map((one) => one.name)).toEqual(['Time'])
    expect(parsed.found.map((one) => [one.code, one.line])).toEqual([
      ['server_name', 1],
      ['server_name', 3],
      ['duplicate_server', 7],
    ])
    expect(({} as { url?: unknown }).url).toBeUndefined()
  })

  it('may be the older JSON, and an empty one has no server [GC-32]', () => {
    const json = (value: unknown) => parseConfig(encode(JSON.stringify(value)), '.goclaw/mcp.json')
    expect(json({ mcpServers: {} }).servers).toEqual([])
    const parsed = json({
      version: 1,
      servers: {
        time: {
          type: 'http',
          url: 'https://t.example/',
          command: '',
          args: [],
          env: {},
          headers: { X: '1' },
          timeoutSeconds: 7,
        },
      },
    })
    const judged = judge(parsed.servers[0]!)
    expect(judged.ok && judged.value.draft).toMatchObject({
      http_headers: { X: '1' },
      startup_timeout_sec: 7,
    })
    expect(parsed.found).toEqual([])
    expect(json([]).broken).toBe(true)
    expect(parseConfig(encode('{'), 'mcp.json').broken).toBe(true)
  })

  it('accept the older names in inline servers, and report unknown keys in TOML with a line', () => {
    expect(inlineServers({ x: { url: 'https://x.example/', headers: { A: 'b' } } }).found).toEqual(
      [],
    )
    expect(config(`${URL_X}\nnotify = true`).found[0]).toMatchObject({
      code: 'unknown_server_key',
      line: 3,
    })
  })

  it('keep two servers with one command separate [SDK-11]', () => {
    const text =
      '[mcp_servers.a]\ncommand = "c"\n[mcp_servers.b]\ncommand = "c"\nenv = { A = "1" }\n'
    expect(parseTomlConfig(text).servers.map((one) => one.name)).toEqual(['a', 'b'])
  })
})

const ORIGIN = { kind: 'base' as const, layer: 'base/', key: 'k', etag: '', shadows: [] }
