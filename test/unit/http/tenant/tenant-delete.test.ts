/** Deletion of a tenant: nothing of it is left, and nothing of the others is touched. */

import { expect, it } from 'vitest'
import { DEFAULT_TENANT } from '../../../../src/engine/partition/keys.ts'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import type { World } from '../../../../src/ports/world.ts'
import { fillTenant } from '../../../support/full-tenant.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { receivers } from '../../../support/receivers.ts'

/** Every partition with rows and every object, by name; with rows outside the tenant's name. */
async function remains({ store, objects }: World, tenant: string): Promise<string[]> {
  const partitions = (await store.partitions?.('', 100_000)) ?? []
  const owned: string[] = []
  for (const partition of partitions) {
    if (partition.startsWith(`${tenant}/`)) owned.push(partition)
    const isCredential = /^_\/(?!tenant\/|marker)/.test(partition)
    const rows = isCredential ? await store.read(partition) : []
    if (rows.some(({ body }) => body.includes(`"tenant":"${tenant}"`))) owned.push(partition)
  }
  const { objects: files } = await objects.list(`${tenant}/`)
  const { objects: bodies } = await objects.list(`rows/${tenant}/`)
  return [...owned, ...[...files, ...bodies].map(({ key }) => key)]
}

async function tenants(api: TestApi) {
  const operator = (await createKey(api.world, DEFAULT_TENANT, ['*'])).key
  const ask = (method: string, path: string, json?: unknown) =>
    api.call(method, path, { key: operator, ...(json === undefined ? {} : { json }) })
  const create = async (id: string): Promise<string> =>
    (await ask('POST', '/v1/tenants', { id })).body.key.text
  return { ask, create }
}

it('leaves no row and no object of the tenant, and all of the others', async () => {
  const api = await testApi({ web: receivers(), settings: { spillBytes: 4_096 } })
  const { ask, create } = await tenants(api)
  const key = await create('acme')
  await fillTenant(api, key)
  const other = await create('other')
  await fillTenant(api, other)
  api.world.clock.advance(60_000)
  await api.settle()
  const untouched = await remains(api.world, 'other')
  const all = await remains(api.world, 'acme')
  expect(all.length).toBeGreaterThan(40)
  const kinds = new Set(all.map((name) => name.split('/')[1]))
  for (const kind of ['run', 'session', 'fanout', 'key', 'hook', 'sign-in', 'files', 'bodies'])
    expect(kinds).toContain(kind)
  const requested = await ask('DELETE', '/v1/tenants/acme')
  expect([requested.status, requested.body.status]).toEqual([202, 'deleting'])
  const refused = await api.call('GET', '/v1/runs', { key })
  expect([401, 403]).toContain(refused.status)
  await api.settle()
  // The last pass follows when all workers have seen the deletion.
  api.world.clock.advance(60_000)
  await api.settle()
  expect(await remains(api.world, 'acme')).toEqual([])
  expect((await remains(api.world, 'other')).toSorted()).toEqual(untouched.toSorted())
  const { body } = await ask('GET', '/v1/tenants/acme')
  expect(body).toMatchObject({ status: 'deleted', name: null, deletion: { left: [] } })
  expect(body.deletion.ended_at).not.toBe(null)
  expect(body.deletion.rows).toBeGreaterThan(20)
  expect((await api.call('GET', '/v1/runs', { key })).status).toBe(401)
  expect((await api.call('GET', '/v1/runs', { key: other })).status).toBe(200)
  expect((await ask('GET', '/v1/tenants')).body.data).toMatchObject([{ id: 'other' }])
  expect((await ask('POST', '/v1/tenants', { id: 'acme' })).body.code).toBe('conflict')
  const { data } = (await ask('GET', '/v1/audit?kind=tenant&name=acme')).body
  expect(data[0]).toMatchObject({ action: 'delete', by: 'system' })
  expect(data.map(({ detail }: { detail?: string }) => detail)).toEqual([
    expect.stringMatching(/^complete: \d+ partitions, \d+ objects$/),
    ...['requested', undefined],
  ])
})

it('continues after a crash, and counts late rows', async () => {
  const api = await testApi()
  const { ask, create } = await tenants(api)
  const key = await create('acme')
  await api.call('POST', '/v1/runs', { key, json: { input: '@say done' } })
  await ask('DELETE', '/v1/tenants/acme')
  await api.settle()
  const late = { op: 'put', key: 'mail/x', body: '{}', expect: 'any' } as const
  await api.world.store.commit('acme/run/run_late', [late])
  api.world.clock.advance(60_000)
  await api.settle()
  expect((await ask('GET', '/v1/tenants/acme')).body.status).toBe('deleting')
  api.world.clock.advance(60_000)
  await api.settle()
  expect((await ask('GET', '/v1/tenants/acme')).body.status).toBe('deleted')
  expect(await remains(api.world, 'acme')).toEqual([])
})

it('is refused for the default tenant and for unknown ones', async () => {
  const api = await testApi()
  const { ask } = await tenants(api)
  await ask('POST', '/v1/tenants/default/pause')
  expect((await ask('DELETE', '/v1/tenants/default')).status).toBe(409)
  expect((await ask('DELETE', '/v1/tenants/none')).status).toBe(404)
})
