/** Tenants on every host: created with a key, suspended, resumed, exported, and deleted. */

import { expect } from 'vitest'
import type { Client } from '../support/launch.ts'
import { eventually } from './store/kit.ts'

interface Created {
  readonly id: string
  readonly key: { readonly text: string }
}
interface Shown {
  readonly id: string
  readonly status: string
}

export async function managesTenants(client: Client): Promise<void> {
  const json = { id: 'customer-1', name: 'A customer', encryption: 'tenant_key' }
  const { key } = await client.get<Created>('/v1/tenants', { method: 'POST', json })
  const headers = { authorization: `Bearer ${key.text}` }
  const starts = async (): Promise<number> => {
    const init = { method: 'POST', json: { input: '@say done' }, headers }
    return (await client.ask('/v1/runs', init)).status
  }
  const reads = async (path: string) => (await client.ask(path, { headers })).status
  expect([await starts(), await reads('/v1/runs')]).toEqual([202, 200])
  await servesEncrypted(client, headers)
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
  // Lists may lag (PROTOCOL.md rule 46).
  await eventually(async () => {
    const answer = await client.ask('/v1/tenants/customer-1/export')
    const lines = (await answer.text()).trimEnd().split('\n')
    const end = JSON.parse(lines.at(-1)!) as { readonly object: string; readonly rows: number }
    expect([answer.status, end.object]).toEqual([200, 'tenant_export_end'])
    expect(end.rows).toBeGreaterThan(2)
    expect(lines.join('\n')).toContain('customer-1/run/run_')
    expect(lines.join('\n')).toContain('@say plans of the customer')
    expect(lines.join('\n')).not.toContain('enc1.')
  })
  const gone = await client.get<Shown>('/v1/tenants/customer-1', { method: 'DELETE' })
  expect(gone.status).toBe('deleting')
  await eventually(async () => expect(await reads('/v1/runs')).toBeGreaterThan(400))
  expect((await client.ask('/v1/tenants', { method: 'POST', json })).status).toBe(409)
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
