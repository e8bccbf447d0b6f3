import { describe, expect, it } from 'vitest'
import { putFiles } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { agent, skill } from '../../../support/layers.ts'
import { requestsOf, spawn } from '../../../support/script.ts'

const FILES = {
  'base/.agents/agents/scout.md': agent('Looks.', 'scout'),
  'base/.agents/agents/broken.md': '---\nname: broken\n---\nx',
  'base/.agents/agents/prose.md': 'Only words.',
  'base/.agents/agents/team/deep.md': agent('x', 'deep'),
  'base/.agents/agents/hidden.md': agent('x', 'hidden', 'visibility: internal\n'),
  'base/.agents/agents/one.md': agent('x', 'one', 'tools: Agent(general-purpose, Explore)\n'),
  'base/.agents/skills/deploy/SKILL.md': skill('x', 'deploy'),
  'base/.agents/skills/off/SKILL.md': skill('x', 'off'),
  'base/.agents/skills/off/.disabled': '',
  'base/.agents/skills/needy/SKILL.md': `---\nname: needy\ndescription: d\nmetadata:\n  requires:\n    secrets: [TOKEN]\n---\nx`,
  'base/.agents/skills/bad/SKILL.md': '---\nname: bad\n---\nx',
  'base/.agents/skills/denied/SKILL.md': skill('x', 'denied'),
  'base/.agents/config.toml':
    '[mcp_servers.off]\nurl = "https://a.example/mcp"\nenabled = false\n[mcp_servers.none]\ntype = "http"\n',
}
async function apiWith(files: Readonly<Record<string, string>> = FILES): Promise<TestApi> {
  const api = await testApi()
  const { headers } = await api.call('GET', '/v1/policy')
  const policy = { deny: { skills: ['denied'], servers: [], tools: ['content_search'] } }
  const ifMatch = { 'if-match': headers.get('etag')! }
  await api.call('PUT', '/v1/policy', { json: policy, headers: ifMatch })
  await putFiles(api.world, files)
  return api
}
/** What the model reads of the call that its script makes. */
async function resultOf(api: TestApi, input: string, more: object = {}): Promise<string> {
  const { status, body } = await api.call('POST', '/v1/runs', { json: { input, ...more } })
  expect([status, body.detail]).toEqual([202, undefined])
  await api.settle()
  const { messages } = requestsOf(api.world).at(-1)!
  const results = messages.flatMap((one) => (one.role === 'tool' ? one.results : []))
  return String(results[0]?.text)
}
const OFF = 'disabled by base/.agents/skills/off/.disabled'
const BAD = 'base/.agents/skills/bad/SKILL.md cannot be loaded'
const SKILLS = [
  ['off', OFF],
  ['needy', 'requires the secret TOKEN'],
  ['bad', BAD],
  ['denied', "denied by the tenant's policy"],
] as const

describe('refusals of unusable items', () => {
  it("skills: the model's tool gives the reason, for a name in any case", async () => {
    const api = await apiWith()
    for (const [name, why] of SKILLS) {
      const text = await resultOf(api, `@call skill {"name":"${name}"}`)
      expect(text).toMatch(/^skill_unavailable: /)
      expect(text).toContain(why)
    }
    expect(await resultOf(api, '@call skill {"name":"ghost"}')).toContain('unknown_skill')
    expect(await resultOf(api, '@call skill {"name":" Deploy "}')).toContain('name: deploy')
  })

  it('422 skills: /name at the start of an input gives the reason, before anything is stored', async () => {
    const api = await apiWith()
    for (const [name, why] of SKILLS) {
      const { status, body } = await api.call('POST', '/v1/runs', { json: { input: `/${name} x` } })
      expect([status, body.code]).toEqual([422, 'skill_unavailable'])
      expect(body.detail).toContain(why)
      expect(body.errors[0].pointer).toBe('/input')
    }
    expect((await api.call('GET', '/v1/runs')).body.data).toEqual([])
    for (const input of ['/ghost x', '/usr/bin is a folder', '/deploy x']) {
      expect((await api.call('POST', '/v1/runs', { json: { input } })).status).toBe(202)
    }
  })

  it('agents: REST and fan-outs give the reason with 422, and spawn gives it as an error', async () => {
    const api = await apiWith()
    for (const [name, why] of [
      ['broken', 'base/.agents/agents/broken.md cannot be loaded'],
      ['prose', 'base/.agents/agents/prose.md cannot be loaded: not an agent'],
      ['deep', 'move it to .agents/agents/deep.md'],
    ] as const) {
      const run = await api.call('POST', '/v1/runs', { json: { input: 'x', agent: name } })
      expect([run.status, run.body.code]).toEqual([422, 'agent_unavailable'])
      expect(run.body.detail).toContain(why)
      const tasks = [{ task: 'x' }, { task: 'x', agent: name }]
      const fanout = await api.call('POST', '/v1/fanouts', { json: { tasks } })
      expect([fanout.body.code, fanout.body.errors[0].pointer]).toEqual([
        'agent_unavailable',
        '/tasks/1/agent',
      ])
      const text = await resultOf(api, spawn({ task: 'x', agent: name }))
      expect(text).toContain('agent_unavailable')
      expect(text).toContain(why)
    }
    const internal = await resultOf(api, spawn({ task: 'x', agent: 'hidden' }))
    expect(internal).toContain('cannot start internal agents')
    const ghost = await resultOf(api, spawn({ task: 'x', agent: 'ghost' }))
    expect(ghost).toContain('unknown_agent')
  })

  it('agent IDs match trimmed and in any case, and stock names of Claude Code map to built-in agents', async () => {
    const api = await apiWith()
    for (const [given, id] of [
      [' Scout ', 'scout'],
      ['Explore', 'explore'],
      ['general-purpose', 'general'],
      ['Plan', 'explore'],
      ['claude-code-guide', 'research-assistant'],
      ['statusline-setup', 'general'],
    ] as const) {
      const { body } = await api.call('POST', '/v1/runs', {
        json: { input: '@say x', agent: given },
      })
      expect([given, body.agent]).toEqual([given, id])
      const tasks = [{ task: '@say x', agent: given }]
      const fanout = await api.call('POST', '/v1/fanouts', { json: { tasks } })
      await api.settle()
      const { results } = (await api.call('GET', `/v1/fanouts/${fanout.body.id}`)).body
      expect([results[0].agent, results[0].status]).toEqual([id, 'completed'])
      const parent = await api.call('POST', '/v1/runs', {
        json: { input: spawn({ task: '@say x', agent: given }) },
      })
      await api.settle()
      const events = (await api.call('GET', `/v1/runs/${parent.body.id}/events`)).text
      expect(events).toContain(`"agent":"${id}","label"`)
    }
  })

  it('a file with a stock name overrides the alias', async () => {
    const api = await apiWith({ 'base/.agents/agents/plan.md': agent('x', 'plan') })
    const { body } = await api.call('POST', '/v1/runs', { json: { input: 'x', agent: 'Plan' } })
    expect(body.agent).toBe('plan')
  })

  it('a list of allowed agents accepts stock names and grants nothing more', async () => {
    const api = await apiWith()
    const allowed = async (name: string) =>
      resultOf(api, spawn({ task: '@say x', agent: name }), { agent: 'one' })
    for (const name of ['general', 'general-purpose', 'Explore', 'explore'])
      expect(await allowed(name)).toContain('run_id')
    for (const name of ['summarizer', 'scout']) expect(await allowed(name)).toContain('Forbidden')
  })

  it('tools: the reason is denied, switched off, unavailable here, or not granted', async () => {
    const api = await apiWith()
    const said = (call: string, more: object = {}) => resultOf(api, `@call ${call}`, more)
    expect(await said('content_search {"query":"x"}')).toBe(
      'unknown_tool: "content_search" is not available: denied by the tenant\'s policy.',
    )
    expect(await said('web_search {}')).toContain('no search provider is configured')
    expect(await said('mcp__off__go {}')).toContain('disabled in base/.agents/config.toml')
    expect(await said('mcp__none__go {}')).toContain('url is required')
    const named = { tools: ['file_read'] }
    expect(await said('file_list {}', named)).toContain("requested by this run's caller")
    const refused = { disallowed_tools: ['file_list'] }
    expect(await said('file_list {}', refused)).toContain('the caller of this run denies it')
    expect(await said('nothing_like_it {}')).toMatch(/^unknown_tool: tool/)
  })
})
