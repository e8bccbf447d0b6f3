/** An export of a tenant: all that it has and nothing of others, with no secret in the plain. */

import { beforeEach, expect, it } from 'vitest'
import { createKey } from '../../src/engine/tenant/api-keys.ts'
import { tick } from '../../src/engine/worker/tick.ts'
import { EMPTY, Grants, grantPartition } from '../../src/hosts/mcp/oauth-grants.ts'
import { testWorld } from '../support/drive.ts'
import { type TestApi, testApi } from '../support/http.ts'
import { receivers } from '../support/receivers.ts'

const SECRET = 'canary-of-a-secret-value'
const HOOK = `whsec_${Buffer.from('canary-of-a-webhook-secret').toString('base64')}`
const PATH = '/v1/tenants/acme/export'

interface Line {
  readonly object: string
  readonly partition?: string
  readonly key?: string
  readonly body?: string
  readonly [more: string]: unknown
}

let api: TestApi
let operator: string
let acme: string

async function open(overrides: Parameters<typeof testApi>[0] = {}): Promise<void> {
  api = await testApi({ web: receivers(), ...overrides })
  operator = (await createKey(api.world, 'default', ['*'])).key
  acme = await fill('acme')
  await fill('acme-2')
}
beforeEach(() => open())

async function fill(id: string): Promise<string> {
  const made = await api.call('POST', '/v1/tenants', { key: operator, json: { id } })
  const key = made.body.key.text
  const ask = async (method: string, path: string, json: object) => {
    const { status, text } = await api.call(method, path, { key, json })
    expect(status, text).toBeLessThan(300)
  }
  await ask('PUT', '/v1/secrets/TOKEN', { value: SECRET, any_host: true })
  await ask('POST', '/v1/runs', {
    input: `@spawn 2 {"task":"@say child"}\n@say of ${id}`,
    webhook: { url: 'https://hooks.example/x', secret: HOOK },
  })
  await ask('POST', '/v1/hooks', { scheme: 'standard' })
  await ask('PUT', '/v1/schedules/often', { cron: '0 7 * * *', input: 'Go.' })
  const headers = { 'content-type': 'text/plain' }
  await api.call('PUT', '/v1/files/roles/a/notes.txt', { key, body: `notes of ${id}`, headers })
  await api.settle()
  return key
}

async function exported(path = PATH): Promise<{ readonly text: string; readonly lines: Line[] }> {
  const { status, text, headers } = await api.call('GET', path, { key: operator })
  expect([status, headers.get('content-type')]).toEqual([200, 'application/jsonl'])
  const lines = text.trimEnd().split('\n')
  return { text, lines: lines.map((line) => JSON.parse(line) as Line) }
}
const partitionsOf = (lines: readonly Line[]) =>
  new Set(lines.flatMap(({ partition }) => partition ?? []))

it('has every row and every object of the tenant, and none of another', async () => {
  const { lines } = await exported()
  const [first, last] = [lines[0], lines.at(-1)]
  expect(first).toMatchObject({ object: 'tenant_export', tenant: 'acme' })
  const rows = lines.filter(({ object }) => object === 'tenant_row')
  const objects = lines.filter(({ object }) => object === 'tenant_object')
  expect(last).toEqual({
    ...{ object: 'tenant_export_end', rows: rows.length, objects: objects.length, left: [] },
  })
  const own = await api.world.store.partitions!('acme/', 1_000)
  const found = partitionsOf(lines)
  expect([...found].filter((one) => one.startsWith('acme/')).sort()).toEqual([...own].sort())
  // Its two keys' rows and its hook lie beside those of others.
  expect([...found].filter((one) => one.startsWith('_/')).map((one) => one.split('/')[1])).toEqual([
    ...['key', 'hook'],
  ])
  for (const partition of found) {
    const stored = await api.world.store.read(partition)
    const mine = rows.filter((row) => row.partition === partition)
    expect(mine.map(({ key, version, body }) => ({ key, version, body }))).toEqual(stored)
  }
  const file = objects.find(({ key }) => key === 'acme/files/roles/a/notes.txt')
  expect(Buffer.from(file!.body!, 'base64').toString()).toBe('notes of acme')
  expect(objects.every(({ key }) => key!.startsWith('acme/'))).toBe(true)
  expect(objects).toHaveLength((await api.world.objects.list('acme/')).objects.length)
})

it('shows no secret and no key, plain or in base64', async () => {
  const { text, lines } = await exported()
  const bodies = lines.map(({ object, body }) =>
    object === 'tenant_object' ? Buffer.from(body!, 'base64').toString() : '',
  )
  for (const hidden of [SECRET, 'canary', HOOK, acme, acme.split('_')[2]!]) {
    expect(text).not.toContain(hidden)
    expect(bodies.join('\n')).not.toContain(hidden)
  }
  const secret = lines.find(({ key }) => key === 's/TOKEN')
  expect(JSON.parse(secret!.body!)).toMatchObject({ name: 'TOKEN', sealed: expect.any(String) })
})

it('is for the operator alone, needs a tenant, and stands in its audit', async () => {
  const statusBy = async (key: string, path = PATH) => (await api.call('GET', path, { key })).status
  expect(await statusBy(acme)).toBe(404)
  const runs = await createKey(api.world, 'default', ['runs:*'])
  expect(await statusBy(runs.key)).toBe(403)
  for (const id of ['nobody', 'default', 'A', '..%2f']) {
    expect(await statusBy(operator, `/v1/tenants/${id}/export`)).toBe(404)
  }
  await exported()
  await exported()
  const path = '/v1/audit?kind=tenant&name=acme&action=read'
  const { data } = (await api.call('GET', path, { key: operator })).body
  expect(data).toHaveLength(2)
})

it('on a host that lists no partitions nothing is left but what goes by itself', async () => {
  const bare = testWorld().store
  const { partitions: _, ...store } = bare
  await open({ store })
  const skill = { skill_md: '---\nname: greet\ndescription: Greets.\n---\nSay hello.\n' }
  const put = await api.call('PUT', '/v1/skills/greet', { key: acme, json: skill })
  expect(put.status, put.text).toBeLessThan(300)
  // As one that is obtained (`hosts/mcp/oauth-grants.ts`), and a snapshot of a long run.
  const grants = new Grants(api.world.store, api.world.secrets)
  const server = { url: 'https://mcp.example' }
  const issuer = { url: 'https://auth.example' }
  const grant = { ...EMPTY, server: 'x', list: 'x', issuer, client: { client_id: 'c' } }
  expect(await grants.write(grantPartition('acme', server), grant)).toBe(true)
  const run = [...partitionsOf((await exported()).lines)].find((one) => one.includes('/run/'))!
  const snapshot = run.replace('/run/', '/snapshot/')
  await store.commit(snapshot, [{ op: 'put', key: 'about', body: '{}', expect: 'any' }])
  const kinds = new Set([...partitionsOf((await exported()).lines)].map((one) => one.split('/')[1]))
  for (const kind of ['history', 'oauth', 'snapshot']) expect(kinds).toContain(kind)

  await api.call('DELETE', '/v1/tenants/acme', { key: operator })
  for (let waited = 0; waited < 5; waited += 1) {
    await api.settle()
    api.world.clock.advance(60_000)
    await tick(api.world)
  }
  const { body } = await api.call('GET', '/v1/tenants/acme', { key: operator })
  expect(body.status).toBe('deleted')
  expect(await bare.partitions!('acme/', 100)).toEqual([])
})

it('says what a host that lists no partitions leaves out', async () => {
  const { store: bare } = testWorld()
  const { partitions: _, ...store } = bare
  await open({ store })
  const { lines } = await exported()
  const kinds = new Set([...partitionsOf(lines)].map((one) => one.split('/')[1]))
  for (const kind of ['run', 'key', 'hook', 'schedule', 'secrets']) expect(kinds).toContain(kind)
  const runs = [...partitionsOf(lines)].filter((one) => one.startsWith('acme/run/'))
  expect(runs).toHaveLength(3)
  expect(lines.at(-1)!.left).toEqual([expect.stringContaining('lists them nowhere')])
})

it('that fails on the way has no last line', async () => {
  const { objects } = api.world
  const get = objects.get.bind(objects)
  objects.get = async (key) => {
    if (key.startsWith('acme/')) throw new Error('the bucket is away')
    return get(key)
  }
  const ended = await api.call('GET', PATH, { key: operator }).catch((error: unknown) => error)
  if (!(ended instanceof Error))
    expect((ended as { text: string }).text).not.toContain('export_end')
  else expect(ended.message).toContain('away')
})
