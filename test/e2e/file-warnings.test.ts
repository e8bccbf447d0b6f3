/** What is wrong with files of the layers is said by the run, its configuration, and who writes them. */

import { expect, it } from 'vitest'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { ask, eventsOf, putFile, runToEnd } from '../support/node-client.ts'

const agent = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: Helps.\n${more}---\nYou help.\n`
const codes = (warnings: readonly { readonly code: string }[] = []) =>
  warnings.map(({ code }) => code)

async function layered(): Promise<NodeApi> {
  const api = await startNodeApi()
  const tools = 'tools: Read, Frobnicate\ndisallowedTools: Edit(~/x)\nhooks:\n  Stop: []\n'
  await putFile(api, 'base/.agents/agents/odd.md', agent('odd', tools))
  await putFile(api, 'base/.agents/agents/fine.md', agent('fine'))
  await putFile(api, 'base/.agents/agents/broken.md', '---\nname: broken\n---\n')
  await putFile(api, 'base/.agents/skills/torn/SKILL.md', '---\nname: [\n---\n')
  await putFile(api, 'base/.agents/schedules/never.md', '---\ncron: whenever\n---\nDo it.\n')
  return api
}

it('a file warning appears in run.started, the response, and the configuration of the run', async () => {
  const api = await layered()
  const asked = await ask(api, 'POST', '/v1/runs', { input: '@say x', agent: 'odd' })
  const run = await runToEnd(api, { input: '@say x', agent: 'odd' })
  const expected = [
    ...['unknown_tool', 'specifier_denied', 'not_honoured'],
    ...['file_rejected', 'file_rejected', 'file_rejected'],
  ]
  expect(codes(asked.body.warnings).sort()).toEqual(expect.arrayContaining(expected.sort()))
  const events = await eventsOf(api, run.id)
  const started = events.find(({ type }) => type === 'run.started')
  expect(codes(started.data.warnings).sort()).toEqual(expect.arrayContaining(expected))
  const config = (await ask(api, 'GET', `/v1/runs/${run.id}/config`)).body
  expect(config.warnings).toEqual(started.data.warnings)
  const broken = config.warnings.filter(({ code }: { code: string }) => code === 'file_rejected')
  expect(broken.map(({ message }: { message: string }) => message)).toEqual([
    expect.stringMatching(/^The agent base\/\.agents\/agents\/broken\.md was not loaded: /),
    expect.stringMatching(/^The schedule base\/\.agents\/schedules\/never\.md was not loaded: /),
    expect.stringMatching(/^The skill base\/\.agents\/skills\/torn\/SKILL\.md was not loaded: /),
  ])
})

it('files of other agents are reported only when broken, and once in a fan-out', async () => {
  const api = await layered()
  const { warnings } = await runToEnd(api, { input: '@say x', agent: 'fine' })
  expect(codes(warnings)).toEqual(['file_rejected', 'file_rejected', 'file_rejected'])
  const tasks = Array.from({ length: 3 }, () => ({ task: '@say x', agent: 'fine' }))
  const { body } = await ask(api, 'POST', '/v1/fanouts', { tasks })
  expect(body.warnings.map(({ tasks: places }: { tasks: number[] }) => places)).toEqual([
    ...[
      [0, 1, 2],
      [0, 1, 2],
      [0, 1, 2],
    ],
  ])
})

it('a hundred broken files are reported as a count', async () => {
  const api = await startNodeApi()
  for (let at = 0; at < 100; at += 1)
    await putFile(api, `base/.agents/agents/a${at}.md`, `---\nname: a${at}\n---\n`)
  const { warnings } = await runToEnd(api, { input: '@say x' })
  expect(warnings).toHaveLength(17)
  expect(warnings.at(-1)).toMatchObject({
    code: 'file_rejected',
    message: '84 more layer files were not loaded',
  })
})

it('a typed write reports the warnings that it causes, even those that only its layers reveal', async () => {
  const api = await startNodeApi()
  const server = { url: 'https://tools.example/mcp', bearer_token_env_var: 'NO_TOKEN' }
  const put = await ask(api, 'PUT', '/v1/mcp-servers/docs', server)
  expect([put.status, codes(put.body.warnings)]).toEqual([201, ['missing_secret']])
  const md = agent('helper', 'tools: Read, mcp__nowhere__find\n')
  const written = await ask(api, 'PUT', '/v1/agents/helper', { agent_md: md })
  expect(written.status).toBe(201)
  expect(codes(written.body.warnings).sort()).toEqual(['tool_unavailable'])
})
