/**
 * Cursors of every list: each opens the list, filter and tenant that it was given for and nothing
 * else, for a day, and for one exchange of the master key. All others are refused in the same words.
 */

import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createKey } from '../../src/engine/tenant/api-keys.ts'
import { memoryClock } from '../../src/hosts/memory/clock.ts'
import { memoryObjects } from '../../src/hosts/memory/objects.ts'
import { environmentSecrets } from '../../src/hosts/shared/secrets.ts'
import { createApp } from '../../src/http/app.ts'
import { BANK, bank } from '../support/approvals.ts'
import { bent, lastBent } from '../support/bent.ts'
import { TENANT } from '../support/drive.ts'
import { type TestApi, testApi } from '../support/http.ts'
import { isOperators } from '../support/operators.ts'
import { receivers } from '../support/receivers.ts'

const HOUR = 3_600_000

interface Tenant {
  readonly key: string
  /** A first page of one item of each list, by the route's path. */
  readonly pages: Readonly<Record<string, string>>
}

/** Two of everything that is listed. */
async function filled(api: TestApi, key: string): Promise<Tenant> {
  const ask = async (method: string, path: string, json?: unknown) => {
    const sent = json === undefined ? {} : { json }
    const { status, body } = await api.call(method, path, { key, ...sent })
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  const twice = async (make: (at: number) => Promise<unknown>) => {
    api.world.clock.advance(1_000)
    await make(1)
    api.world.clock.advance(1_000)
    await make(2)
  }
  const headers = { 'content-type': 'text/plain' }
  await api.call('PUT', '/v1/files/base/.agents/config.toml', { key, headers, body: BANK })
  const policy = await api.call('GET', '/v1/policy', { key })
  await api.call('PUT', '/v1/policy', {
    key,
    headers: { 'if-match': policy.headers.get('etag') ?? '' },
    json: { approvals: { '*__pay': 'ask' } },
  })
  const md = (name: string, at: number) =>
    `---\nname: ${name}\ndescription: ${at}\n---\nDo ${at}.\n`
  await twice((at) => api.call('PUT', '/v1/files/base/n.txt', { key, headers, body: `${at}` }))
  await twice((at) => ask('PUT', `/v1/skills/s`, { skill_md: md('s', at) }))
  await twice((at) => ask('PUT', `/v1/agents/a`, { agent_md: md('a', at) }))
  await twice((at) => ask('PUT', `/v1/mcp-servers/m`, { url: `https://${at}.example/mcp` }))
  await twice((at) => ask('PUT', '/v1/memory/shared/n.md', { content: `${at}\n` }))
  await twice((at) => ask('PUT', `/v1/schedules/t${at}`, { every: '1h', input: '@say x' }))
  await twice(async () => {
    await ask('POST', '/v1/schedules/t1/run')
    await api.settle()
  })
  await twice((at) => ask('POST', '/v1/webhook-endpoints', { url: `https://${at}.example/x` }))
  await twice(() => ask('POST', '/v1/hooks', { scheme: 'standard' }))
  await twice(() => ask('POST', '/v1/keys', { scopes: ['runs:read'] }))
  await twice(() => ask('POST', '/v1/browser-sessions', {}))
  await twice(() => ask('POST', '/v1/sessions', {}))
  const [{ id: session }] = (await ask('GET', '/v1/sessions')).data
  await twice(() => ask('POST', '/v1/runs', { input: '@say x', session_id: session }))
  await api.settle()
  const tasks = [{ task: '@say 1' }, { task: '@say 2' }]
  const { id: fanout } = await ask('POST', '/v1/fanouts', { tasks })
  await twice(() => ask('POST', '/v1/fanouts', { tasks: [{ task: '@say 1' }] }))
  const spawns = '@spawn 2 {"task":"@say x"}\n@await\n@say done'
  const { id: run } = await ask('POST', '/v1/runs', { input: spawns })
  await twice(() => ask('POST', '/v1/runs', { input: '@call mcp__bank__pay {"amount":1}' }))
  await api.settle()
  return {
    key,
    pages: {
      '/v1/runs': '/v1/runs?limit=1',
      '/v1/runs/{id}/children': `/v1/runs/${run}/children?limit=1`,
      '/v1/runs/{id}/events': `/v1/runs/${run}/events?limit=1`,
      '/v1/fanouts/{id}/events': `/v1/fanouts/${fanout}/events?limit=1`,
      '/v1/fanouts': '/v1/fanouts?limit=1',
      '/v1/fanouts/{id}/tasks': `/v1/fanouts/${fanout}/tasks?limit=1`,
      '/v1/skills/{name}/versions': '/v1/skills/s/versions?limit=1',
      '/v1/agents/{name}/versions': '/v1/agents/a/versions?limit=1',
      '/v1/mcp-servers/{name}/versions': '/v1/mcp-servers/m/versions?limit=1',
      '/v1/audit': '/v1/audit?limit=1',
      '/v1/files': '/v1/files?limit=1',
      '/v1/file-versions': '/v1/file-versions?path=base/n.txt&limit=1',
      '/v1/memory/versions': '/v1/memory/versions?path=shared/n.md&limit=1',
      '/v1/keys': '/v1/keys?limit=1',
      '/v1/browser-sessions': '/v1/browser-sessions?limit=1',
      '/v1/webhook-endpoints': '/v1/webhook-endpoints?limit=1',
      '/v1/webhook-deliveries': '/v1/webhook-deliveries?limit=1',
      '/v1/hooks': '/v1/hooks?limit=1',
      '/v1/sessions': '/v1/sessions?limit=1',
      '/v1/sessions/{id}/messages': `/v1/sessions/${session}/messages?limit=1`,
      '/v1/sessions/{id}/runs': `/v1/sessions/${session}/runs?limit=1`,
      '/v1/schedules': '/v1/schedules?limit=1',
      '/v1/schedules/{name}/runs': '/v1/schedules/t1/runs?limit=1',
      '/v1/approvals': '/v1/approvals?status=pending&limit=1',
    },
  }
}

/** The place in a log never changes: such a cursor is good for as long as its log. */
const LASTING = new Set(['/v1/runs/{id}/events', '/v1/fanouts/{id}/events'])

const K1 = randomBytes(32)
const K2 = randomBytes(32)
const secretsOf = (key: Uint8Array, previous?: Uint8Array) =>
  environmentSecrets({
    tenant: TENANT,
    key,
    env: previous ? { STRATA_MASTER_KEY_PREVIOUS: Buffer.from(previous).toString('hex') } : {},
  })

const setup = (async () => {
  const clock = memoryClock()
  const api = await testApi({
    ...{ clock, tools: bank().tools, web: receivers(), secrets: secretsOf(K1) },
    objects: memoryObjects(() => clock.now()),
  })
  const ours = await filled(api, api.key)
  const { key } = await createKey(api.world, 'stranger', ['*'])
  const theirs = await filled(api, key)
  const cursors: Record<string, string> = {}
  for (const [path, page] of Object.entries(ours.pages)) {
    const { status, body } = await api.call('GET', page)
    expect([path, status, body.next_cursor]).toEqual([path, 200, expect.any(String)])
    cursors[path] = body.next_cursor
  }
  return { api, ours, theirs, cursors }
})()

const at = (page: string, cursor: string): string => `${page}&cursor=${encodeURIComponent(cursor)}`
const lists = createApp((await setup).api.world)
  .routes.filter(({ method, query }) => method === 'get' && query && 'cursor' in query.shape)
  .filter((route) => !isOperators(route))
  .map(({ path }) => path)

it('C01 every list with a cursor is tried here', async () => {
  const { ours } = await setup
  expect([...lists].sort()).toEqual(Object.keys(ours.pages).sort())
})

const refusal = async (path: string, cursor: string, by: 'ours' | 'theirs' = 'ours') => {
  const all = await setup
  const { key, pages } = all[by]
  const { status, body } = await all.api.call('GET', at(pages[path]!, cursor), { key })
  return [status, body.code, body.detail]
}
const REFUSED = [400, 'invalid_cursor', 'The cursor is not one of this list.']

it.each(lists)('C03 a cursor of %s is for its tenant and its list alone', async (path) => {
  const { api, ours, cursors } = await setup
  const cursor = cursors[path]!
  expect((await api.call('GET', at(ours.pages[path]!, cursor))).status).toBe(200)
  expect(await refusal(path, cursor, 'theirs')).toEqual(REFUSED)
  for (const other of lists) {
    if (other === path) continue
    expect([other, await refusal(other, cursor)]).toEqual([other, REFUSED])
  }
})

it.each(lists)(
  'C01 C02 a cursor of %s that was changed is refused in the same words',
  async (path) => {
    const { cursors } = await setup
    const cursor = cursors[path]!
    const keys = JSON.stringify({ pk: { S: 'stranger/runs' }, sk: { S: '0' } })
    for (const wrong of [
      ...[bent(cursor), lastBent(cursor), cursor.slice(0, -1), cursor.slice(1), `${cursor}A`],
      ...[cursor.toLowerCase(), 'x', 'x'.repeat(10_000), keys, btoa(keys), 'null', '[]', '0', ' '],
      ...['v1.', 'v1.AAAA', `v1.${'A'.repeat(100)}`, '../../stranger/runs', 'stranger/runs', '%00'],
    ]) {
      expect([wrong, await refusal(path, wrong)]).toEqual([wrong, REFUSED])
    }
  },
)

it('C03 a cursor goes on with the filter that it was given for', async () => {
  const { api, cursors } = await setup
  const narrowed: readonly (readonly [string, string])[] = [
    ['/v1/runs', '/v1/runs?limit=1&agent=general'],
    ['/v1/runs', '/v1/runs?limit=1&order=asc'],
    ['/v1/sessions', '/v1/sessions?limit=1&kind=own'],
    ['/v1/files', '/v1/files?limit=1&prefix=base/'],
    ['/v1/approvals', '/v1/approvals?limit=1&status=decided'],
    ['/v1/memory/versions', '/v1/memory/versions?limit=1&path=shared/other.md'],
    ['/v1/file-versions', '/v1/file-versions?limit=1&path=base/other.txt'],
    ['/v1/webhook-deliveries', '/v1/webhook-deliveries?limit=1&status=failed'],
    ['/v1/schedules', '/v1/schedules?limit=1&kind=wakeup'],
  ]
  for (const [path, page] of narrowed) {
    const { status, body } = await api.call('GET', at(page, cursors[path]!))
    expect([page, status, body.code]).toEqual([
      page,
      400,
      expect.stringMatching(/^invalid_(cursor|query)/),
    ])
  }
})

it('C05 a cursor that the master key before has sealed opens, as long as that key is named', async () => {
  const { api, ours, cursors } = await setup
  const app = (secrets: ReturnType<typeof secretsOf>) => createApp({ ...api.world, secrets }).app
  const statusBy = async (secrets: ReturnType<typeof secretsOf>, path: string) => {
    const headers = { authorization: `Bearer ${ours.key}` }
    const answer = await app(secrets).request(at(ours.pages[path]!, cursors[path]!), { headers })
    return [answer.status, ((await answer.json()) as { detail?: string }).detail]
  }
  for (const path of lists) {
    expect(await statusBy(secretsOf(K2, K1), path)).toEqual([200, undefined])
    expect(await statusBy(secretsOf(K2), path)).toEqual([400, REFUSED[2]])
  }
})

// The last: time passes for all.
it('C05 a cursor that is older than a day has expired, and says so to its tenant alone', async () => {
  const { api, ours, cursors } = await setup
  api.world.clock.advance(23 * HOUR)
  for (const path of lists)
    expect((await api.call('GET', at(ours.pages[path]!, cursors[path]!))).status).toBe(200)
  api.world.clock.advance(2 * HOUR)
  for (const path of lists) {
    const { status, body } = await api.call('GET', at(ours.pages[path]!, cursors[path]!))
    if (LASTING.has(path)) expect([path, status]).toEqual([path, 200])
    else {
      expect([path, status, body.code]).toEqual([path, 400, 'invalid_cursor'])
      expect(body.detail).toContain('expired')
    }
    expect([path, await refusal(path, cursors[path]!, 'theirs')]).toEqual([path, REFUSED])
  }
})
