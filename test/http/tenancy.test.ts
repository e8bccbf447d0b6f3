/**
 * Every route with every id of another tenant, and with the same kind of id that nobody has: the
 * same answer after the same work. The routes come from the app; the table below says which ids
 * their paths take, so that a route without a line of its own fails.
 */

import { describe, expect, it } from 'vitest'
import { createApp } from '../../src/http/app.ts'
import type { Answer } from '../support/http.ts'
import {
  type IdKind,
  type Ids,
  OTHER,
  type TwoTenants,
  twoTenants,
} from '../support/two-tenants.ts'

/** Which ids the paths take, by their parameters; the longest beginning counts. */
const PATH_IDS: Readonly<Record<string, Readonly<Record<string, IdKind>>>> = {
  '/v1/runs/{id}': { id: 'run', digest: 'digest' },
  '/v1/fanouts/{id}': { id: 'fanout' },
  '/v1/skills/{name}': { name: 'skill', version: 'version' },
  '/v1/agents/{name}': { name: 'agent', version: 'version' },
  '/v1/mcp-servers/{name}': { name: 'mcpServer', version: 'version' },
  '/v1/files/{path+}': { path: 'file' },
  '/v1/file-versions/{version}': { version: 'version' },
  '/v1/memory/versions/{version}': { version: 'version' },
  '/v1/memory/{path+}': { path: 'memory' },
  '/v1/keys/{id}': { id: 'key' },
  '/v1/browser-sessions/{id}': { id: 'browserSession' },
  '/v1/secrets/{name}': { name: 'secret' },
  '/v1/tenants/{id}': { id: 'tenant' },
  '/v1/tenants/{id}/export': { id: 'tenant' },
  '/v1/webhook-endpoints/{id}': { id: 'endpoint' },
  '/v1/webhook-deliveries/{id}': { id: 'delivery' },
  '/v1/hooks/{id}': { id: 'hook' },
  '/v1/sessions/{id}': { id: 'session' },
  '/v1/schedules/{name}': { name: 'schedule' },
  '/v1/approvals/{id}': { id: 'approval' },
  '/v1/responses/{id}': { id: 'response' },
  '/v1/a2a/{agent}': { agent: 'agent' },
  '/v1/ag-ui/{agent}': { agent: 'agent' },
}

/** What a request needs so that nothing but its id can be wrong with it. */
interface Given {
  readonly json?: unknown
  readonly body?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Not 404: why, and what it is instead. */
  readonly status?: number
}
const MD = (name: string, body: string): string =>
  `---\nname: ${name}\ndescription: Ours\n---\n${body}\n`
const VERSION = { version: 'ver_00000000000000000000000000' }
const RPC = {
  ...{ jsonrpc: '2.0', id: 1, method: 'SendMessage' },
  params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] } },
}
const AG_UI = {
  ...{ threadId: 't', runId: 'r', state: {}, tools: [], context: [], forwardedProps: {} },
  messages: [{ id: 'm', role: 'user', content: 'x' }],
}
const GIVEN: Readonly<Record<string, (ids: Ids) => Given>> = {
  tryHook: () => ({ json: { payload: { a: 1 } } }),
  sendRunMessage: () => ({ json: { content: 'hello' } }),
  addFanoutTasks: () => ({ json: { page: 0, tasks: [{ task: 'x' }] } }),
  sealFanout: () => ({ json: { pages: 1 } }),
  // A name is of its tenant: what is written under it is ours, and theirs stays.
  putSkill: ({ skill }) => ({ json: { skill_md: MD(skill, 'Do.') }, status: 201 }),
  putAgent: ({ agent }) => ({ json: { agent_md: MD(agent, 'You.') }, status: 201 }),
  putMcpServer: () => ({ json: { url: 'https://ours.example/mcp' }, status: 201 }),
  putFile: () => ({ body: 'Ours.', status: 201 }),
  putMemory: () => ({ json: { content: 'Ours.\n' }, status: 201 }),
  appendMemory: () => ({ json: { content: '- ours' }, status: 201 }),
  putSecret: () => ({ json: { value: 'a long value', hosts: ['ours.example'] }, status: 201 }),
  updateTenant: () => ({ json: { suspended: false } }),
  putSchedule: () => ({ json: { every: '1h', input: '@say ours' }, status: 201 }),
  setSkillEnabled: () => ({ json: { enabled: false } }),
  updateAgent: () => ({ json: { description: 'Ours' } }),
  updateMcpServer: () => ({ json: { enabled: false } }),
  rollbackSkill: () => ({ json: VERSION }),
  rollbackAgent: () => ({ json: VERSION }),
  rollbackMcpServer: () => ({ json: VERSION }),
  updateWebhookEndpoint: () => ({ json: { description: 'Ours' } }),
  updateHook: () => ({ json: { description: 'Ours' } }),
  updateSession: () => ({ json: { title: 'Ours' } }),
  updateSchedule: () => ({ json: { input: '@say ours' } }),
  decideApproval: () => ({ json: { decision: 'approve' } }),
  // An empty list, as of a name that never had a version.
  listSkillVersions: () => ({ status: 200 }),
  listAgentVersions: () => ({ status: 200 }),
  listMcpServerVersions: () => ({ status: 200 }),
  // There is nothing now, which is what was wanted.
  deleteFile: () => ({ status: 204 }),
  deleteMemory: () => ({ status: 200 }),
  // Nobody without the secret learns which ids are hooks.
  receiveHook: () => ({ body: '{}', status: 401 }),
  // The name is the file's too, and no layer has it.
  putScheduleSource: () => ({ status: 422 }),
  // JSON-RPC answers with its own error.
  callAgent: () => ({ json: RPC, status: 200 }),
  runAgUi: () => ({ json: AG_UI, status: 422 }),
  getFileVersion: ({ file }) => ({ query: `path=${file}` }),
  compareFileVersion: ({ file }) => ({ query: `path=${file}` }),
  getMemoryVersion: ({ memory }) => ({ query: `path=${memory}` }),
}

const two: TwoTenants = await twoTenants()
const { routes } = createApp(two.api.world)
const withIds = routes.filter(({ path }) => path.includes('{'))

const kindsOf = (path: string): Readonly<Record<string, IdKind>> => {
  const [, kinds = {}] =
    Object.entries(PATH_IDS)
      .filter(([begin]) => path === begin || path.startsWith(`${begin}/`))
      .sort(([a], [b]) => b.length - a.length)[0] ?? []
  return kinds
}

const filled = (path: string, ids: Ids): string =>
  path.replaceAll(/\{(\w+)\+?\}/g, (_, name: string) => ids[kindsOf(path)[name]!])

/** Headers that differ from request to request, whatever was asked for. */
const PASSING = /^(?:x-request-id|etag|ratelimit)$/

/** Without what names the request, and with the id that was asked for as a word. */
function comparable({ status, headers, text }: Answer, ids: Ids): unknown {
  const words = Object.values(ids).reduce(
    (said, id) => said.replaceAll(id, '<id>').replaceAll(id.replace(/^[a-z]+_/, ''), '<id>'),
    text.replace(/"request_id":"[^"]*"/, '"request_id":""'),
  )
  const more = [...headers].filter(([name]) => !PASSING.test(name))
  return { status, body: words, headers: more }
}

async function asked(method: string, path: string, given: Given) {
  const { api, work } = two
  work.length = 0
  const { json, body, query, headers = {} } = given
  const sent = {
    headers,
    ...(json === undefined ? (body === undefined ? {} : { body }) : { json }),
  }
  const answer = await api.call(method, query === undefined ? path : `${path}?${query}`, sent)
  return { answer, work: [...work] }
}

/** The same request with their id and with nobody's; one before them fills the caches. */
async function both(method: string, path: string, given: (ids: Ids) => Given = () => ({})) {
  const { theirs, nobodys, noones } = two
  await asked(method, filled(path, noones), given(noones))
  const foreign = await asked(method, filled(path, theirs), given(theirs))
  const none = await asked(method, filled(path, nobodys), given(nobodys))
  expect(comparable(foreign.answer, theirs)).toEqual(comparable(none.answer, nobodys))
  expect(foreign.work).toEqual(none.work)
  expect(foreign.work.filter(({ about }) => about.startsWith(`${OTHER}/`))).toEqual([])
  return foreign.answer
}

/** Their names are of their tenant: what is written is the asking tenant's, and theirs stays. */
const makes = ({ id }: { readonly id: string }): boolean => GIVEN[id]?.(two.theirs).status === 201

describe('H13 a foreign id and one that nobody has', () => {
  it('every id in a path has a line in the table', () => {
    const without = withIds.flatMap(({ id, path }) =>
      [...path.matchAll(/\{(\w+)\+?\}/g)]
        .filter(([, name = '']) => kindsOf(path)[name] === undefined)
        .map(([, name]) => `${id}: ${name}`),
    )
    expect(without).toEqual([])
  })

  it.each(withIds.filter((one) => !makes(one)).map((route) => [route.id, route] as const))(
    'are the same to %s',
    async (id, { method, path }) => {
      const given: (ids: Ids) => Given = GIVEN[id] ?? (() => ({}))
      const answer = await both(method.toUpperCase(), path, given)
      expect([id, answer.status, answer.text]).toEqual([
        ...[id, given(two.theirs).status ?? 404, expect.anything()],
      ])
    },
  )
})

type Door = readonly [
  name: string,
  method: string,
  path: string,
  given: (ids: Ids) => Given & { readonly status: number },
]
const HELLO = { input: '@say x' }
const mcp = (method: string, params: object): object => ({
  ...{ jsonrpc: '2.0', id: 1, method },
  params: { ...params, _meta: META },
})
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const tool = (name: string, args: object): object => mcp('tools/call', { name, arguments: args })
const rpc = (method: string, params: object): object => ({ jsonrpc: '2.0', id: 1, method, params })

/** Names that the asking tenant begins to use: a world for each, because it then has them. */
describe('H13 a name that somebody else has', () => {
  it.each(withIds.filter(makes).map((route) => [route.id, route] as const))(
    'is free to %s, and theirs stays as it was',
    async (id, { method, path }) => {
      const written = async (which: 'theirs' | 'nobodys') => {
        const world = await twoTenants()
        const reads = `/v1${path.slice(3).replace(/\{\w+\+?\}/, '')}`
        const before = await world.asOther('GET', filled(path, world.theirs))
        const ids = world[which]
        world.work.length = 0
        const { json, body } = GIVEN[id]!(ids)
        const sent = json === undefined ? { body: body ?? '' } : { json }
        const answer = await world.api.call(method.toUpperCase(), filled(path, ids), sent)
        const work = [...world.work]
        expect([reads, answer.status]).toEqual([reads, 201])
        const after = await world.asOther('GET', filled(path, world.theirs))
        expect([after.status, after.text]).toEqual([200, before.text])
        return work
      }
      const taken = await written('theirs')
      expect(taken).toEqual(await written('nobodys'))
      expect(taken.filter(({ about }) => about.startsWith(`${OTHER}/`))).toEqual([])
    },
  )
})

describe('H13 every other method', () => {
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PURGE']
  const declared = new Set(withIds.map(({ method, path }) => `${method.toUpperCase()} ${path}`))
  it.each([...new Set(withIds.map(({ path }) => path))])('%s', async (path) => {
    for (const method of METHODS) {
      if (declared.has(`${method} ${path}`)) continue
      const { status } = await both(method, path)
      const reads = method === 'HEAD' && declared.has(`GET ${path}`)
      const body = withIds.find((route) => route.path === path && route.method === 'get')
      const gives = GIVEN[body?.id ?? '']?.(two.theirs)
      const missing = gives?.query === undefined ? (gives?.status ?? 404) : 400
      // It is a path of memory too, which takes other methods.
      if (path === '/v1/memory/versions/{version}' && !reads) continue
      // To the key of a tenant these are no routes.
      const isHidden = path.startsWith('/v1/tenants/{id}')
      const expected = reads ? missing : isHidden ? 404 : 405
      expect([method, path, status]).toEqual([method, path, expected])
    }
  })
})

describe('H13 a stream, a wait and a condition', () => {
  const READS: readonly (readonly [string, string, Record<string, string>])[] = [
    ['events as they come', '/v1/runs/{id}/events', { accept: 'text/event-stream' }],
    ['of a fan-out', '/v1/fanouts/{id}/events', { accept: 'text/event-stream' }],
    ['from an event on', '/v1/runs/{id}/events', { 'last-event-id': '1' }],
    ['a response', '/v1/responses/{id}', { accept: 'text/event-stream' }],
    ['what is known', '/v1/runs/{id}', { 'if-none-match': '*' }],
    ['a session that is known', '/v1/sessions/{id}', { 'if-none-match': '*' }],
    ['a part of a file', '/v1/files/{path+}', { range: 'bytes=0-1' }],
  ]
  it.each(READS)('%s', async (_, path, headers) => {
    expect((await both('GET', path, () => ({ headers }))).status).toBe(404)
  })
  it.each(['/v1/runs/{id}', '/v1/fanouts/{id}', '/v1/sessions/{id}'])('%s?wait', async (path) => {
    expect((await both('GET', path, () => ({ query: 'wait=5' }))).status).toBe(404)
  })
  it.each(['POST /v1/runs/{id}/cancel', 'DELETE /v1/webhook-endpoints/{id}'])('%s', async (one) => {
    const [method = '', path = ''] = one.split(' ')
    const headers = { 'idempotency-key': 'the-same-key-1', 'if-match': '"1"' }
    expect((await both(method, path, () => ({ headers }))).status).toBe(404)
  })
})

describe('H14 a list', () => {
  const FILTERS: readonly (readonly [string, (ids: Ids) => string])[] = [
    ['/v1/runs', ({ session }) => `session_id=${session}`],
    ['/v1/webhook-deliveries', ({ endpoint }) => `endpoint_id=${endpoint}`],
    ['/v1/files', ({ file }) => `prefix=${file}`],
    ['/v1/memory', () => 'prefix=shared/theirs'],
    ['/v1/memory/search', () => 'query=Theirs'],
    ['/v1/file-versions', ({ file }) => `path=${file}`],
    ['/v1/memory/versions', ({ memory }) => `path=${memory}`],
    ['/v1/sessions', () => 'q=theirs'],
  ]
  it.each(FILTERS)('of %s by what is theirs is empty', async (path, query) => {
    const { text, status } = await both('GET', path, (ids) => ({ query: query(ids) }))
    const { data, files, passages } = JSON.parse(text)
    expect([status, data ?? files ?? passages]).toEqual([200, []])
    expect((await two.asOther('GET', `${path}?${query(two.theirs)}`)).text).not.toBe(text)
  })

  it('holds nothing of theirs without a filter either', async () => {
    const lists = routes.filter(({ method, path }) => method === 'get' && !path.includes('{'))
    const foreign = Object.entries(two.theirs).filter(([kind]) => MADE.includes(kind as IdKind))
    for (const { path, query } of lists) {
      if (query && !query.safeParse({}).success) continue
      const { text } = await two.api.call('GET', path)
      const seen = foreign.filter(([, id]) => text.includes(id))
      expect([path, seen]).toEqual([path, []])
    }
  })
})
const MADE: readonly IdKind[] = [
  ...(['approval', 'browserSession', 'delivery', 'digest', 'endpoint'] as const),
  ...(['fanout', 'hook', 'key'] as const),
  ...(['response', 'run', 'session', 'version'] as const),
]

describe('H16 a tenant', () => {
  const SAID = {
    ...{ 'x-tenant': OTHER, 'x-tenant-id': OTHER, tenant: OTHER, 'x-forwarded-user': OTHER },
    ...{ forwarded: `for=1.1.1.1;host=${OTHER}`, 'x-original-url': `/${OTHER}/v1/runs` },
  }
  it('is not changed by a header, on any route that reads', async () => {
    for (const { id, method, path } of routes.filter((route) => route.method === 'get')) {
      if (path.includes('{') && kindsOf(path) === undefined) continue
      const whole = path.includes('{') ? filled(path, two.theirs) : path
      const plain = await asked(method.toUpperCase(), whole, {})
      const again = await asked(method.toUpperCase(), whole, {})
      const said = await asked(method.toUpperCase(), whole, { headers: SAID })
      expect([id, said.answer.status]).toEqual([id, plain.answer.status])
      expect([id, said.work]).toEqual([id, again.work])
    }
  })

  it('is no member of any body, and no parameter of any query', async () => {
    for (const { id, method, path, query, body } of routes) {
      const whole = path.includes('{') ? filled(path, two.theirs) : path
      if (query) {
        const { answer } = await asked(method.toUpperCase(), whole, { query: `tenant_id=${OTHER}` })
        expect([id, answer.status >= 400, answer.status < 500]).toEqual([id, true, true])
      }
      if (!body) continue
      for (const member of ['tenant_id', 'tenant']) {
        const { answer } = await asked(method.toUpperCase(), whole, {
          json: { ...(GIVEN[id]?.(two.theirs).json ?? {}), [member]: OTHER },
        })
        const taken = OPEN_BODIES.includes(id)
        expect([id, member, answer.status >= 400 || taken]).toEqual([id, member, true])
      }
    }
  })

  it.each([`/v1/tenants/${OTHER}/runs`, `/${OTHER}/v1/runs`, `/v1/${OTHER}/runs`])(
    '404 for %s',
    async (path) => {
      expect((await two.api.call('GET', path)).status).toBe(404)
    },
  )
})
/** Protocols of others, whose unknown members are passed over and never read. */
const OPEN_BODIES: readonly string[] = []

/** Middleware of all, and pages about the API that are none of it. */
const UNDECLARED = [
  ...['ALL /*', 'ALL /mcp', 'ALL /metrics', 'ALL /v1/*', 'ALL /v1/files/', 'GET /'],
  ...['GET /console', 'GET /console/*', 'GET /docs'],
  ...['GET /docs/plain', 'GET /llms.txt', 'GET /openapi.json'],
]
describe('H21 the inventory', () => {
  it('is the contract: the app answers nothing that is not declared', () => {
    const { app } = createApp(two.api.world)
    const known = new Set(
      routes.map(({ method, path }) => {
        const ours = path.replaceAll(/\{(\w+)\+\}/g, ':$1{.+}').replaceAll(/\{(\w+)\}/g, ':$1')
        return `${method.toUpperCase()} ${ours}`
      }),
    )
    const others = app.routes.filter(({ method, path }) => !known.has(`${method} ${path}`))
    expect([...new Set(others.map(({ method, path }) => `${method} ${path}`))].sort()).toEqual(
      UNDECLARED,
    )
  })

  it.each([
    ...['/admin', '/v1/admin', '/v1/admin/keys', '/debug', '/debug/pprof', '/v1/debug', '/_'],
    ...['/v1/tenants', '/v1/internal', '/internal', '/actuator', '/server-status', '/.env'],
    ...['/v1/sweep', '/v1/clock', '/v1/dispatch', '/v1/wake', '/v0/runs', '/v2/runs', '/runs'],
    ...['/v1/openapi.json', '/v2/openapi.json', '/swagger.json', '/graphql'],
  ])('404 for %s, with a key of everything', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, body } = await two.api.call(method, path)
      expect([path, method, status, body.code]).toEqual([path, method, 404, 'not_found'])
    }
  })
})

/** Doors that take an id elsewhere than in the path. */
const DOORS: readonly Door[] = [
  [
    'A28 a run in a session',
    ...(['POST', '/v1/runs'] as const),
    ({ session }) => ({ json: { ...HELLO, session_id: session }, status: 404 }),
  ],
  [
    'a run of an agent',
    ...(['POST', '/v1/runs'] as const),
    ({ agent }) => ({ json: { ...HELLO, agent }, status: 422 }),
  ],
  [
    'A28 a hook into a session',
    ...(['POST', '/v1/hooks'] as const),
    ({ session }) => ({ json: { scheme: 'standard', session_id: session }, status: 422 }),
  ],
  [
    'A28 a schedule in a session',
    ...(['POST', '/v1/schedules'] as const),
    ({ session }) => ({ json: { every: '1h', ...HELLO, session_id: session }, status: 422 }),
  ],
  [
    'a response after a response',
    ...(['POST', '/v1/responses'] as const),
    ({ response }) => ({ json: { ...HELLO, previous_response_id: response }, status: 404 }),
  ],
  [
    'a response in a conversation',
    ...(['POST', '/v1/responses'] as const),
    ({ session }) => ({ json: { ...HELLO, conversation: session }, status: 404 }),
  ],
  [
    'results for a call of a run',
    ...(['POST', '/v1/chat/completions'] as const),
    ({ run }) => ({
      json: {
        model: 'agent/general',
        messages: [
          { role: 'user', content: 'x' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              {
                id: run.replace('run_', 'call_').concat('_1_0'),
                type: 'function',
                function: { name: 'weather', arguments: '{}' },
              },
            ],
          },
          { role: 'tool', tool_call_id: run.replace('run_', 'call_').concat('_1_0'), content: '1' },
        ],
      },
      status: 400,
    }),
  ],
  [
    'deliveries of an endpoint to be sent again',
    ...(['POST', '/v1/webhook-deliveries/replay'] as const),
    ({ endpoint }) => ({
      json: { from: '2027-01-01T00:00:00Z', to: '2027-02-01T00:00:00Z', endpoint_id: endpoint },
      status: 202,
    }),
  ],
  ...(['SendMessage', 'GetTask', 'CancelTask', 'SubscribeToTask'] as const).map(
    (method): Door => [
      `A2A ${method}`,
      ...(['POST', '/v1/a2a/general'] as const),
      ({ run }) => ({
        json: rpc(
          method,
          method === 'SendMessage'
            ? {
                message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }], taskId: run },
              }
            : { id: run },
        ),
        ...{ status: 200, headers: A2A },
      }),
    ],
  ),
  [
    'an A2A context',
    ...(['POST', '/v1/a2a/general'] as const),
    ({ session }) => ({
      json: rpc('SendMessage', {
        message: {
          ...{ messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] },
          contextId: session,
        },
      }),
      ...{ status: 200, headers: A2A },
    }),
  ],
  ...(
    [
      ['runs_get', ({ run }) => ({ run_id: run })],
      ['runs_events', ({ run }) => ({ run_id: run })],
      ['runs_transcript', ({ run }) => ({ run_id: run })],
      ['runs_send', ({ run }) => ({ run_id: run, content: 'x' })],
      ['runs_cancel', ({ run }) => ({ run_id: run })],
      ['runs_create', ({ session }) => ({ ...HELLO, session_id: session })],
      ['approvals_get', ({ approval }) => ({ approval_id: approval })],
      ['approvals_decide', ({ approval }) => ({ approval_id: approval, decision: 'approve' })],
      ['skills_get', ({ skill }) => ({ skill_name: skill })],
      ['agents_get', ({ agent }) => ({ agent_name: agent })],
      ['memory_get', ({ memory }) => ({ path: memory })],
    ] as const satisfies readonly (readonly [string, (ids: Ids) => object])[]
  ).map(
    ([name, args]): Door => [
      `the MCP tool ${name}`,
      ...(['POST', '/mcp'] as const),
      (ids) => ({ json: tool(name, args(ids)), status: 200, headers: MCP_HEADERS(name) }),
    ],
  ),
  ...(
    [
      ['a transcript', ({ run }) => `strata://runs/${run}/transcript`],
      ['a file', ({ file }) => `strata://files/${file}`],
    ] as const satisfies readonly (readonly [string, (ids: Ids) => string])[]
  ).map(
    ([name, uri]): Door => [
      `${name} as an MCP resource`,
      ...(['POST', '/mcp'] as const),
      (ids) => ({
        json: mcp('resources/read', { uri: uri(ids) }),
        status: 200,
        headers: MCP_HEADERS(uri(ids), 'resources/read'),
      }),
    ],
  ),
]
const A2A = { 'a2a-version': '1.0' }
const MCP_HEADERS = (name: string, method = 'tools/call'): Record<string, string> => ({
  accept: 'application/json, text/event-stream',
  ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': name },
})

/** Each does something with an id that is one's own: else the doors above would prove nothing. */
const OWN: readonly string[] = [
  ...['A2A GetTask', 'the MCP tool runs_get', 'the MCP tool runs_events'],
  ...['the MCP tool runs_transcript', 'the MCP tool approvals_get', 'the MCP tool skills_get'],
  ...['the MCP tool agents_get', 'the MCP tool memory_get', 'a transcript as an MCP resource'],
  'a file as an MCP resource',
]

describe('H13 a foreign id that stands elsewhere', () => {
  it.each(DOORS)('is what nobody has: %s', async (name, method, path, given) => {
    const { status, text } = await both(method, path, given)
    expect([name, status, text]).toEqual([name, given(two.theirs).status, expect.anything()])
    expect(text).not.toContain('Theirs')
  })
})

describe('A28 a model that names what is theirs', () => {
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
  it.each(CALLS)('is told by %s that there is no such thing', async (name, args) => {
    const told = async (ids: Ids) => {
      const input = `@call ${name} ${JSON.stringify(args(ids))}\n@then\n@say {last}`
      const { body } = await two.api.call('POST', '/v1/runs', { json: { input } })
      two.work.length = 0
      await two.api.settle()
      const work = [...two.work]
      const { body: run } = await two.api.call('GET', `/v1/runs/${body.id}`)
      expect(run.status).toBe('completed')
      const words = String(run.output.text).replaceAll(body.id, '<run>')
      const said = Object.values(ids).reduce((text, id) => text.replaceAll(id, '<id>'), words)
      return { said, work }
    }
    await told(two.noones)
    const foreign = await told(two.theirs)
    expect(foreign).toEqual(await told(two.nobodys))
    expect(foreign.work.filter(({ about }) => about.startsWith(`${OTHER}/`))).toEqual([])
    expect(foreign.said).not.toContain('Theirs')
  })
})

describe('H13 H16 what is theirs', () => {
  it.each(DOORS.filter(([name]) => OWN.includes(name)))(
    'opens to them: %s',
    async (name, ...door) => {
      const [method, path, given] = door
      const { json, headers = {} } = given(two.theirs)
      const key = two.otherKey
      const { status, text } = await two.api.call(method, path, { json, headers, key })
      expect([name, status]).toEqual([name, 200])
      expect(text).not.toMatch(/"isError":true|"error":\{"code"/)
    },
  )

  it('is all there, after all those requests', async () => {
    const reading = withIds.filter(({ method }) => method === 'get')
    for (const { id, path } of reading) {
      const { query, status: other } = GIVEN[id]?.(two.theirs) ?? {}
      const whole = filled(path, two.theirs)
      const { status, text } = await two.asOther(
        ...(['GET', query === undefined ? whole : `${whole}?${query}`] as const),
      )
      const expected = OTHERWISE[id] ?? other ?? 200
      expect([id, status, text]).toEqual([id, expected, expect.anything()])
    }
    const { body } = await two.asOther('GET', '/v1/approvals?status=pending')
    expect(body.data).toHaveLength(1)
  })
})
/** A version of one thing is none of another; tenants are the operator's. */
const OTHERWISE: Readonly<Record<string, number>> = {
  ...{ getAgentVersion: 404, compareAgentVersion: 404, getMcpServerVersion: 404 },
  ...{ getFileVersion: 404, compareFileVersion: 404 },
  ...{ compareMcpServerVersion: 404, getMemoryVersion: 404, getTenant: 404, exportTenant: 404 },
}
