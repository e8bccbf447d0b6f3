import { describe, expect, it } from 'vitest'
import type { FileRecord, Resolved } from '../../src/core/config/types.ts'
import { agent, layerWorld, skill } from '../support/layers.ts'

const server = (name: string, body = `url = "https://${name}.example/mcp"`) =>
  `[mcp_servers.${name}]\n${body}\n`
const BASE_CONFIG = 'base/.agents/config.toml'
const REPO_CONFIG = 'repos/app/.agents/config.toml'
const REPO = { repo_dir: 'repos/app' }

const skills = (resolved: Resolved) =>
  resolved.skills.map((one) => [one.id, one.enabled, one.body.trim()])
const servers = (resolved: Resolved) => resolved.servers.map((one) => one.name)
const agentBody = (resolved: Resolved, id: string) =>
  resolved.agents.find((one) => one.id === id)?.system_prompt.trim()
const record = (resolved: Resolved, path: string): FileRecord | undefined =>
  resolved.records.find((one) => one.layer + one.path === path)
const codes = (resolved: Resolved) => resolved.diagnostics.map((one) => one.code)

describe('which layers', () => {
  const base = { 'base/.agents/skills/b/SKILL.md': skill('base', 'b') }

  it('GC-02 any key below a skills directory makes a role layer valid, and hides the base', async () => {
    const { resolve } = layerWorld({ ...base, 'roles/fe/.agents/skills/.keep': '' })
    const resolved = await resolve({ role: 'fe' })
    expect(skills(resolved)).toEqual([])
    expect(resolved.layers).toEqual([{ kind: 'role', layer: 'roles/fe/' }])
  })

  it('GC-03 GC-04 a role layer without config, skills and agents falls back, and says so', async () => {
    const { resolve } = layerWorld({
      ...base,
      'roles/fe/README.md': 'x',
      'roles/fe/.agents/config.toml/inside': 'x',
      'roles/fe/.goclaw/skills/old/SKILL.md': skill('old', 'old'),
    })
    const resolved = await resolve({ role: 'fe' })
    expect(skills(resolved)).toEqual([['b', true, 'base']])
    expect(codes(resolved)).toEqual(['role_layer_invalid'])
  })

  it('a config.toml makes it valid even when it is broken', async () => {
    const { resolve } = layerWorld({ ...base, 'roles/fe/.agents/config.toml': 'broken' })
    const resolved = await resolve({ role: 'fe' })
    expect(skills(resolved)).toEqual([])
    expect(record(resolved, 'roles/fe/.agents/config.toml')?.status).toBe('rejected')
  })

  it('GC-06 GC-38 role and repo_dir are trimmed; main is the base layer', async () => {
    const { resolve } = layerWorld({
      ...base,
      'roles/fe/.claude/agents/a.md': agent('x', 'a'),
      'repos/app/x': '',
      'roles/main/.agents/skills/m/SKILL.md': skill('m', 'm'),
    })
    const layers = async (selection: object) =>
      (await resolve(selection)).layers.map((one) => one.layer)
    expect(await layers({ role: ' FE ', repo_dir: ' repos/app/ ' })).toEqual([
      'roles/fe/',
      'repos/app/',
    ])
    const main = await resolve({ role: 'main' })
    expect([main.layers, main.diagnostics]).toEqual([[{ kind: 'base', layer: 'base/' }], []])
    expect(await layers({ role: '  ' })).toEqual(['base/'])
  })

  it('GC-07 a repository that is the base or the role layer is one layer', async () => {
    const { resolve } = layerWorld({
      ...base,
      [BASE_CONFIG]: server('x'),
      'roles/fe/.agents/config.toml': server('y'),
    })
    const same = await resolve({ repo_dir: 'base' })
    expect(same.layers).toEqual([{ kind: 'base', layer: 'base/' }])
    expect(same.skills[0]?.origin.shadows).toEqual([])
    expect(same.records).toHaveLength(2)
    expect((await resolve({ role: 'fe', repo_dir: 'roles/fe' })).layers).toHaveLength(1)
  })

  it('GC-08 without repo_dir there is only the base', async () => {
    const { resolve } = layerWorld({
      ...base,
      'repos/app/.agents/skills/r/SKILL.md': skill('r', 'r'),
    })
    expect(skills(await resolve())).toEqual([['b', true, 'base']])
  })

  it('GC-09 a valid role layer replaces the base’s servers too', async () => {
    const { resolve } = layerWorld({
      [BASE_CONFIG]: server('a'),
      'roles/fe/.agents/config.toml': server('b'),
    })
    expect(servers(await resolve({ role: 'fe' }))).toEqual(['b'])
  })

  it('base_dir replaces base/ for one run', async () => {
    const { resolve } = layerWorld({ ...base, 'other/.agents/skills/o/SKILL.md': skill('o', 'o') })
    expect(skills(await resolve({ base_dir: 'other' }))).toEqual([['o', true, 'o']])
  })

  it('GC-40 GC-41 a missing repository, or one that is a file, is refused', async () => {
    const { refusal } = layerWorld({ ...base, 'repos/file': 'x', 'repos/app2/x': 'x' })
    for (const repo_dir of ['repos/app', 'repos/file', 'nothing']) {
      expect(await refusal({ repo_dir })).toMatchObject({
        code: 'unknown_repo',
        detail: expect.stringContaining('does not exist'),
      })
    }
  })

  it('a repository without any layer file exists', async () => {
    const { resolve } = layerWorld({ 'repos/app/src/x.ts': 'x' })
    expect((await resolve(REPO)).layers).toHaveLength(2)
  })

  it('K25 K26 GC-60 roles and prefixes that leave the space are refused', async () => {
    const { refusal } = layerWorld(base)
    for (const selection of [
      { role: 'main/../backend' },
      { role: 'qa team' },
      { repo_dir: '/etc' },
      { repo_dir: 's3://other/' },
      { repo_dir: '../outside' },
      { base_dir: 'file:///' },
      { mcp_config_path: '../x' },
    ]) {
      expect((await refusal(selection)).code).toBe('invalid_request')
    }
  })

  it('one tenant never sees another’s files', async () => {
    const { objects, resolve } = layerWorld()
    objects.write({ 'other/files/base/.agents/skills/b/SKILL.md': skill('x', 'b') })
    expect((await resolve()).skills).toEqual([])
  })
})

describe('skills of two layers', () => {
  const both = {
    'base/.agents/skills/deploy/SKILL.md': skill('base', 'deploy'),
    'repos/app/.agents/skills/deploy/SKILL.md': skill('repo', 'deploy'),
  }

  it('GC-10 SKO-01 SK-15 the repo skill’s body is used, and says what it hides', async () => {
    const resolved = await layerWorld(both).resolve(REPO)
    expect(skills(resolved)).toEqual([['deploy', true, 'repo']])
    expect(resolved.skills[0]?.origin).toMatchObject({
      kind: 'repo',
      layer: 'repos/app/',
      key: 'repos/app/.agents/skills/deploy/SKILL.md',
      shadows: [{ layer: 'base/', key: 'base/.agents/skills/deploy/SKILL.md' }],
    })
  })

  it('GC-11 a switch alone disables the inherited skill', async () => {
    const { resolve } = layerWorld({
      'base/.agents/skills/deploy/SKILL.md': skill('base', 'deploy'),
      'repos/app/.agents/skills/deploy/.disabled': '',
    })
    const [deploy] = (await resolve(REPO)).skills
    expect(deploy).toMatchObject({ enabled: false, body: 'base\n' })
    expect(deploy?.reason).toBe('disabled by repos/app/.agents/skills/deploy/.disabled')
  })

  it('GC-12 an overlay’s SKILL.md without a switch is enabled although the base’s is off', async () => {
    const { resolve } = layerWorld({ ...both, 'base/.agents/skills/deploy/.disabled': '' })
    expect(skills(await resolve(REPO))).toEqual([['deploy', true, 'repo']])
    expect(skills(await resolve())).toEqual([['deploy', false, 'base']])
  })

  it('X-30 a switch for a skill that does not exist is an unused override', async () => {
    const { resolve } = layerWorld({ ...both, 'repos/app/.agents/skills/gone/.disabled': '' })
    expect(codes(await resolve(REPO))).toEqual(['unused_override'])
  })

  it('an invalid later file never removes an earlier skill', async () => {
    const { resolve } = layerWorld({
      ...both,
      'repos/app/.agents/skills/deploy/SKILL.md': 'broken',
    })
    const resolved = await resolve(REPO)
    expect(skills(resolved)).toEqual([['deploy', true, 'base']])
    expect(record(resolved, 'repos/app/.agents/skills/deploy/SKILL.md')?.status).toBe('rejected')
  })

  it('within a layer .neovate < .agents < .claude', async () => {
    const at = (place: string) => ({ [`base/${place}/skills/x/SKILL.md`]: skill(place, 'x') })
    const { resolve } = layerWorld({ ...at('.claude'), ...at('.neovate'), ...at('.agents') })
    const [x] = (await resolve()).skills
    expect(x?.body).toBe('.claude\n')
    expect(x?.origin.shadows.map((one) => one.key)).toEqual([
      'base/.neovate/skills/x/SKILL.md',
      'base/.agents/skills/x/SKILL.md',
    ])
  })

  it('resource files are listed with their etags, whatever the layer’s other files', async () => {
    const { resolve } = layerWorld({
      ...both,
      'base/.agents/skills/deploy/scripts/run.sh': 'echo',
      'base/.agents/skills/deploy/agents/helper.md': agent('x', 'helper'),
      'base/.agents/skills/deployer/SKILL.md': skill('d', 'deployer'),
    })
    const [deploy] = (await resolve()).skills
    expect(deploy?.files.map((file) => [file.path, file.size])).toEqual([
      ['agents/helper.md', expect.any(Number)],
      ['scripts/run.sh', 4],
    ])
  })

  it('SK-13 GC-58 a lone skill.md is read; beside SKILL.md it is rejected', async () => {
    const { resolve, write } = layerWorld({ 'base/.agents/skills/x/skill.md': skill('low', 'x') })
    expect(skills(await resolve())).toEqual([['x', true, 'low']])
    write({ 'base/.agents/skills/x/SKILL.md': skill('up', 'x') })
    const resolved = await resolve()
    expect(skills(resolved)).toEqual([['x', true, 'up']])
    expect(record(resolved, 'base/.agents/skills/x/skill.md')?.status).toBe('rejected')
  })

  it('CX-15 SKO-09 deep directories are no skills; an unmet requirement is listed with its reason', async () => {
    const { resolve } = layerWorld({
      'base/.agents/skills/a/b/c/d/SKILL.md': skill('deep', 'd'),
      'base/.agents/skills/gated/SKILL.md':
        '---\nname: gated\ndescription: d\nmetadata: {x: {requires: {env: [TOKEN]}}}\n---\nb',
    })
    const resolved = await resolve()
    expect(resolved.skills.map((one) => [one.id, one.available, one.reason])).toEqual([
      ['gated', false, 'needs the secret TOKEN'],
    ])
  })

  it('GC-57 .git/ and names with blanks are no skills', async () => {
    const { resolve } = layerWorld({
      'base/.agents/skills/.git/SKILL.md': skill('x', 'git'),
      'base/.agents/skills/Bad Name/SKILL.md': skill('x', 'bad'),
      'base/.agents/skills/ok/SKILL.md': skill('x', 'ok'),
    })
    expect(skills(await resolve()).map(([id]) => id)).toEqual(['ok'])
  })
})

describe('servers of two layers', () => {
  it('X-29 OP-09 enabled = false alone switches an inherited server off; it stays listed', async () => {
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

  it('a layer switches on again what the one below switched off', async () => {
    const { resolve } = layerWorld({
      [BASE_CONFIG]: server('x', 'url = "https://x.example/"\nenabled = false'),
      [REPO_CONFIG]: server('x', 'enabled = true'),
    })
    expect((await resolve(REPO)).servers[0]?.enabled).toBe(true)
  })

  it('X-30 a switch-off for an unknown server is no error', async () => {
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

  it('GC-27 a broken overlay file leaves the base servers, with an error record', async () => {
    const { resolve } = layerWorld({ [BASE_CONFIG]: server('x'), [REPO_CONFIG]: 'a = = b' })
    const resolved = await resolve(REPO)
    expect(servers(resolved)).toEqual(['x'])
    expect(record(resolved, REPO_CONFIG)).toMatchObject({
      status: 'rejected',
      diagnostics: [{ code: 'toml_invalid', line: 1 }],
    })
  })

  it('GC-20 one invalid server leaves the others of its file', async () => {
    const { resolve } = layerWorld({
      [BASE_CONFIG]: server('x', 'type = "websocket"') + server('y'),
    })
    expect(servers(await resolve())).toEqual(['y'])
  })

  it('names merge ignoring case', async () => {
    const { resolve } = layerWorld({ [BASE_CONFIG]: server('Time'), [REPO_CONFIG]: server('time') })
    expect(servers(await resolve(REPO))).toEqual(['time'])
  })

  it('GC-21 GC-22 T13 a bearer secret that the tenant lacks is a warning; the server stays', async () => {
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

  it('T11 T23 stdio and loopback are stored, and say why they cannot be used', async () => {
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

  it('GC-26 servers that are all off resolve, and the run has none', async () => {
    const { resolve } = layerWorld({ [BASE_CONFIG]: server('x', 'command = "a"\nenabled = false') })
    expect((await resolve()).servers.filter((one) => one.enabled)).toEqual([])
  })

  it('GC-31 config.toml wins over the older JSON, which is read only alone', async () => {
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

  it('older skill directories count where .agents/ lacks the skill; skills/main in the base only', async () => {
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

  it('GC-28 GC-29 a missing config file, or a directory, is refused', async () => {
    const { refusal } = layerWorld(files)
    for (const mcp_config_path of ['configs/two.toml', 'configs']) {
      expect((await refusal({ mcp_config_path })).code).toBe('unknown_mcp_config')
    }
  })

  it('GC-30 a given file is the only source', async () => {
    const resolved = await layerWorld(files).resolve({
      ...REPO,
      mcp_config_path: 'configs/one.toml',
    })
    expect(servers(resolved)).toEqual(['mine'])
    expect(record(resolved, BASE_CONFIG)?.status).toBe('ignored')
    expect(record(resolved, 'configs/one.toml')?.status).toBe('loaded')
  })

  it('inline servers are the only source, and their errors refuse', async () => {
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

describe('agents of several places', () => {
  it('NV-02 CC-09 in one layer .netclaw < .neovate < .agents < .claude; the repo is above all', async () => {
    const at = (layer: string, place: string) => ({
      [`${layer}/${place}/agents/a.md`]: agent(`${layer} ${place}`, 'a'),
    })
    const base = ['.claude', '.netclaw', '.agents', '.neovate'].map((place) => at('base', place))
    const { resolve } = layerWorld(Object.assign({}, ...base, at('repos/app', '.netclaw')))
    expect(agentBody(await resolve(), 'a')).toBe('base .claude')
    const [a] = (await resolve(REPO)).agents
    expect(a?.system_prompt).toBe('repos/app .netclaw\n')
    expect(a?.origin.shadows).toHaveLength(4)
  })

  it('NV-18 a file replaces a built-in agent', async () => {
    const { resolve } = layerWorld({ 'base/.agents/agents/explore.md': agent('mine', 'explore') })
    const resolved = await resolve()
    expect(agentBody(resolved, 'explore')).toBe('mine')
    expect(resolved.agents).toHaveLength(5)
  })

  it('NV-03 NC-19 no directory is no error: the built-in agents are there', async () => {
    const resolved = await layerWorld().resolve()
    expect(resolved.agents).toHaveLength(5)
    expect([resolved.records, resolved.diagnostics]).toEqual([[], []])
  })

  it('NV-12 NV-19 NC-23 an invalid later file leaves the earlier agent, and is reported', async () => {
    const { resolve } = layerWorld({
      'base/.agents/agents/a.md': agent('good', 'a'),
      'base/.agents/agents/b.md': agent('other', 'b'),
      'repos/app/.agents/agents/a.md': '---\nname: a\n---\nx',
    })
    const resolved = await resolve(REPO)
    expect([agentBody(resolved, 'a'), agentBody(resolved, 'b')]).toEqual(['good', 'other'])
    expect(record(resolved, 'repos/app/.agents/agents/a.md')?.status).toBe('rejected')
  })

  it('SDK-09 CC-10 one id twice in a directory: the first in key order, an error on the later', async () => {
    const { resolve } = layerWorld({
      'base/.agents/agents/2.md': agent('second', 'twin'),
      'base/.agents/agents/1.md': agent('first', 'twin'),
    })
    const resolved = await resolve()
    expect(agentBody(resolved, 'twin')).toBe('first')
    const late = record(resolved, 'base/.agents/agents/2.md')
    expect(late?.status).toBe('rejected')
    expect(late?.diagnostics.at(-1)?.message).toContain('1.md')
  })

  it('NC-10 on_duplicate: shadow by default, reject on demand; built-in agents may be replaced', async () => {
    const { resolve, refusal } = layerWorld({
      'base/.agents/agents/a.md': agent('x', 'a'),
      'base/.agents/agents/explore.md': agent('x', 'explore'),
      'repos/app/.agents/agents/a.md': agent('y', 'a'),
    })
    expect(agentBody(await resolve(REPO), 'a')).toBe('y')
    expect(await refusal({ ...REPO, on_duplicate: 'reject' })).toMatchObject({
      code: 'invalid_config',
      errors: [{ pointer: '/repos/app/.agents/agents/a.md' }],
    })
    await resolve({ on_duplicate: 'reject' })
  })

  it('NC-22 NV-21 the next resolve sees an edit, and old errors are gone', async () => {
    const { resolve, write } = layerWorld({ 'base/.agents/agents/a.md': 'no head' })
    expect(agentBody(await resolve(), 'a')).toBeUndefined()
    write({ 'base/.agents/agents/a.md': agent('now', 'a') })
    const resolved = await resolve()
    expect(agentBody(resolved, 'a')).toBe('now')
    expect(resolved.records.map((one) => one.status)).toEqual(['loaded'])
  })

  it('MC-42 X-32 a deleted skill is gone from the next resolve', async () => {
    const { resolve, objects } = layerWorld({ 'base/.agents/skills/x/SKILL.md': skill('b', 'x') })
    expect((await resolve()).skills).toHaveLength(1)
    objects.remove('acme/files/base/.agents/skills/x/SKILL.md')
    expect((await resolve()).skills).toHaveLength(0)
  })

  it('M24 a model that the deployment does not know is inherited, with a warning on the file', async () => {
    const { resolve } = layerWorld(
      { 'base/.agents/agents/a.md': agent('x', 'a', 'model: opus\n') },
      { unknownModels: ['opus'] },
    )
    const resolved = await resolve()
    expect(resolved.agents[0]?.model).toBeNull()
    expect(resolved.records[0]).toMatchObject({
      status: 'loaded_with_warnings',
      diagnostics: [{ code: 'model_unknown' }],
    })
  })
})

describe('strict', () => {
  it('turns warnings into a refusal that lists them; what strict accepts passes', async () => {
    const { resolve, refusal, write } = layerWorld({
      'base/.agents/agents/other.md': agent('x', 'a'),
      'base/.agents/agents/b.md': agent('x', 'b', 'hooks: {}\ntools: Read, Bash\n'),
    })
    await resolve({ strict: true })
    write({ 'base/.agents/agents/c.md': agent('x', 'c', 'tools: Read, Grpe\n') })
    expect(await refusal({ strict: true })).toMatchObject({
      code: 'strict',
      errors: [
        { pointer: '/base/.agents/agents/c.md', message: expect.stringMatching(/line 4: .*Grpe/) },
      ],
    })
    await resolve()
  })

  it('refuses rejected files and findings about the resolve as well', async () => {
    const { refusal } = layerWorld({ 'base/.agents/agents/a.md': agent('', 'a') })
    expect(
      (await refusal({ strict: true, role: 'none' })).errors?.map((one) => one.pointer),
    ).toEqual(['/base/.agents/agents/a.md', ''])
  })
})

describe('the digest', () => {
  const files = {
    'base/.agents/agents/a.md': agent('x', 'a'),
    'base/.agents/skills/s/SKILL.md': skill('s', 's'),
    'base/.agents/skills/s/data.txt': 'one',
    [BASE_CONFIG]: server('x'),
  }
  const digestOf = async (more: Record<string, string> = {}, under = 'base/') => {
    const moved = Object.fromEntries(
      Object.entries({ ...files, ...more }).map(([key, body]) => [
        key.replace('base/', under),
        body,
      ]),
    )
    return (await layerWorld(moved).resolve({ base_dir: under })).digest
  }

  it('is the same for the same content wherever it lies', async () => {
    expect(await digestOf()).toMatch(/^[0-9a-f]{64}$/)
    expect(await digestOf({}, 'elsewhere/')).toBe(await digestOf())
    expect(await digestOf({ 'base/.agents/agents/notes.txt': 'x' })).toBe(await digestOf())
  })

  it('changes with every thing that a run acts on', async () => {
    const changes = [
      { 'base/.agents/agents/a.md': agent('y', 'a') },
      { 'base/.agents/skills/s/SKILL.md': skill('t', 's') },
      { 'base/.agents/skills/s/.disabled': '' },
      { 'base/.agents/skills/s/data.txt': 'three' },
      { [BASE_CONFIG]: server('x', 'url = "https://other.example/"') },
    ]
    const digests = await Promise.all([digestOf(), ...changes.map((one) => digestOf(one))])
    expect(new Set(digests).size).toBe(changes.length + 1)
  })
})

describe('the example of the seed', () => {
  it('resolves with its three servers and says what each lacks', async () => {
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
