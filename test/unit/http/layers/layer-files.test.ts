import { beforeEach, describe, expect, it } from 'vitest'
import type { FileRecord, SkillEntry } from '../../../../src/core/config/types.ts'
import { type TestApi, testApi } from '../../../support/api.ts'
import { settle } from '../../../support/drive.ts'
import { agent, skill } from '../../../support/layers.ts'
import { requestsOf } from '../../../support/script.ts'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

/** Runs to the end through the API, and returns the run and what its model was sent. */
const run = async (body: Readonly<Record<string, unknown>>) => {
  const before = requestsOf(api.world).length
  const created = await api.call('POST /v1/runs', { input: '@say done', ...body })
  expect(created.status).toBe(202)
  await settle(api.world)
  const ended = (await api.call(`GET /v1/runs/${created.body.id}`)).body
  expect(ended).toMatchObject({ status: 'completed', output: { text: 'done' } })
  const [request] = requestsOf(api.world).slice(before)
  return { ended, system: String(request?.system), sent: JSON.stringify(request) }
}
const resolve = async (body: object = {}) => (await api.call('POST /v1/resolve', body)).body

describe('files of layers', () => {
  it('invalid YAML is recorded with its line, and other files and built-in agents work [NV-12]', async () => {
    const broken = '---\nname: broken\ndescription: d\ntools: [read, "grep\n---\nBe broken.\n'
    await api.write({
      'base/.agents/agents/broken.md': broken,
      'base/.agents/agents/good.md': agent('Be good.', 'good'),
    })
    const { agents, records } = await resolve()
    const found = records.find(({ path }: FileRecord) => path === '.agents/agents/broken.md')
    expect(found).toMatchObject({ status: 'rejected', layer: 'base/' })
    expect(found.diagnostics).toMatchObject([{ severity: 'error', line: expect.any(Number) }])
    expect(agents.map(({ id }: { id: string }) => id)).toEqual([
      ...[
        'dream',
        'explore',
        'file-analyst',
        'general',
        'good',
        'research-assistant',
        'summarizer',
      ],
    ])
    expect((await run({ agent: 'good' })).system).toContain('Be good.')
    expect((await run({ agent: 'explore' })).ended.agent).toBe('explore')
    const refused = await api.call('POST /v1/runs', { input: 'x', agent: 'broken' })
    expect(refused.status).toBe(422)
  })

  it("a run's role is trimmed and lowercased, a blank role is no role, and no role contains a blank [GC-38]", async () => {
    await api.write({
      'base/.agents/agents/a.md': agent('The base speaks.', 'a'),
      'roles/frontend/.agents/agents/a.md': agent('The front end speaks.', 'a'),
      'roles/qa team/.agents/agents/a.md': agent('Nobody hears this.', 'a'),
    })
    expect((await run({ agent: 'a', role: ' FRONTEND ' })).system).toContain('The front end')
    expect((await run({ agent: 'a', role: '' })).system).toContain('The base speaks.')
    const refused = await api.call('POST /v1/runs', { input: 'x', agent: 'a', role: 'qa team' })
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/role' }] } })
    // A label is for people: what is no role there is text.
    const child = { task: '@say x', agent: 'a', label: '[qa team] look' }
    await run({ input: `@spawn 1 ${JSON.stringify(child)}\n@await\n@say done` })
    const systems = requestsOf(api.world).map(({ system }) => String(system))
    expect(systems.filter((text) => text.includes('The base speaks.'))).toHaveLength(2)
    expect(systems.join()).not.toContain('Nobody hears')
  })

  it('the next turn of a session reads the current folder with its current content [SKO-16]', async () => {
    await api.write({
      'base/.agents/skills/first/SKILL.md': skill('a', 'first'),
      'other/.agents/skills/second/SKILL.md': skill('b', 'second'),
    })
    let session = {}
    const offered = async (more: object) => {
      const { ended, sent } = await run({ ...session, ...more })
      session = { session_id: ended.session_id }
      return ['first', 'second', 'third'].filter((name) => sent.includes(`does ${name}`))
    }
    expect(await offered({})).toEqual(['first'])
    expect(await offered({ base_dir: 'other' })).toEqual(['second'])
    await api.write({ 'other/.agents/skills/third/SKILL.md': skill('c', 'third') })
    expect(await offered({ base_dir: 'other' })).toEqual(['second', 'third'])
    expect(await offered({})).toEqual(['first'])
  })

  it('a repository skill overrides the base skill, and the hidden file names the one in use [SK-15]', async () => {
    await api.write({
      'base/.agents/skills/x/SKILL.md': skill('The user says so.', 'x'),
      'repos/app/.agents/skills/x/SKILL.md': skill('The project says so.', 'x'),
      'repos/app/.agents/skills/alone/SKILL.md': skill('Alone.', 'alone'),
    })
    const { skills, records } = await resolve({ repo_dir: 'repos/app' })
    expect(skills.map(({ id, body }: SkillEntry) => [id, body])).toEqual([
      ['alone', 'Alone.\n'],
      ['x', 'The project says so.\n'],
    ])
    const told = records.flatMap(({ layer, path, diagnostics }: FileRecord) =>
      diagnostics.map(({ code, severity, message }) => [layer + path, code, severity, message]),
    )
    expect(told).toEqual([
      [
        'base/.agents/skills/x/SKILL.md',
        'shadowed',
        'note',
        'overridden by repos/app/.agents/skills/x/SKILL.md',
      ],
    ])
    const input = '@call skill {"name":"x"}\n@say done'
    await run({ input, repo_dir: 'repos/app' })
    const last = JSON.stringify(requestsOf(api.world).at(-1)?.messages)
    expect(last).toContain('The project says so.')
    expect(last).not.toContain('The user says so.')
  })
})
