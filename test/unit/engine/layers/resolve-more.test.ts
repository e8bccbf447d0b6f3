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

describe('layers in real repositories', () => {
  it('a directory reached twice is one layer: each agent appears once [CC-12]', async () => {
    const { resolve } = layerWorld({ 'base/.agents/agents/a.md': agent('a', 'a') })
    const resolved = await resolve({ repo_dir: 'base' })
    expect(resolved.agents.filter(({ id }) => id === 'a')).toHaveLength(1)
    expect(resolved.agents.find(({ id }) => id === 'a')?.origin.shadows).toEqual([])
    expect(resolved.layers).toHaveLength(1)
  })

  it('a repository that is not named is not read [CX-12]', async () => {
    const { resolve, objects } = layerWorld({
      [REPO_CONFIG]: server('evil'),
      [BASE_CONFIG]: server('a'),
    })
    expect(servers(await resolve())).toEqual(['a'])
    expect(objects.calls.filter((one) => one.includes('repos/'))).toEqual([])
  })

  it('a file in place of a directory hides nothing else and is reported [NV-04]', async () => {
    const resolved = await layerWorld({
      'base/.claude/agents': 'a file',
      'base/.agents/agents/a.md': agent('a', 'a'),
    }).resolve()
    expect(resolved.agents.some(({ id }) => id === 'a')).toBe(true)
    expect(record(resolved, 'base/.claude/agents')).toMatchObject({ status: 'ignored' })
  })

  it('setup and exports declared by a skill are recorded and never performed [SKO-07 SKO-08]', async () => {
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

  it('a program unknown to the platform does not gate [SKO-12]', () => {
    const metadata = { x: { requires: { bins: ['ffmpeg'] }, os: ['darwin'] } }
    const gate = { secrets: new Set<string>(), servers: new Set<string>(), config: new Map() }
    expect(gateReason(metadata, gate)).toBeNull()
    expect(gateReason(metadata, { ...gate, bins: new Set(['ls']) })).toMatch(/requires/)
  })

  it('another base_dir replaces base/, from the next resolve on [SKO-19]', async () => {
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

  it('a skill’s requirement may be satisfied without any file change [SKO-17]', async () => {
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

  it('a server whose secret is bound elsewhere is unavailable, with the reason [T15]', async () => {
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

  it('a fault of an inherited entry makes the overriding server invalid', async () => {
    const resolved = await layerWorld({
      [BASE_CONFIG]: server('x', 'url = "https://x.example"\ntool_timeout_sec = -1'),
      [REPO_CONFIG]: '[mcp_servers.x]\nenabled = true\n',
    }).resolve(REPO)
    expect(servers(resolved)).toEqual([])
    expect(resolved.unavailable).toMatchObject([{ name: 'x', code: 'invalid_server' }])
  })

  it('a server with an unset reference is unavailable, and the reference is named [MCP-12]', async () => {
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

  it('the first known model of a list is used; without one the model is inherited, with a warning', async () => {
    const files = { 'base/.agents/agents/a.md': agent('a', 'a', 'model: [one/x, two/y]\n') }
    const model = async (...unknownModels: string[]) => {
      const resolved = await layerWorld(files, { unknownModels }).resolve()
      return resolved.agents.find(({ id }) => id === 'a')?.model
    }
    expect(await model()).toBe('one/x')
    expect(await model('one/x')).toBe('two/y')
    expect(await model('one/x', 'two/y')).toBeNull()
  })

  it('a tool in OpenCode’s notation (`server_tool`) resolves to that tool of that server', async () => {
    const files = { 'base/.agents/agents/a.md': agent('a', 'a', 'tools: {git_hub_search: true}\n') }
    const found = (await layerWorld(files).resolve()).agents.find(({ id }) => id === 'a')
    expect(found?.tools).toEqual(['mcp:git/hub_search', 'mcp:git_hub/search'])
  })
})
