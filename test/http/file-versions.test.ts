/** Files that people write by any door keep what was there, and give it back. */

import { beforeEach, describe, expect, it } from 'vitest'
import { encode } from '../../src/lib/bytes.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { agent, skill } from '../support/layers.ts'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

interface Listed {
  readonly version: string
  readonly number: number
  readonly action: string
  readonly by: string
  readonly files: readonly { readonly path: string }[]
}
const put = async (path: string, text: string, headers = {}): Promise<number> =>
  (await api.call(`PUT /v1/files/${path}`, encode(text), headers)).status
const listed = async (path: string): Promise<readonly Listed[]> =>
  (await api.call(`GET /v1/file-versions?path=${path}`)).body.data
const actions = async (path: string): Promise<readonly string[]> =>
  (await listed(path)).map(({ action }) => action)
const rollback = (path: string, version: string, headers = {}) =>
  api.call('POST /v1/file-versions/rollback', { path, version }, headers)

const NOTES = 'base/AGENTS.md'

describe('a file that is written keeps the one before', () => {
  it('lists, reads, compares and restores it; the audit has each change once', async () => {
    expect(await put(NOTES, 'one')).toBe(201)
    expect(await put(NOTES, 'two')).toBe(200)
    expect(await actions(NOTES)).toEqual(['put', 'put'])
    const [now, first] = (await listed(NOTES)) as [Listed, Listed]
    expect([now.number, first.number]).toEqual([2, 1])
    const read = await api.call(`GET /v1/file-versions/${first.version}?path=${NOTES}`)
    expect(read.body.contents).toMatchObject([{ path: NOTES, text: 'one', size: 3 }])
    const one = `/v1/file-versions/${first.version}/compare?path=${NOTES}`
    expect((await api.call(`GET ${one}`)).body.files).toEqual([
      { path: NOTES, change: 'differs', text: 'one', other_text: 'two' },
    ])
    expect((await api.call(`GET ${one}&with=${now.version}`)).body.files[0].other_text).toBe('two')
    const back = await rollback(NOTES, first.version)
    expect([back.status, back.body.path, back.body.created]).toEqual([200, NOTES, false])
    expect(await api.read(NOTES)).toBe('one')
    expect(await actions(NOTES)).toEqual(['rollback', 'put', 'put'])
    const audited = (await api.call('GET /v1/audit')).body.data
    expect(
      audited.map(({ kind, name, action }: Record<string, string>) => [kind, name, action]),
    ).toEqual([
      ['file', NOTES, 'rollback'],
      ['file', NOTES, 'put'],
      ['file', NOTES, 'put'],
    ])
  })

  it('brings back what was deleted, under a condition, and no delete', async () => {
    await put(NOTES, 'one')
    expect((await api.call(`DELETE /v1/files/${NOTES}`)).status).toBe(204)
    const [gone, made] = (await listed(NOTES)) as [Listed, Listed]
    expect([gone.action, gone.files, made.action]).toEqual(['delete', [], 'put'])
    const refused = await rollback(NOTES, gone.version)
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    expect((await rollback(NOTES, made.version, { 'if-match': '"other"' })).status).toBe(412)
    expect((await rollback(NOTES, made.version)).body.created).toBe(true)
    expect(await api.read(NOTES)).toBe('one')
  })

  it('records what came by other means before it is replaced', async () => {
    await api.write({ [NOTES]: 'from Git' })
    await put(NOTES, 'mine')
    const [, found] = (await listed(NOTES)) as [Listed, Listed]
    expect([found.action, found.by]).toEqual(['found', 'unknown'])
    await rollback(NOTES, found.version)
    expect(await api.read(NOTES)).toBe('from Git')
  })

  it('says that a text is gone which was replaced by other means', async () => {
    await put(NOTES, 'one')
    await api.write({ [NOTES]: 'from Git' })
    const [first] = (await listed(NOTES)) as [Listed]
    const read = await api.call(`GET /v1/file-versions/${first.version}?path=${NOTES}`)
    expect([read.status, read.body.code]).toEqual([410, 'gone'])
    expect((await rollback(NOTES, first.version)).status).toBe(410)
    expect(await api.read(NOTES)).toBe('from Git')
  })

  it('makes no version of the same bytes, and none in the workspace of a run', async () => {
    await put(NOTES, 'one')
    await put(NOTES, 'one')
    await put('workspaces/run_1/a.md', 'one')
    await put('workspaces/run_1/a.md', 'two')
    expect([(await listed(NOTES)).length, await listed('workspaces/run_1/a.md')]).toEqual([1, []])
  })

  it('refuses a path or a version that is none', async () => {
    await put(NOTES, 'one')
    for (const [request, status] of [
      ['GET /v1/file-versions', 400],
      ['GET /v1/file-versions?path=../x', 400],
      [`GET /v1/file-versions/ver_none?path=${NOTES}`, 404],
      [`GET /v1/file-versions/ver_none/compare?path=${NOTES}`, 404],
    ] as const)
      expect([request, (await api.call(request)).status]).toEqual([request, status])
    expect((await rollback(NOTES, 'ver_none')).status).toBe(404)
  })
})

describe('one change has one history, whichever door it came by', () => {
  it('of an agent', async () => {
    const path = 'base/.agents/agents/tester.md'
    await api.call('PUT /v1/agents/tester', { agent_md: agent('one', 'tester') })
    await put(path, agent('two', 'tester'))
    await api.call('PUT /v1/agents/tester', { agent_md: agent('three', 'tester') })
    const versions = (await api.call('GET /v1/agents/tester/versions')).body.data as Listed[]
    expect(versions.map(({ action }) => action)).toEqual(['put', 'put', 'put'])
    expect(await actions(path)).toEqual(['put', 'put', 'put'])
    await api.call('POST /v1/agents/tester/rollback', { version: versions[1]!.version })
    expect(await api.read(path)).toBe(agent('two', 'tester'))
    await rollback(path, (await listed(path)).at(-1)!.version)
    expect(await api.read(path)).toBe(agent('one', 'tester'))
    await api.call(`DELETE /v1/agents/tester`)
    expect((await actions(path))[0]).toBe('delete')
  })

  it('of a skill', async () => {
    const path = 'roles/ops/.agents/skills/deploy/SKILL.md'
    await put(path, skill('one', 'deploy'))
    await put(path, skill('two', 'deploy'))
    const one = '/v1/skills/deploy'
    const versions = (await api.call(`GET ${one}/versions?layer=roles/ops/`)).body.data as Listed[]
    expect(versions.length).toBe(2)
    await api.call(`POST ${one}/rollback?layer=roles/ops/`, { version: versions[1]!.version })
    expect(await api.read(path)).toBe(skill('one', 'deploy'))
    expect(await actions(path)).toEqual(['put', 'put', 'put'])
  })

  it('of servers, each by its own', async () => {
    const path = 'base/.agents/config.toml'
    const docs = '[mcp_servers.docs]\nurl = "https://docs.example/mcp"\n'
    const wiki = '[mcp_servers.wiki]\nurl = "https://wiki.example/mcp"\n'
    await put(path, docs)
    await put(path, docs + wiki)
    await put(path, wiki)
    const of = async (name: string) =>
      ((await api.call(`GET /v1/mcp-servers/${name}/versions`)).body.data as Listed[]).map(
        ({ action }) => action,
      )
    expect(await of('docs')).toEqual(['delete', 'put'])
    expect(await of('wiki')).toEqual(['put'])
    await api.call('PUT /v1/mcp-servers/docs', { url: 'https://docs.example/new' })
    expect(await actions(path)).toEqual(['put', 'put', 'put', 'put'])
  })

  it('of memory', async () => {
    await put('memory/shared/MEMORY.md', '- one\n')
    await put('memory/shared/MEMORY.md', '- two\n')
    const { data } = (await api.call('GET /v1/memory/versions?path=shared/MEMORY.md')).body
    expect(data.map(({ action }: Listed) => action)).toEqual(['put', 'put'])
  })
})

it('versions are for whoever reads files raw, below the prefix of the key', async () => {
  await put(NOTES, 'one')
  const made = await api.call('POST /v1/keys', { scopes: ['layers:read', 'layers:write'] })
  const headers = { authorization: `Bearer ${made.body.key}` }
  const read = await api.call(`GET /v1/file-versions?path=${NOTES}`, undefined, headers)
  expect([read.status, read.body.code]).toEqual([403, 'insufficient_scope'])
})
