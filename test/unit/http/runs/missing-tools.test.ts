import { describe, expect, it } from 'vitest'
import { OUR_TOOLS } from '../../../../src/core/config/agent/tool-names.ts'
import { OFFERED_TOOLS } from '../../../../src/core/tools/available.ts'
import { BUILTINS } from '../../../../src/core/tools/builtin/index.ts'
import { setPolicy } from '../../../support/approvals.ts'
import { putFiles, TENANT } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { agent, skill } from '../../../support/layers.ts'
import { requestsOf, spawn } from '../../../support/script.ts'

async function apiWith(files: Readonly<Record<string, string>>): Promise<TestApi> {
  const api = await testApi()
  await api.world.objects.list(`${TENANT}/`)
  await putFiles(api.world, files)
  return api
}
const file = (id: string, head: string) => ({
  [`base/.agents/agents/${id}.md`]: agent('Does it.', id, `${head}\n`),
})
const start = (api: TestApi, json: object) => api.call('POST', '/v1/runs', { json })
const finished = async (api: TestApi, json: object) => {
  const { body, status } = await start(api, json)
  expect([status, body.detail]).toEqual([202, undefined])
  await api.settle()
  return (await api.call('GET', `/v1/runs/${body.id}`)).body
}

describe('unavailable tools', () => {
  it('the offered tools are derived, and each built-in tool has a known name', async () => {
    const api = await apiWith({ 'base/.agents/skills/look/SKILL.md': skill('Looks.', 'look') })
    await setPolicy(api.world, { memory: { scope: 'shared', start: false } })
    await finished(api, { input: '@say x', tools: ['*'] })
    const offered = requestsOf(api.world)[0]!.tools.map(({ name }) => name)
    const lacks = api.world.settings.lacks ?? {}
    // The search comes with tools that are deferred alone.
    for (const { name, offered: when } of BUILTINS)
      if (!Object.hasOwn(lacks, name) && !when?.deferring) expect(offered).toContain(name)
    for (const name of offered) expect(OFFERED_TOOLS.has(name), name).toBe(true)
    for (const name of OFFERED_TOOLS) expect(OUR_TOOLS).toContain(name)
  })

  it('granting one is a warning with its line in the record, and strict refuses it', async () => {
    const api = await apiWith(file('scout', 'tools: [Read, WebSearch, LSP]'))
    const { body } = await api.call('POST', '/v1/resolve', { json: {} })
    const record = body.records.find(({ id }: { id: string }) => id === 'scout')
    expect(record.status).toBe('loaded_with_warnings')
    expect(record.diagnostics).toEqual([
      expect.objectContaining({ code: 'tool_unavailable', line: 4 }),
      expect.objectContaining({
        code: 'tool_unavailable',
        message: '`web_search` is not available: no search provider is configured',
      }),
    ])
    const strict = await start(api, { input: '@say x', agent: 'scout', strict: true })
    expect([strict.status, strict.body.code]).toEqual([422, 'strict'])
  })

  it('a tool that a deployment lacks is reported like one that no deployment has', async () => {
    const lacks = { file_search: 'this deployment has no SANDBOX' }
    const api = await testApi({ settings: { lacks } })
    await api.world.objects.list(`${TENANT}/`)
    await putFiles(api.world, file('scout', 'tools: [Read, Glob]'))
    const { body } = await api.call('POST', '/v1/resolve', { json: {} })
    const record = body.records.find(({ id }: { id: string }) => id === 'scout')
    expect(record.diagnostics).toEqual([
      expect.objectContaining({
        code: 'tool_unavailable',
        message: '`file_search` is not available: this deployment has no SANDBOX',
      }),
    ])
    const run = await finished(api, { input: '@call file_search {}\n@say x', agent: 'scout' })
    expect(requestsOf(api.world)[0]!.tools.map(({ name }) => name)).toEqual(['file_read'])
    expect(requestsOf(api.world)[0]!.notes).toContain('this deployment has no SANDBOX')
    expect(run.warnings).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('this deployment has no SANDBOX'),
      }),
    ])
    const only = await start(api, { input: '@say x', tools: ['Glob'] })
    expect([only.status, only.body.code]).toEqual([422, 'tool_unavailable'])
  })

  it("the model always gets the reason, and the run's first event reports it to people", async () => {
    const api = await apiWith(file('scout', 'tools: [Read, WebSearch]'))
    for (const _ of [1, 2]) {
      const run = await finished(api, { input: '@say x', agent: 'scout' })
      const request = requestsOf(api.world).at(-1)
      expect(request?.notes).toContain(
        'Tool "web_search" (tool_unavailable): "no search provider is configured"',
      )
      const events = await api.call('GET', `/v1/runs/${run.id}/events`)
      expect(events.text).toContain('web_search: no search provider')
    }
  })

  it('a listed server that is missing or unusable is reported in the same way', async () => {
    const config = '[mcp_servers.local]\ncommand = "x"\n'
    const api = await apiWith({
      'base/.agents/config.toml': config,
      ...file('scout', 'tools: [Read, mcp__nowhere__look, mcp__local]'),
    })
    const { body } = await api.call('POST', '/v1/resolve', { json: {} })
    const record = body.records.find(({ id }: { id: string }) => id === 'scout')
    const messages = record.diagnostics.map(({ message }: { message: string }) => message)
    expect(messages).toEqual([
      "`mcp:nowhere/look` is not available: this run's layers lack this MCP server",
      expect.stringContaining('`mcp:local/*` is not available: the MCP server is unavailable'),
    ])
    await finished(api, { input: '@say x', agent: 'scout' })
    const { notes } = requestsOf(api.world)[0]!
    expect(notes).toContain('Tool "mcp:nowhere/look" (tool_unavailable)')
    expect(notes?.match(/local/g)).toHaveLength(2)
  })

  it('a run without any usable tool is refused with what is missing, unless policy allows it', async () => {
    const api = await apiWith(file('lost', 'tools: [WebSearch, Bash]'))
    const asked = { input: '@say x', agent: 'lost' }
    const { status, body } = await start(api, asked)
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'tool_unavailable', '/agent'])
    expect(body.detail).toContain('"web_search" (no search provider is configured)')
    expect(body.detail).toContain(
      '"shell_execute" (this deployment does not support shell commands)',
    )
    const only = await start(api, { input: '@say x', tools: ['WebFetch'] })
    expect([only.status, only.body.errors?.[0].pointer]).toEqual([422, '/tools'])
    const fanout = await api.call('POST', '/v1/fanouts', {
      json: { tasks: [{ task: 'x' }, { task: '@say x', agent: 'lost' }] },
    })
    expect([fanout.status, fanout.body.errors?.[0].pointer]).toEqual([422, '/tasks/1/agent'])
    const json = { on_missing_tools: 'allow' }
    const headers = { 'if-none-match': '*' }
    const set = await api.call('PUT', '/v1/policy', { json, headers })
    expect([set.status, set.body.on_missing_tools]).toEqual([200, 'allow'])
    expect((await finished(api, asked)).status).toBe('completed')
    const strict = await start(api, { ...asked, strict: true })
    expect([strict.status, strict.body.code]).toEqual([422, 'strict'])
  })

  it("the tenant's default agent fails with the same text when it has no usable tool", async () => {
    const api = await apiWith(file('general', 'tools: [WebSearch]'))
    const run = await finished(api, { input: '@say x' })
    expect([run.status, run.error.code]).toEqual(['failed', 'tool_unavailable'])
  })

  it('the spawn catalog marks them, and spawning an agent without any usable tool is refused', async () => {
    const api = await apiWith({
      ...file('lost', 'tools: [WebSearch]'),
      ...file('half', 'tools: [Read, WebSearch]'),
    })
    const input = `${spawn({ agent: 'lost', task: '@say no' })}\n@then\n@say over`
    const { id } = await finished(api, { input })
    const tool = requestsOf(api.world)[0]!.tools.find(({ name }) => name === 'sessions_spawn')
    expect(tool?.description).toContain('tools: file_read, web_search (unavailable)')
    expect(tool?.description).toContain('tools: web_search (unavailable)')
    const { body } = await api.call('GET', `/v1/runs/${id}/transcript`)
    expect(JSON.stringify(body)).toContain('tool_unavailable: No tools available for the agent')
    expect((await api.call('GET', '/v1/runs')).body.data).toHaveLength(1)
  })

  it.each([
    [{ tools: ['nosuch'] }, '/tools/0', 'nosuch'],
    [{ tools: ['Read', 'file_wite'] }, '/tools/1', 'file_write'],
    [{ disallowed_tools: ['Bsh'] }, '/disallowed_tools/0', 'Bash'],
    [{ disallowed_tools: ['sessions_spwan(x)'] }, '/disallowed_tools/0', 'sessions_spawn'],
    [{ tools: ['Bash(git *)'] }, '/tools/0', 'parentheses'],
    [{ tools: [''] }, '/tools/0', 'unknown tool ""'],
  ])(
    '%j is a 422 that points at it and names the nearest known tool',
    async (lists, pointer, told) => {
      const api = await testApi()
      const hook = { scheme: 'standard', ...lists }
      for (const [path, json] of [
        ['/v1/runs', { input: '@say x', ...lists }],
        ['/v1/hooks', hook],
      ] as const) {
        const { status, body } = await api.call('POST', path, { json })
        expect([path, status, body.errors?.[0].pointer]).toEqual([path, 422, pointer])
        expect(body.errors[0].message).toContain(told)
      }
    },
  )

  it('a glob denial denies every matching tool, built-in or from a server', async () => {
    const api = await testApi()
    const offered = async (disallowed_tools: string[]) => {
      await finished(api, { input: '@say x', disallowed_tools })
      return requestsOf(api.world)
        .at(-1)!
        .tools.map(({ name }) => name)
    }
    expect((await offered(['file_*'])).filter((name) => name.startsWith('file_'))).toEqual([])
    expect(await offered(['*_write'])).not.toContain('file_write')
    expect(await offered(['file_w*', 'mcp__*'])).toContain('file_read')
  })

  it('the shipped agents load without a finding and can be started', async () => {
    const api = await testApi()
    const { body } = await api.call('POST', '/v1/resolve', { json: { strict: true } })
    const ids = body.agents.map(({ id }: { id: string }) => id)
    expect(ids).toHaveLength(6)
    for (const id of ids) {
      const run = await finished(api, { input: '@say x', agent: id, strict: true })
      expect([id, run.status]).toEqual([id, 'completed'])
      expect(requestsOf(api.world).at(-1)?.notes).toBeUndefined()
    }
  })
})
