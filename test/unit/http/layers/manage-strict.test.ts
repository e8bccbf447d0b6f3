/** `?strict=true` means the same on every route that writes text, and no other route knows it. */

import { beforeEach, describe, expect, it } from 'vitest'
import { type TestApi, testApi } from '../../../support/api.ts'
import { agent, skill } from '../../../support/layers.ts'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

const URL = 'https://docs.example.test/mcp'
const ODD_AGENT = '---\nname: scout\ndescription: d\ntools: [no_such_tool]\n---\nx\n'

const KINDS = [
  {
    path: '/v1/skills/scout',
    odd: { skill_md: skill('x', 'other') },
    clean: { skill_md: skill('x', 'scout') },
    code: 'name_not_directory',
  },
  {
    path: '/v1/agents/scout',
    odd: { agent_md: ODD_AGENT },
    clean: { agent_md: agent('x', 'scout') },
    code: 'unknown_tool',
  },
  {
    path: '/v1/mcp-servers/scout',
    odd: { url: URL, enabled_tools: ['a', 'a'] },
    clean: { url: URL },
    code: 'duplicate_tool',
  },
]

describe.each(KINDS)('strict on $path', ({ path, odd, clean, code }) => {
  const versions = async () => (await api.call(`GET ${path}/versions`)).body.data

  it('422 refuses to write or restore warnings, and 200 restores a version without any', async () => {
    expect((await api.call(`PUT ${path}?strict=true`, odd)).body.code).toBe('strict')
    expect((await api.call(`PUT ${path}`, odd)).status).toBe(201)
    expect((await api.call(`PUT ${path}?strict=true`, clean)).status).toBe(200)
    const [{ version: good }, { version: bad }] = await versions()
    const refused = await api.call(`POST ${path}/rollback?strict=true`, { version: bad })
    expect([refused.status, refused.body.code]).toEqual([422, 'strict'])
    expect(JSON.stringify(refused.body.errors)).toContain(code)
    expect(await versions()).toHaveLength(2)
    const { status } = await api.call(`POST ${path}/rollback?strict=true`, { version: good })
    expect(status).toBe(200)
  })

  it('200 without it a version is restored unchanged, with its findings', async () => {
    await api.call(`PUT ${path}`, odd)
    await api.call(`PUT ${path}`, clean)
    const { version } = (await versions())[1]
    const { status, body } = await api.call(`POST ${path}/rollback`, { version })
    expect([status, body.warnings]).toEqual([200, [expect.objectContaining({ code })]])
  })

  it('400 a delete writes no text and does not accept it', async () => {
    await api.call(`PUT ${path}`, clean)
    const { status, body } = await api.call(`DELETE ${path}?strict=true`)
    expect([status, body.code]).toEqual([400, 'invalid_query'])
    expect((await api.call(`GET ${path}`)).status).toBe(200)
  })
})

it('400 the switch of a skill writes no text and does not accept it', async () => {
  await api.call('PUT /v1/skills/scout', { skill_md: skill('x', 'scout') })
  const { status, body } = await api.call('PATCH /v1/skills/scout?strict=true', { enabled: false })
  expect([status, body.code]).toEqual([400, 'invalid_query'])
  expect((await api.call('GET /v1/skills/scout')).body.enabled).toBe(true)
})

it('200 a version that does not load is restored unchanged, unless strict refuses it', async () => {
  const FILE = 'base/.agents/agents/scout.md'
  const broken = '---\nname: scout\n---\nx\n'
  await api.write({ [FILE]: broken })
  await api.call('PUT /v1/agents/scout', { agent_md: agent('x', 'scout') })
  const { body } = await api.call('GET /v1/agents/scout/versions')
  const { version } = body.data[1]
  const refused = await api.call('POST /v1/agents/scout/rollback?strict=true', { version })
  expect([refused.status, refused.body.code]).toEqual([422, 'invalid_config'])
  expect(await api.read(FILE)).toBe(agent('x', 'scout'))
  const back = await api.call('POST /v1/agents/scout/rollback', { version })
  expect(back.status).toBe(200)
  expect(back.body.warnings).toMatchObject([{ severity: 'error' }])
  expect(await api.read(FILE)).toBe(broken)
})
