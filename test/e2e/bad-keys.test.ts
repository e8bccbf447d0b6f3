/** Keys of files, sent as bytes, because clients repair paths on their own. */

import { describe, expect, it } from 'vitest'
import { type RawAnswer, raw } from '../support/raw.ts'
import { sharedServer } from '../support/server.ts'

const server = sharedServer()

const put = (path: string, headers: [string, string][] = []): Promise<RawAnswer> =>
  raw(server(), { method: 'PUT', path: `/v1/files/${path}`, body: 'x', headers })
const code = ({ body }: RawAnswer): string => (JSON.parse(body) as { code: string }).code
const listed = async (prefix = ''): Promise<string[]> => {
  const found = await server().get<{ data: { path: string }[] }>(`/v1/files?prefix=${prefix}`)
  return found.data.map(({ path }) => path)
}
const e = encodeURIComponent

describe('PUT /v1/files', () => {
  it('stores nothing under a refused key', async () => {
    for (const path of ['../B/secret', 'a%2F..%2F..%2FB', 'a//b', e('．．／B'), 'a%00b']) {
      expect((await put(path)).status).toBe(400)
    }
    expect(await listed()).toEqual([])
  })
  it('returns 413 for a file that is one byte too large', async () => {
    const body = Buffer.alloc(1_048_577, 'x')
    const answer = await raw(server(), { method: 'PUT', path: '/v1/files/big', body })
    expect([answer.status, code(answer)]).toEqual([413, 'too_large'])
    expect(await listed('big')).toEqual([])
  })
})

describe('a key with encoded slashes, as generated clients send it', () => {
  const plain = '/v1/files/base/agents/ä b.md'
  const encoded = `/v1/files/${e('base/agents/ä b.md')}`
  const read = (path: string) => server().ask(path)

  it('returns 200 for the same file as with slashes: written, read, listed, and deleted', async () => {
    const made = await raw(server(), { method: 'PUT', path: encoded, body: 'one' })
    expect([made.status, JSON.parse(made.body)]).toMatchObject([
      201,
      { path: 'base/agents/ä b.md' },
    ])
    expect(await (await read(plain)).text()).toBe('one')
    const etag = made.headers.get('etag') ?? ''
    const headers = { 'if-match': etag }
    const again = await server().ask(plain, { method: 'PUT', body: 'two', headers })
    expect(again.status).toBe(200)
    expect(await (await read(encoded)).text()).toBe('two')
    expect(await (await read(encoded.replaceAll('%2F', '%2f'))).text()).toBe('two')
    expect(await listed('base/')).toEqual(['base/agents/ä b.md'])
    expect((await server().ask(encoded, { method: 'DELETE' })).status).toBe(204)
    const gone = await read(encoded)
    expect([gone.status, ((await gone.json()) as { instance: string }).instance]).toEqual([
      404,
      encoded,
    ])
    expect(await listed('base/')).toEqual([])
  })

  it('is limited by its segments and bytes in every encoding', async () => {
    const long = Array(17).fill('a').join('%2F')
    expect(code(await put(long))).toBe('invalid_key')
    expect((await put(Array(16).fill('deep').join('%2F'))).status).toBe(201)
  })
})

describe('other names', () => {
  it.each([
    ['skills', 'a%2Fb'],
    ['skills', '..%2F..%2Fx'],
    ['agents', '..%2F..%2Fx'],
    ['mcp-servers', '..%2Fx'],
    ['runs', 'run_1%2F..%2Fx'],
    ['sessions', '..%2Fx'],
    ['webhook-endpoints', '%2e%2e%2Fx'],
  ])('/v1/%s/%s returns 4xx for every method [K04]', async (kind, name) => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await raw(server(), { method, path: `/v1/${kind}/${name}` })
      expect([400, 404, 405, 422], answer.body).toContain(answer.status)
    }
  })

  const run = (json: object) =>
    server().ask('/v1/runs', { method: 'POST', json: { input: 'x', ...json } })
  it('a name with some encoded letters is the same name and returns 200', async () => {
    const json = { skill_md: '---\nname: deploy\ndescription: d\n---\ntext' }
    const written = await raw(server(), {
      method: 'PUT',
      path: '/v1/skills/%64epl%6Fy',
      body: JSON.stringify(json),
      headers: [['Content-Type', 'application/json']],
    })
    expect(written.status, written.body).toBe(201)
    const { name } = await server().get<{ name: string }>('/v1/skills/deploy')
    expect(name).toBe('deploy')
  })
  it('a role that is not a name returns 422 [K25]', async () => {
    expect((await run({ role: 'main/../backend' })).status).toBe(422)
  })
  it.each(['/etc', 's3://other/', 'file:///', '../x', 'a//b', 'C:\\x'])(
    'the repo_dir %s returns 422 [K26]',
    async (repo_dir) => {
      const response = await run({ repo_dir })
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({ errors: [{ pointer: '/repo_dir' }] })
    },
  )
  it.each(['//v1/runs', '/V1/runs', '/v1/runs;jsessionid=1', '/v1//runs', '/v1/runs/'])(
    'the route %s returns 404 [K29]',
    async (path) => {
      expect((await raw(server(), { path })).status).toBe(404)
    },
  )
})
