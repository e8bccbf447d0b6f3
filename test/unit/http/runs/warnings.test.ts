import { describe, expect, it } from 'vitest'
import { readFanout } from '../../../../src/engine/logs/fanout.ts'
import { fanoutPartition } from '../../../../src/engine/partition/keys.ts'
import { putFiles, TENANT } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { agent, skill } from '../../../support/layers.ts'
import { requestsOf, spawn } from '../../../support/script.ts'

const FILES = {
  'base/.agents/agents/scout.md': agent('Looks.', 'scout'),
  'base/.agents/skills/deploy/SKILL.md': skill('x', 'deploy'),
  'roles/frontend/.agents/agents/a.md': agent('x', 'a'),
}
async function apiWith(files: Readonly<Record<string, string>> = FILES): Promise<TestApi> {
  const api = await testApi()
  await api.call('GET', '/v1/policy')
  await putFiles(api.world, files)
  return api
}
const setPolicy = async (api: TestApi, policy: object) => {
  const { headers } = await api.call('GET', '/v1/policy')
  const ifMatch = { 'if-match': headers.get('etag')! }
  const written = await api.call('PUT', '/v1/policy', { json: policy, headers: ifMatch })
  expect(written.status).toBe(200)
}
const INVALID = {
  code: 'role_layer_invalid',
  message: 'roles/frontent/ has no config.toml, skills, or agents; base/ is used instead',
  hint: 'did you mean the role `frontend`?',
}

describe('an invalid requested role', () => {
  it('the 202, the run, and run.started report that the base layer is used, and hint at a similar name', async () => {
    const api = await apiWith()
    const json = { input: '@say x', role: 'frontent' }
    const { status, body } = await api.call('POST', '/v1/runs', { json })
    expect([status, body.warnings]).toEqual([202, [INVALID]])
    await api.settle()
    const run = (await api.call('GET', `/v1/runs/${body.id}`)).body
    expect([run.status, run.warnings]).toEqual(['completed', [INVALID]])
    const listed = (await api.call('GET', '/v1/runs')).body.data
    expect(listed[0].warnings).toEqual([INVALID])
    const events = (await api.call('GET', `/v1/runs/${body.id}/events`)).body.data
    const started = events.find(({ type }: { type: string }) => type === 'run.started')
    expect(started.data.warnings).toEqual([INVALID])
    expect(requestsOf(api.world)[0]!.notes).toContain('role_layer_invalid')
  })

  it('a run with its layers as requested has no warnings', async () => {
    const api = await apiWith()
    for (const json of [{ input: '@say x' }, { input: '@say x', role: 'frontend' }]) {
      const { body } = await api.call('POST', '/v1/runs', { json })
      expect(body).not.toHaveProperty('warnings')
      await api.settle()
      expect((await api.call('GET', `/v1/runs/${body.id}`)).body).not.toHaveProperty('warnings')
    }
  })

  it('the warning is decided at the start: a role layer created meanwhile removes it', async () => {
    const api = await apiWith()
    const json = { input: '@say x', role: 'later' }
    const { body } = await api.call('POST', '/v1/runs', { json })
    expect(body.warnings).toMatchObject([{ code: 'role_layer_invalid' }])
    await putFiles(api.world, { 'roles/later/.agents/agents/a.md': agent('x', 'a') })
    await api.settle()
    expect((await api.call('GET', `/v1/runs/${body.id}`)).body).not.toHaveProperty('warnings')
  })

  it('the hint names files of the role in another location or under another spelling', async () => {
    const api = await apiWith({
      'roles/docs/skills/deploy/SKILL.md': skill('x', 'deploy'),
      'roles/Design/.agents/agents/a.md': agent('x', 'a'),
    })
    const hintOf = async (role: string) => {
      const { body } = await api.call('POST', '/v1/resolve', { json: { role } })
      return body.diagnostics.find(({ code }: { code: string }) => code === 'role_layer_invalid')
        .hint
    }
    expect(await hintOf('docs')).toBe(
      'roles/docs/ has files, but none below .agents/; move them there',
    )
    expect(await hintOf('design')).toBe('roles/Design/ exists; role names are lowercase')
    expect(await hintOf('zzzzzzzz')).toBe("put the role's files below roles/zzzzzzzz/.agents/")
  })

  it('422 strict refuses it, and the policy `on_invalid_role: "refuse"` refuses it everywhere', async () => {
    const api = await apiWith()
    const json = { input: '@say x', role: 'frontent' }
    const strict = await api.call('POST', '/v1/runs', { json: { ...json, strict: true } })
    expect([strict.status, strict.body.code]).toEqual([422, 'strict'])
    expect((await api.call('GET', '/v1/policy')).body.on_invalid_role).toBe('base')
    await setPolicy(api, { on_invalid_role: 'refuse' })
    const refused = await api.call('POST', '/v1/runs', { json })
    expect([refused.status, refused.body.code]).toEqual([422, 'role_layer_invalid'])
    expect(refused.body.errors).toEqual([
      { pointer: '/role', message: expect.stringContaining('did you mean the role `frontend`?') },
    ])
    const tasks = [{ task: '@say x' }, { task: '[frontent] @say x' }]
    const fanout = await api.call('POST', '/v1/fanouts', { json: { tasks } })
    expect([fanout.status, fanout.body.code, fanout.body.errors[0].pointer]).toEqual([
      422,
      'role_layer_invalid',
      '/tasks/1/role',
    ])
    const parent = await api.call('POST', '/v1/runs', {
      json: { input: spawn({ task: 'x', role: 'frontent' }) },
    })
    await api.settle()
    const text = (await api.call('GET', `/v1/runs/${parent.body.id}/transcript`)).text
    expect(text).toContain('role_layer_invalid: roles/frontent/ has no config.toml')
    expect((await api.call('GET', '/v1/runs')).body.data).toHaveLength(1)
    // To write the first file of a role is how it comes to be.
    const put = await api.call('PUT', '/v1/agents/b?layer=roles/fresh', {
      json: { agent_md: agent('x', 'b') },
    })
    expect(put.status).toBeLessThan(300)
  })

  it('a spawn reports it at once, and again with its result', async () => {
    const api = await apiWith()
    const input = spawn({ task: '[frontent] @say hello' })
    const { body } = await api.call('POST', '/v1/runs', { json: { input } })
    await api.settle()
    const events = (await api.call('GET', `/v1/runs/${body.id}/events`)).body.data
    const of = (wanted: string) =>
      events.find(({ type }: { type: string }) => type === wanted)?.data
    expect(of('subagent.spawned').warnings).toEqual([INVALID])
    expect(of('subagent.announced').announce.warnings).toEqual([INVALID])
    expect(of('run.started')).not.toHaveProperty('warnings')
    const last = requestsOf(api.world).at(-1)!
    const [result] = last.messages.flatMap((one) => (one.role === 'tool' ? one.results : []))
    expect(JSON.parse(String(result!.text)).warnings).toEqual([INVALID])
    const report = last.messages.findLast(({ role }) => role === 'user')
    expect(JSON.stringify(report)).toContain('role_layer_invalid')
  })

  it('a fan-out reports it in the 202, in fanout.created, and in each result', async () => {
    const api = await apiWith()
    const tasks = [
      { task: '[frontent] @say a' },
      { task: '@say b' },
      { task: '@say c', role: 'frontent' },
    ]
    const { status, body } = await api.call('POST', '/v1/fanouts', { json: { tasks } })
    expect([status, body.warnings]).toEqual([202, [{ ...INVALID, tasks: [0, 2] }]])
    const early = (await api.call('GET', `/v1/fanouts/${body.id}`)).body
    expect(early.results.map((one: { warnings?: object }) => one.warnings)).toEqual([
      [INVALID],
      undefined,
      [INVALID],
    ])
    await api.settle()
    const after = (await api.call('GET', `/v1/fanouts/${body.id}`)).body
    expect(after.warnings).toEqual([{ ...INVALID, tasks: [0, 2] }])
    expect(after.results.map((one: { warnings?: object }) => one.warnings)).toEqual([
      [INVALID],
      undefined,
      [INVALID],
    ])
    const child = (await api.call('GET', `/v1/runs/${after.results[0].run_id}`)).body
    expect(child.warnings).toEqual([INVALID])
    const events = (await api.call('GET', `/v1/fanouts/${body.id}/events`)).body.data
    expect(events[0].data.warnings).toEqual([{ ...INVALID, tasks: [0, 2] }])
    expect(await readFanout(api.world, fanoutPartition(TENANT, body.id))).toBeDefined()
  })
})

describe('the MCP servers of a run', () => {
  it('findings about servers in the request are reported to its caller, and strict refuses them', async () => {
    const api = await apiWith()
    const mcp_servers = { own: { url: 'https://mcp.example/x', timeoutSeconds: 0, colour: 'red' } }
    const codes = (list: { code: string }[]) => list.map(({ code }) => code)
    const resolved = await api.call('POST', '/v1/resolve', { json: { mcp_servers } })
    expect(codes(resolved.body.diagnostics)).toEqual(['timeout_zero', 'unknown_server_key'])
    const run = await api.call('POST', '/v1/runs', { json: { input: '@say x', mcp_servers } })
    expect(codes(run.body.warnings)).toEqual(['timeout_zero', 'unknown_server_key'])
    const json = { input: '@say x', mcp_servers, strict: true }
    const strict = await api.call('POST', '/v1/runs', { json })
    expect([strict.status, strict.body.code]).toEqual([422, 'strict'])
    expect(JSON.stringify(strict.body.errors)).toContain('unknown key `colour`')
  })

  it('a config.toml rejected as a whole is reported to the caller, the run, and its model', async () => {
    const path = 'base/.agents/config.toml'
    const api = await apiWith({ ...FILES, [path]: '[mcp_servers.a]\nurl = \n' })
    const json = { input: '@say x', agent: 'scout' }
    const { body } = await api.call('POST', '/v1/runs', { json })
    const told = { code: 'config_unread', message: expect.stringContaining(path) }
    expect(body.warnings).toEqual([told])
    await api.settle()
    expect((await api.call('GET', `/v1/runs/${body.id}`)).body.warnings).toEqual([told])
    const [request] = requestsOf(api.world)
    expect(request?.notes).toContain('config_unread')
    expect(request?.notes).toContain(path)
  })
})
