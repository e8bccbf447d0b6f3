/** Export and import of a tenant: equal views elsewhere, and no line that reaches another tenant. */

import { beforeAll, describe, expect, it, vi } from 'vitest'
import { DEFAULT_TENANT } from '../../../../src/engine/partition/keys.ts'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { fillTenant } from '../../../support/full-tenant.ts'
import { type Answer, type TestApi, testApi } from '../../../support/http.ts'
import { receivers } from '../../../support/receivers.ts'

interface Deployment {
  readonly api: TestApi
  readonly ask: (method: string, path: string, json?: unknown) => Promise<Answer>
  readonly create: (id: string) => Promise<string>
  readonly bring: (id: string, lines: string) => Promise<Answer>
}

async function deployment(): Promise<Deployment> {
  const api = await testApi({ web: receivers(), settings: { spillBytes: 4_096 } })
  const operator = (await createKey(api.world, DEFAULT_TENANT, ['*'])).key
  const ask = (method: string, path: string, json?: unknown) =>
    api.call(method, path, { key: operator, ...(json === undefined ? {} : { json }) })
  const create = async (id: string): Promise<string> =>
    (await ask('POST', '/v1/tenants', { id })).body.key.text
  const bring = (id: string, body: string) =>
    api.call('POST', `/v1/tenants/${id}/import`, {
      ...{ key: operator, body, headers: { 'content-type': 'application/jsonl' } },
    })
  return { api, ask, create, bring }
}

/** A new, suspended tenant in another deployment. */
async function elsewhere(): Promise<Deployment> {
  const target = await deployment()
  await target.create('acme')
  await target.ask('POST', '/v1/tenants/acme/suspend', {})
  return target
}

const BOUND = /"(?:next_cursor|etag|modified_at)":"[^"]*"|token=[^"]*/g

const NEW_KEY = '_/key/0000000000000000'
const HOOK = '_/hook/hook_x'

let source: Deployment
let key: string
let ids: Awaited<ReturnType<typeof fillTenant>>
let exported: string
beforeAll(async () => {
  source = await deployment()
  key = await source.create('acme')
  ids = await fillTenant(source.api, key)
  await source.ask('POST', '/v1/tenants/acme/suspend', {})
  exported = (await source.ask('GET', '/v1/tenants/acme/export')).text
})

describe('an export', () => {
  it('has a first line, every row and object, and a last line with their counts', () => {
    const lines = exported
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines[0]).toMatchObject({ object: 'tenant_export', format: 1, tenant: 'acme' })
    const count = (object: string) => lines.filter((line) => line.object === object).length
    const [rows, objects] = [count('tenant_row'), count('tenant_object')]
    expect(lines.at(-1)).toEqual({ object: 'tenant_export_end', rows, objects, left: [] })
    expect(rows).toBeGreaterThan(40)
    expect(objects).toBeGreaterThan(4)
    expect(exported).not.toContain(key.split('_')[2])
  })

  it('is for the operator alone, and is recorded', async () => {
    expect((await source.api.call('GET', '/v1/tenants/acme/export', { key })).status).toBe(403)
    expect((await source.ask('GET', '/v1/tenants/none/export')).status).toBe(404)
    const { data } = (await source.ask('GET', '/v1/audit?kind=tenant')).body
    expect(data[0]).toMatchObject({ action: 'export', name: 'acme' })
  })
})

describe('an import', () => {
  it('shows equal views after the tenant was deleted at its origin', async () => {
    const target = await elsewhere()
    const paths = [
      ...['/v1/runs?limit=100', '/v1/runs?agent=main&status=completed', '/v1/sessions'],
      ...[`/v1/runs/${ids.run}`, `/v1/runs/${ids.run}/transcript`, `/v1/runs/${ids.run}/events`],
      ...[`/v1/sessions/${ids.session}`, `/v1/sessions/${ids.session}/messages`],
      ...[`/v1/fanouts/${ids.fanout}`, '/v1/fanouts', '/v1/files?prefix=theirs/', '/v1/schedules'],
      ...['/v1/webhook-endpoints', '/v1/webhook-deliveries', '/v1/hooks', '/v1/keys', '/v1/audit'],
      ...['/v1/policy', '/v1/skills', '/v1/agents', '/v1/mcp-servers', '/v1/memory?limit=10'],
    ]
    const views = async ({ api }: Deployment) => {
      const entries = []
      for (const path of paths) {
        const { status, text } = await api.call('GET', path, { key })
        // Cursors and links are sealed anew; ETags and times of objects are the bucket's.
        const bare = text.replaceAll(BOUND, '')
        entries.push([path, status, bare])
      }
      return entries
    }
    const original = await views(source)
    expect(original.filter(([, status]) => status !== 200)).toEqual([])
    const done = await target.bring('acme', exported)
    expect([done.status, done.body.object]).toEqual([200, 'tenant_import'])
    const imports = (await target.ask('GET', '/v1/audit?kind=tenant&action=import')).body.data
    expect(imports).toMatchObject([{ action: 'import', name: 'acme' }])
    const copied = await views(target)
    for (const [index, view] of original.entries()) {
      // The list of keys also has the first key of the new tenant.
      if (view[0] !== '/v1/keys') expect(copied[index]).toEqual(view)
    }
    const keys = JSON.parse(copied[paths.indexOf('/v1/keys')]![2] as string).data
    for (const one of JSON.parse(original[paths.indexOf('/v1/keys')]![2] as string).data)
      expect(keys).toContainEqual(one)
    await target.ask('POST', '/v1/tenants/acme/resume')
    const run = await target.api.call('POST', '/v1/runs', { key, json: { input: '@say on' } })
    await target.api.settle()
    const ended = await target.api.call('GET', `/v1/runs/${run.body.id}`, { key })
    expect(ended.body.status).toBe('completed')
    expect((await target.bring('acme', exported)).body.code).toBe('conflict')
    await target.ask('POST', '/v1/tenants/acme/suspend', {})
    expect((await target.bring('acme', exported)).body.detail).toContain('has data')
    const latest = await target.api.call('GET', `/v1/runs/${run.body.id}`, { key })
    expect(latest.body.status).toBe('completed')
  })

  it('writes at most 100 rows of a hook at once, as a store on DynamoDB can', async () => {
    const target = await elsewhere()
    const [first] = exported.split('\n')
    const row = (name: string, body: string) =>
      JSON.stringify({ object: 'tenant_row', partition: HOOK, key: name, version: 1, body })
    const rows = Array.from({ length: 150 }, (_, at) => row(`a/ver_${at}`, '{}'))
    rows.push(row('head', '{"hook":{"tenant":"acme"}}'))
    const end = { object: 'tenant_export_end', rows: rows.length, objects: 0, left: [] }
    const { store } = target.api.world
    const write = vi.spyOn(store, 'writeIndexed')
    const done = await target.bring('acme', [first, ...rows, JSON.stringify(end)].join('\n'))
    expect([done.status, done.body.rows]).toEqual([200, rows.length])
    expect(await store.read(HOOK)).toHaveLength(rows.length)
    const sizes = write.mock.calls.map(([, batch]) => batch.length)
    expect([Math.max(...sizes), sizes.length]).toEqual([100, 2])
  })

  it('that was interrupted can be repeated', async () => {
    const target = await elsewhere()
    const half = exported.slice(0, exported.length / 2)
    expect((await target.bring('acme', half)).status).toBe(422)
    const whole = exported.split('\n')
    expect((await target.bring('acme', whole.slice(0, -2).join('\n'))).body.detail).toContain(
      'no last line',
    )
    expect((await target.bring('acme', exported)).status).toBe(200)
  })

  it('needs a new, suspended tenant with the same ID', async () => {
    const target = await deployment()
    expect((await target.bring('acme', exported)).status).toBe(404)
    const acme = await target.create('acme')
    expect((await target.bring('acme', exported)).body.detail).toContain('Suspend the tenant')
    await target.api.call('POST', '/v1/runs', { key: acme, json: { input: '@say x' } })
    await target.ask('POST', '/v1/tenants/acme/suspend', {})
    expect((await target.bring('acme', exported)).body.detail).toContain('has data')
    await target.create('other')
    await target.ask('POST', '/v1/tenants/other/suspend', {})
    expect((await target.bring('other', exported)).body.detail).toContain('acme')
  })

  it('writes nothing outside its tenant, whatever the lines say', async () => {
    const target = await elsewhere()
    const other = await target.create('other')
    const otherKey = other.split('_')[1]!
    const [first, ...lines] = exported.trimEnd().split('\n')
    const row = (partition: string, body = '{}', more: object = {}) =>
      JSON.stringify({ object: 'tenant_row', partition, key: 'head', version: 1, body, ...more })
    const object = (name: string) =>
      JSON.stringify({ object: 'tenant_object', key: name, size: 1, body: 'eA==' })
    const mine = '{"tenant":"acme"}'
    for (const line of [
      row('other/run/run_x'),
      row('acme'),
      row('acme/run/x/y'),
      row('_/tenant/acme', mine),
      row('_/marker', mine),
      row('_/clock', mine),
      row(`_/key/${otherKey}`, mine),
      row('_/key/0000000000000000', '{"tenant":"other"}'),
      row('_/key/0000000000000000', 'null'),
      [row(NEW_KEY, mine), row(NEW_KEY, '{"tenant":"default"}')].join('\n'),
      [row('acme/run/run_x'), row('acme/run/run_x')].join('\n'),
      row('_/hook/hook_x', '{"tenant":"acme","hook":{"tenant":"other"}}'),
      row('acme/run/run_x', '{}', { listed: { under: 'other/runs', at: 'x' } }),
      row('acme/run/run_x', '{}', { listed: { under: '_/tenants', at: 'x' } }),
      row('acme/run/run_x', '{}', { version: 0 }),
      row('acme/run/run_x', '{}', { more: 1 }),
      object('other/files/x'),
      object('acme'),
      object('_/marker'),
      object('rows/other/x'),
      object('acme/../other/x'),
      object('acme//x'),
      '{"object":"tenant_object","key":"acme/files/x","size":2,"body":"eA=="}',
      '{}',
      'null',
      '[]',
      'not JSON',
      '{"object":"tenant_object","key":"acme/files/x","size":1,"body":"*"}',
      first!,
    ]) {
      const { status, body } = await target.bring('acme', [first, line, ...lines].join('\n'))
      expect([line, status, body.code]).toEqual([line, 422, 'invalid_request'])
      expect([line, body.detail]).not.toEqual([line, expect.stringContaining('other counts')])
    }
    expect((await target.api.call('GET', '/v1/runs', { key: other })).status).toBe(200)
    const { store, objects } = target.api.world
    expect((await store.partitions?.('other/', 10)) ?? []).toEqual([])
    expect((await objects.list('other/')).objects).toEqual([])
    for (const body of ['', '\n\n', 'x', JSON.stringify({ ...JSON.parse(first!), format: 2 })])
      expect((await target.bring('acme', body)).status).toBe(422)
    const json = await target.ask('POST', '/v1/tenants/acme/import', {})
    expect(json.status).toBe(415)
  })
})
