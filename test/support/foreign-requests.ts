/**
 * Requests with IDs of another tenant: which ID each path takes, what else a request needs so that
 * only its ID can be wrong, and the comparison with an ID that names nothing.
 */

import { expect } from 'vitest'
import type { Answer } from './http.ts'
import { type IdKind, type Ids, OTHER, type TwoTenants } from './two-tenants.ts'

/** IDs in paths, by the parameters of the longest matching prefix. */
const PATH_IDS: Readonly<Record<string, Readonly<Record<string, IdKind>>>> = {
  '/v1/runs/{id}': { id: 'run', digest: 'digest', call: 'call' },
  '/v1/fanouts/{id}': { id: 'fanout' },
  '/v1/skills/{name}': { name: 'skill', version: 'version' },
  '/v1/agents/{name}': { name: 'agent', version: 'version' },
  '/v1/mcp-servers/{name}': { name: 'server', version: 'version' },
  '/v1/audit/{version}': { version: 'audit' },
  '/v1/files/{path+}': { path: 'file' },
  '/v1/file-versions/{version}': { version: 'version' },
  '/v1/memory/versions/{version}': { version: 'version' },
  '/v1/memory/{path+}': { path: 'memory' },
  '/v1/keys/{id}': { id: 'key' },
  '/v1/browser-sessions/{id}': { id: 'browser' },
  '/v1/secrets/{name}': { name: 'secret' },
  '/v1/tenants/{id}': { id: 'tenant' },
  '/v1/webhook-endpoints/{id}': { id: 'endpoint' },
  '/v1/webhook-deliveries/{id}': { id: 'delivery' },
  '/v1/hooks/{id}': { id: 'hook' },
  '/v1/sessions/{id}': { id: 'session' },
  '/v1/schedules/{name}': { name: 'schedule' },
  '/v1/approvals/{id}': { id: 'approval' },
  '/v1/responses/{id}': { id: 'response' },
  '/v1/models/{model+}': { model: 'model' },
  '/v1/a2a/{agent}': { agent: 'agent' },
  '/v1/ag-ui/{agent}': { agent: 'agent' },
  '/decide/{token}': { token: 'version' },
}

export interface Details {
  readonly json?: unknown
  readonly body?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Whether only the responses are equal. */
  readonly isUnequalWork?: true
  /** Status of the response, if it is not 404. */
  readonly status?: number
}

const MARKDOWN = (name: string, text: string): string =>
  `---\nname: ${name}\ndescription: Ours\n---\n${text}\n`
const VERSION = { version: 'ver_00000000000000000000000000' }
const RPC = {
  ...{ jsonrpc: '2.0', id: 1, method: 'SendMessage' },
  params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] } },
}
const AG_UI = {
  ...{ threadId: 't', runId: 'r', state: {}, tools: [], context: [], forwardedProps: {} },
  messages: [{ id: 'm', role: 'user', content: 'x' }],
}
const OPERATOR_ONLY = { status: 403 }

/** Request details by operation. A status of 201 means that the name is free for this tenant. */
export const DETAILS: Readonly<Record<string, (ids: Ids) => Details>> = {
  previewHook: () => ({ json: { payload: { a: 1 } } }),
  sendRunMessage: () => ({ json: { content: 'hello' } }),
  answerFunctionCall: () => ({ json: { output: 'x' } }),
  addFanoutTasks: () => ({ json: { page: 0, tasks: [{ task: 'x' }] } }),
  sealFanout: () => ({ json: { pages: 1 } }),
  putSkill: ({ skill }) => ({ json: { skill_md: MARKDOWN(skill, 'Do.') }, status: 201 }),
  putAgent: ({ agent }) => ({ json: { agent_md: MARKDOWN(agent, 'You.') }, status: 201 }),
  putMcpServer: () => ({ json: { url: 'https://ours.example/mcp' }, status: 201 }),
  putFile: () => ({ body: 'Ours.', status: 201 }),
  putMemory: () => ({ json: { content: 'Ours.\n' }, status: 201 }),
  appendMemory: () => ({ json: { content: '- ours' }, status: 201 }),
  putSecret: () => ({ json: { value: 'our-long-secret', hosts: ['ours.example'] }, status: 201 }),
  putSchedule: () => ({ json: { every: '1h', input: '@say ours' }, status: 201 }),
  setSkillEnabled: () => ({ json: { enabled: false } }),
  updateAgent: () => ({ json: { description: 'Ours' } }),
  updateMcpServer: () => ({ json: { enabled: false } }),
  rollbackSkill: () => ({ json: VERSION }),
  rollbackAgent: () => ({ json: VERSION }),
  rollbackMcpServer: () => ({ json: VERSION }),
  updateApiKey: () => ({ json: { name: 'Ours' } }),
  updateWebhookEndpoint: () => ({ json: { description: 'Ours' } }),
  updateHook: () => ({ json: { description: 'Ours' } }),
  updateSession: () => ({ json: { title: 'Ours' } }),
  updateSchedule: () => ({ json: { input: '@say ours' } }),
  decideApproval: () => ({ json: { decision: 'approve' } }),
  // The history of a name without versions is empty.
  listSkillVersions: () => ({ status: 200 }),
  listAgentVersions: () => ({ status: 200 }),
  listMcpServerVersions: () => ({ status: 200 }),
  // A deletion of nothing succeeds.
  deleteFile: () => ({ status: 204 }),
  deleteMemory: () => ({ status: 200 }),
  // A sender without the secret does not learn which hooks exist. IDs of hooks are random, and the
  // signature is checked only for a hook that exists.
  receiveHook: () => ({ body: '{}', status: 401, isUnequalWork: true }),
  showAccessLink: () => ({ status: 401 }),
  decideByAccessLink: () => ({ status: 401 }),
  putScheduleSource: () => ({ status: 422 }),
  // JSON-RPC has its own errors.
  callAgent: () => ({ json: RPC, status: 200 }),
  runAgUi: () => ({ json: AG_UI, status: 422 }),
  getFileVersion: ({ file }) => ({ query: `path=${file}` }),
  getMemoryVersion: ({ memory }) => ({ query: `path=${memory}` }),
  ...Object.fromEntries(
    [
      ...['getTenant', 'updateTenant', 'pauseTenant', 'suspendTenant', 'resumeTenant'],
      ...['deleteTenant', 'exportTenant', 'importTenant'],
    ].map((id) => [id, () => OPERATOR_ONLY]),
  ),
}

/** Returns the kind of ID of each parameter in a path. */
export function kindsIn(path: string): Readonly<Record<string, IdKind>> {
  const matches = Object.entries(PATH_IDS).filter(
    ([prefix]) => path === prefix || path.startsWith(`${prefix}/`),
  )
  const [, kinds = {}] = matches.toSorted(([a], [b]) => b.length - a.length)[0] ?? []
  return kinds
}

export const filled = (path: string, ids: Ids): string =>
  path.replaceAll(/\{(\w+)\+?\}/g, (_, name: string) => ids[kindsIn(path)[name]!])

/** Headers that differ between any two responses. */
const CHANGING = /^(?:x-request-id|etag|ratelimit)$/

/** Returns a response without its request ID, with the requested IDs replaced. */
function comparable({ status, headers, text }: Answer, ids: Ids): unknown {
  const body = Object.values(ids).reduce(
    (masked, id) => masked.replaceAll(id, '<id>').replaceAll(id.replace(/^[a-z]+_/, ''), '<id>'),
    text.replace(/"request_id":"[^"]*"/, '"request_id":""'),
  )
  return { status, body, headers: [...headers].filter(([name]) => !CHANGING.test(name)) }
}

export async function request(two: TwoTenants, method: string, path: string, details: Details) {
  const { api, calls } = two
  calls.length = 0
  const { json, body, query, headers = {} } = details
  const content = json === undefined ? (body === undefined ? {} : { body }) : { json }
  const target = query === undefined ? path : `${path}?${query}`
  const answer = await api.call(method, target, { headers, ...content })
  return { answer, calls: [...calls] }
}

/**
 * Makes a request with an ID of the other tenant and with one that names nothing, expects equal
 * responses after equal work, and returns the response.
 */
export async function expectEqual(
  two: TwoTenants,
  method: string,
  path: string,
  detailsFor: (ids: Ids) => Details = () => ({}),
): Promise<Answer> {
  const { foreign: foreignIds, absent: absentIds, unused } = two
  // The first request fills the caches.
  await request(two, method, filled(path, unused), detailsFor(unused))
  const foreign = await request(two, method, filled(path, foreignIds), detailsFor(foreignIds))
  const absent = await request(two, method, filled(path, absentIds), detailsFor(absentIds))
  expect(comparable(foreign.answer, foreignIds)).toEqual(comparable(absent.answer, absentIds))
  const { isUnequalWork } = detailsFor(foreignIds)
  if (!isUnequalWork) expect(foreign.calls).toEqual(absent.calls)
  expect(foreign.calls.filter(({ target }) => target.startsWith(`${OTHER}/`))).toEqual([])
  return foreign.answer
}
