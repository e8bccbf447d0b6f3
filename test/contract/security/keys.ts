/** Keys of files, paths, and routes (K): sent as bytes, because clients repair paths on their own. */

import { bytes, type Case, type Different, get, json, post, put } from './kit.ts'

const e = encodeURIComponent

const INVALID: readonly (readonly [string, string])[] = [
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

const DOTS = 'Workers receive a URL in which the platform has resolved dots and backslashes.'
/** What is left of a path is another route, or another key of the same tenant. */
const RESOLVED: Readonly<Record<string, Different>> = {
  '../B/secret': { status: 404, code: 'not_found', because: DOTS },
  'a/../../B/x': { status: 404, code: 'not_found', because: DOTS },
  'a/%2e%2e/B': { status: 201, because: DOTS },
  './a': { status: 201, because: DOTS },
  'a/./b': { status: 201, because: DOTS },
}

const resolve = (body: string) => post('/v1/resolve', body)

export const KEYS: readonly Case[] = [
  ...INVALID.map(
    ([row, key]): Case => [row, `the key ${key}`, put(key), 400, 'invalid_key', RESOLVED[key]],
  ),
  [
    'K06',
    'a backslash that the parser turns into a slash',
    put('a\\..\\c'),
    400,
    'malformed_request',
    { status: 201, because: DOTS },
  ],
  ['K13', 'a lone surrogate', resolve('{"repo_dir":"\\ud800"}'), 422, 'invalid_request'],
  ['K15', 'a key in upper case', put('case/SKILL.md'), 201],
  ['K15', 'the same key in lower case', put('case/skill.md'), 409, 'case_conflict'],
  ['K22', 'a name that one system reserves', put('odd/CON'), 201],
  ['K23', 'a key with the name of a prototype', put('odd/__proto__/SKILL.md'), 201],
  ['K23', 'a key with the name of a constructor', put('odd/constructor'), 201],
  [
    'K23',
    'the list of these keys',
    async ({ client }) => {
      const { status, body } = await json(client, 'GET', '/v1/files?prefix=odd/')
      const paths = (body as { data: { path: string }[] }).data.map(({ path }) => path)
      const expected = ['odd/CON', 'odd/__proto__/SKILL.md', 'odd/constructor']
      return { status, code: paths.join() === expected.join() ? undefined : paths.join() }
    },
    200,
  ],
  ['K25', 'a role with dots', resolve('{"role":"main/../backend"}'), 422, 'invalid_request'],
  ['K26', 'an absolute repo_dir', resolve('{"repo_dir":"/etc"}'), 422, 'invalid_request'],
  ['K26', 'a bucket', resolve('{"repo_dir":"s3://other/"}'), 422, 'invalid_request'],
  ['K26', 'a file URL', resolve('{"repo_dir":"file:///"}'), 422, 'invalid_request'],
  ['K29', 'a route in upper case', get('/V1/runs'), 404, 'not_found'],
  ['K29', 'a route with two slashes', get('//v1/runs'), 404, 'not_found'],
  ['K29', 'a route with parameters', get('/v1/runs;jsessionid=1'), 404, 'not_found'],
  ['K31', 'a prefix with dots', get('/v1/files?prefix=../'), 400, 'invalid_key'],
  [
    'K31',
    'a prefix like that of a tenant',
    async ({ client }) => {
      const { status, body } = await json(client, 'GET', '/v1/files?prefix=t/B/')
      return { status, code: (body as { data: unknown[] }).data.length === 0 ? undefined : 'data' }
    },
    200,
  ],
  ['K33', 'a deletion of no key', bytes('DELETE', '/v1/files/'), 400, 'invalid_key'],
  ['K33', 'a deletion of the root', bytes('DELETE', '/v1/files//'), 400, 'invalid_key'],
  ['K33', 'a deletion of a slash', bytes('DELETE', '/v1/files/%2f'), 400, 'invalid_key'],
  [
    'K35',
    'a change under a stale ETag',
    async ({ client }) => {
      const write = (text: string, headers: Record<string, string> = {}) =>
        client.ask('/v1/files/race', { method: 'PUT', body: text, headers })
      const etag = (await write('x')).headers.get('etag') ?? ''
      await write('y', { 'if-match': etag })
      const stale = await write('z', { 'if-match': etag })
      const { code } = (await stale.json()) as { code: string }
      return { status: stale.status, code }
    },
    412,
    'precondition_failed',
  ],
]
