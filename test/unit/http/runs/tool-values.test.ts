import { describe, expect, it } from 'vitest'
import { modelConfigFromEnv } from '../../../../src/hosts/models/config.ts'
import { createModel } from '../../../../src/hosts/models/model.ts'
import { fail } from '../../../../src/lib/outcome.ts'
import { putFiles } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { agent } from '../../../support/layers.ts'
import { requestsOf, scriptModel } from '../../../support/script.ts'

const FILE_TOOLS = ['file_read', 'file_list', 'file_search', 'content_search', 'file_write']
const AGENT = 'base/.agents/agents/a.md'

async function apiWith(files: Readonly<Record<string, string>>): Promise<TestApi> {
  const api = await testApi()
  await putFiles(api.world, files)
  return api
}
const recordOf = async (api: TestApi, path: string) => {
  const { body } = await api.call('POST', '/v1/resolve', { json: {} })
  return body.records.find((one: { path: string }) => `base/${one.path}` === path)
}
/** Which of a few tools the agent with this head is offered; null when its file is rejected. */
async function offered(head: string): Promise<string[] | null> {
  const api = await apiWith({ [AGENT]: agent('Does it.', 'a', `${head}\n`) })
  const json = { input: '@say x', agent: 'a' }
  const { status } = await api.call('POST', '/v1/runs', { json })
  if (status === 422) return null
  await api.settle()
  const names = requestsOf(api.world)[0]!.tools.map(({ name }) => name)
  return FILE_TOOLS.filter((name) => names.includes(name))
}

describe('the object form of tools', () => {
  it.each([
    ['tools: {read: yes}', ['file_read']],
    ['tools: {read: "true", write: "false"}', ['file_read']],
    ['tools: {read: on, Grep: allow}', ['file_read', 'content_search']],
    ['tools: {"*": false, read: true}', ['file_read']],
    ['tools: {"*": true, write: no}', FILE_TOOLS.slice(0, 4)],
    ['tools: {write: off}', FILE_TOOLS.slice(0, 4)],
    ['tools: {"*": false}', []],
    ['tools: [[Read], [Grep]]', ['file_read', 'content_search']],
    ['disallowedTools: {write: true, read: false}', FILE_TOOLS.slice(0, 4)],
    ['disallowedTools: {write: deny}', FILE_TOOLS.slice(0, 4)],
    ['disallowedTools: [[write]]', FILE_TOOLS.slice(0, 4)],
    ['disallowed-tools: write', FILE_TOOLS.slice(0, 4)],
    ['disallowed_tools: [write]', FILE_TOOLS.slice(0, 4)],
    ['disallowedtools: [write]', FILE_TOOLS.slice(0, 4)],
    ['Disallowed-Tools: [write]', FILE_TOOLS.slice(0, 4)],
    ['denied-tools: [write]', FILE_TOOLS.slice(0, 4)],
    ['deny: [write]', FILE_TOOLS.slice(0, 4)],
    ['approval: {write: deny}', FILE_TOOLS.slice(0, 4)],
    ['allowed-tools: Read', ['file_read']],
    ['disallowedTools: "*_write"', FILE_TOOLS.slice(0, 4)],
    ['permission: deny', []],
    ['permission: {write: no}', FILE_TOOLS.slice(0, 4)],
    ['permission: {write: {"*": deny}}', FILE_TOOLS.slice(0, 4)],
  ])('%s', async (head, expected) => {
    expect(await offered(head)).toEqual(expected)
  })

  it('an object entry that asks is granted and asks', async () => {
    const api = await apiWith({
      [AGENT]: agent('Does it.', 'a', 'tools: {read: true, write: ask}\n'),
    })
    const input = '@call file_write {"path":"x","content":"y"}'
    await api.call('POST', '/v1/runs', { json: { input, agent: 'a' } })
    await api.settle()
    expect((await api.call('GET', '/v1/approvals')).body.data).toHaveLength(1)
  })
})

describe('an invalid restriction', () => {
  it.each([
    ['tools: {read: maybe}', 'tools_invalid'],
    ['tools: {read: 7}', 'tools_invalid'],
    ['tools: [Read, 7]', 'tools_invalid'],
    ['tools: true', 'tools_invalid'],
    ['disallowedTools: 7', 'tools_invalid'],
    ['disallowedTools: yes', 'tools_invalid'],
    ['disallowedTools: {write: allow}', 'tools_invalid'],
    ['disallowedTools: [{write: x}]', 'tools_invalid'],
    ['permission: [deny]', 'permission_invalid'],
    ['permission: forbid', 'permission_invalid'],
    ['permission: {write: dney}', 'permission_invalid'],
    ['permission: {write: {"*": never}}', 'permission_invalid'],
    ['permission: {write: 0}', 'permission_invalid'],
    ['deny: 7', 'tools_invalid'],
    ['approval: perhaps', 'permission_invalid'],
    ['approvals: {write: perhaps}', 'permission_invalid'],
    ['confirm-before: 7', 'confirm_before_invalid'],
    ['ConfirmBefore: 7', 'confirm_before_invalid'],
    ['confirm-before: [Bash, {x: y}]', 'confirm_before_invalid'],
    ['confirmBefore: {write: perhaps}', 'confirm_before_invalid'],
  ])('an agent: %s is refused with its line, and no other file is', async (head, code) => {
    const other = 'base/.agents/agents/b.md'
    const api = await apiWith({
      [AGENT]: agent('Does it.', 'a', `${head}\n`),
      [other]: agent('Does it.', 'b'),
    })
    const record = await recordOf(api, AGENT)
    expect(record.status).toBe('rejected')
    expect(record.diagnostics).toContainEqual(expect.objectContaining({ code, line: 4 }))
    expect((await recordOf(api, other)).status).toBe('loaded')
    const json = { input: 'x', agent: 'a' }
    expect((await api.call('POST', '/v1/runs', { json })).status).toBe(422)
  })

  it.each([
    ['allowed-tools: 7', 'allowed_tools_form', 4],
    ['allowed-tools: [Read, 7]', 'allowed_tools_form', 4],
    ['allowed-tools: {read: maybe}', 'allowed_tools_form', 4],
    ['confirm-before: 7', 'confirm_before_invalid', 4],
    ['confirm_before: 7', 'confirm_before_invalid', 4],
    ['allowed_tools: 7', 'allowed_tools_form', 4],
    ['disableModelInvocation: maybe', 'invalid_value', 4],
    ['user_invocable: false\nuser-invocable: true', 'key_spelling', 4],
    ['metadata: {confirm-before: 7}', 'confirm_before_invalid', 4],
    ['metadata: {confirmBefore: 7}', 'confirm_before_invalid', 4],
    ['metadata: {strata: {confirm-before: [7]}}', 'confirm_before_invalid', 4],
  ])('a skill: %s is refused with its line', async (head, code, line) => {
    const path = 'base/.agents/skills/s/SKILL.md'
    const api = await apiWith({ [path]: `---\nname: s\ndescription: x\n${head}\n---\nDo.\n` })
    const record = await recordOf(api, path)
    expect(record.status).toBe('rejected')
    expect(record.diagnostics).toContainEqual(expect.objectContaining({ code, line }))
  })

  it.each([
    ['allowed-tools: [[Read], [Grep, "Bash(git *)"]]', ['Read', 'Grep', 'Bash(git *)']],
    ['allowed-tools: {Read: yes, Grep: "true", Bash: no}', ['Read', 'Grep']],
  ])('a skill: %s is recorded as written', async (head, expected) => {
    const path = 'base/.agents/skills/s/SKILL.md'
    const api = await apiWith({ [path]: `---\nname: s\ndescription: x\n${head}\n---\nDo.\n` })
    const { body } = await api.call('POST', '/v1/resolve', { json: {} })
    expect(body.skills[0].allowed_tools).toEqual(expected)
  })

  it.each([
    'confirmBefore: [Write]',
    'confirm_before: [Write]',
    'metadata: {strata: {confirm_before: Write}}',
  ])('a skill: %s requires approval for the tool', async (head) => {
    const path = 'base/.agents/skills/s/SKILL.md'
    const api = await apiWith({ [path]: `---\nname: s\ndescription: x\n${head}\n---\nDo.\n` })
    const input = '@call file_write {"path":"x","content":"y"}'
    await api.call('POST', '/v1/runs', { json: { input } })
    await api.settle()
    expect((await api.call('GET', '/v1/approvals')).body.data).toHaveLength(1)
  })

  it.each(['disallowedTools: [Bash]', 'permission: {bash: deny}', 'deny: [Bash]'])(
    'a skill: %s is a warning, because only its agent and its caller restrict a run',
    async (head) => {
      const path = 'base/.agents/skills/s/SKILL.md'
      const api = await apiWith({ [path]: `---\nname: s\ndescription: x\n${head}\n---\nDo.\n` })
      const found = (await recordOf(api, path)).diagnostics
      expect(found).toEqual([expect.objectContaining({ code: 'not_honoured', line: 4 })])
    },
  )

  it.each([
    'approval = "ask"',
    'approval = {pay = "aks"}',
    'deny = ["pay"]',
    'deny = ["*"]',
    'approvals = {}',
    'disabled = "yes"',
    'tools = ["read"]',
    'tools = {pay = false}',
    'allow = ["read"]',
    'tools.pay.approval_mode = "prompt"',
  ])('a server: %s makes it unavailable with its line, and no other server', async (line) => {
    const path = 'base/.agents/config.toml'
    const server = (name: string) => `[mcp_servers.${name}]\nurl = "https://${name}.example/"\n`
    const web = { check: () => undefined, send: async () => fail('closed') }
    const api = await testApi({ web })
    await putFiles(api.world, { [path]: `${server('one')}${line}\n${server('two')}` })
    const { body } = await api.call('POST', '/v1/resolve', { json: {} })
    expect(body.unavailable).toEqual([expect.objectContaining({ name: 'one' })])
    expect((await recordOf(api, path)).diagnostics).toContainEqual(
      expect.objectContaining({ severity: 'error', line: 3 }),
    )
  })

  it.each([
    'disallowedTools: frobnicate',
    'permission: {frobnicate: deny}',
    'confirm-before: frob',
  ])('a restriction of an unknown tool is a warning: %s', async (head) => {
    const api = await apiWith({ [AGENT]: agent('Does it.', 'a', `${head}\n`) })
    const record = await recordOf(api, AGENT)
    expect(record.status).toBe('loaded_with_warnings')
    expect(record.diagnostics).toEqual([expect.objectContaining({ code: 'unknown_tool', line: 4 })])
  })

  it('a specifier asks before the whole tool, because its uses cannot be distinguished', async () => {
    const head = 'confirm-before: ["Write(secret/*)"]\n'
    const api = await apiWith({ [AGENT]: agent('Does it.', 'a', head) })
    const input = '@call file_write {"path":"x","content":"y"}'
    await api.call('POST', '/v1/runs', { json: { input, agent: 'a' } })
    await api.settle()
    expect((await api.call('GET', '/v1/approvals')).body.data).toHaveLength(1)
  })

  it.each([
    [{ deny: { tools: ['Bash'] } }, '/deny/tools/0', 'shell_execute'],
    [{ deny: { tools: ['file_wirte'] } }, '/deny/tools/0', 'file_write'],
    [{ approvals: { 'fiel_*': 'ask' } }, '/approvals/fiel_*', 'closest known tool is file_'],
  ])('the policy: %j matches nothing and is refused', async (json, pointer, told) => {
    const api = await testApi()
    const headers = { 'if-none-match': '*' }
    const { status, body } = await api.call('PUT', '/v1/policy', { json, headers })
    expect([status, body.errors?.[0].pointer]).toEqual([422, pointer])
    expect(JSON.stringify(body.errors)).toContain(told)
    const fine = { deny: { tools: ['mcp__git*', '*', 'm*', 'FILE_W*'] } }
    expect((await api.call('PUT', '/v1/policy', { json: fine, headers })).status).toBe(200)
  })
})

describe('the model in a file', () => {
  it("with an unknown alias and no provider/model is a warning, and the caller's model is inherited", async () => {
    const config = modelConfigFromEnv({
      OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
      STRATA_MODEL: 'openai/house',
    })
    // The port of the hosts says what a name means; only what it answers is scripted.
    const model = { ...scriptModel(), find: createModel(config).find }
    const api = await testApi({ model })
    const path = (id: string) => `base/.agents/agents/${id}.md`
    await putFiles(api.world, {
      [path('slip')]: agent('Does it.', 'slip', 'model: sonett\n'),
      [path('full')]: agent('Does it.', 'full', 'model: openai/other\n'),
      [path('bare')]: agent('Does it.', 'bare', 'model: [7]\n'),
    })
    const codes = async (id: string) =>
      (await recordOf(api, path(id))).diagnostics.map(({ code }: { code: string }) => code)
    expect([await codes('slip'), await codes('full'), await codes('bare')]).toEqual([
      ['model_unknown'],
      [],
      ['model_unknown'],
    ])
    const runs: string[] = []
    for (const id of ['slip', 'full', 'bare']) {
      const { body } = await api.call('POST', '/v1/runs', { json: { input: '@say x', agent: id } })
      runs.push(body.id)
    }
    await api.settle()
    const warned = await Promise.all(
      runs.map(async (id) => (await api.call('GET', `/v1/runs/${id}`)).body.warnings ?? []),
    )
    expect(warned).toMatchObject([[{ code: 'model_unknown' }], [], [{ code: 'model_unknown' }]])
    const asked = model.requests.map((request) => request.model).sort()
    expect(asked).toEqual(['openai/house', 'openai/house', 'openai/other'])
  })
})
