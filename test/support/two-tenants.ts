/**
 * Two tenants in one world: everything that a tenant can have is made for real for the other one,
 * and every door that takes an id can then be tried with its ids and with ids that nobody has.
 */

import { createKey } from '../../src/engine/tenant/api-keys.ts'
import { memoryClock } from '../../src/hosts/memory/clock.ts'
import { BANK, bank } from './approvals.ts'
import { countingWorld, type Work } from './counting-world.ts'
import { settle } from './drive.ts'
import { type Answer, type TestApi, testApi } from './http.ts'
import { PNG } from './pictures.ts'
import { receivers } from './receivers.ts'

export const OTHER = 'stranger'

export type IdKind =
  | 'agent'
  | 'approval'
  | 'browserSession'
  | 'delivery'
  | 'digest'
  | 'endpoint'
  | 'fanout'
  | 'file'
  | 'hook'
  | 'key'
  | 'memory'
  | 'mcpServer'
  | 'response'
  | 'run'
  | 'schedule'
  | 'secret'
  | 'tenant'
  | 'session'
  | 'skill'
  | 'version'
export type Ids = Readonly<Record<IdKind, string>>

export interface TwoTenants {
  readonly api: TestApi
  readonly otherKey: string
  /** A call with the other tenant's key. */
  readonly asOther: (method: string, path: string, json?: unknown) => Promise<Answer>
  readonly work: Work[]
  /** Of the other tenant; all exist. */
  readonly theirs: Ids
  /** Of the same shape; none exists. */
  readonly nobodys: Ids
  /** Others like them, for a request that fills the caches. */
  readonly noones: Ids
  /** Of the asking tenant. */
  readonly ours: Pick<Ids, 'run' | 'session'>
}

const SKILL = { skill_md: '---\nname: theirs\ndescription: Theirs\n---\nDo it.\n' }
const AGENT = { agent_md: '---\nname: theirs\ndescription: Theirs\n---\nYou are theirs.\n' }

/** As long as it, and of the same letters. */
const unlike = (id: string, turned: number): string => {
  const at = id.lastIndexOf('_') + 1
  const rest = [...id.slice(at)].reverse().join('')
  return id.slice(0, at) + rest.slice(turned) + rest.slice(0, turned)
}

/** By chance made and long; the others are names. */
const MADE = new Set<string>([
  ...[
    'approval',
    'browserSession',
    'delivery',
    'digest',
    'endpoint',
    'fanout',
    'hook',
    'key',
    'response',
    'run',
  ],
  ...['session', 'tenant', 'version'],
])
/** Ids of the same shape that nobody has; `turned`: others each time. */
const nobodysLike = (ids: Ids, name: string, turned: number): Ids =>
  Object.fromEntries(
    Object.entries(ids).map(([kind, id]) => [
      kind,
      MADE.has(kind) ? unlike(id, turned) : id.replace('theirs', name),
    ]),
  ) as unknown as Ids

export async function twoTenants(): Promise<TwoTenants> {
  const { tools } = bank()
  const { ports, work } = countingWorld({ clock: memoryClock(), tools, web: receivers() })
  const api = await testApi(ports)
  const { key } = await createKey(api.world, OTHER, ['*'])
  const asOther = (method: string, path: string, json?: unknown) =>
    api.call(method, path, { key, ...(json === undefined ? {} : { json }) })
  const made = async (method: string, path: string, json?: unknown) => {
    const { status, body } = await asOther(method, path, json)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  const put = async (path: string, body: string) => {
    const headers = { 'content-type': 'text/plain' }
    const { status } = await api.call('PUT', `/v1/files/${path}`, { key, body, headers })
    if (status !== 201) throw new Error(`${path}: ${status}`)
  }
  await put('base/.agents/config.toml', BANK)
  await put('theirs/notes.md', 'Theirs.')
  await made('PUT', '/v1/skills/theirs', SKILL)
  await made('PUT', '/v1/agents/theirs', AGENT)
  await made('PUT', '/v1/mcp-servers/theirs', { url: 'https://theirs.example/mcp' })
  await made('PUT', '/v1/memory/shared/theirs.md', { content: 'Theirs.\n' })
  await made('PUT', '/v1/schedules/theirs', { every: '1h', input: '@say theirs' })
  const policy = await asOther('GET', '/v1/policy')
  const { version, object, ...rest } = policy.body
  const headers = { 'if-match': policy.headers.get('etag') ?? '' }
  const json = { ...rest, approvals: { '*__pay': 'ask' } }
  const changed = await api.call('PUT', '/v1/policy', { key, headers, json })
  if (changed.status !== 200) throw new Error(JSON.stringify(changed.body))
  const endpoint = await made('POST', '/v1/webhook-endpoints', { url: 'https://one.example/hook' })
  const hook = await made('POST', '/v1/hooks', { scheme: 'standard' })
  const apiKey = await made('POST', '/v1/keys', { scopes: ['runs:read'] })
  const browser = await made('POST', '/v1/browser-sessions')
  const kept = { value: 'a long value', hosts: ['theirs.example'] }
  await made('PUT', '/v1/secrets/theirs_token', kept)
  const session = await made('POST', '/v1/sessions', {})
  const image = { type: 'image', data: PNG.toString('base64') }
  const input = [{ type: 'text', text: '@say theirs' }, image]
  const run = await made('POST', '/v1/runs', { input, session_id: session.id })
  await settle(api.world)
  const asks = '@call mcp__bank__pay {"amount":1}\n@say {last}'
  await made('POST', '/v1/runs', { input: asks })
  const fanout = await made('POST', '/v1/fanouts', { tasks: [{ task: '@say theirs' }] })
  await settle(api.world)
  const [{ media }] = (await made('GET', `/v1/runs/${run.id}/transcript`)).data
  const [approval] = (await made('GET', '/v1/approvals?status=pending')).data
  const [delivery] = (await made('GET', '/v1/webhook-deliveries')).data
  const [{ version: skillVersion }] = (await made('GET', '/v1/skills/theirs/versions')).data
  const theirs: Ids = {
    agent: 'theirs',
    approval: approval.id,
    browserSession: browser.id,
    delivery: delivery.id,
    digest: media[0].digest,
    endpoint: endpoint.id,
    fanout: fanout.id,
    file: 'theirs/notes.md',
    hook: hook.id,
    key: apiKey.id,
    memory: 'shared/theirs.md',
    mcpServer: 'theirs',
    response: run.id.replace('run_', 'resp_'),
    run: run.id,
    schedule: 'theirs',
    secret: 'theirs_token',
    tenant: OTHER,
    session: session.id,
    skill: 'theirs',
    version: skillVersion,
  }
  const nobodys = nobodysLike(theirs, 'nobody', 0)
  const noones = nobodysLike(theirs, 'no-one', 3)
  const own = await api.call('POST', '/v1/sessions', { json: {} })
  const ownRun = await api.call('POST', '/v1/runs', { json: { input: '@say ours' } })
  await settle(api.world)
  const ours = { run: ownRun.body.id, session: own.body.id }
  return { api, otherKey: key, asOther, work, theirs, nobodys, noones, ours }
}
