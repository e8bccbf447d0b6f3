/** Keys of files that must be refused, sent as bytes, because clients repair paths on their own. */

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

const REFUSED: readonly (readonly [string, string])[] = [
  ['K01', '../B/secret'],
  ['K02', 'a/../../B/x'],
  ['K03', 'a/%2e%2e/B'],
  ['K04', '..%2f..%2fB/x'],
  ['K04', '%2e%2e%2fB%2fx'],
  ['K04', 'a%2F..%2F..%2FB%2Fx'],
  ['K04', 'a%2f%2e%2E%2fB'],
  ['K04', 'a%2F.%2Fb'],
  ['K05', 'a%252F..%252Fb'],
  ['K05', '%252e%252e%252fB'],
  ['K06', 'a%5c..%5cb'],
  ['K07', e('．．／B')],
  ['K08', `${e('․․')}/B`],
  ['K09', '.'],
  ['K09', './a'],
  ['K09', 'a/./b'],
  ['K10', 'a//b'],
  ['K10', '/a'],
  ['K10', 'a/'],
  ['K10', 'a%2F%2Fb'],
  ['K10', '%2Fa'],
  ['K10', 'a%2f'],
  ['K10', 'a/%2Fb'],
  ['K11', 'a%00b'],
  ['K12', '%ff'],
  ['K13', '%ED%A0%80'],
  ['K14', e('e\u0301')],
  ['K16', e('ﬁle.md')],
  ['K17', e('a\u202Eexe.md')],
  ['K18', e('a\u200Bb')],
  ['K18', e('a\u{E0041}b')],
  ['K19', ['a'.repeat(127), 'a'.repeat(127), 'a'.repeat(127), 'a'.repeat(128), 'a'].join('/')],
  ['K19', 'a'.repeat(129)],
  ['K19', Array(17).fill('a').join('/')],
  ['K20', e('é'.repeat(300))],
  ['K22', 'a.'],
  ['K22', 'a%20'],
]

describe('PUT /v1/files', () => {
  it.each(REFUSED)('%s: returns 400 for the key %s', async (_, path) => {
    const answer = await put(path)
    expect(answer.status, answer.body).toBe(400)
    expect(code(answer)).toBe('invalid_key')
  })
  it('returns 400 for a backslash that the URL parser would turn into a slash [K06]', async () => {
    const answer = await put('a\\..\\b')
    expect([answer.status, code(answer)]).toEqual([400, 'malformed_request'])
  })
  it('stores none of the refused keys [K01]', async () => {
    expect(await listed()).toEqual([])
  })
  it('a repo_dir with a lone surrogate returns 422 [K13]', async () => {
    const body = '{"repo_dir":"\\ud800"}'
    const headers = [['Content-Type', 'application/json']] as const
    const answer = await raw(server(), { method: 'POST', path: '/v1/resolve', body, headers })
    expect([answer.status, code(answer)]).toEqual([422, 'invalid_request'])
  })
  it('returns 409 for a key that differs only in case [K15]', async () => {
    expect((await put('case/SKILL.md')).status).toBe(201)
    const answer = await put('case/skill.md')
    expect([answer.status, code(answer)]).toEqual([409, 'case_conflict'])
    expect(await listed('case/')).toEqual(['case/SKILL.md'])
  })
  it('stores names that are special elsewhere like any other [K22 K23]', async () => {
    for (const path of ['odd/CON', 'odd/__proto__/SKILL.md', 'odd/constructor']) {
      expect((await put(path)).status).toBe(201)
    }
    expect(await listed('odd/')).toEqual(['odd/CON', 'odd/__proto__/SKILL.md', 'odd/constructor'])
  })
  it('returns 412 for a stale If-Match, so the first writer wins [K35]', async () => {
    const first = await put('race')
    const etag = first.headers.get('etag') ?? ''
    const changed = await server().ask('/v1/files/race', {
      method: 'PUT',
      body: 'y',
      headers: { 'if-match': etag },
    })
    expect(changed.status).toBe(200)
    const answer = await put('race', [['If-Match', etag]])
    expect([answer.status, code(answer)]).toEqual([412, 'precondition_failed'])
    expect(await (await server().ask('/v1/files/race')).text()).toBe('y')
  })
  it('returns 413 for a file that is one byte too large', async () => {
    const body = Buffer.alloc(1_048_577, 'x')
    const answer = await raw(server(), { method: 'PUT', path: '/v1/files/big', body })
    expect([answer.status, code(answer)]).toEqual([413, 'too_large'])
    expect(await listed('big')).toEqual([])
  })
})

describe('GET and DELETE /v1/files', () => {
  it("confine a prefix to the tenant's own files [K31]", async () => {
    expect((await put('own/x')).status).toBe(201)
    expect(await listed()).toContain('own/x')
    const up = await raw(server(), { path: '/v1/files?prefix=../' })
    expect([up.status, code(up)]).toEqual([400, 'invalid_key'])
    expect(await listed('t/B/')).toEqual([])
  })
  it.each(['', '/', '%2f'])('return 400 for DELETE of the key "%s" [K33]', async (path) => {
    const before = await listed()
    const answer = await raw(server(), { method: 'DELETE', path: `/v1/files/${path}` })
    expect([answer.status, code(answer)]).toEqual([400, 'invalid_key'])
    expect(await listed()).toEqual(before)
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
