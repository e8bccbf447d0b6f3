import { beforeEach, describe, expect, it } from 'vitest'
import type { Policy } from '../../../../src/core/policy.ts'
import { DEFAULT_POLICY } from '../../../../src/core/policy.ts'
import { readPolicy, writePolicy } from '../../../../src/engine/tenant/policy.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import {
  look,
  putFiles,
  runToRest,
  settle,
  startRun,
  TENANT,
  testWorld,
} from '../../../support/drive.ts'
import { skill } from '../../../support/layers.ts'

let world: MemoryWorld
beforeEach(() => {
  world = testWorld()
})
async function policy(change: Partial<Policy>): Promise<void> {
  const { version } = await readPolicy(world, TENANT)
  await writePolicy(world, TENANT, { ...DEFAULT_POLICY, ...change }, version)
}
const call = (tool: string, given: unknown) => `@call ${tool} ${JSON.stringify(given)}`
/** The result of the run's only tool call, as the model reads it. */
async function result(input: string, more = {}): Promise<Record<string, unknown>> {
  const run = await runToRest(world, { input, ...more })
  const [called] = [...run.state.calls.values()]
  const text = called?.result?.text ?? called?.refusal ?? ''
  return { is_error: called?.result?.is_error, ...JSON.parse(String(text)) }
}
const PUT = call('skills_put', { skill_name: 'deploy', skill_md: skill('how', 'deploy') })

describe('a model that manages its own skills', () => {
  it('reads without approval', async () => {
    await putFiles(world, { 'base/.agents/skills/deploy/SKILL.md': skill('how', 'deploy') })
    expect(await result('@call skills_list {}')).toMatchObject({
      success: true,
      skills: [{ name: 'deploy', enabled: true, has_skill_md: true }],
    })
    const got = await result(call('skills_get', { skill_name: 'deploy' }))
    expect(got).toMatchObject({ success: true, skill: { skill_md: skill('how', 'deploy') } })
  })

  it('needs approval to write by default, and is refused when unattended', async () => {
    const run = await runToRest(world, { input: PUT })
    expect(run.state).toMatchObject({ status: 'waiting', waiting: { on: 'approval' } })
    const approvals = { expires_seconds: 60, on_expiry: 'deny', unattended: true } as const
    const refused = await result(PUT, { approvals })
    expect(refused).toMatchObject({ success: false, is_error: true, code: 'approval_required' })
    expect(refused.error).toMatch(/requires approval for skills_put/)
    expect(await result('@call skills_list {}')).toMatchObject({ skills: [] })
  })

  it('writes when the policy allows it; deny is stricter than allow', async () => {
    await policy({ approvals: { 'skills_*': 'allow' } })
    expect(await result(PUT)).toMatchObject({ success: true, created: true, reloaded: true })
    await policy({ approvals: { 'skills_*': 'allow', '*_put': 'deny' } })
    expect(await result(PUT)).toMatchObject({ success: false, code: 'denied_by_policy' })
  })

  it('a literal bearer_token is refused with the key to use instead', async () => {
    await policy({ approvals: { '*': 'allow' } })
    const given = { name: 'a', url: 'https://a.example/mcp', bearer_token: 'x' }
    const refused = await result(call('mcp_put_server', given))
    expect(refused).toMatchObject({ success: false })
    expect(refused.error).toContain('name it in `bearer_token_env_var`')
  })

  it('a refusal is a result with success false and the reason [GC-51 GC-59]', async () => {
    await policy({ approvals: { '*': 'allow' } })
    const bad = { skill_name: 'deploy', skill_md: '---\nname: deploy\n---\nx' }
    expect(await result(call('skills_put', bad))).toMatchObject({ success: false })
    const repo = await result(call('skills_list', { scope: 'repo' }))
    expect(repo).toMatchObject({ success: false, error: 'repo_dir is required when scope=repo' })
    const outside = await result(call('skills_list', { repo_dir: '../outside' }))
    expect(outside).toMatchObject({ success: false, code: 'invalid_request' })
    const server = await result(call('mcp_set_enabled', { name: 'none', enabled: true }))
    expect(server).toMatchObject({ success: false, error: 'server not found' })
  })

  it('a write succeeds although the cache cannot be invalidated [GC-71]', async () => {
    await policy({ approvals: { '*': 'allow' } })
    const broken = {
      ...world.tools,
      forget: () => {
        throw new Error('no')
      },
    }
    Object.assign(world, { tools: broken })
    expect(await result(PUT)).toMatchObject({ success: true, reloaded: false })
  })

  it('reloads on request, and receives the digest of the next run', async () => {
    await policy({ approvals: { '*': 'allow' } })
    const reloaded = await result('@call runtime_reload {"agent_id":"any"}')
    const next = await runToRest(world, { input: '@say x' })
    expect(reloaded.config_digest).toBe(next.state.started?.config_digest)
  })
})

describe('the management tools', () => {
  const tools = async (more = {}) => {
    await runToRest(world, { input: '@say x', ...more })
    const { requests } = world.model as unknown as { requests: { tools: { name: string }[] }[] }
    return requests.at(-1)!.tools.map(({ name }) => name)
  }

  it('are available to a run unless its agent or its caller excludes them, and not to a subagent [NC-21]', async () => {
    const search = '@call tool_search {"query":"select:skills_put"}\n@then\n'
    expect(await tools({ input: `${search}@say x` })).toContain('skills_put')
    expect(await tools()).not.toContain('skills_put')
    expect(await tools({ tools: ['*'] })).toContain('skills_put')
    expect(await tools({ tools: ['Read'] })).toEqual(['file_read'])
    const spawn = '@spawn 1 {"task":"@say hi"}\n@await\n@say done'
    await runToRest(world, { input: spawn })
    const { requests } = world.model as unknown as {
      requests: { tools: { name: string }[]; messages: { text?: string }[] }[]
    }
    const child = requests.find(({ messages }) => messages[0]?.text === '@say hi')
    const names = child!.tools.map(({ name }) => name)
    expect(names).toContain('file_read')
    expect(
      names.filter((name) => /^(skills|mcp|agents|schedules)_|^sessions_spawn$/.test(name)),
    ).toEqual([])
  })

  it('may be named by callers in the terms of other products', async () => {
    expect(await tools({ tools: ['Read', 'Grep', 'skills_list'] })).toEqual([
      'file_read',
      'content_search',
      'skills_list',
    ])
    expect(await tools({ disallowed_tools: ['Edit', 'Write', 'Bash(rm *)'] })).not.toContain(
      'file_edit',
    )
  })

  it('are denied permanently by the policy', async () => {
    await policy({ deny: { ...DEFAULT_POLICY.deny, tools: ['file_*', 'skills_put'] } })
    const left = await tools({ tools: ['file_read', 'skills_put', 'content_search'] })
    expect(left).toEqual(['content_search'])
  })
})

describe('a configuration edit', () => {
  const input =
    '@slow 1\n@call skill {"name":"deploy"}\n@then\n@call skill {"name":"deploy"}\n@say x'

  it('does not change what a running run has pinned, and applies to the next one [OP-10]', async () => {
    const file = 'base/.agents/skills/deploy/SKILL.md'
    await putFiles(world, { [file]: skill('old', 'deploy') })
    await policy({ approvals: { '*': 'allow' } })
    const edit = call('skills_put', { skill_name: 'deploy', skill_md: skill('new', 'deploy') })
    const run = await runToRest(world, {
      input: `@call skill {"name":"deploy"}\n@then\n${edit}\n@then\n@call skill {"name":"deploy"}\n@say x`,
    })
    const texts = [...run.state.calls.values()].map((one) => String(one.result?.text))
    expect(texts[0]).toContain('old')
    expect(texts[2]).toContain('old')
    const next = await runToRest(world, { input })
    expect(String([...next.state.calls.values()][0]?.result?.text)).toContain('new')
    expect(next.state.started?.config_digest).not.toBe(run.state.started?.config_digest)
  })

  it('applies to a run that is still queued', async () => {
    const file = 'base/.agents/skills/deploy/SKILL.md'
    await putFiles(world, { [file]: skill('old', 'deploy') })
    const id = await startRun(world, { input })
    await putFiles(world, { [file]: skill('new', 'deploy') })
    await settle(world)
    const run = await look(world, id)
    expect(String([...run.state.calls.values()][0]?.result?.text)).toContain('new')
  })
})
