import { describe, expect, it } from 'vitest'
import { layerWorld, skill } from '../../../support/layers.ts'
import {
  BASE_CONFIG,
  codes,
  REPO,
  REPO_CONFIG,
  record,
  server,
  servers,
  skills,
} from '../../../support/resolved.ts'

describe('servers of two layers', () => {
  it('enabled = false alone disables an inherited server, which stays listed [X-29 OP-09]', async () => {
    const { resolve } = layerWorld({
      [BASE_CONFIG]: server('x'),
      [REPO_CONFIG]: server('x', 'enabled = false'),
    })
    const resolved = await resolve(REPO)
    expect(resolved.servers).toMatchObject([
      {
        name: 'x',
        enabled: false,
        url: 'https://x.example/mcp',
        origin: { key: REPO_CONFIG, shadows: [{ key: BASE_CONFIG }] },
      },
    ])
    expect(resolved.unavailable).toMatchObject([{ name: 'x', code: 'disabled' }])
  })

  it('a file whose servers are all hidden is loaded, and each fault names the file it is in', async () => {
    const { resolve } = layerWorld({
      [BASE_CONFIG]: server('x') + server('y', 'command = 3'),
      [REPO_CONFIG]: server('x') + server('y', 'args = 4'),
    })
    const resolved = await resolve(REPO)
    const errors = [BASE_CONFIG, REPO_CONFIG].map((path) => {
      const { status, diagnostics = [] } = record(resolved, path) ?? {}
      return [status, diagnostics.filter(({ severity }) => severity === 'error').length]
    })
    expect(errors).toEqual([
      ['loaded_with_warnings', 1],
      ['loaded_with_warnings', 1],
    ])
  })

  it('a layer re-enables a server disabled by the layer below', async () => {
    const { resolve } = layerWorld({
      [BASE_CONFIG]: server('x', 'url = "https://x.example/"\nenabled = false'),
      [REPO_CONFIG]: server('x', 'enabled = true'),
    })
    expect((await resolve(REPO)).servers[0]?.enabled).toBe(true)
  })

  it('disabling an unknown server is not an error [X-30]', async () => {
    const { resolve } = layerWorld({ [REPO_CONFIG]: server('x', 'enabled = false') })
    const resolved = await resolve(REPO)
    expect([resolved.servers, codes(resolved)]).toEqual([[], ['unused_override']])
    expect(record(resolved, REPO_CONFIG)?.status).toBe('loaded')
  })

  it('an overlay that is invalid after merging never falls back', async () => {
    const { resolve } = layerWorld({
      [BASE_CONFIG]: server('x') + server('y'),
      [REPO_CONFIG]: server('x', 'type = "websocket"\nurl = "https://x.example/"'),
    })
    const resolved = await resolve(REPO)
    expect(servers(resolved)).toEqual(['y'])
    expect(resolved.unavailable).toMatchObject([{ name: 'x', code: 'invalid_server' }])
    expect(record(resolved, REPO_CONFIG)?.diagnostics[0]?.code).toBe('unknown_transport')
  })

  it('a broken overlay file leaves the base servers, with an error record [GC-27]', async () => {
    const { resolve } = layerWorld({ [BASE_CONFIG]: server('x'), [REPO_CONFIG]: 'a = = b' })
    const resolved = await resolve(REPO)
    expect(servers(resolved)).toEqual(['x'])
    expect(record(resolved, REPO_CONFIG)).toMatchObject({
      status: 'rejected',
      diagnostics: [{ code: 'toml_invalid', line: 1 }],
    })
  })

  it('one invalid server leaves the others of its file [GC-20]', async () => {
    const { resolve } = layerWorld({
      [BASE_CONFIG]: server('x', 'type = "websocket"') + server('y'),
    })
    expect(servers(await resolve())).toEqual(['y'])
  })

  it('names merge case-insensitively', async () => {
    const { resolve } = layerWorld({ [BASE_CONFIG]: server('Time'), [REPO_CONFIG]: server('time') })
    expect(servers(await resolve(REPO))).toEqual(['time'])
  })

  it('a bearer secret missing for the tenant is a warning, and the server stays [T13]', async () => {
    const files = {
      [BASE_CONFIG]: server('x', 'url = "https://x.example/"\nbearer_token_env_var = "T"'),
    }
    const without = await layerWorld(files).resolve()
    expect([servers(without), without.missing_secrets, codes(without)]).toEqual([
      ['x'],
      [{ server: 'x', name: 'T' }],
      ['missing_secret'],
    ])
    const withSecret = await layerWorld(files, { secrets: ['T'] }).resolve()
    expect([withSecret.missing_secrets, codes(withSecret)]).toEqual([[], []])
  })

  it('stdio and loopback servers are stored, with the reason they cannot be used [T11 T23]', async () => {
    const files = {
      [BASE_CONFIG]:
        server('a', 'command = "npx"') + server('b', 'url = "http://localhost:3000/mcp"'),
    }
    const off = await layerWorld(files).resolve()
    expect(servers(off)).toEqual(['a', 'b'])
    expect(off.unavailable.map((one) => one.code)).toEqual(['unsupported_transport', 'blocked_url'])
    const on = await layerWorld(files, { allowStdio: true, allowLoopback: true }).resolve()
    expect(on.unavailable).toEqual([])
  })

  it('servers that are all disabled resolve, and the run has no servers [GC-26]', async () => {
    const { resolve } = layerWorld({ [BASE_CONFIG]: server('x', 'command = "a"\nenabled = false') })
    expect((await resolve()).servers.filter((one) => one.enabled)).toEqual([])
  })

  it('config.toml overrides the older JSON, which is read only on its own [GC-31]', async () => {
    const json = '{"servers":{"old":{"url":"https://old.example/"}}}'
    const { resolve, write } = layerWorld({ 'base/.goclaw/mcp.json': json })
    const old = await resolve()
    expect(servers(old)).toEqual(['old'])
    expect(record(old, 'base/.goclaw/mcp.json')?.diagnostics[0]?.code).toBe('legacy_layout')
    write({ [BASE_CONFIG]: server('x') })
    const both = await resolve()
    expect(servers(both)).toEqual(['x'])
    expect(record(both, 'base/.goclaw/mcp.json')?.status).toBe('ignored')
  })

  it('older skill directories apply when .agents/ lacks the skill, and skills/main only in base', async () => {
    const { resolve } = layerWorld({
      'base/skills/main/a/SKILL.md': skill('old a', 'a'),
      'base/.goclaw/skills/b/SKILL.md': skill('old b', 'b'),
      'base/.agents/skills/a/SKILL.md': skill('new a', 'a'),
      'repos/app/skills/main/c/SKILL.md': skill('old c', 'c'),
    })
    const resolved = await resolve(REPO)
    expect(skills(resolved)).toEqual([
      ['a', true, 'new a'],
      ['b', true, 'old b'],
    ])
    expect(resolved.skills[0]?.origin.shadows).toEqual([])
  })
})

describe('the run’s own servers', () => {
  const files = {
    [BASE_CONFIG]: server('base'),
    [REPO_CONFIG]: server('repo'),
    'configs/one.toml': server('mine'),
  }

  it('a missing config file, or a directory, is refused [GC-28 GC-29]', async () => {
    const { refusal } = layerWorld(files)
    for (const mcp_config_path of ['configs/two.toml', 'configs']) {
      expect((await refusal({ mcp_config_path })).code).toBe('unknown_mcp_config')
    }
  })

  it('a config file that a run wrote into its own folder is refused', async () => {
    const { refusal } = layerWorld({ 'workspaces/run_a/one.toml': server('mine') })
    const refused = await refusal({ mcp_config_path: 'workspaces/run_a/one.toml' })
    expect(refused).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/mcp_config_path' }],
    })
  })

  it('a given file is the only source [GC-30]', async () => {
    const resolved = await layerWorld(files).resolve({
      ...REPO,
      mcp_config_path: 'configs/one.toml',
    })
    expect(servers(resolved)).toEqual(['mine'])
    expect(record(resolved, BASE_CONFIG)?.status).toBe('ignored')
    expect(record(resolved, 'configs/one.toml')?.status).toBe('loaded')
  })

  it('inline servers are the only source, and their errors refuse the request', async () => {
    const { resolve, refusal } = layerWorld(files)
    const inline = { own: { url: 'https://own.example/mcp' } }
    expect(servers(await resolve({ mcp_servers: inline }))).toEqual(['own'])
    expect(servers(await resolve({ mcp_servers: {} }))).toEqual([])
    expect(
      await refusal({ mcp_servers: { own: { url: 'https://a/', command: 'b' } } }),
    ).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/mcp_servers/own' }],
    })
    const both = { mcp_servers: inline, mcp_config_path: 'configs/one.toml' }
    expect((await refusal(both)).code).toBe('invalid_request')
  })
})

describe('the seeded example', () => {
  it('resolves with its three servers and states what each lacks', async () => {
    const seed = `[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]
enabled = true
startup_timeout_sec = 20
tool_timeout_sec = 45

[mcp_servers.context7.env]
MY_ENV_VAR = "MY_ENV_VALUE"

[mcp_servers.figma]
url = "https://mcp.figma.com/mcp"
bearer_token_env_var = "FIGMA_OAUTH_TOKEN"
http_headers = { "X-Figma-Region" = "us-east-1" }
enabled = true

[mcp_servers.chrome_devtools]
url = "http://localhost:3000/mcp"
enabled_tools = ["open", "screenshot"]
disabled_tools = ["screenshot"]
startup_timeout_sec = 20
tool_timeout_sec = 45
enabled = true
`
    const resolved = await layerWorld({ [BASE_CONFIG]: seed }).resolve()
    expect(servers(resolved)).toEqual(['chrome_devtools', 'context7', 'figma'])
    expect(resolved.servers[1]).toMatchObject({
      transport: 'stdio',
      env: { MY_ENV_VAR: 'MY_ENV_VALUE' },
      startup_timeout_sec: 20,
      tool_timeout_sec: 45,
    })
    expect(resolved.unavailable.map((one) => [one.name, one.code])).toEqual([
      ['chrome_devtools', 'blocked_url'],
      ['context7', 'unsupported_transport'],
    ])
    expect(resolved.missing_secrets).toEqual([{ server: 'figma', name: 'FIGMA_OAUTH_TOKEN' }])
    expect(record(resolved, BASE_CONFIG)).toMatchObject({ status: 'loaded', diagnostics: [] })
  })
})
