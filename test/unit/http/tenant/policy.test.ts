import { beforeEach, describe, expect, it } from 'vitest'
import { type TestApi, testApi } from '../../../support/api.ts'
import { agent, skill } from '../../../support/layers.ts'
import { BASE_CONFIG, REPO_CONFIG, server } from '../../../support/resolved.ts'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})
const put = async (policy: Record<string, unknown>) => {
  const { etag } = await api.call('GET /v1/policy')
  return api.call('PUT /v1/policy', policy, { 'if-match': etag! })
}
const resolve = async (selection = {}) => (await api.call('POST /v1/resolve', selection)).body

describe('/v1/policy', () => {
  it('is read and replaced under its etag: 428 without one, and 412 when it has changed', async () => {
    const first = await api.call('GET /v1/policy')
    expect(first.body).toMatchObject({ strict: false, on_duplicate: 'shadow', approvals: {} })
    expect((await api.call('PUT /v1/policy', {})).status).toBe(428)
    const written = await put({ strict: true, approvals: { 'skills_*': 'allow' } })
    expect(written.body).toMatchObject({ strict: true, approvals: { 'skills_*': 'allow' } })
    expect((await api.call('PUT /v1/policy', {}, { 'if-match': first.etag! })).status).toBe(412)
    expect((await api.call('PUT /v1/policy', {}, { 'if-none-match': '*' })).status).toBe(412)
    expect((await put({ unknown: 1 })).status).toBe(422)
    expect((await api.call('GET /v1/policy')).etag).toBe(written.etag)
  })

  it('a denied server stays denied although a repository enables it [X-28]', async () => {
    await api.write({
      [BASE_CONFIG]: server('docs'),
      [REPO_CONFIG]: `[mcp_servers.docs]\nurl = "https://docs.example/mcp"\nenabled = true\n`,
    })
    const before = await resolve({ repo_dir: 'repos/app' })
    await put({ deny: { servers: ['DO*'], skills: [], tools: [] } })
    const after = await resolve({ repo_dir: 'repos/app' })
    expect(before.unavailable).toEqual([])
    expect(after.unavailable).toMatchObject([{ name: 'docs', code: 'denied' }])
    expect(after.digest).not.toBe(before.digest)
  })

  it('a denied skill is unavailable, with the reason', async () => {
    await api.write({ 'base/.agents/skills/deploy/SKILL.md': skill('x', 'deploy') })
    await put({ deny: { skills: ['deploy'], servers: [], tools: [] } })
    expect((await resolve()).skills).toMatchObject([
      { available: false, reason: "denied by the tenant's policy" },
    ])
  })

  it('strict and on_duplicate are defaults that a request may override', async () => {
    await api.write({
      'base/.agents/agents/a.md': agent('x', 'a', 'tools: [Read, Nothing]\n'),
      'base/.claude/agents/a.md': agent('x', 'a'),
    })
    await put({ strict: true })
    expect((await api.call('POST /v1/resolve', {})).body.code).toBe('strict')
    expect((await api.call('POST /v1/runs', { input: 'x' })).body.code).toBe('strict')
    expect((await api.call('POST /v1/resolve', { strict: false })).status).toBe(200)
    await put({ on_duplicate: 'reject' })
    expect((await api.call('POST /v1/resolve', {})).body.code).toBe('invalid_config')
    expect((await api.call('POST /v1/resolve', { on_duplicate: 'shadow' })).status).toBe(200)
  })

  it('model aliases belong to the tenant, and user-facing agents list them', async () => {
    await api.write({
      'base/.agents/agents/desk.md': agent(
        'x',
        'desk',
        'visibility: user-facing\ntools: [file_read, web_fetch, file_write]\n',
      ),
    })
    const tools = async () =>
      (await resolve()).agents.find(({ id }: { id: string }) => id === 'desk').tools
    expect(await tools()).toEqual(['file_read', 'web_fetch'])
    await put({ user_facing_tools: ['file_write', 'file_read'], model_aliases: { quick: 'x/y' } })
    expect(await tools()).toEqual(['file_read', 'file_write'])
    const run = await api.call('POST /v1/runs', { input: '@say x', model: 'quick' })
    expect(run.status).toBe(202)
  })

  it('can be written only by administrators', async () => {
    expect((await put({ user_facing_tools: ['no_such_tool'] })).status).toBe(422)
    expect((await put({ approvals: { x: 'perhaps' } })).status).toBe(422)
  })
})
