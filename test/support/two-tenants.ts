/**
 * Two tenants in one world. The other tenant has one resource of each kind, so that every route can
 * be called with IDs that exist for another tenant, and with IDs that exist for none.
 */

import { createKey } from '../../src/engine/tenant/api-keys.ts'
import { memoryClock } from '../../src/hosts/memory/clock.ts'
import { BANK, bank } from './approvals.ts'
import { countingWorld, type PortCall } from './counting-world.ts'
import { type Answer, type TestApi, testApi } from './http.ts'
import { PNG } from './pictures.ts'
import { receivers } from './receivers.ts'

export const OTHER = 'stranger'

/** Kinds of IDs that are random; the others are names. */
export const RANDOM_IDS = [
  ...(['approval', 'browser', 'delivery', 'digest', 'endpoint', 'fanout', 'hook'] as const),
  ...(['key', 'response', 'run', 'session', 'version', 'audit', 'call'] as const),
] as const
const NAMES = [
  ...(['agent', 'file', 'memory', 'model', 'schedule', 'secret', 'server', 'skill'] as const),
  'tenant',
] as const
export type IdKind = (typeof RANDOM_IDS)[number] | (typeof NAMES)[number]
export type Ids = Readonly<Record<IdKind, string>>

export interface TwoTenants {
  readonly api: TestApi
  readonly otherKey: string
  /** Makes a request with the other tenant's key. */
  readonly asOther: (method: string, path: string, json?: unknown) => Promise<Answer>
  readonly calls: PortCall[]
  /** IDs of the other tenant's resources. */
  readonly foreign: Ids
  /** IDs of the same form that name nothing. */
  readonly absent: Ids
  /** More such IDs, for a request that fills the caches. */
  readonly unused: Ids
}

const SKILL = { skill_md: '---\nname: theirs\ndescription: Theirs\n---\nDo it.\n' }
const AGENT = { agent_md: '---\nname: theirs\ndescription: Theirs\n---\nYou are theirs.\n' }

/** Returns an ID of the same length and letters; different turns give different IDs. */
function scrambled(id: string, turn: number): string {
  const at = id.lastIndexOf('_') + 1
  const letters = [...id.slice(at)].reverse().join('')
  return id.slice(0, at) + letters.slice(turn) + letters.slice(0, turn)
}

const idsLike = (ids: Ids, name: string, turn: number): Ids =>
  Object.fromEntries(
    Object.entries(ids).map(([kind, id]) => [
      kind,
      RANDOM_IDS.includes(kind as (typeof RANDOM_IDS)[number])
        ? scrambled(id, turn)
        : id.replace('theirs', name),
    ]),
  ) as unknown as Ids

export async function twoTenants(): Promise<TwoTenants> {
  const { tools } = bank()
  const { ports, calls } = countingWorld({ clock: memoryClock(), tools, web: receivers() })
  const api = await testApi(ports)
  const { key: otherKey } = await createKey(api.world, OTHER, ['*'])
  const asOther = (method: string, path: string, json?: unknown) =>
    api.call(method, path, { key: otherKey, ...(json === undefined ? {} : { json }) })
  const make = async (method: string, path: string, json?: unknown) => {
    const { status, body, text } = await asOther(method, path, json)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
    return body
  }
  await fillLayers(api, otherKey, make)
  const credentials = await createCredentials(api, otherKey, make)
  const work = await createWork(api, make)
  const foreign: Ids = {
    ...{ agent: 'theirs', file: 'theirs/notes.md', memory: 'shared/theirs.md' },
    ...{ model: 'openai/theirs', schedule: 'theirs', secret: 'theirs_token', server: 'theirs' },
    ...{ skill: 'theirs', tenant: 'theirs', ...credentials, ...work },
    version: (await make('GET', '/v1/skills/theirs/versions')).data[0].version,
    audit: (await make('GET', '/v1/audit?kind=endpoint')).data[0].version,
  }
  const absent = idsLike(foreign, 'nothing', 0)
  const unused = idsLike(foreign, 'unused', 3)
  return { api, otherKey, asOther, calls, foreign, absent, unused }
}

type Make = (method: string, path: string, json?: unknown) => Promise<Answer['body']>

async function fillLayers(api: TestApi, key: string, make: Make): Promise<void> {
  for (const [path, body] of [
    ['base/.agents/config.toml', BANK],
    ['theirs/notes.md', 'Theirs.'],
  ]) {
    const headers = { 'content-type': 'text/plain' }
    const { status } = await api.call('PUT', `/v1/files/${path}`, { key, body: body!, headers })
    if (status !== 201) throw new Error(`${path}: ${status}`)
  }
  await make('PUT', '/v1/skills/theirs', SKILL)
  await make('PUT', '/v1/agents/theirs', AGENT)
  await make('PUT', '/v1/mcp-servers/theirs', { url: 'https://theirs.example/mcp' })
  await make('PUT', '/v1/memory/shared/theirs.md', { content: 'Theirs.\n' })
  await make('PUT', '/v1/schedules/theirs', { every: '1h', input: '@say theirs' })
  const secret = { value: 'a-long-secret-value', hosts: ['theirs.example'] }
  await make('PUT', '/v1/secrets/theirs_token', secret)
  const policy = await api.call('GET', '/v1/policy', { key })
  const { version: _, object: __, ...members } = policy.body
  const headers = { 'if-match': policy.headers.get('etag') ?? '' }
  const json = { ...members, approvals: { '*__pay': 'ask' } }
  const changed = await api.call('PUT', '/v1/policy', { key, headers, json })
  if (changed.status !== 200) throw new Error(changed.text)
}

async function createCredentials(api: TestApi, key: string, make: Make) {
  const endpoint = await make('POST', '/v1/webhook-endpoints', { url: 'https://one.example/hook' })
  const hook = await make('POST', '/v1/hooks', { scheme: 'standard' })
  const apiKey = await make('POST', '/v1/keys', { scopes: ['runs:read'] })
  const headers = {
    ...{ host: 'localhost', origin: 'http://localhost', 'sec-fetch-site': 'same-origin' },
  }
  const signIn = { json: { key }, headers, key: null }
  const browser = await api.call('POST', '/v1/browser-sessions', signIn)
  if (browser.status !== 201) throw new Error(browser.text)
  return { endpoint: endpoint.id, hook: hook.id, key: apiKey.id, browser: browser.body.id }
}

async function createWork(api: TestApi, make: Make) {
  const session = await make('POST', '/v1/sessions', {})
  const image = { type: 'image', data: PNG.toString('base64') }
  const input = [{ type: 'text', text: '@say theirs' }, image]
  const run = await make('POST', '/v1/runs', { input, session_id: session.id })
  await api.settle()
  const pays = '@call mcp__bank__pay {"amount":1}\n@say {last}'
  await make('POST', '/v1/runs', { input: pays })
  const fanout = await make('POST', '/v1/fanouts', { tasks: [{ task: '@say theirs' }] })
  await api.settle()
  const [{ media }] = (await make('GET', `/v1/runs/${run.id}/transcript`)).data
  const [approval] = (await make('GET', '/v1/approvals?status=pending')).data
  const [delivery] = (await make('GET', '/v1/webhook-deliveries')).data
  return {
    ...{ session: session.id, run: run.id, fanout: fanout.id, approval: approval.id },
    ...{ delivery: delivery.id, digest: media[0].digest },
    ...{ response: run.id.replace('run_', 'resp_'), call: run.id.replace('run_', 'call_') },
  }
}
