/** Rules by arguments of the policy, of a server and of an agent, on the running server. */

import { expect, it } from 'vitest'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { ask, eventsOf, putFile, runToEnd } from '../support/node-client.ts'
import { until } from '../support/patience.ts'

const call = (tool: string, given: object) => `@call ${tool} ${JSON.stringify(given)}`
const shell = (command: string) => call('shell_execute', { command })

async function setPolicy(api: NodeApi, approvals: object): Promise<number> {
  const { headers } = await ask(api, 'GET', '/v1/policy')
  const match = { 'if-match': headers.get('etag') ?? '' }
  return (await ask(api, 'PUT', '/v1/policy', { approvals }, match)).status
}

/** The reason for which a person is asked; undefined when the run ends without. */
async function reasonFor(
  api: NodeApi,
  line: string,
  more: object = {},
): Promise<string | undefined> {
  const { id } = (await ask(api, 'POST', '/v1/runs', { input: `${line}\n@say done`, ...more })).body
  const run = await until('an end or an approval', async () => {
    const { body } = await ask(api, 'GET', `/v1/runs/${id}`)
    return (body.waiting_on === 'approval' || body.ended_at !== null) && body
  })
  if (run.waiting_on !== 'approval') return undefined
  const { data } = (await ask(api, 'GET', '/v1/approvals?status=pending')).body
  return data.find((one: { run_id: string }) => one.run_id === id).reason
}
const refusalOf = async (api: NodeApi, line: string, more: object = {}): Promise<string> => {
  const run = await runToEnd(api, { input: `${line}\n@say {last}`, ...more })
  return run.output.text
}

it('the policy allows, asks about, and denies commands by their words; the reason names the rule', async () => {
  const api = await startNodeApi()
  const rules = { allow: ['ls *', 'git status'], ask: ['*'], deny: ['rm *'] }
  expect(await setPolicy(api, { shell_execute: rules })).toBe(200)
  expect(await reasonFor(api, shell('ls -la; ls | ls'))).toBeUndefined()
  const reason = 'the tenant\'s policy (approvals.shell_execute): ask "*"'
  expect(await reasonFor(api, shell('make'))).toBe(reason)
  expect(await reasonFor(api, shell('ls $(make)'))).toBe(
    'the tenant\'s policy (approvals.shell_execute): ask "*"',
  )
  expect(await refusalOf(api, shell('ls; /bin/rm x'))).toContain(
    'denied_by_policy: the tenant\'s policy (approvals.shell_execute): deny "rm *" denies',
  )
})

it('without a policy only read-only commands run without approval', async () => {
  const api = await startNodeApi()
  expect(await reasonFor(api, shell('ls | wc -l'))).toBeUndefined()
  expect(await reasonFor(api, shell('echo x > y'))).toBe("the tenant's policy")
})

it('a person who edits arguments cannot bypass a denial', async () => {
  const api = await startNodeApi()
  await setPolicy(api, { file_write: { ask: ['*'], deny: ['secret/**'] } })
  const line = call('file_write', { path: 'a.txt', content: 'x' })
  await reasonFor(api, line)
  const { data } = (await ask(api, 'GET', '/v1/approvals?status=pending')).body
  const args = { path: 'b/../secret/a.txt', content: 'x' }
  const decision = { decision: 'approve', arguments: args }
  const decided = await ask(api, 'POST', `/v1/approvals/${data[0].id}/decision`, decision)
  expect([decided.status, decided.body.detail]).toEqual([
    409,
    expect.stringContaining('deny "secret/**"'),
  ])
})

it('a redirect of a page is checked like the address of a call', async () => {
  const site = await startCannedServer(({ url, headers }, response) => {
    if (url !== '/lead') return void response.writeHead(200).end('a page')
    const elsewhere = `http://localhost:${headers.host?.split(':')[1]}/page`
    response.writeHead(302, { location: elsewhere }).end()
  })
  cleanup.push(site.close)
  const api = await startNodeApi()
  const lead = call('web_fetch', { url: `${site.origin}/lead` })
  const read = () => refusalOf(api, lead)
  expect(await read()).toContain('a page')
  await setPolicy(api, { web_fetch: { allow: ['127.0.0.1'], ask: ['*'] } })
  expect(await read()).toContain(
    '(approvals.web_fetch): ask "*" requires approval; call web_fetch with that address',
  )
  await setPolicy(api, { web_fetch: { deny: ['localhost'] } })
  expect(await read()).toContain('(approvals.web_fetch): deny "localhost"')
  expect(await refusalOf(api, call('web_fetch', { url: `${site.origin}/page` }))).toContain(
    'a page',
  )
})

it('searching or listing a folder above a restricted one requires approval', async () => {
  const api = await startNodeApi()
  const rules = { allow: ['*'], deny: ['secret/**'] }
  expect(await setPolicy(api, { content_search: rules, file_list: rules })).toBe(200)
  expect(await reasonFor(api, call('content_search', { pattern: 'x' }))).toContain(
    'its patterns cannot be matched here',
  )
  expect(await reasonFor(api, call('file_list', { path: '.' }))).toContain('cannot be matched')
  expect(await reasonFor(api, call('content_search', { pattern: 'x', path: 'docs' }))).toBe(
    undefined,
  )
  expect(await refusalOf(api, call('file_list', { path: 'secret/a' }))).toContain(
    'deny "secret/**"',
  )
})

it("an agent's patterns apply to it and all its subagents, and are reported with file and line", async () => {
  const api = await startNodeApi()
  const permission =
    'permission:\n  bash:\n    "*": allow\n    "git push *": ask\n    "rm *": deny\n'
  const head = `name: careful\ndescription: Works.\ntools: Bash, Write, Agent\n${permission}`
  await putFile(api, 'base/.agents/agents/careful.md', `---\n${head}---\nWork.\n`)
  await setPolicy(api, { shell_execute: 'allow' })
  const agent = { agent: 'careful' }
  expect(await reasonFor(api, shell('git log'), agent)).toBeUndefined()
  expect(await reasonFor(api, shell('git push origin'), agent)).toBe(
    'the agent careful (base/.agents/agents/careful.md line 5): ask "git push *"',
  )
  expect(await refusalOf(api, shell('rm x'), agent)).toContain('deny "rm *"')
  const spawn = call('sessions_spawn', { agent: 'general', task: shell('rm x') })
  const run = await runToEnd(api, { ...agent, input: `${spawn}\n@await\n@say {results}` })
  const events = await eventsOf(api, run.id)
  const child = events.find(({ type }) => type === 'subagent.spawned').data.run_id
  const results = (await eventsOf(api, child)).filter(({ type }) => type === 'tool.result')
  expect(JSON.stringify(results)).toContain('the agent careful (base/.agents/agents/careful.md')
  const config = (await ask(api, 'GET', `/v1/runs/${child}/config`)).body
  const tool = config.tools.find(({ name }: { name: string }) => name === 'shell_execute')
  expect(tool.argument_rules).toMatchObject([{ deny: ['rm *'], ask: ['git push *'] }])
})

it('a Claude Code specifier restricts its agent to what it names', async () => {
  const api = await startNodeApi()
  const head = 'name: git\ndescription: Works.\ntools: Bash(git:*)\n'
  await putFile(api, 'base/.agents/agents/git.md', `---\n${head}---\nWork.\n`)
  await setPolicy(api, { shell_execute: 'allow' })
  const agent = { agent: 'git' }
  expect(await reasonFor(api, shell('git log; git status'), agent)).toBeUndefined()
  expect(await refusalOf(api, shell('git log; ls'), agent)).toContain(
    'deny "*" denies shell_execute',
  )
  expect(await refusalOf(api, shell('git $(ls)'), agent)).toContain('deny "*"')
})

it.each([
  ['an unknown rule', { file_write: { permit: ['*'] } }],
  ['no rule', { file_write: {} }],
  ['a pattern of nothing', { file_write: { ask: [{}] } }],
  ['a long pattern', { file_write: { ask: ['x'.repeat(201)] } }],
  ['many patterns', { file_write: { ask: Array.from({ length: 101 }, () => 'x') } }],
  ['a rule that is no list', { file_write: { ask: '*' } }],
])('a policy with %s is refused', async (_, approvals) => {
  expect(await setPolicy(await startNodeApi(), approvals)).toBe(422)
})
