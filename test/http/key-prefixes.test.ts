/** Keys of a prefix of files: what lies below it is theirs, by every road; all else is refused. */

import { beforeEach, describe, expect, it } from 'vitest'
import { type TestApi, testApi } from '../support/http.ts'

let api: TestApi
/** Reads and writes below `roles/support/`. */
let key: string
const SCOPES = ['layers:read:roles/support/', 'layers:write:roles/support/', 'keys:write']

const make = async (scopes: string[], by = api.key) =>
  api.call('POST', '/v1/keys', { json: { scopes }, key: by })
const by = (method: string, path: string, json?: unknown) =>
  api.call(method, path, { key, ...(json === undefined ? {} : { json }) })
const put = (path: string, as: string) => {
  const headers = { 'content-type': 'application/octet-stream' }
  return api.call('PUT', `/v1/files/${path}`, { key: as, body: 'text', headers })
}
const SKILL = { skill_md: '---\nname: deploy\ndescription: Deploys.\n---\nDo it.' }
const AGENT = { agent_md: '---\nname: helper\ndescription: Helps.\n---\nHelp.' }
const SERVER = { url: 'https://mcp.example.com/' }

beforeEach(async () => {
  api = await testApi()
  const made = await make(SCOPES)
  expect(made.status).toBe(201)
  expect(made.body.scopes).toEqual(SCOPES)
  key = made.body.key
})

const RESOURCES = [
  ['/v1/skills/deploy', SKILL],
  ['/v1/agents/helper', AGENT],
  ['/v1/mcp-servers/docs', SERVER],
] as const

describe('a key of a prefix', () => {
  it.each(RESOURCES)(
    'writes, reads, lists and deletes %s there, and nowhere else',
    async (path, json) => {
      const many = path.slice(0, path.lastIndexOf('/'))
      const roads = async (layer: string) => [
        (await by('PUT', `${path}?layer=${layer}`, json)).status,
        (await by('GET', `${path}?layer=${layer}`)).status,
        (await by('GET', `${many}?layer=${layer}`)).status,
        (await by('GET', `${path}/versions?layer=${layer}`)).status,
        (await by('DELETE', `${path}?layer=${layer}`)).status,
      ]
      expect(await roads('roles/support/')).toEqual([201, 200, 200, 200, 200])
      for (const layer of ['base', 'roles/sales/', 'roles/support2/', 'roles/', 'apps/one/']) {
        expect(await roads(layer)).toEqual([403, 403, 403, 403, 403])
      }
      const { body } = await by('GET', `${many}?layer=base`)
      expect(body.code).toBe('insufficient_scope')
      expect(body.detail).toBe('The key reaches roles/support/ only; base/ is not below.')
    },
  )

  it('has the files below it as they are, and no others', async () => {
    for (const path of ['base/AGENTS.md', 'roles/support2/AGENTS.md']) await put(path, api.key)
    expect((await put('roles/support/AGENTS.md', key)).status).toBe(201)
    expect((await by('GET', '/v1/files/roles/support/AGENTS.md')).text).toBe('text')
    for (const path of [
      'base/AGENTS.md',
      'roles/support2/AGENTS.md',
      'roles%2Fsupport2%2FAGENTS.md',
      'roles/support',
      'nothing/there.md',
    ]) {
      for (const method of ['GET', 'DELETE']) {
        const { status, body } = await by(method, `/v1/files/${path}`)
        expect([status, body.code]).toEqual([403, 'insufficient_scope'])
      }
      expect((await put(path, key)).status).toBe(403)
    }
    const escapes = await by('GET', '/v1/files/roles%2Fsupport%2F..%2F..%2Fbase%2FAGENTS.md')
    expect([escapes.status, escapes.body.code]).toEqual([400, 'invalid_key'])
    const { body: list } = await by('GET', '/v1/files?prefix=roles/support/')
    expect(list.data.map(({ path }: { path: string }) => path)).toEqual(['roles/support/AGENTS.md'])
    for (const prefix of ['', 'roles/', 'roles/support', 'base/'])
      expect((await by('GET', `/v1/files?prefix=${prefix}`)).status).toBe(403)
    expect((await by('DELETE', '/v1/files/roles/support/AGENTS.md')).status).toBe(204)
  })

  it('is told when something is about all layers', async () => {
    for (const [method, path, json] of [
      ['POST', '/v1/resolve', { role: 'support' }],
      ['GET', '/v1/models', undefined],
      ['POST', '/v1/runtime/reload', { role: 'support' }],
      ['POST', '/v1/layers/migrate', { layer: 'roles/support/' }],
    ] as const) {
      const { status, body } = await by(method, path, json)
      expect([path, status, body.code]).toEqual([path, 403, 'insufficient_scope'])
      expect(body.detail).toContain('roles/support/')
    }
    expect((await by('GET', '/v1/runs')).body.detail).toBe('The key lacks the scope runs:read.')
  })

  it('that only reads does not write, and one that only writes does not read', async () => {
    const reader = (await make(['layers:read:roles/support/'])).body.key
    const writer = (await make(['layers:write:roles/support/'])).body.key
    expect((await put('roles/support/AGENTS.md', reader)).status).toBe(403)
    expect((await put('roles/support/AGENTS.md', writer)).status).toBe(201)
    const read = async (as: string) =>
      (await api.call('GET', '/v1/files/roles/support/AGENTS.md', { key: as })).status
    expect([await read(reader), await read(writer)]).toEqual([200, 403])
  })

  it('learns nothing of repositories that it does not reach', async () => {
    await put('secret/AGENTS.md', api.key)
    const ask = async (repo_dir: string) => {
      const result = await tool('skills_list', { role: 'main', repo_dir })
      return result.content[0].text.replaceAll(repo_dir, '')
    }
    expect(await ask('secret')).toBe(await ask('absent'))
    expect(await ask('secret')).toContain('insufficient_scope')
  })

  it('is not shown a server that another layer defines, by a change in its own', async () => {
    await api.call('PUT', '/v1/mcp-servers/docs?layer=base', { json: SERVER })
    await put('apps/one/AGENTS.md', api.key)
    const app = (await make(['layers:write:apps/one/', 'layers:read:apps/one/'])).body.key
    const change = { json: { enabled: false } }
    const path = '/v1/mcp-servers/docs?layer=apps/one/'
    const theirs = await api.call('PATCH', path, { ...change, key: app })
    expect(theirs.status).toBe(404)
    expect((await api.call('PATCH', path, change)).status).toBe(200)
  })
})

const tool = async (name: string, given: object) => {
  const { text } = await api.call('POST', '/mcp', {
    key,
    headers: { accept: 'application/json, text/event-stream' },
    json: {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: given },
    },
  })
  const [, data = text] = /^data: (.*)$/m.exec(text) ?? []
  return JSON.parse(data).result
}

it('by MCP the same key reaches the same layers', async () => {
  const textOf = async (name: string, given: object): Promise<string> => {
    const result = await tool(name, given)
    return `${result.isError === true} ${result.content[0].text}`
  }
  const put = { skill_name: 'deploy', ...SKILL }
  expect(await textOf('skills_put', { role: 'support', ...put })).toMatch(/^false/)
  expect(await textOf('skills_list', { role: 'support' })).toContain('deploy')
  for (const role of ['main', 'sales'])
    expect(await textOf('skills_put', { role, ...put })).toMatch(/^true .*insufficient_scope/)
  expect(await textOf('runtime_reload', { role: 'support' })).toMatch(/^true .*insufficient_scope/)
  expect(await textOf('memory_list', {})).toMatch(/^true .*insufficient_scope/)
})

describe('H12 prefixes of a new key', () => {
  it('are at most those of its maker', async () => {
    for (const scope of [
      'layers:write',
      'layers:*',
      'config:raw',
      'layers:write:roles/',
      'layers:write:base/',
      'layers:write:roles/support2/',
    ]) {
      const { status, body } = await make([scope], key)
      expect([scope, status, body.code]).toEqual([scope, 403, 'insufficient_scope'])
    }
    const narrower = await make(['layers:write:roles/support/.agents/skills/'], key)
    expect(narrower.status).toBe(201)
    expect((await put('roles/support/.agents/skills/a/SKILL.md', narrower.body.key)).status).toBe(
      201,
    )
    expect((await put('roles/support/AGENTS.md', narrower.body.key)).status).toBe(403)
  })

  it('come with files as they are, which their maker must have', async () => {
    const makes = async (scopes: string[]) => {
      const { key: maker } = (await make(['keys:write', ...scopes])).body
      return (await make(['layers:read:base/'], maker)).status
    }
    expect(await makes(['layers:*'])).toBe(403)
    expect(await makes(['config:raw'])).toBe(403)
    expect(await makes(['layers:read', 'config:raw'])).toBe(201)
    expect(await makes(['layers:read:base/'])).toBe(201)
    expect(await makes(['layers:write:base/'])).toBe(403)
  })

  it('are whole prefixes of layers', async () => {
    for (const scope of [
      'layers:write:',
      'layers:write:/',
      'layers:write:base',
      'layers:write:/base/',
      'layers:write: base/',
      'layers:write:a/../b/',
      'layers:write:a//b/',
      'layers:write:workspaces/run_1/',
      'layers:write:workspaces/',
      'layers:*:base/',
      'layers:delete:base/',
      'runs:read:base/',
      'config:raw:base/',
      `layers:read:${'a/'.repeat(17)}`,
    ]) {
      const { status, body } = await make([scope])
      expect([scope, status, body.code]).toEqual([scope, 422, 'invalid_request'])
    }
  })
})
