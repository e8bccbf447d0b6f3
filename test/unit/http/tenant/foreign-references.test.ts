/**
 * IDs of another tenant outside of paths: in bodies, filters, other protocols, headers, and calls of
 * a model. Each is answered like an ID that names nothing, after equal work.
 */

import { describe, expect, it } from 'vitest'
import { createApp } from '../../../../src/http/app.ts'
import {
  DETAILS,
  type Details,
  expectEqual,
  filled,
  request,
} from '../../../support/foreign-requests.ts'
import { type Ids, OTHER, RANDOM_IDS, twoTenants } from '../../../support/two-tenants.ts'

const two = await twoTenants()
const { routes } = createApp(two.api.world)

describe('a list', () => {
  const FILTERS: readonly (readonly [string, (ids: Ids) => string])[] = [
    ['/v1/runs', ({ session }) => `session_id=${session}`],
    ['/v1/webhook-deliveries', ({ endpoint }) => `endpoint_id=${endpoint}`],
    ['/v1/files', ({ file }) => `prefix=${file}`],
    ['/v1/memory', () => 'prefix=shared/theirs'],
    ['/v1/memory/search', () => 'query=Theirs'],
    ['/v1/file-versions', ({ file }) => `path=${file}`],
    ['/v1/memory/versions', ({ memory }) => `path=${memory}`],
    ['/v1/audit', ({ endpoint }) => `name=${endpoint}`],
    ['/v1/sessions', () => 'q=theirs'],
  ]
  it.each(FILTERS)('%s is empty under a filter for the other tenant [H14]', async (path, query) => {
    const { text, status } = await expectEqual(two, 'GET', path, (ids) => ({ query: query(ids) }))
    const { data, files, passages } = JSON.parse(text)
    expect([status, data ?? files ?? passages]).toEqual([200, []])
    expect((await two.asOther('GET', `${path}?${query(two.foreign)}`)).text).not.toBe(text)
  })

  it('contains no ID of the other tenant without a filter [H14]', async () => {
    const lists = routes.filter(({ method, path }) => method === 'get' && !path.includes('{'))
    const foreign = RANDOM_IDS.map((kind) => two.foreign[kind])
    for (const { path, query } of lists) {
      if (query && !query.safeParse({}).success) continue
      const { text } = await two.api.call('GET', path)
      expect([path, foreign.filter((id) => text.includes(id))]).toEqual([path, []])
    }
  })
})

describe('the tenant', () => {
  const HEADERS = {
    ...{ 'x-tenant': OTHER, 'x-tenant-id': OTHER, tenant: OTHER, 'x-forwarded-user': OTHER },
    ...{ forwarded: `for=1.1.1.1;host=${OTHER}`, 'x-original-url': `/${OTHER}/v1/runs` },
  }
  it('is not changed by a header of a read [H16]', async () => {
    for (const { id, method, path } of routes.filter((route) => route.method === 'get')) {
      const target = path.includes('{') ? filled(path, two.foreign) : path
      const query = DETAILS[id]?.(two.foreign).query
      const details = { headers: HEADERS, ...(query === undefined ? {} : { query }) }
      const { calls } = await request(two, method.toUpperCase(), target, details)
      expect([id, calls.filter((call) => call.target.startsWith(`${OTHER}/`))]).toEqual([id, []])
    }
  })

  it.each([`/v1/tenants/${OTHER}/runs`, `/${OTHER}/v1/runs`, `/v1/${OTHER}/runs`])(
    'is not part of a path such as %s [H16]',
    async (path) => {
      expect((await two.api.call('GET', path)).status).toBe(404)
    },
  )
})

type Reference = readonly [
  name: string,
  method: string,
  path: string,
  detailsFor: (ids: Ids) => Details & { readonly status: number },
]
const RUN = { input: '@say x' }
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const mcp = (method: string, params: object): object => ({
  ...{ jsonrpc: '2.0', id: 1, method },
  params: { ...params, _meta: META },
})
const mcpHeaders = (name: string, method = 'tools/call'): Record<string, string> => ({
  accept: 'application/json, text/event-stream',
  ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': name },
})
const rpc = (method: string, params: object): object => ({ jsonrpc: '2.0', id: 1, method, params })
const A2A = { 'a2a-version': '1.0' }
const MESSAGE = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] }
const RANGE = { from: '2027-01-01T00:00:00Z', to: '2027-02-01T00:00:00Z' }

const TOOLS: readonly (readonly [string, (ids: Ids) => object])[] = [
  ['runs_get', ({ run }) => ({ run_id: run })],
  ['runs_events', ({ run }) => ({ run_id: run })],
  ['runs_transcript', ({ run }) => ({ run_id: run })],
  ['runs_send', ({ run }) => ({ run_id: run, content: 'x' })],
  ['runs_cancel', ({ run }) => ({ run_id: run })],
  ['runs_create', ({ session }) => ({ ...RUN, session_id: session })],
  ['approvals_get', ({ approval }) => ({ approval_id: approval })],
  ['approvals_decide', ({ approval }) => ({ approval_id: approval, decision: 'approve' })],
  ['skills_get', ({ skill }) => ({ skill_name: skill })],
  ['agents_get', ({ agent }) => ({ agent_name: agent })],
  ['memory_get', ({ memory }) => ({ path: memory })],
]
const RESOURCES: readonly (readonly [string, (ids: Ids) => string])[] = [
  ['a transcript', ({ run }) => `strata://runs/${run}/transcript`],
  ['a file', ({ file }) => `strata://files/${file}`],
]

const REFERENCES: readonly Reference[] = [
  [
    ...(['a run in a session', 'POST', '/v1/runs'] as const),
    ({ session }) => ({ json: { ...RUN, session_id: session }, status: 404 }),
  ],
  [
    ...(['a run of an agent', 'POST', '/v1/runs'] as const),
    ({ agent }) => ({ json: { ...RUN, agent }, status: 422 }),
  ],
  [
    ...(['a hook into a session', 'POST', '/v1/hooks'] as const),
    ({ session }) => ({ json: { scheme: 'standard', session_id: session }, status: 422 }),
  ],
  [
    ...(['a schedule in a session', 'POST', '/v1/schedules'] as const),
    ({ session }) => ({ json: { every: '1h', ...RUN, session_id: session }, status: 422 }),
  ],
  [
    ...(['a response after a response', 'POST', '/v1/responses'] as const),
    ({ response }) => ({ json: { ...RUN, previous_response_id: response }, status: 404 }),
  ],
  [
    ...(['a response in a conversation', 'POST', '/v1/responses'] as const),
    ({ session }) => ({ json: { ...RUN, conversation: session }, status: 404 }),
  ],
  [
    ...(['a replay for an endpoint', 'POST', '/v1/webhook-deliveries/replay'] as const),
    ({ endpoint }) => ({ json: { ...RANGE, endpoint_id: endpoint }, status: 202 }),
  ],
  [
    ...(['a token for a run', 'POST', '/v1/tokens'] as const),
    ({ run }) => ({ json: { for: { run }, scopes: ['runs:read'] }, status: 404 }),
  ],
  [
    ...(['a cancellation in a session', 'POST', '/v1/runs/cancel'] as const),
    ({ session }) => ({ json: { session_id: session }, status: 200 }),
  ],
  ...['GetTask', 'CancelTask', 'SubscribeToTask'].map(
    (method): Reference => [
      ...([`A2A ${method}`, 'POST', '/v1/a2a/general'] as const),
      ({ run }) => ({ json: rpc(method, { id: run }), status: 200, headers: A2A }),
    ],
  ),
  [
    ...(['an A2A message to a task', 'POST', '/v1/a2a/general'] as const),
    ({ run }) => ({
      json: rpc('SendMessage', { message: { ...MESSAGE, taskId: run } }),
      ...{ status: 200, headers: A2A },
    }),
  ],
  ...TOOLS.map(
    ([name, args]): Reference => [
      ...([`the MCP tool ${name}`, 'POST', '/mcp'] as const),
      (ids) => ({
        json: mcp('tools/call', { name, arguments: args(ids) }),
        ...{ status: 200, headers: mcpHeaders(name) },
      }),
    ],
  ),
  ...RESOURCES.map(
    ([name, uri]): Reference => [
      ...([`${name} as an MCP resource`, 'POST', '/mcp'] as const),
      (ids) => ({
        json: mcp('resources/read', { uri: uri(ids) }),
        ...{ status: 200, headers: mcpHeaders(uri(ids), 'resources/read') },
      }),
    ],
  ),
]
/** References that succeed for the owner, so the requests can show something at all. */
const SUCCEEDS =
  /GetTask|runs_(?:get|events|transcript)|approvals_get|skills_get|agents_get|memory_get|resource/

describe('a reference to another tenant', () => {
  it.each(REFERENCES)('is like one to nothing: %s [A28 H13]', async (name, ...reference) => {
    const [method, path, detailsFor] = reference
    const { status, text } = await expectEqual(two, method, path, detailsFor)
    expect([name, status, text]).toEqual([
      ...[name, detailsFor(two.foreign).status, expect.anything()],
    ])
    expect(text).not.toContain('Theirs')
  })

  it.each(REFERENCES.filter(([name]) => SUCCEEDS.test(name)))(
    'succeeds for its owner: %s',
    async (name, ...reference) => {
      const [method, path, detailsFor] = reference
      const { json, headers = {} } = detailsFor(two.foreign)
      const { status, text } = await two.api.call(method, path, {
        ...{ json, headers, key: two.otherKey },
      })
      expect([name, status]).toEqual([name, 200])
      expect(text).not.toMatch(/"isError":true|"error":\{"code"/)
    },
  )
})

describe('a call of a model', () => {
  const CALLS: readonly (readonly [string, (ids: Ids) => object])[] = [
    ['subagents', ({ run }) => ({ action: 'stop', target: run })],
    ['subagents', ({ run }) => ({ action: 'send', target: run, message: 'x' })],
    ['sessions_spawn', ({ session }) => ({ task: '@say x', session_id: session })],
    ['sessions_spawn', ({ agent }) => ({ task: '@say x', agent })],
    ['schedule_wakeup', ({ schedule }) => ({ action: 'cancel', id: schedule })],
    ['memory_get', ({ memory }) => ({ path: memory })],
    ['skill', ({ skill }) => ({ skill })],
    ['file_read', ({ file }) => ({ path: file })],
    ['file_read', ({ file }) => ({ path: `../../${OTHER}/files/${file}` })],
  ]
  it.each(CALLS)('of %s finds nothing of the other tenant [A28]', async (name, args) => {
    const resultWith = async (ids: Ids) => {
      const input = `@call ${name} ${JSON.stringify(args(ids))}\n@then\n@say {last}`
      const { body } = await two.api.call('POST', '/v1/runs', { json: { input } })
      two.calls.length = 0
      await two.api.settle()
      const calls = [...two.calls]
      const { body: run } = await two.api.call('GET', `/v1/runs/${body.id}`)
      expect(run.status).toBe('completed')
      const output = String(run.output.text).replaceAll(body.id, '<run>')
      const text = Object.values(ids).reduce((masked, id) => masked.replaceAll(id, '<id>'), output)
      return { text, calls }
    }
    await resultWith(two.unused)
    const foreign = await resultWith(two.foreign)
    expect(foreign).toEqual(await resultWith(two.absent))
    expect(foreign.calls.filter(({ target }) => target.startsWith(`${OTHER}/`))).toEqual([])
    expect(foreign.text).not.toContain('Theirs')
  })
})
