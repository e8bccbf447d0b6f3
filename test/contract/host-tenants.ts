/** Tenants on every host: created with a key, suspended, resumed, exported, imported, and deleted. */

import { expect } from 'vitest'
import { DEFAULT_TENANT } from '../../src/engine/partition/keys.ts'
import { createKey } from '../../src/engine/tenant/api-keys.ts'
import { fillTenant } from '../support/full-tenant.ts'
import { testApi } from '../support/http.ts'
import type { Client } from '../support/launch.ts'
import { receivers } from '../support/receivers.ts'
import { eventually } from './store/kit.ts'

interface Created {
  readonly id: string
  readonly key: { readonly text: string }
}
interface ExportEnd {
  readonly object: string
  readonly rows: number
  readonly left: readonly string[]
}
interface Shown {
  readonly id: string
  readonly status: string
}

export async function managesTenants(client: Client): Promise<void> {
  const named = { id: 'customer-1', name: 'A customer' }
  const json = { ...named, encryption: 'tenant_key', quotas: { schedules: 2 } }
  const { key } = await client.get<Created>('/v1/tenants', { method: 'POST', json })
  const headers = { authorization: `Bearer ${key.text}` }
  const starts = async (): Promise<number> => {
    const init = { method: 'POST', json: { input: '@say done' }, headers }
    return (await client.ask('/v1/runs', init)).status
  }
  const reads = async (path: string) => (await client.ask(path, { headers })).status
  expect([await starts(), await reads('/v1/runs')]).toEqual([202, 200])
  await servesEncrypted(client, headers)
  await holdsQuotas(client, headers)
  expect(await reads('/v1/tenants')).toBe(403)
  await eventually(async () => {
    const { data } = await client.get<{ data: Shown[] }>('/v1/tenants')
    expect(data.map(({ id }) => id)).toContain('customer-1')
  })
  const change = (action: string) =>
    client.get<Shown>(`/v1/tenants/customer-1/${action}`, { method: 'POST' })
  expect(await change('suspend')).toMatchObject({ status: 'suspended' })
  // Other processes see the change within seconds.
  await eventually(async () => expect(await starts()).toBe(403))
  expect(await reads('/v1/runs')).toBe(200)
  expect(await change('resume')).toMatchObject({ status: 'active' })
  await eventually(async () => expect(await starts()).toBe(202))
  await eventually(() => exportsTenant(client))
  await importsTenant(client)
  const gone = await client.get<Shown>('/v1/tenants/customer-1', { method: 'DELETE' })
  expect(gone.status).toBe('deleting')
  await eventually(async () => expect(await reads('/v1/runs')).toBeGreaterThan(400))
  expect((await client.ask('/v1/tenants', { method: 'POST', json })).status).toBe(409)
}

/** Concurrent requests create as many schedules as the quota permits, and the usage says so. */
async function holdsQuotas(client: Client, headers: Record<string, string>): Promise<void> {
  const put = async (name: string): Promise<number> => {
    const json = { cron: '0 0 1 1 *', input: '@say done' }
    return (await client.ask(`/v1/schedules/${name}`, { method: 'PUT', json, headers })).status
  }
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const statuses = await Promise.all(names.map(put))
  expect(statuses.toSorted()).toEqual([201, 201, 429, 429, 429, 429])
  const { quotas } = await client.get<{ quotas: object[] }>('/v1/usage', { headers })
  expect(quotas).toMatchObject([{ quota: 'schedules', limit: 2, used: 2 }])
}

/** Exports a tenant with a run, and its lists and alarms. */
async function exportsTenant(client: Client): Promise<void> {
  // Lists may lag (PROTOCOL.md rule 46), so a caller repeats this.
  const answer = await client.ask('/v1/tenants/customer-1/export')
  const lines = (await answer.text()).trimEnd().split('\n')
  const end = JSON.parse(lines.at(-1)!) as ExportEnd
  expect([answer.status, end.object]).toEqual([200, 'tenant_export_end'])
  expect(end.rows).toBeGreaterThan(2)
  expect(lines.join('\n')).toContain('customer-1/run/run_')
  expect(end.left.join('\n')).not.toContain('alarms')
  expect(lines.join('\n')).toContain('"listed":')
  expect(lines.join('\n')).toContain('@say plans of the customer')
  expect(lines.join('\n')).not.toContain('enc1.')
}

/** Imports a tenant of another deployment, whose views and keys are then the same. */
async function importsTenant(client: Client): Promise<void> {
  const { key, ids, exported } = await tenantElsewhere('customer-2')
  const json = { id: 'customer-2', encryption: 'tenant_key' }
  await client.get('/v1/tenants', { method: 'POST', json })
  await client.get('/v1/tenants/customer-2/suspend', { method: 'POST' })
  const answer = await client.ask('/v1/tenants/customer-2/import', {
    ...{ method: 'POST', body: exported, headers: { 'content-type': 'application/jsonl' } },
  })
  const text = await answer.text()
  expect([answer.status, text]).toEqual([200, expect.stringContaining('tenant_import')])
  const headers = { authorization: `Bearer ${key}` }
  const paths = [`/v1/runs/${ids.run}/transcript`, `/v1/sessions/${ids.session}/messages`]
  for (const path of ['/v1/runs?limit=100', `/v1/fanouts/${ids.fanout}`, ...paths])
    await eventually(async () => {
      const copy = await client.ask(path, { headers })
      expect([path, copy.status]).toEqual([path, 200])
      expect(idsIn(await copy.text())).toEqual(idsIn(await ids.read(path)))
    })
}

const idsIn = (text: string): readonly string[] => text.match(/(?:run|ses|fan)_[a-z0-9]{26}/g) ?? []

/** Fills and exports a tenant of a deployment in memory. */
async function tenantElsewhere(id: string) {
  const api = await testApi({ web: receivers(), settings: { spillBytes: 4_096 } })
  const operator = (await createKey(api.world, DEFAULT_TENANT, ['*'])).key
  const made = await api.call('POST', '/v1/tenants', { key: operator, json: { id } })
  const key: string = made.body.key.text
  const filled = await fillTenant(api, key)
  const exported = (await api.call('GET', `/v1/tenants/${id}/export`, { key: operator })).text
  const read = async (path: string) => (await api.call('GET', path, { key })).text
  return { key, exported, ids: { ...filled, read } }
}

/** Rows, large bodies, files, and lists of a tenant whose data is encrypted. */
async function servesEncrypted(client: Client, headers: Record<string, string>): Promise<void> {
  const long = 'plans of the customer '.repeat(5_000)
  const { id } = await client.get<Created>('/v1/runs', {
    ...{ method: 'POST', headers, json: { input: `@say ${long.trim()}` } },
  })
  const view = () => client.get<Ended>(`/v1/runs/${id}`, { headers })
  await eventually(async () => expect((await view()).status).toBe('completed'))
  expect((await view()).output.text).toBe(long.trim())
  const path = '/v1/files/plans/a.txt'
  const put = await client.ask(path, { method: 'PUT', body: 'their plans', headers })
  expect(put.status).toBe(201)
  expect(await (await client.ask(path, { headers })).text()).toBe('their plans')
  await eventually(async () => {
    const runs = await client.get<{ data: Shown[] }>('/v1/runs', { headers })
    expect(runs.data.map((run) => run.id)).toContain(id)
    const files = await client.get<{ data: object[] }>('/v1/files?prefix=plans/', { headers })
    expect(files.data).toMatchObject([{ size: 11 }])
  })
}

interface Ended {
  readonly status: string
  readonly output: { readonly text: string }
}
