import { describe, expect, it } from 'vitest'
import { gateReason } from '../../../../src/core/config/skill/gating.ts'
import { agent, layerWorld, skill } from '../../../support/layers.ts'
import {
  BASE_CONFIG,
  codes,
  REPO,
  REPO_CONFIG,
  record,
  server,
  servers,
} from '../../../support/resolved.ts'

describe('layers as people have them', () => {
  it('CC-12 a directory that is reached twice is one layer: each agent once', async () => {
    const { resolve } = layerWorld({ 'base/.agents/agents/a.md': agent('a', 'a') })
    const resolved = await resolve({ repo_dir: 'base' })
    expect(resolved.agents.filter(({ id }) => id === 'a')).toHaveLength(1)
    expect(resolved.agents.find(({ id }) => id === 'a')?.origin.shadows).toEqual([])
    expect(resolved.layers).toHaveLength(1)
  })

  it('CX-12 a repository that nobody names is not read', async () => {
    const { resolve, objects } = layerWorld({
      [REPO_CONFIG]: server('evil'),
      [BASE_CONFIG]: server('a'),
    })
    expect(servers(await resolve())).toEqual(['a'])
    expect(objects.calls.filter((one) => one.includes('repos/'))).toEqual([])
  })

  it('NV-04 a file where a directory belongs hides nothing else, and is reported', async () => {
    const resolved = await layerWorld({
      'base/.claude/agents': 'a file',
      'base/.agents/agents/a.md': agent('a', 'a'),
    }).resolve()
    expect(resolved.agents.some(({ id }) => id === 'a')).toBe(true)
    expect(record(resolved, 'base/.claude/agents')).toMatchObject({ status: 'ignored' })
  })

  it('SKO-07 SKO-08 what a skill would set up or export is recorded and never done', async () => {
    const text =
      '---\nname: x\ndescription: d\nsetup: {script: ../x.sh}\n' +
      'metadata: {env: {OPENSSL_CONF: /tmp/x, DYLD_INSERT_LIBRARIES: /y}}\n---\nb\n'
    const resolved = await layerWorld({
      'base/.agents/skills/x/SKILL.md': text,
      [BASE_CONFIG]: '[mcp_servers.s]\ncommand = "npx"\nenv = { OPENSSL_CONF = "/x", A = "1" }\n',
    }).resolve()
    expect(resolved.skills[0]?.extra).toMatchObject({ setup: { script: '../x.sh' } })
    expect(resolved.servers[0]?.env).toEqual({ A: '1' })
    expect(record(resolved, BASE_CONFIG)?.diagnostics.map(({ code }) => code)).toContain(
      'env_dropped',
    )
  })

  it('SKO-12 a program that the host cannot know does not gate', () => {
    const metadata = { x: { requires: { bins: ['ffmpeg'] }, os: ['darwin'] } }
    const gate = { secrets: new Set<string>(), servers: new Set<string>(), config: new Map() }
    expect(gateReason(metadata, gate)).toBeNull()
    expect(gateReason(metadata, { ...gate, bins: new Set(['ls']) })).toMatch(/requires/)
  })

  it('SKO-19 another base_dir is read instead of base/, from the next resolve on', async () => {
    const { resolve } = layerWorld({
      'base/.agents/skills/a/SKILL.md': skill('a', 'a'),
      'other/.agents/skills/b/SKILL.md': skill('b', 'b'),
    })
    const ids = async (base_dir?: string) =>
      (await resolve({ base_dir })).skills.map(({ id }) => id)
    expect(await ids()).toEqual(['a'])
    expect(await ids('other')).toEqual(['b'])
    expect(await ids('none')).toEqual([])
  })

  it('SKO-17 what a skill needs may come without any file changing', async () => {
    const gated = '---\nname: x\ndescription: d\nmetadata: {x: {requires: {env: [TOKEN]}}}\n---\nb'
    const secrets: string[] = []
    const { resolve, world } = layerWorld({ 'base/.agents/skills/x/SKILL.md': gated })
    Object.assign(world.secrets, { names: async () => new Set(secrets) })
    const before = await resolve()
    secrets.push('TOKEN')
    const after = await resolve()
    expect([before.skills[0]?.available, after.skills[0]?.available]).toEqual([false, true])
    expect(after.digest).not.toBe(before.digest)
  })

  it('T15 a server that wants a secret bound elsewhere is unavailable, and that is said', async () => {
    const body = 'url = "https://x.example/mcp"\nbearer_token_env_var = "TOKEN"'
    const files = { [BASE_CONFIG]: server('x', body) }
    const { resolve, world } = layerWorld(files, { secrets: ['TOKEN'] })
    const seen: string[][] = []
    for (const to of [['x.example'], ['api.x.example'], ['*.x.example'], ['stdio']]) {
      Object.assign(world.secrets, { bindings: async () => new Map([['TOKEN', to]]) })
      const { unavailable, diagnostics } = await resolve()
      seen.push(unavailable.map(({ code }) => code))
      const told = diagnostics.filter(({ code }) => code === 'secret_host_mismatch')
      expect(told.map(({ message }) => message)).toEqual(
        unavailable.map(({ message }) => `server x: ${message}`),
      )
    }
    const mismatch = ['secret_host_mismatch']
    expect(seen).toEqual([[], mismatch, mismatch, mismatch])
  })

  it('a fault of an inherited entry makes the server that amends it invalid', async () => {
    const resolved = await layerWorld({
      [BASE_CONFIG]: server('x', 'url = "https://x.example"\ntool_timeout_sec = -1'),
      [REPO_CONFIG]: '[mcp_servers.x]\nenabled = true\n',
    }).resolve(REPO)
    expect(servers(resolved)).toEqual([])
    expect(resolved.unavailable).toMatchObject([{ name: 'x', code: 'invalid_server' }])
  })

  it('MCP-12 a server whose reference is not set is unavailable, and the name is said', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of the config file
    const body = 'url = "https://x.example"\nhttp_headers = { X-T = "${TOKEN}" }'
    const files = { [BASE_CONFIG]: server('x', body) }
    const without = await layerWorld(files).resolve()
    expect(without.unavailable).toMatchObject([
      { name: 'x', code: 'missing_secret', message: expect.stringContaining('TOKEN') },
    ])
    expect(codes(without)).toContain('missing_secret')
    const withSecret = await layerWorld(files, { secrets: ['TOKEN'] }).resolve()
    expect(withSecret.unavailable).toEqual([])
    // The reference itself is what is kept.
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of the config file
    expect(withSecret.servers[0]?.http_headers).toEqual({ 'X-T': '${TOKEN}' })
  })

  it('the first known model of a list counts; none known is inherited, with a warning', async () => {
    const files = { 'base/.agents/agents/a.md': agent('a', 'a', 'model: [one/x, two/y]\n') }
    const model = async (...unknownModels: string[]) => {
      const resolved = await layerWorld(files, { unknownModels }).resolve()
      return resolved.agents.find(({ id }) => id === 'a')?.model
    }
    expect(await model()).toBe('one/x')
    expect(await model('one/x')).toBe('two/y')
    expect(await model('one/x', 'two/y')).toBeNull()
  })

  it('a tool in OpenCode’s words (`server_tool`) is that tool of that server', async () => {
    const files = { 'base/.agents/agents/a.md': agent('a', 'a', 'tools: {git_hub_search: true}\n') }
    const found = (await layerWorld(files).resolve()).agents.find(({ id }) => id === 'a')
    expect(found?.tools).toEqual(['mcp:git/hub_search', 'mcp:git_hub/search'])
  })
})
