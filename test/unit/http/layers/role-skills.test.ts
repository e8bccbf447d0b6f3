import { beforeEach, describe, expect, it } from 'vitest'
import { type TestApi, testApi } from '../../../support/api.ts'
import { agent, skill } from '../../../support/layers.ts'

const FILES = {
  'base/.agents/skills/shared/SKILL.md': skill('shared', 'shared'),
  'base/skills/main/deploy/SKILL.md': skill('main', 'deploy'),
  'base/skills/frontend/css/SKILL.md': skill('css', 'css'),
  'base/skills/frontend/css/notes.txt': 'n',
  'base/skills/backend/sql/SKILL.md': skill('sql', 'sql'),
}

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})
const resolve = async (selection = {}) => (await api.call('POST /v1/resolve', selection)).body
const ids = ({ skills }: { skills: { id: string }[] }) => skills.map(({ id }) => id)
const recordOf = (body: { records: { layer: string; path: string }[] }, key: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
  body.records.find((one) => one.layer + one.path === key) as any

describe("goclaw's own layout, skills/<role>/<skill>/", () => {
  it('is read for that role and no other, and each file has a record', async () => {
    await api.write(FILES)
    const frontend = await resolve({ role: 'frontend' })
    expect(ids(frontend)).toEqual(['css', 'deploy', 'shared'])
    expect(frontend.diagnostics).toMatchObject([
      { code: 'role_layer_invalid', hint: expect.stringContaining('/v1/layers/migrate') },
    ])
    expect(recordOf(frontend, 'base/skills/frontend/css/SKILL.md')).toMatchObject({
      status: 'loaded_with_warnings',
      diagnostics: [{ code: 'legacy_layout', hint: 'roles/frontend/.agents/skills/css/SKILL.md' }],
    })
    const none = await resolve()
    expect(ids(none)).toEqual(['deploy', 'shared'])
    expect(recordOf(none, 'base/skills/backend/sql/SKILL.md')).toMatchObject({
      status: 'ignored',
      diagnostics: [
        { code: 'role_skill', hint: 'move the folder to roles/backend/.agents/skills/sql/' },
      ],
    })
    expect(ids(await resolve({ role: 'frontend' }))).toEqual(['css', 'deploy', 'shared'])
  })

  it('is overridden by a skill in .agents/ and by a layer of the role', async () => {
    await api.write({ ...FILES, 'base/.agents/skills/css/SKILL.md': skill('new', 'css') })
    const { skills } = await resolve({ role: 'frontend' })
    expect(skills.find(({ id }: { id: string }) => id === 'css').body).toContain('new')
    await api.write({ 'roles/frontend/.agents/agents/a.md': agent('x', 'a') })
    expect(ids(await resolve({ role: 'frontend' }))).toEqual([])
  })

  it('is read from another folder when the policy sets skills_role_dir', async () => {
    await api.write({ 'base/team/packs/frontend/css/SKILL.md': skill('css', 'css') })
    const { etag } = await api.call('GET /v1/policy')
    const wrong = { skills_role_dir: '../x' }
    expect((await api.call('PUT /v1/policy', wrong, { 'if-match': etag! })).status).toBe(422)
    await api.call('PUT /v1/policy', { skills_role_dir: 'team/packs' }, { 'if-match': etag! })
    expect(ids(await resolve({ role: 'frontend' }))).toEqual(['css'])
  })

  it("is migrated to the role's own layer", async () => {
    await api.write(FILES)
    const dry = (await api.call('POST /v1/layers/migrate', {})).body
    expect(dry.steps).toContainEqual({
      action: 'move',
      from: 'base/skills/frontend/css/SKILL.md',
      path: 'roles/frontend/.agents/skills/css/SKILL.md',
      reason: 'roles/frontend/ becomes a layer; base/ is then not read for this role',
    })
    expect((await api.call('POST /v1/layers/migrate', { dry_run: false })).status).toBe(200)
    expect(await api.read('base/skills/frontend/css/SKILL.md')).toBeUndefined()
    expect(await api.read('roles/frontend/.agents/skills/css/notes.txt')).toBe('n')
    const after = await resolve({ role: 'frontend' })
    expect([ids(after), after.diagnostics]).toEqual([['css'], []])
    expect(ids(await resolve())).toEqual(['deploy', 'shared'])
    // A skill with folders of its own is no role.
    await api.write({
      'base/skills/lone/SKILL.md': skill('x', 'lone'),
      'base/skills/lone/references/more.md': 'x',
    })
    expect((await api.call('POST /v1/layers/migrate', {})).body.steps).toEqual([])
    const versions = await api.call('GET /v1/skills/css/versions?layer=roles/frontend')
    expect(versions.body.data).toHaveLength(1)
  })
})

describe('the migration of a base layer other than base/', () => {
  const team = Object.fromEntries(
    Object.entries(FILES).map(([path, body]) => [path.replace('base/', 'team/'), body]),
  )
  const migrate = (body: object) => api.call('POST /v1/layers/migrate', body)

  it('moves the files that a run with that base_dir reads', async () => {
    await api.write({
      ...team,
      'team/.goclaw/mcp.json': '{"mcpServers": {"a": {"url": "https://a.example"}}}',
    })
    const before = ids(await resolve({ base_dir: 'team' }))
    const done = await migrate({ base_dir: 'team', dry_run: false })
    expect(done.body).toMatchObject({ layer: 'team/', dry_run: false })
    expect(await api.read('team/.agents/skills/deploy/SKILL.md')).toBe(
      team['team/skills/main/deploy/SKILL.md'],
    )
    expect(await api.read('roles/frontend/.agents/skills/css/notes.txt')).toBe('n')
    expect(await api.read('team/.agents/config.toml')).toContain('[mcp_servers.a]')
    const after = await resolve({ base_dir: 'team' })
    expect([ids(after), after.diagnostics]).toEqual([before, []])
    expect((await migrate({ base_dir: 'team/' })).body.steps).toEqual([])
  })

  it('is suggested when the base layer is passed as an ordinary layer', async () => {
    await api.write(team)
    const { steps } = (await migrate({ layer: 'team/' })).body
    const reason = 'read only from a base layer; if team/ is one, pass it as base_dir'
    expect(steps).toContainEqual({
      action: 'skip',
      path: 'team/skills/main/deploy/SKILL.md',
      reason,
    })
    expect(steps).toHaveLength(3)
  })

  it('refuses a role layer, and refuses two layers', async () => {
    const role = await migrate({ base_dir: 'roles/frontend' })
    expect([role.status, role.body.detail]).toEqual([422, 'roles/frontend/ is a role layer'])
    expect((await migrate({ base_dir: 'team', layer: 'repos/app' })).status).toBe(422)
  })
})

describe('a file in a location that resembles configuration', () => {
  it('has a record with the location where it would be read, in every kind of layer', async () => {
    for (const prefix of ['base/', 'repos/app/']) {
      await api.write({
        [`${prefix}agents/loose.md`]: agent('x', 'loose'),
        [`${prefix}skills/lone/SKILL.md`]: skill('x', 'lone'),
        [`${prefix}skills/lone/references/more.md`]: 'x',
        [`${prefix}.github/agents/pilot.agent.md`]: agent('x', 'pilot'),
        [`${prefix}.kiro/config.toml`]: '[mcp_servers.a]\ncommand = "x"\n',
        [`${prefix}.github/workflows/ci.yml`]: 'x',
        [`${prefix}docs/agents.md`]: 'x',
      })
      const body = await resolve(prefix === 'base/' ? {} : { repo_dir: 'repos/app' })
      for (const [path, hint] of [
        ['agents/loose.md', 'move it to .agents/agents/loose.md'],
        ['skills/lone/SKILL.md', 'move the folder to .agents/skills/lone/'],
        ['skills/lone/references/more.md', 'move its skill to .agents/skills/'],
        ['.github/agents/pilot.agent.md', 'move it to .agents/agents/pilot.md'],
        ['.kiro/config.toml', 'move [mcp_servers] to .agents/config.toml'],
      ] as const) {
        const record = recordOf(body, prefix + path)
        expect([path, record?.status, record?.diagnostics[0].hint]).toEqual([path, 'ignored', hint])
      }
      expect(recordOf(body, `${prefix}.github/workflows/ci.yml`)).toBeUndefined()
    }
  })
})
