/** Limits of a tenant's own on every host: kept whoever of its processes is asked. */

import { expect } from 'vitest'
import { type Client, untilEnd } from '../support/launch.ts'
import { eventually } from './store/kit.ts'

interface Made {
  readonly key: { readonly text: string }
}
interface Used {
  readonly limit: string
  readonly value: number
  readonly used: number
}

export async function keepsLimits(client: Client): Promise<void> {
  const make = async (id: string, limits: object) => {
    const json = { id, limits }
    const { key } = await client.get<Made>('/v1/tenants', { method: 'POST', json })
    return { authorization: `Bearer ${key.text}` }
  }
  const headers = await make('customer-limited', { live_runs: 3, files: 4 })
  const many = (count: number, each: (index: number) => Promise<Response>) =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const answer = await each(index)
        await answer.arrayBuffer()
        return answer.status
      }),
    )
  const times = (statuses: readonly number[], status: number) =>
    statuses.filter((one) => one === status).length
  // They live without being at work.
  const start_at = new Date(Date.now() + 3_600_000).toISOString()
  const json = { input: '@say done', start_at }
  const runs = await many(9, () => client.ask('/v1/runs', { method: 'POST', json, headers }))
  expect([times(runs, 202), times(runs, 429)]).toEqual([3, 6])
  const files = await many(9, (index) =>
    client.ask(`/v1/files/base/f${index}.txt`, { method: 'PUT', body: 'x', headers }),
  )
  expect([times(files, 201), times(files, 429)]).toEqual([4, 5])
  const { data } = await client.get<{ data: Used[] }>('/v1/quotas', { headers })
  expect(data).toMatchObject([
    { limit: 'live_runs', value: 3, used: 3 },
    { limit: 'files', value: 4, used: 4 },
  ])
  const limits = { files: null }
  await client.get('/v1/tenants/customer-limited', { method: 'PATCH', json: { limits } })
  // Another process may know the old ones for half a minute more.
  await eventually(async () => {
    const more = await client.ask('/v1/files/base/g.txt', { method: 'PUT', body: 'x', headers })
    expect(more.status).toBeLessThan(300)
  })
  await spendsNoMore(client, await make('customer-spent', { tokens_per_day: 10 }))
}

/** Less than any call may need: the run says so, and no model is asked. */
async function spendsNoMore(
  client: Client,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const json = { input: '@say done' }
  const { id } = await client.get<{ id: string }>('/v1/runs', { method: 'POST', json, headers })
  const get: Client['get'] = (path) => client.get(path, { headers })
  const mine = { ...client, get }
  const run = await untilEnd(mine, id)
  expect(run).toMatchObject({ status: 'failed', error: { code: 'quota_exceeded' } })
}
