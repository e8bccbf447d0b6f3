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
  const json = { id: 'customer-1', name: 'A customer' }
  const { key } = await client.get<Created>('/v1/tenants', { method: 'POST', json })
  const headers = { authorization: `Bearer ${key.text}` }
  const starts = async (): Promise<number> => {
    const init = { method: 'POST', json: { input: '@say done' }, headers }
    return (await client.ask('/v1/runs', init)).status
  }
  const reads = async (path: string) => (await client.ask(path, { headers })).status
  expect([await starts(), await reads('/v1/runs')]).toEqual([202, 200])
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
  })
  const gone = await client.get<Shown>('/v1/tenants/customer-1', { method: 'DELETE' })
  expect(gone.status).toBe('deleting')
  await eventually(async () => expect(await reads('/v1/runs')).toBeGreaterThan(400))
  expect((await client.ask('/v1/tenants', { method: 'POST', json })).status).toBe(409)
}
