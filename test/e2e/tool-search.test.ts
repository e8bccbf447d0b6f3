/** An agent with many tools: those of MCP servers are deferred, found by `tool_search`, and stay. */

import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../src/core/limits.ts'
import { startCannedMcp } from '../support/canned-mcp.ts'
import { cleanup } from '../support/cleanup.ts'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { ask, eventsOf, putFile, runToEnd } from '../support/node-client.ts'
import { until } from '../support/patience.ts'
import { BASE_CONFIG } from '../support/resolved.ts'
import { temporaryFolder } from '../support/server.ts'

const MANY = LIMITS.offered_tools + 5

const tool = (index: number) => ({
  name: `tool_${index}`,
  description: index === 7 ? 'Sends a parcel.' : `Does thing ${index}.`,
  inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
})

async function withTools(count: number, env: Readonly<Record<string, string>> = {}) {
  const server = await startCannedMcp({ tools: Array.from({ length: count }, (_, at) => tool(at)) })
  cleanup.push(server.close)
  const api = await startNodeApi(env)
  await putFile(api, BASE_CONFIG, `[mcp_servers.x]\nurl = "${server.url}"\n`)
  return { api, server }
}

/** What each request of the model offered of the server, in order. */
const offered = ({ model }: NodeApi): string[][] =>
  model.requests.map(({ body }) =>
    namesOf(body).filter((name) => name.startsWith('mcp__') || name === 'tool_search'),
  )

const namesOf = ({ tools = [] }: { readonly tools?: readonly unknown[] }): string[] =>
  tools.map((one) => (one as { function: { name: string } }).function.name)

const systemsOf = ({ model }: NodeApi): string =>
  model.requests[0]!.body.messages.filter(({ role }) => role === 'system')
    .map(({ content }) => JSON.stringify(content))
    .join('\n')

const SEARCH = '@call tool_search {"query":"send parcel"}'

describe('tools beyond the number that a model is shown', () => {
  it('are deferred, found, offered as real tools from the next step on, and executed', async () => {
    const { api, server } = await withTools(MANY)
    const run = await runToEnd(api, {
      input: `${SEARCH}\n@then\n@call mcp__x__tool_7 {"n":1}\n@then\n@say {last}`,
    })
    expect(run).toMatchObject({ status: 'completed', output: { text: 'done' } })
    expect(offered(api)).toEqual([
      ['tool_search'],
      ['tool_search', 'mcp__x__tool_7'],
      ['tool_search', 'mcp__x__tool_7'],
    ])
    expect(server.messages('tools/call')).toHaveLength(1)
    const facts = await eventsOf(api, run.id)
    const result = facts.find(({ type }) => type === 'tool.result').data
    expect(result.found).toEqual(['mcp__x__tool_7'])
    const [first] = JSON.parse(result.text).tools
    expect(first).toEqual({
      name: 'mcp__x__tool_7',
      description: 'Sends a parcel.',
      input_schema: { type: 'object', properties: { n: { type: 'integer' } } },
    })
  })

  it('are reported to the model, to people, and in the configuration of the run', async () => {
    const { api } = await withTools(MANY)
    const run = await runToEnd(api, { input: '@say x' })
    expect(systemsOf(api)).toMatch(new RegExp(`${MANY} tools of the MCP server.*x.*tool_search`))
    expect(run.warnings).toMatchObject([
      { code: 'tools_deferred', message: expect.stringContaining(`${MANY} tools`) },
    ])
    const { tools } = (await ask(api, 'GET', `/v1/runs/${run.id}/config`)).body
    const deferred = tools.filter((one: { deferred?: boolean }) => one.deferred)
    const named = deferred.map(
      ({ server, name }: { server?: string; name: string }) => server ?? name,
    )
    expect(named.filter((one: string) => one === 'x')).toHaveLength(MANY)
    // Those that manage the configuration, too, as nobody names tools.
    expect(named).toContain('skills_put')
  })

  it('may be called before they are found, and are offered from then on', async () => {
    const { api } = await withTools(MANY)
    const run = await runToEnd(api, {
      input: '@call mcp__x__tool_9 {}\n@then\n@call mcp__x__tool_9 {"n":"one"}\n@then\n@say {last}',
    })
    expect(run.output.text).toMatch(/^invalid_arguments/)
    expect(offered(api).slice(0, 2)).toEqual([['tool_search'], ['tool_search', 'mcp__x__tool_9']])
  })

  it('are selected by name, and an unknown name is reported', async () => {
    const { api } = await withTools(MANY)
    const query = 'select:tool_3, mcp__x__tool_4,nothing'
    const run = await runToEnd(api, {
      input: `@call tool_search ${JSON.stringify({ query })}\n@then\n@say {last}`,
    })
    expect(offered(api)[1]).toEqual(['tool_search', 'mcp__x__tool_3', 'mcp__x__tool_4'])
    const facts = await eventsOf(api, run.id)
    const { text } = facts.find(({ type }) => type === 'tool.result').data
    expect(JSON.parse(text).unknown).toEqual(['nothing'])
  })

  it('fall under the same policy', async () => {
    const { api, server } = await withTools(MANY)
    const { etag, body } = await ask(api, 'GET', '/v1/policy').then(({ headers, body }) => ({
      etag: headers.get('etag') ?? '',
      body,
    }))
    const { deny, ...rest } = body
    const policy = { ...rest, deny: { ...deny, tools: ['mcp__x__tool_9'] } }
    for (const name of ['object', 'version', 'updated_at', 'digest']) delete policy[name]
    const put = await ask(api, 'PUT', '/v1/policy', policy, { 'if-match': etag })
    expect(put.status, put.text).toBe(200)
    const run = await runToEnd(api, { input: '@call mcp__x__tool_9 {}\n@then\n@say {last}' })
    expect(run.output.text).toContain("denied by the tenant's policy")
    expect(server.messages('tools/call')).toEqual([])
  })

  it('stay found when another process continues', async () => {
    const folder = await temporaryFolder()
    const { api, server } = await withTools(MANY, { DATA_DIR: folder })
    const input = `${SEARCH}\n@then\n@call ask_user {"question":"Go on?"}\n@then\n@say {last}`
    const { body } = await ask(api, 'POST', '/v1/runs', { input })
    const at = `/v1/runs/${body.id}`
    const read = async (from: NodeApi) => (await ask(from, 'GET', at)).body
    await until('the question', async () => (await read(api)).waiting_on === 'input')
    await api.host.close()
    const next = { ...(await startNodeApi({ DATA_DIR: folder })), key: api.key }
    await ask(next, 'POST', `${at}/messages`, { content: 'yes' })
    await until('the end', async () => (await read(next)).status === 'completed')
    expect(offered(next)).toEqual([['tool_search', 'mcp__x__tool_7']])
    expect(server.messages('tools/list')).toHaveLength(1)
  })

  it('stay found in the next run of the session', async () => {
    const { api } = await withTools(MANY)
    const { id } = await runToEnd(api, { input: `${SEARCH}\n@then\n@say x` })
    const session_id = id.replace('run_', 'ses_')
    await runToEnd(api, { input: '@say y', session_id })
    expect(offered(api).at(-1)).toEqual(['tool_search', 'mcp__x__tool_7'])
  })

  it('stay found in a forked subagent', async () => {
    const { api } = await withTools(MANY)
    const spawn = JSON.stringify({ task: '@say child', fork_context: true })
    await runToEnd(api, {
      input: `${SEARCH}\n@then\n@call sessions_spawn ${spawn}\n@then\n@await\n@say x`,
    })
    const child = api.model.requests.find(({ body }) => {
      const last = body.messages.at(-1)
      return last?.role === 'user' && JSON.stringify(last.content).includes('"@say child"')
    })
    expect(namesOf(child!.body)).toContain('mcp__x__tool_7')
    expect(namesOf(child!.body)).not.toContain('mcp__x__tool_8')
  })
})

describe('tools within the number that a model is shown', () => {
  it('are offered unchanged, and none is deferred', async () => {
    const { api } = await withTools(5)
    const run = await runToEnd(api, {
      tools: ['Read', 'ToolSearch', 'mcp__x__*'],
      input: '@call tool_search {"query":"x"}\n@say {last}',
    })
    expect(offered(api)[0]).toHaveLength(5)
    expect(run.warnings ?? []).toEqual([])
    expect(run.output.text).toMatch(/unknown_tool.*all tools are shown/)
  })

  it('include all tools when the search is denied', async () => {
    const { api } = await withTools(MANY)
    const run = await runToEnd(api, { input: '@say x', disallowed_tools: ['ToolSearch'] })
    expect(offered(api)[0]).toHaveLength(MANY)
    expect(run.warnings ?? []).toEqual([])
  })
})
