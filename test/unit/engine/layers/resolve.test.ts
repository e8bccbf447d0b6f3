import { describe, expect, it } from 'vitest'
import { agent, layerWorld, skill } from '../../../support/layers.ts'
import {
  BASE_CONFIG,
  codes,
  REPO,
  record,
  server,
  servers,
  skills,
} from '../../../support/resolved.ts'

describe('layer selection', () => {
  const base = { 'base/.agents/skills/b/SKILL.md': skill('base', 'b') }

  it('any key below a skills directory makes a role layer valid, and hides the base [GC-02]', async () => {
    const { resolve } = layerWorld({ ...base, 'roles/fe/.agents/skills/.keep': '' })
    const resolved = await resolve({ role: 'fe' })
    expect(skills(resolved)).toEqual([])
    expect(resolved.layers).toEqual([{ kind: 'role', layer: 'roles/fe/' }])
  })

  it('a role layer without config, skills, and agents falls back, with a report [GC-03 GC-04]', async () => {
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

  it('a config.toml makes a role layer valid even when it is broken', async () => {
    const { resolve } = layerWorld({ ...base, 'roles/fe/.agents/config.toml': 'broken' })
    const resolved = await resolve({ role: 'fe' })
    expect(skills(resolved)).toEqual([])
    expect(record(resolved, 'roles/fe/.agents/config.toml')?.status).toBe('rejected')
  })

  it('role and repo_dir are trimmed; main is the base layer [GC-06]', async () => {
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

  it('a repository that is the base or the role layer is one layer [GC-07]', async () => {
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

  it('without repo_dir there is only the base layer [GC-08]', async () => {
    const { resolve } = layerWorld({
      ...base,
      'repos/app/.agents/skills/r/SKILL.md': skill('r', 'r'),
    })
    expect(skills(await resolve())).toEqual([['b', true, 'base']])
  })

  it('a valid role layer replaces the base’s servers too [GC-09]', async () => {
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

  it('a missing repository, or one that is a file, is refused [GC-40 GC-41]', async () => {
    const { refusal } = layerWorld({ ...base, 'repos/file': 'x', 'repos/app2/x': 'x' })
    const refused = (repo_dir: string, why: string) => ({
      given: { repo_dir },
      expected: { code: 'unknown_repo', detail: expect.stringContaining(why) },
    })
    for (const { given, expected } of [
      refused('repos/app', 'does not exist'),
      refused('nothing', 'does not exist'),
      refused('repos/file', 'is a file, not a directory'),
    ]) {
      expect(await refusal(given)).toMatchObject(expected)
    }
  })

  it('a repository without any layer file exists', async () => {
    const { resolve } = layerWorld({ 'repos/app/src/x.ts': 'x' })
    expect((await resolve(REPO)).layers).toHaveLength(2)
  })

  it('roles and prefixes outside the file space are refused [K25 K26 GC-60]', async () => {
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

  it('the workspace of a run is never a layer, regardless of its files', async () => {
    const { refusal } = layerWorld({
      'workspaces/run_1/.agents/skills/x/SKILL.md': skill('x', 'x'),
    })
    for (const prefix of ['workspaces/run_1', ' workspaces/run_1/ ', 'workspaces']) {
      for (const selection of [{ repo_dir: prefix }, { base_dir: prefix }]) {
        expect(await refusal(selection)).toMatchObject({
          code: 'invalid_request',
          detail: expect.stringContaining("a run's workspace cannot be used as a layer"),
        })
      }
    }
  })

  it('an empty base_dir is reported, and strict refuses it', async () => {
    const { resolve, refusal } = layerWorld(base)
    expect(codes(await resolve({ base_dir: 'bsae' }))).toEqual(['base_layer_empty'])
    expect((await refusal({ base_dir: 'bsae', strict: true })).code).toBe('strict')
    expect(codes(await resolve({ base_dir: 'base' }))).toEqual([])
    expect(codes(await layerWorld({}).resolve())).toEqual([])
  })

  it('one tenant never sees the files of another', async () => {
    const { objects, resolve } = layerWorld()
    objects.write({ 'other/files/base/.agents/skills/b/SKILL.md': skill('x', 'b') })
    expect((await resolve()).skills).toEqual([])
  })
})

describe('strict', () => {
  it('turns warnings into a refusal that lists them, and passes a clean resolve', async () => {
    const { resolve, refusal, write } = layerWorld({
      'base/.agents/agents/other.md': agent('x', 'a'),
      'base/.agents/agents/b.md': agent('x', 'b', 'hooks: {}\ntools: Read, Grep\n'),
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

  it('also refuses rejected files and findings about the resolve', async () => {
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

  it('is the same for the same content at any location', async () => {
    expect(await digestOf()).toMatch(/^[0-9a-f]{64}$/)
    expect(await digestOf({}, 'elsewhere/')).toBe(await digestOf())
    expect(await digestOf({ 'base/.agents/agents/notes.txt': 'x' })).toBe(await digestOf())
  })

  it('changes with everything that affects a run', async () => {
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
