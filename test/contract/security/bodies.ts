/** Bodies, headers, and queries that must be refused (J). */

import { chunked } from '../../support/raw.ts'
import { type Ask, type Case, get, JSON_TYPE, json, post } from './kit.ts'

const LIMIT = 262_144
const runs = (body: string | Buffer, headers: readonly (readonly [string, string])[] = []): Ask =>
  post('/v1/runs', body, [JSON_TYPE, ...headers])
const sized = (bytes: number): string => JSON.stringify({ input: 'x'.repeat(bytes - 12) })
const typed = (type: string | undefined): Ask =>
  post('/v1/runs', '{"input":"x"}', type === undefined ? [] : [['Content-Type', type]])

/** As JSONTestSuite has them, a text of each kind of mistake. */
const NOT_JSON = [
  ...['[1,]', '[,1]', '[1 2]', '{"a":1,}', '{a:1}', "{'a':1}", '{"a" 1}', '{"a":1 "b":2}', '[1'],
  ...['{"a":', '"abc', '[01]', '[+1]', '[1.]', '[.5]', '[1e]', '[0x1]', '[NaN]', '[Infinity]'],
  ...[
    '["\t"]',
    '["\\x00"]',
    '["\\u12"]',
    '[tru]',
    '[nul]',
    '[True]',
    '/* c */ {}',
    '{} // c',
    '[] []',
  ],
]
/** Texts that are JSON and no request. */
const JSON_TEXTS = [
  ...['[]', 'true', '"x"', '-0.1e-2', '[[[[]]]]', '{"a":{"b":[1,null]}}', '{"":0}', '"\\u00e9"'],
  ...[' {"input" : 1 } ', '{"a":1e5}', '["\\ud83d\\ude00"]', '{"input":null}'],
]

export const BODIES: readonly Case[] = [
  ['J01', 'one byte too many', runs(sized(LIMIT + 1)), 413, 'too_large'],
  [
    'J01',
    'one byte too many in chunks',
    runs(chunked(sized(LIMIT + 1)), [['Transfer-Encoding', 'chunked']]),
    413,
    'too_large',
  ],
  [
    'J04',
    'a compressed body',
    runs('x', [['Content-Encoding', 'gzip']]),
    415,
    'unsupported_media_type',
  ],
  ['J05', '100,000 nested brackets', runs('['.repeat(100_000)), 400, 'invalid_json'],
  ['J07', '__proto__', runs('{"input":"x","__proto__":{"role":"admin"}}'), 422, 'invalid_request'],
  [
    'J08',
    'constructor',
    runs('{"input":"x","constructor":{"prototype":{}}}'),
    422,
    'invalid_request',
  ],
  ...['12345678901234567890', '1e400', '-0'].map(
    (value): Case => [
      'J09',
      `the number ${value}`,
      runs(`{"input":"x","limits":{"max_children":${value}}}`),
      422,
      'invalid_request',
    ],
  ),
  ['J10', 'a lone surrogate', runs('{"input":"\\ud800"}'), 422, 'invalid_request'],
  ['J11', 'a BOM', runs('\ufeff{"input":"x"}'), 400, 'invalid_json'],
  ['J11', 'text after the value', runs('{"input":"x"}x'), 400, 'invalid_json'],
  ['J11', 'nothing', runs(''), 400, 'invalid_json'],
  ...['null', '[]', '1'].map(
    (text): Case => ['J11', `the value ${text}`, runs(text), 422, 'invalid_request'],
  ),
  ...NOT_JSON.map((text): Case => ['J12', `the text ${text}`, runs(text), 400, 'invalid_json']),
  ...JSON_TEXTS.map(
    (text): Case => ['J13', `the text ${text}`, runs(text), 422, 'invalid_request'],
  ),
  ...['tenant_id', 'lane', 'epoch', 'status', 'depth'].map(
    (name): Case => [
      'J14',
      `the member ${name}`,
      runs(`{"input":"x","${name}":1}`),
      422,
      'invalid_request',
    ],
  ),
  ['J15', 'a text', typed('text/plain'), 415, 'unsupported_media_type'],
  ['J15', 'no type', typed(undefined), 415, 'unsupported_media_type'],
  [
    'J15',
    'another charset',
    typed('application/json; charset=utf-16'),
    415,
    'unsupported_media_type',
  ],
  ['J15', 'a form', typed('application/x-www-form-urlencoded'), 415, 'unsupported_media_type'],
  [
    'J16',
    'two parts',
    post('/v1/runs', '--b\r\n\r\n{"input":"x"}\r\n--b\r\n\r\n{}\r\n--b--', [
      ['Content-Type', 'multipart/form-data; boundary=b'],
    ]),
    415,
    'unsupported_media_type',
  ],
  [
    'J17',
    'a task over 1 MiB',
    post('/v1/fanouts', JSON.stringify({ tasks: [{ task: 'x'.repeat(1_100_000) }] })),
    413,
    'too_large',
  ],
  [
    'J17',
    '10,000 tasks',
    post('/v1/fanouts', JSON.stringify({ tasks: Array(10_000).fill({ task: 'x' }) })),
    422,
    'invalid_request',
  ],
  [
    'J19',
    'two Authorization headers',
    async (host) => {
      const bearer = ['Authorization', `Bearer ${host.client.key}`] as const
      return get('/v1/runs', [bearer, bearer])(host)
    },
    400,
    'invalid_header',
  ],
  [
    'J21',
    'another Host',
    get('/v1/runs', [['Host', 'evil.example']]),
    421,
    'misdirected_request',
    { status: 200, because: 'The platform routes only the names of the deployment to a Worker.' },
  ],
  [
    'J22',
    'an Origin',
    async ({ client }) => {
      const headers = { origin: 'https://evil.example' }
      const { status, headers: answered } = await json(
        client,
        'GET',
        '/v1/runs',
        undefined,
        headers,
      )
      return { status, code: answered.get('access-control-allow-origin') ?? undefined }
    },
    200,
  ],
  [
    'J23',
    'Accept: text/html',
    async ({ client }) => {
      const answer = await client.ask('/v1/<script>', { headers: { accept: 'text/html' } })
      const isSafe =
        answer.headers.get('content-type') === 'application/problem+json' &&
        answer.headers.get('x-content-type-options') === 'nosniff'
      const { code } = (await answer.json()) as { code: string }
      return { status: answer.status, code: isSafe ? code : 'sniffed' }
    },
    404,
    'not_found',
  ],
  ...['limit=1&limit=99999', 'limit=-1', 'limit=1e9', 'limit=NaN', 'limit=101', 'limit=,'].map(
    (query): Case => ['J24', `?${query}`, get(`/v1/runs?${query}`), 400, 'invalid_query'],
  ),
  ...['__proto__[x]=1', 'a[b]=c', '__proto__=1', 'constructor=1'].map(
    (query): Case => ['J25', `?${query}`, get(`/v1/limits?${query}`), 400, 'invalid_query'],
  ),
  [
    'J26',
    '1 MB of a four-byte letter',
    runs(JSON.stringify({ input: '𒐫'.repeat(250_000) })),
    413,
    'too_large',
  ],
  [
    'J26',
    '1 MB of invisible letters',
    runs(JSON.stringify({ input: '\u200b'.repeat(350_000) })),
    413,
    'too_large',
  ],
]
