/** Idempotency keys (D), and keys and tenants (H). */

import type { Client } from '../../support/launch.ts'
import { type Ask, bytes, type Case, get, json, type Made, send } from './kit.ts'

const keyed = (client: Client, key: string, input: string, more: object = {}) =>
  json(client, 'POST', '/v1/runs', { input, ...more }, { 'idempotency-key': key })

const withKey = (key: string): Ask =>
  bytes('POST', '/v1/runs', '{"input":"@say x"}', [
    ['Content-Type', 'application/json'],
    ['Idempotency-Key', key],
  ])

const authorized =
  (value: string | undefined, path = '/v1/runs'): Ask =>
  async ({ client }) => {
    const headers = value === undefined ? undefined : { authorization: value }
    const response = await fetch(`${client.url}${path}`, headers ? { headers } : {})
    const { code } = (await response.json()) as { code?: string }
    return { status: response.status, code: response.status < 400 ? undefined : code }
  }
const withBearer =
  (of: (key: string) => string, path?: string): Ask =>
  (host) =>
    authorized(of(host.client.key), path)(host)

export const IDEMPOTENCY: readonly Case[] = [
  ...['1234567', 'x'.repeat(201), 'a key with blanks', 'a\tbcdefgh'].map(
    (key): Case => [
      'D02',
      `the key ${JSON.stringify(key.slice(0, 20))}`,
      withKey(key),
      400,
      'invalid_header',
    ],
  ),
  [
    'D05',
    'another body',
    async ({ client }) => {
      await keyed(client, 'security-d05', '@say a')
      return keyed(client, 'security-d05', '@say b')
    },
    422,
    'idempotency_mismatch',
  ],
  [
    'D08',
    'another API key of the tenant',
    async ({ client }) => {
      const { body } = await keyed(client, 'security-d08', '@say a')
      const made = await json(client, 'POST', '/v1/keys', { scopes: ['runs:write'] })
      const authorization = `Bearer ${(made.body as { key: string }).key}`
      const headers = { 'idempotency-key': 'security-d08', authorization }
      const again = await json(client, 'POST', '/v1/runs', { input: '@say a' }, headers)
      const isSame = (again.body as Made).id === (body as Made).id
      return { status: again.status, code: isSame ? undefined : 'another run' }
    },
    202,
  ],
  [
    'D09',
    '50 requests at once',
    async ({ client }) => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => keyed(client, 'security-d09', '@say a')),
      )
      const ids = new Set(answers.map(({ body }) => (body as Made).id))
      const statuses = new Set(answers.map(({ status }) => status))
      return { status: Math.max(...statuses), code: ids.size === 1 ? undefined : 'two runs' }
    },
    202,
  ],
  [
    'D11',
    'a refused request with this key before',
    async ({ client }) => {
      await keyed(client, 'security-d11', 'x', { agent: 'ghost' })
      return keyed(client, 'security-d11', '@say x')
    },
    202,
  ],
  [
    'D14',
    'a run that was deleted',
    async ({ client }) => {
      const { body } = await keyed(client, 'security-d14', '@say a')
      const path = `/v1/runs/${(body as Made).id}`
      await json(client, 'POST', `${path}/cancel`)
      await json(client, 'DELETE', path)
      return keyed(client, 'security-d14', '@say a')
    },
    410,
    'gone',
  ],
  [
    'D15',
    'a key that was revoked',
    async ({ client }) => {
      const made = (await json(client, 'POST', '/v1/keys', { scopes: ['runs:write'] })).body
      const { id, key } = made as { id: string; key: string }
      await json(client, 'DELETE', `/v1/keys/${id}`)
      const headers = { 'idempotency-key': 'security-d05', authorization: `Bearer ${key}` }
      return json(client, 'POST', '/v1/runs', { input: '@say a' }, headers)
    },
    401,
    'unauthorized',
  ],
  [
    'D16',
    'the same JSON in other bytes',
    async (host) => {
      const headers = [
        ['Content-Type', 'application/json'],
        ['Idempotency-Key', 'security-d16'],
      ] as const
      await bytes('POST', '/v1/runs', '{"input":"@say a","label":"x"}', headers)(host)
      return bytes('POST', '/v1/runs', '{"label":"x","input":"@say a"}', headers)(host)
    },
    422,
    'idempotency_mismatch',
  ],
]

/** One of everything that has an ID, made by one tenant and asked for by the other. */
const foreign =
  (method: string, path: string, create: readonly [string, object], suffix = ''): Ask =>
  async ({ client, other }) => {
    const [at, value] = create
    const { body } = await json(client, 'POST', at, value)
    return json(other, method, `${path}/${(body as Made).id}${suffix}`)
  }

const RUN = ['/v1/runs', { input: '@say theirs' }] as const
const ENDPOINT = ['/v1/webhook-endpoints', { url: 'https://example.com/hook' }] as const
const FOREIGN: readonly (readonly [string, Ask])[] = [
  ['a run', foreign('GET', '/v1/runs', RUN)],
  ["a run's events", foreign('GET', '/v1/runs', RUN, '/events')],
  ["a run's transcript", foreign('GET', '/v1/runs', RUN, '/transcript')],
  ['the cancel of a run', foreign('POST', '/v1/runs', RUN, '/cancel')],
  ['a fan-out', foreign('GET', '/v1/fanouts', ['/v1/fanouts', { tasks: [{ task: '@say x' }] }])],
  ['a session', foreign('GET', '/v1/sessions', ['/v1/sessions', {}])],
  ['the deletion of a session', foreign('DELETE', '/v1/sessions', ['/v1/sessions', {}])],
  ['an endpoint', foreign('GET', '/v1/webhook-endpoints', ENDPOINT)],
  ['the deletion of an endpoint', foreign('DELETE', '/v1/webhook-endpoints', ENDPOINT)],
  ['a hook', foreign('GET', '/v1/hooks', ['/v1/hooks', { scheme: 'standard' }])],
  ['an API key', foreign('GET', '/v1/keys', ['/v1/keys', { scopes: ['runs:read'] }])],
  ['the deletion of a key', foreign('DELETE', '/v1/keys', ['/v1/keys', { scopes: ['runs:read'] }])],
]

/** What the other tenant has is in no list, whatever is asked for. */
const emptyList =
  (path: (id: string) => string): Ask =>
  async ({ client, other }) => {
    const { body } = await json(client, 'POST', '/v1/sessions', {})
    const { id } = body as Made
    await json(client, 'POST', '/v1/runs', { input: '@say x', session_id: id })
    const answer = await json(other, 'GET', path(id))
    const isEmpty = (answer.body as { data?: unknown[] }).data?.length === 0
    return { status: answer.status, code: isEmpty || answer.status >= 400 ? answer.code : 'data' }
  }

const restricted =
  (method: string, path: string, value?: unknown): Ask =>
  async ({ client }) => {
    const { body } = await json(client, 'POST', '/v1/keys', { scopes: ['runs:read', 'keys:write'] })
    const headers = { authorization: `Bearer ${(body as { key: string }).key}` }
    return json(client, method, path, value, headers)
  }

/** More requests at once than the key may make. */
const flood: Ask = async ({ client }) => {
  const limits = { scopes: ['runs:read'], rate_limits: { requests_per_second: 2 } }
  const { body } = await json(client, 'POST', '/v1/keys', limits)
  const headers = { authorization: `Bearer ${(body as { key: string }).key}` }
  const ask = () => json(client, 'GET', '/v1/runs', undefined, headers)
  const answers = await Promise.all(Array.from({ length: 40 }, ask))
  const refused = answers.find(({ status }) => status === 429)
  const isComplete = refused?.headers.has('retry-after') && refused.headers.has('ratelimit')
  return refused && isComplete ? refused : { status: 200 }
}

/** A key of other addresses, with headers that name one of these. */
const spoofed: Ask = async ({ client }) => {
  const grant = { scopes: ['runs:read'], addresses: ['203.0.113.9'] }
  const { body } = await json(client, 'POST', '/v1/keys', grant)
  const address = { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9' }
  const headers = { authorization: `Bearer ${(body as { key: string }).key}`, ...address }
  return json(client, 'GET', '/v1/runs', undefined, headers)
}

export const TENANCY: readonly Case[] = [
  ['H01', 'no key', authorized(undefined), 401, 'unauthorized'],
  ['H01', 'another scheme', withBearer((key) => `Basic ${btoa(key)}`), 401, 'unauthorized'],
  ['H01', 'two spaces', withBearer((key) => `Bearer  ${key}`), 401, 'unauthorized'],
  ['H01', 'the scheme in lower case', withBearer((key) => `bearer ${key}`), 200],
  [
    'H01',
    'the key in the query',
    async (host) => authorized(undefined, `/v1/runs?key=${host.client.key}`)(host),
    401,
    'unauthorized',
  ],
  [
    'H02',
    'a wrong checksum',
    withBearer((key) => `Bearer ${lastBentOf(key)}`),
    401,
    'unauthorized',
  ],
  [
    'H03',
    'a wrong secret',
    withBearer((key) => `Bearer strata_${key.split('_')[1]}_${'0'.repeat(52)}_000000`),
    401,
    'unauthorized',
  ],
  ['H03', 'an unknown key', authorized('Bearer x'), 401, 'unauthorized'],
  [
    'H11',
    'a run without the scope',
    restricted('POST', '/v1/runs', { input: '@say x' }),
    403,
    'insufficient_scope',
  ],
  [
    'H11',
    'a cancel without the scope',
    restricted('POST', '/v1/runs/run_x/cancel'),
    403,
    'insufficient_scope',
  ],
  [
    'H11',
    'a decision without the scope',
    restricted('POST', '/v1/approvals/apr_x/decision', { decision: 'approve' }),
    403,
    'insufficient_scope',
  ],
  [
    'H11',
    'a policy without the scope',
    restricted('PUT', '/v1/policy', {}),
    403,
    'insufficient_scope',
  ],
  [
    'H12',
    'a wider key',
    restricted('POST', '/v1/keys', { scopes: ['*'] }),
    403,
    'insufficient_scope',
  ],
  ...FOREIGN.map(
    ([name, ask]): Case => ['H13', `${name} of another tenant`, ask, 404, 'not_found'],
  ),
  ['H14', 'runs of a foreign session', emptyList((id) => `/v1/runs?session_id=${id}`), 200],
  ['H14', 'sessions', emptyList(() => '/v1/sessions'), 200],
  ['H16', 'a header that names a tenant', get('/v1/runs', [['X-Tenant', 'other']]), 200],
  [
    'H16',
    'a member that names a tenant',
    send('POST', '/v1/runs', { input: 'x', tenant: 'other' }),
    422,
    'invalid_request',
  ],
  ['H19', '40 requests at once', flood, 429, 'rate_limited'],
  ['J20', 'headers that name an address', spoofed, 403, 'address_not_allowed'],
  [
    'H21',
    'the list of tenants for a tenant',
    ({ other }) => json(other, 'GET', '/v1/tenants'),
    403,
    'insufficient_scope',
  ],
  ['H21', 'a route of debuggers', get('/debug/pprof'), 404, 'not_found'],
  ['H21', 'another version of the API', get('/v2/runs'), 404, 'not_found'],
  [
    'H22',
    'a change of an audit entry',
    async ({ client }) => {
      const { body } = await json(client, 'GET', '/v1/audit?limit=1')
      const [entry] = (body as { data: { version: string }[] }).data
      return json(client, 'DELETE', `/v1/audit/${entry?.version}`)
    },
    405,
    'method_not_allowed',
  ],
]

const lastBentOf = (key: string): string => `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
