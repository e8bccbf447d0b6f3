/** Tenants on every host: made with a key, suspended, resumed, deleted. */

import { expect } from 'vitest'
import type { Client } from '../support/launch.ts'
import { eventually } from './store/kit.ts'

interface Made {
  readonly id: string
  readonly key: { readonly text: string }
}
interface Shown {
  readonly id: string
  readonly status: string
}

export async function managesTenants(client: Client): Promise<void> {
  const json = { id: 'customer-1', name: 'A customer' }
  const { key } = await client.get<Made>('/v1/tenants', { method: 'POST', json })
  const headers = { authorization: `Bearer ${key.text}` }
  const statusOf = async (path: string): Promise<number> =>
    (await client.ask(path, { headers })).status
  expect(await statusOf('/v1/runs')).toBe(200)
  expect(await statusOf('/v1/tenants')).toBe(404)
  await eventually(async () => {
    const { data } = await client.get<{ data: Shown[] }>('/v1/tenants')
    expect(data.map(({ id }) => id)).toContain('customer-1')
  })
  const suspend = (suspended: boolean) =>
    client.get<Shown>('/v1/tenants/customer-1', { method: 'PATCH', json: { suspended } })
  expect(await suspend(true)).toMatchObject({ status: 'suspended' })
  // Another process may know it for half a minute more.
  await eventually(async () => expect(await statusOf('/v1/runs')).toBe(403))
  expect(await suspend(false)).toMatchObject({ status: 'active' })
  await eventually(async () => expect(await statusOf('/v1/runs')).toBe(200))
  await client.get('/v1/runs', { method: 'POST', json: { input: '@say done' }, headers })
  // Lists say what there is, and may lag (protocol rule 46).
  await eventually(async () => {
    const answer = await client.ask('/v1/tenants/customer-1/export')
    const lines = (await answer.text()).trimEnd().split('\n')
    const end = JSON.parse(lines.at(-1)!) as { readonly object: string; readonly rows: number }
    expect([answer.status, end.object]).toEqual([200, 'tenant_export_end'])
    expect(end.rows).toBeGreaterThan(2)
    expect(lines.join()).toContain('customer-1/run/run_')
  })
  expect((await client.ask('/v1/tenants/customer-1/export', { headers })).status).toBe(404)
  const gone = await client.get<Shown>('/v1/tenants/customer-1', { method: 'DELETE' })
  expect(gone.status).toBe('deleting')
  await eventually(async () => expect(await statusOf('/v1/runs')).toBeGreaterThan(400))
  const again = await client.ask('/v1/tenants', { method: 'POST', json })
  expect(again.status).toBe(409)
}

const CANARY = 'canary-of-customer-2'
interface Run {
  readonly id: string
  readonly status: string
  readonly output: { readonly text: string } | null
}

/** Everything that a tenant does works on rows and objects that lie encrypted. */
export async function encryptsTenants(client: Client): Promise<void> {
  const json = { id: 'customer-2', encrypted: true }
  const made = await client.get<Made & { encrypted: boolean }>('/v1/tenants', {
    ...{ method: 'POST', json },
  })
  expect(made.encrypted).toBe(true)
  const headers = { authorization: `Bearer ${made.key.text}` }
  const post = (input: string) =>
    client.get<Run>('/v1/runs', { method: 'POST', json: { input }, headers })
  // A task, files, children, and bodies that are too long for a row.
  const long = `${CANARY} `.repeat(4_000)
  const { id } = await post(`@call file_write {"path":"notes.md","content":"${CANARY}"}\n@say done`)
  const parent = await post(`@spawn 2 {"task":"@say ${CANARY}"}\n@await\n@say all {results}`)
  const talker = await post(`@say ${long}`)
  const ended = async (run: string): Promise<Run> => {
    let found: Run | undefined
    await eventually(async () => {
      found = await client.get<Run>(`/v1/runs/${run}`, { headers })
      expect(found.status).toBe('completed')
    })
    return found!
  }
  await ended(id)
  expect((await ended(parent.id)).output?.text).toBe('all 2')
  expect((await ended(talker.id)).output?.text.trim() === long.trim()).toBe(true)
  await eventually(async () => {
    const { data } = await client.get<{ data: Run[] }>('/v1/runs', { headers })
    expect(data.map((run) => run.id)).toEqual(expect.arrayContaining([id, parent.id]))
  })
  const events = await client.ask(`/v1/runs/${parent.id}/events`, { headers })
  expect((await events.text()).includes(CANARY)).toBe(true)
  await eventually(async () => {
    const lines = await (await client.ask('/v1/tenants/customer-2/export')).text()
    const words = [CANARY, 'tenant_export_end', 'sealed_key', '~1.']
    expect(words.map((word) => lines.includes(word))).toEqual([true, true, false, false])
  })
  const shown = await client.get<object>('/v1/tenants/customer-2')
  expect(JSON.stringify(shown)).not.toContain('sealed')
  const gone = await client.get<Shown>('/v1/tenants/customer-2', { method: 'DELETE' })
  expect(gone.status).toBe('deleting')
  await eventually(async () =>
    expect((await client.ask('/v1/runs', { headers })).status).toBeGreaterThan(400),
  )
}
