import { describe, expect, it } from 'vitest'
import { BANK, bank, setPolicy } from '../../../support/approvals.ts'
import { putFiles, settle, startRun } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { agent } from '../../../support/layers.ts'
import { receivers } from '../../../support/receivers.ts'

const audit = async (api: TestApi) => (await api.call('GET', '/v1/audit')).body.data
const actions = async (api: TestApi) =>
  (await audit(api)).map(
    ({ kind, action }: { kind: string; action: string }) => `${kind} ${action}`,
  )

describe('GET /v1/audit', () => {
  it('200 records who changed which part of the policy', async () => {
    const api = await testApi()
    const etag = (await api.call('GET', '/v1/policy')).headers.get('etag')!
    const headers = { 'if-match': etag }
    await api.call('PUT', '/v1/policy', { json: { strict: true }, headers })
    await api.call('PUT', '/v1/policy', { json: { strict: false }, headers })
    const entries = await audit(api)
    expect(entries).toEqual([
      expect.objectContaining({ kind: 'policy', action: 'put', detail: 'changed: strict' }),
    ])
    expect(entries[0].by).toMatch(/^[0-9a-z]{16}$/)
  })

  it('200 records raw file writes with digests, but no refused write or deletion of a missing file', async () => {
    const api = await testApi()
    const path = '/v1/files/base/.agents/notes.md'
    const body = 'hello'
    await api.call('PUT', path, { body })
    await api.call('PUT', path, { body, headers: { 'if-none-match': '*' } })
    await api.call('DELETE', path)
    await api.call('DELETE', path)
    const entries = await audit(api)
    expect(entries.map(({ action }: { action: string }) => action).sort()).toEqual([
      'delete',
      'put',
    ])
    const put = entries.find(({ action }: { action: string }) => action === 'put')
    expect(put).toMatchObject({ kind: 'file', name: 'base/.agents/notes.md' })
    expect(put.files).toEqual([
      {
        path: 'base/.agents/notes.md',
        digest: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
      },
    ])
  })

  it('200 records decisions with tool, run, and reason, once even when repeated', async () => {
    const { tools } = bank()
    const api = await testApi({ tools, web: receivers() })
    await putFiles(api.world, { 'base/.agents/config.toml': BANK })
    await setPolicy(api.world, { approvals: { mcp__bank__pay: 'ask' } })
    const id = await startRun(api.world, { input: '@call mcp__bank__pay {"amount":1}\n@say ok' })
    await settle(api.world)
    const [asked] = (await api.call('GET', '/v1/approvals')).body.data
    const json = { decision: 'approve', reason: 'it is fine' }
    for (const _ of [1, 2]) {
      const { status } = await api.call('POST', `/v1/approvals/${asked.id}/decision`, { json })
      expect(status).toBe(200)
    }
    const said = (await audit(api)).filter(({ kind }: { kind: string }) => kind === 'approval')
    expect(said).toEqual([
      expect.objectContaining({
        name: asked.id,
        action: 'approve',
        detail: `mcp__bank__pay of ${id}: it is fine`,
      }),
    ])
  })

  it('200 records cancels with an effect, replays, and deletions', async () => {
    const web = receivers()
    const api = await testApi({ web })
    const run = (json: object) => api.call('POST', '/v1/runs', { json })
    const live = (await run({ input: '@say x' })).body.id
    await api.call('POST', `/v1/runs/${live}/cancel`, { json: { reason: 'no need' } })
    await api.call('POST', `/v1/runs/${live}/cancel`)
    const url = 'https://one.example/hook'
    const over = (await run({ input: '@say y', webhook: { url } })).body.id
    await api.settle()
    await api.call('POST', `/v1/runs/${over}/cancel`)
    const [delivery] = (await api.call('GET', '/v1/webhook-deliveries')).body.data
    expect(delivery.status).toBe('delivered')
    await api.call('POST', `/v1/webhook-deliveries/${delivery.id}/replay`)
    await api.settle()
    await api.call('DELETE', `/v1/runs/${over}`)
    const fan = (await api.call('POST', '/v1/fanouts', { json: { tasks: [{ task: '@say z' }] } }))
      .body.id
    await api.call('POST', `/v1/fanouts/${fan}/cancel`)
    expect((await actions(api)).sort()).toEqual([
      'delivery replay',
      'fanout cancel',
      'run cancel',
      'run delete',
    ])
    const cancel = (await audit(api)).find(({ name }: { name: string }) => name === live)
    expect(cancel).toMatchObject({ action: 'cancel', detail: 'no need' })
  })
})

describe('file versions', () => {
  it('200 can be read and compared with the current content before a rollback', async () => {
    const api = await testApi()
    const put = (text: string) =>
      api.call('PUT', '/v1/agents/scout', { json: { agent_md: agent(text, 'scout') } })
    await put('First.')
    await put('Second.')
    const list = (await api.call('GET', '/v1/agents/scout/versions')).body.data
    const [second, first] = list
    const read = (await api.call('GET', `/v1/agents/scout/versions/${first.version}`)).body
    expect(read.contents).toEqual([
      expect.objectContaining({ path: '.agents/agents/scout.md', text: agent('First.', 'scout') }),
    ])
    const compare = async (query = '') =>
      (await api.call('GET', `/v1/agents/scout/versions/${first.version}/compare${query}`)).body
    expect(await compare()).toEqual({
      version: first.version,
      with: 'current',
      files: [
        {
          path: '.agents/agents/scout.md',
          change: 'differs',
          text: agent('First.', 'scout'),
          other_text: agent('Second.', 'scout'),
        },
      ],
    })
    expect((await compare(`?with=${second.version}`)).files[0].change).toBe('differs')
    expect((await compare(`?with=${first.version}`)).files[0].change).toBe('same')
    await api.call('POST', '/v1/agents/scout/rollback', { json: { version: first.version } })
    expect((await compare()).files[0].change).toBe('same')
    await api.call('DELETE', '/v1/agents/scout')
    expect((await compare()).files[0]).toMatchObject({ change: 'only_here', other_text: null })
    const none = await api.call('GET', '/v1/agents/scout/versions/ver_none')
    expect(none.status).toBe(404)
  })

  it('200 of servers hide their values, and report that these differ', async () => {
    const api = await testApi({ web: receivers() })
    const put = (key: string) =>
      api.call('PUT', '/v1/mcp-servers/docs', {
        json: { url: 'https://docs.example/mcp', http_headers: { 'X-Key': key } },
      })
    await put('hush-1')
    await put('hush-2')
    const [, first] = (await api.call('GET', '/v1/mcp-servers/docs/versions')).body.data
    const path = `/v1/mcp-servers/docs/versions/${first.version}`
    const read = await api.call('GET', path)
    expect(read.body.contents[0].text).toContain('X-Key')
    const compared = await api.call('GET', `${path}/compare`)
    expect(compared.body.files[0].change).toBe('differs')
    expect(read.text + compared.text).not.toContain('hush')
  })

  it('200 of a skill include its files, and those that are not text are null', async () => {
    const api = await testApi()
    const skill_md = '---\nname: deploy\ndescription: x\n---\nGo.\n'
    await api.call('PUT', '/v1/skills/deploy', { json: { skill_md } })
    await api.call('PUT', '/v1/files/base/.agents/skills/deploy/a.bin', {
      body: new Uint8Array([255, 254]),
    })
    await api.call('DELETE', '/v1/skills/deploy')
    const all = (await api.call('GET', '/v1/skills/deploy/versions')).body.data
    const found = all.find(({ files }: { files: unknown[] }) => files.length === 2)
    const read = (await api.call('GET', `/v1/skills/deploy/versions/${found.version}`)).body
    const texts = read.contents.map((one: { path: string; text: string }) => [one.path, one.text])
    expect(Object.fromEntries(texts)).toEqual({
      '.agents/skills/deploy/SKILL.md': skill_md,
      '.agents/skills/deploy/a.bin': null,
    })
  })
})
