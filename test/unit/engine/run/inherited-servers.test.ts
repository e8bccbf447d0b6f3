import { describe, expect, it } from 'vitest'
import { encode } from '../../../../src/lib/bytes.ts'
import { fail, ok } from '../../../../src/lib/outcome.ts'
import type { Tools, Web } from '../../../../src/ports/world.ts'
import {
  factsOf,
  outputOf,
  putFiles,
  runToRest,
  TENANT,
  testWorld,
} from '../../../support/drive.ts'
import { skill } from '../../../support/layers.ts'
import { requestsOf, spawn } from '../../../support/script.ts'

const OPEN: Web = { check: () => undefined, send: async () => fail('closed') }
const server = (name: string) =>
  `[mcp_servers.${name}]\nurl = "https://${name}.example/mcp"\napproval = {never = "deny"}\n`

function servers() {
  const tools: Tools = {
    list: async () =>
      ok([{ name: 'look', description: 'Looks.', input_schema: {}, repeatable: true }]),
    forget: () => undefined,
    probe: async () => fail('not in this world'),
    call: async () => ok({ text: 'seen', is_error: false }),
  }
  return testWorld({ tools, web: OPEN })
}
type Servers = ReturnType<typeof servers>
/** What the model of the subagent was asked, whose task is `@say x`. */
const below = (world: Servers) =>
  requestsOf(world).find(
    ({ messages: [first] }) => first?.role === 'user' && first.text === '@say x',
  )
/** Servers whose tools it was offered. */
const offered = (world: Servers) =>
  below(world)?.tools.flatMap(({ name }) => /^mcp__(\w+?)__/.exec(name)?.[1] ?? [])

const FILES = {
  'base/.agents/config.toml': server('base'),
  'configs/run.toml': server('given'),
  'base/.agents/own.toml': server('own'),
}
const inline = { given: { url: 'https://given.example/mcp' } }

describe('the servers given to a run', () => {
  it.each([
    ['inline', { mcp_servers: inline }],
    ['by a file', { mcp_config_path: 'configs/run.toml' }],
  ])('are inherited by its subagents: %s', async (_, given) => {
    const world = servers()
    await putFiles(world, FILES)
    await runToRest(world, { input: spawn({ task: '@say x' }), ...given })
    expect(offered(world)).toEqual(['given'])
  })

  it('are replaced by the spawn’s own', async () => {
    const world = servers()
    await putFiles(world, FILES)
    const input = spawn({ task: '@say x', mcp_config_path: 'base/.agents/own.toml' })
    await runToRest(world, { input, mcp_servers: inline })
    expect(offered(world)).toEqual(['own'])
  })

  it('a file changed after the run started gives its subagents no other server', async () => {
    const world = servers()
    await putFiles(world, FILES)
    const task = spawn({ task: '@say x' })
    const input = `@call file_write {"path":"run.toml","content":${JSON.stringify(server('planted'))}}\n@then\n${task}`
    await runToRest(world, { input, repo_dir: 'configs', mcp_config_path: 'configs/run.toml' })
    expect(offered(world)).toEqual(['given'])
  })
})

describe('what a subagent lacks compared with its parent', () => {
  it('is listed in its first notes, in the result of the spawn, and in the event', async () => {
    const world = servers()
    await putFiles(world, {
      'base/.agents/config.toml': '',
      'roles/ops/.agents/config.toml': server('pager'),
      'roles/ops/.agents/skills/deploy/SKILL.md': skill('x', 'deploy'),
    })
    await world.objects.put(`${TENANT}/files/base/.agents/x`, encode(''), 'any')
    const run = await runToRest(world, { role: 'ops', input: spawn({ task: '@say x' }) })
    const notes = below(world)?.notes
    expect(notes).toContain('skill "deploy": parent run only')
    expect(notes).toContain('MCP server "pager": parent run only')
    const facts = await factsOf(world, run.state.spec!.id)
    const spawned = facts.find((fact) => fact.type === 'subagent.spawned')
    expect(spawned).toMatchObject({ missing: ['skill "deploy"', 'MCP server "pager"'] })
    const call = [...run.state.calls.values()][0]
    expect(JSON.parse(String(call?.result?.text)).missing).toHaveLength(2)
    expect(outputOf(run)).toBeDefined()
  })

  it('is omitted when nothing is missing', async () => {
    const world = servers()
    await putFiles(world, { 'base/.agents/config.toml': server('base') })
    const run = await runToRest(world, { input: spawn({ task: '@say x' }) })
    expect(below(world)?.notes).toBeUndefined()
    const call = [...run.state.calls.values()][0]
    expect(Object.keys(JSON.parse(String(call?.result?.text)))).toEqual([
      'run_id',
      'session_id',
      'lane',
    ])
  })
})
