/** Tenants through running servers on SQLite: the command line, a pause, a move, and a deletion. */

import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { until } from '../support/patience.ts'
import { MAIN } from '../support/server.ts'

function strata(api: NodeApi, ...args: readonly string[]) {
  const env = { STRATA_URL: api.url, STRATA_API_KEY: api.key }
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [MAIN, ...args], { env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
  })
}

async function ask(api: NodeApi, key: string, method: string, path: string, json?: object) {
  const answer = await fetch(`${api.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(json ? { 'content-type': 'application/json' } : {}),
    },
    ...(json ? { body: JSON.stringify(json) } : {}),
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
  return { status: answer.status, body: (await answer.json()) as any }
}

const create = async (api: NodeApi): Promise<string> => {
  const created = await strata(api, 'tenants', 'create', 'acme', '--name', 'Acme')
  expect(created).toMatchObject({ code: 0, err: '' })
  return created.out.trim()
}

it('a pause stops a run in the middle, and a resumption continues it', async () => {
  const api = await startNodeApi()
  const key = await create(api)
  const step = '@slow 300\n@call todo_write {"todos":[]}\n@then\n'
  const input = `${step.repeat(6)}@say done`
  const run = (await ask(api, key, 'POST', '/v1/runs', { input })).body.id
  const view = async () => (await ask(api, key, 'GET', `/v1/runs/${run}`)).body
  await until('the run starts', async () => (await view()).status === 'running')
  expect((await strata(api, 'tenants', 'pause', 'acme')).out).toMatch(/^acme +Acme +paused /m)
  const { length } = api.model.requests
  await until('the run parks', async () => (await view()).waiting_on === 'tenant')
  expect(api.model.requests.length - length).toBeLessThanOrEqual(1)
  await strata(api, 'tenants', 'resume', 'acme')
  await until('the run ends', async () => (await view()).status === 'completed')
  expect(api.told).toEqual([])
})

it('a tenant moves to another server, and nothing of it is left at its origin', async () => {
  const [origin, target] = [await startNodeApi(), await startNodeApi()]
  const key = await create(origin)
  const run = (await ask(origin, key, 'POST', '/v1/runs', { input: '@say moved' })).body.id
  const view = async (api: NodeApi) => ask(api, key, 'GET', `/v1/runs/${run}`)
  await until('the run ends', async () => (await view(origin)).body.status === 'completed')
  await strata(origin, 'tenants', 'suspend', 'acme')
  const file = join(origin.folder, 'acme.jsonl')
  const exported = await strata(origin, 'tenants', 'export', 'acme', file)
  expect([exported.code, exported.err]).toEqual([0, expect.stringContaining('protect it')])
  expect(readFileSync(file, 'utf8')).toContain('"object":"tenant_export_end"')
  await create(target)
  await strata(target, 'tenants', 'suspend', 'acme')
  const imported = await strata(target, 'tenants', 'import', 'acme', file)
  expect([imported.code, imported.out]).toEqual([0, expect.stringMatching(/^imported \d+ rows/)])
  await strata(target, 'tenants', 'resume', 'acme')
  expect(await view(target)).toEqual(await view(origin))
  expect((await strata(origin, 'tenants', 'delete', 'acme')).code).toBe(2)
  await strata(origin, 'tenants', 'delete', 'acme', '--confirm', 'acme')
  expect((await view(origin)).status).toBeGreaterThanOrEqual(401)
  const files = () =>
    readdirSync(origin.folder, { recursive: true }).filter((path) => /\bacme\//.test(String(path)))
  await until('its objects are gone', () => files().length === 0)
  await origin.host.close()
  const db = new DatabaseSync(join(origin.folder, 'strata.db'), { readOnly: true })
  const rows = db.prepare(
    "SELECT p FROM entry WHERE p LIKE 'acme/%' OR p LIKE '\\_/key/%' ESCAPE '\\'",
  )
  const names = rows.all().map(({ p }) => String(p))
  db.close()
  expect(names.filter((name) => name.startsWith('acme/'))).toEqual([])
  expect(names.filter((name) => name.includes(key.split('_')[1]!))).toEqual([])
})

it('strata tenants sets and removes quotas and the name, and lists more than a page', async () => {
  const api = await startNodeApi()
  const tenants = (...args: readonly string[]) => strata(api, 'tenants', ...args)
  await tenants('create', 'acme', '--quota', 'active_runs=20', '--quota', 'dollars_per_day=2.5')
  expect((await tenants()).out).toMatch(/^acme +– +active +active_runs 20, dollars_per_day 2\.5 /m)
  const change = ['--quota', 'active_runs=none', '--quota', 'tokens_per_day=0', '--name', 'Acme']
  expect((await tenants('set', 'acme', ...change)).out).toMatch(
    /^acme +Acme +active +tokens_per_day 0, dollars_per_day 2\.5 /m,
  )
  for (const value of [
    'runs=1',
    'active_runs',
    'active_runs=',
    'active_runs=-1',
    'active_runs=a',
  ]) {
    const { code, err } = await tenants('set', 'acme', '--quota', value)
    expect([value, code, err]).toEqual([value, 2, expect.stringContaining('--quota')])
  }
  expect((await tenants('set', 'acme')).code).toBe(2)
  expect((await tenants('pause', 'acme', '--quota', 'active_runs=1')).code).toBe(2)
  expect((await tenants('set', 'acme', '--quota', 'active_runs=1001')).err).toContain('<=1000')
  const more = Array.from({ length: 100 }, (_, index) => `t-${index}`)
  await Promise.all(more.map((id) => ask(api, api.key, 'POST', '/v1/tenants', { id })))
  expect((await tenants()).out.trim().split('\n')).toHaveLength(1 + 101)
})

it('strata tenants import names a file that does not exist', async () => {
  const api = await startNodeApi()
  await create(api)
  const { code, err } = await strata(api, 'tenants', 'import', 'acme', '/none/acme.jsonl')
  expect([code, err]).toEqual([1, expect.stringContaining('/none/acme.jsonl: no such file')])
})

it('strata cancel --all cancels what matches', async () => {
  const api = await startNodeApi()
  const start = async (label: string) =>
    (await ask(api, api.key, 'POST', '/v1/runs', { input: '@slow 60000\n@say x', label })).body.id
  const [first, second] = [await start('a'), await start('b')]
  expect(await strata(api, 'cancel', '--all', '--label', 'a')).toMatchObject({
    ...{ code: 0, out: 'cancelled 1 runs\n' },
  })
  const status = async (id: string) =>
    (await ask(api, api.key, 'GET', `/v1/runs/${id}`)).body.status
  await until('the run ends', async () => (await status(first)) === 'cancelled')
  expect(await status(second)).not.toBe('cancelled')
  expect((await strata(api, 'cancel')).code).toBe(2)
  expect((await strata(api, 'cancel', second, '--all')).code).toBe(2)
  expect((await strata(api, 'cancel', '--all')).out).toBe('cancelled 1 runs\n')
  await until('the other run ends', async () => (await status(second)) === 'cancelled')
})

it('an endpoint receives the first refusal by a quota, and the first by a changed limit', async () => {
  const api = await startNodeApi()
  const key = await create(api)
  const { origin, received, close } = await startCannedServer((_, response) => {
    response.writeHead(204).end()
  })
  cleanup.push(close)
  const endpoint = { url: `${origin}/in`, events: ['quota.exceeded'] }
  expect((await ask(api, key, 'POST', '/v1/webhook-endpoints', endpoint)).status).toBe(201)
  const start = () => ask(api, key, 'POST', '/v1/runs', { input: '@slow 60000\n@say x' })
  for (const limit of [1, 0]) {
    await strata(api, 'tenants', 'set', 'acme', '--quota', `active_runs=${limit}`)
    const answers = await Promise.all([start(), start(), start()])
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(limit === 1 ? 2 : 3)
    await until('a webhook', () => received.length === (limit === 1 ? 1 : 2))
  }
  expect(received.map(({ body }) => JSON.parse(body).data.data)).toEqual(
    [1, 0].map((limit) => ({
      ...{ tenant: 'acme', owner: 'tenant', key_id: null },
      ...{ quota: 'active_runs', limit, used: 1, resets_at: null },
    })),
  )
  await ask(api, key, 'POST', '/v1/runs/cancel', { all: true })
})

it('quotas of resources hold among requests at once, for a tenant and for a key', async () => {
  const api = await startNodeApi()
  const admin = await create(api)
  const set = await strata(
    api,
    'tenants',
    'set',
    'acme',
    '--quota',
    'schedules=4',
    '--quota',
    'hooks=0',
  )
  expect(set.out).toContain('hooks 0, schedules 4')
  const { key } = (
    await ask(api, admin, 'POST', '/v1/keys', { scopes: ['*'], quotas: { schedules: 2 } })
  ).body
  const put = (by: string, name: string) =>
    ask(api, by, 'PUT', `/v1/schedules/${name}`, { cron: '0 0 * * *', input: '@say x' })
  const names = (prefix: string) => Array.from({ length: 6 }, (_, index) => `${prefix}-${index}`)
  const ofKey = await Promise.all(names('mine').map((name) => put(key, name)))
  const all = await Promise.all(names('other').map((name) => put(admin, name)))
  const owners = (answers: readonly { status: number; body: { owner?: string } }[]) =>
    answers.map(({ status, body }) => body.owner ?? status).toSorted()
  expect(owners(ofKey)).toEqual([201, 201, 'key', 'key', 'key', 'key'])
  expect(owners(all)).toEqual([201, 201, 'tenant', 'tenant', 'tenant', 'tenant'])
  expect((await ask(api, admin, 'POST', '/v1/hooks', { scheme: 'standard' })).body).toMatchObject({
    ...{ code: 'quota_exceeded', quota: 'hooks', limit: 0, used: 0 },
  })
  expect((await ask(api, key, 'GET', '/v1/usage')).body.quotas).toMatchObject([
    ...[
      { quota: 'hooks', used: 0 },
      { owner: 'tenant', quota: 'schedules', limit: 4, used: 4 },
    ],
    { owner: 'key', quota: 'schedules', limit: 2, used: 2 },
  ])
})

it('strata keys sets quotas of a key, which hold among requests at once', async () => {
  const api = await startNodeApi()
  const create = ['keys', '--create', '--scope', '*', '--quota', 'active_runs=2']
  const key = (await strata(api, ...create, '--quota', 'tokens_per_day=9')).out.trim()
  const id = key.split('_')[1]!
  expect((await strata(api, 'keys')).out).toMatch(/active_runs 2, tokens_per_day 9/)
  const changed = await strata(api, 'keys', '--update', id, '--quota', 'tokens_per_day=none')
  expect(changed.out).toMatch(/active_runs 2\s*$/)
  const input = '@slow 60000\n@say x'
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => ask(api, key, 'POST', '/v1/runs', { input })),
  )
  const refused = answers.filter(({ status }) => status === 429).map(({ body }) => body.owner)
  expect(refused).toEqual(Array.from({ length: 6 }, () => 'key'))
  expect((await ask(api, key, 'GET', '/v1/usage')).body.quotas).toMatchObject([
    { owner: 'key', quota: 'active_runs', limit: 2, used: 2 },
  ])
  expect((await ask(api, api.key, 'POST', '/v1/runs', { input })).status).toBe(202)
  expect((await strata(api, 'keys', '--quota', 'active_runs=1')).code).toBe(2)
  expect((await strata(api, 'keys', '--update', id, '--quota', 'files=1')).code).toBe(2)
  expect((await strata(api, 'cancel', '--all')).out).toBe('cancelled 3 runs\n')
})
