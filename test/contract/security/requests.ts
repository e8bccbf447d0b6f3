/** Idempotency keys (D), keys and tenants (H), and cursors (C). */

import { bent, lastBent } from '../../support/bent.ts'
import type { Client } from '../../support/launch.ts'
import { type Ask, bytes, type Case, get, json, type Reply, send } from './kit.ts'

interface Made {
  readonly id: string
}

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

/** The cursor of a first page of files. */
async function cursorOf(client: Client): Promise<string> {
  for (const name of ['a', 'b'])
    await client.ask(`/v1/files/cursors/${name}`, { method: 'PUT', body: name })
  const { body } = await json(client, 'GET', '/v1/files?limit=1')
  return (body as { next_cursor: string }).next_cursor
}
const withCursor =
  (change: (cursor: string) => string, list = '/v1/files'): Ask =>
  async ({ client }) => {
    const cursor = encodeURIComponent(change(await cursorOf(client)))
    return json(client, 'GET', `${list}?limit=1&cursor=${cursor}`)
  }

/** Events of a run that has ended. */
const after =
  (id: string, status = ''): Ask =>
  async ({ client }): Promise<Reply> => {
    const { body } = await json(client, 'POST', '/v1/runs', { input: '@say x' })
    const path = `/v1/runs/${(body as Made).id}/events${status}`
    return json(client, 'GET', path, undefined, { 'last-event-id': id })
  }

export const CURSORS: readonly Case[] = [
  ['C01', 'one bit changed', withCursor(bent), 400, 'invalid_cursor'],
  ['C01', 'the last bits changed', withCursor(lastBent), 400, 'invalid_cursor'],
  ['C01', 'empty, which is none', withCursor(() => ''), 200],
  ['C01', 'cut', withCursor((cursor) => cursor.slice(0, -4)), 400, 'invalid_cursor'],
  ['C01', '10 KB', withCursor(() => 'x'.repeat(10_000)), 400, 'invalid_cursor'],
  ['C01', 'of another list', withCursor((cursor) => cursor, '/v1/runs'), 400, 'invalid_cursor'],
  ['C02', 'a key of the store', withCursor(() => '{"p":{"S":"test/run"}}'), 400, 'invalid_cursor'],
  [
    'C03',
    'of another tenant',
    async ({ client, other }) => {
      const cursor = encodeURIComponent(await cursorOf(client))
      return json(other, 'GET', `/v1/files?limit=1&cursor=${cursor}`)
    },
    400,
    'invalid_cursor',
  ],
  ...['-1', 'NaN', '0x10', '1 1', '9'.repeat(400)].map(
    (id): Case => ['C07', `Last-Event-ID: ${id.slice(0, 8)}`, after(id), 400, 'invalid_header'],
  ),
  ['C07', 'an ID beyond the last event', after('99'), 400, 'event_ahead'],
  ['C10', 'a header beside a bad ?after=', after('1', '?after=2'), 200],
]
