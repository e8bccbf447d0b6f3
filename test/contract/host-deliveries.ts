/** Deliveries on every host: found by what they are, with the body that is sent. */

import { expect } from 'vitest'
import type { Client } from '../support/launch.ts'
import { eventually } from './store/kit.ts'

interface Found {
  readonly id: string
  readonly endpoint_id: string
  readonly payload?: string
}

export async function findsDeliveries(client: Client): Promise<void> {
  const json = { url: 'http://127.0.0.1:9/nobody', events: ['run.completed'] }
  const post = { method: 'POST', json }
  const { id } = await client.get<{ id: string }>('/v1/webhook-endpoints', post)
  const test = { method: 'POST', json: {} }
  const sent = await client.get<Found>(`/v1/webhook-endpoints/${id}/test`, test)
  const ids = async (query: string): Promise<readonly string[]> => {
    const { data } = await client.get<{ data: Found[] }>(`/v1/webhook-deliveries?${query}`)
    return data.map((one) => one.id)
  }
  const since = encodeURIComponent(new Date(Date.now() - 600_000).toISOString())
  const before = encodeURIComponent(new Date(Date.now() - 500_000).toISOString())
  await eventually(async () => {
    expect(await ids(`endpoint_id=${id}`)).toEqual([sent.id])
    expect(await ids(`status=pending,failed&created[gte]=${since}`)).toContain(sent.id)
  })
  expect(await ids(`endpoint_id=${id}&status=delivered`)).toEqual([])
  expect(await ids(`endpoint_id=${id}&created[lt]=${before}`)).toEqual([])
  const { payload } = await client.get<Found>(`/v1/webhook-deliveries/${sent.id}`)
  expect(JSON.parse(payload ?? '')).toMatchObject({ type: 'endpoint.test' })
  await client.ask(`/v1/webhook-endpoints/${id}`, { method: 'DELETE' })
}
