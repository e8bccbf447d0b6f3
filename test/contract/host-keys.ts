/** API keys on every host: made, listed, replaced, revoked. */

import { expect } from 'vitest'
import type { Client } from '../support/launch.ts'
import { eventually } from './store/kit.ts'

interface Key {
  readonly id: string
  readonly key: string
  readonly scopes: readonly string[]
}

export async function managesKeys(client: Client): Promise<void> {
  const json = { name: 'ci', scopes: ['runs:read'] }
  const made = await client.get<Key>('/v1/keys', { method: 'POST', json })
  const statusBy = async ({ key }: Key, path: string): Promise<number> =>
    (await client.ask(path, { headers: { authorization: `Bearer ${key}` } })).status
  expect(await statusBy(made, '/v1/runs')).toBe(200)
  expect(await statusBy(made, '/v1/policy')).toBe(403)
  const next = await client.get<Key>(`/v1/keys/${made.id}/rotate`, { method: 'POST' })
  expect(next.scopes).toEqual(made.scopes)
  expect(await statusBy(made, '/v1/runs')).toBe(200)
  await eventually(async () => {
    const { data } = await client.get<{ data: Key[] }>('/v1/keys')
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining([made.id, next.id]))
  })
  expect((await client.ask(`/v1/keys/${next.id}`, { method: 'DELETE' })).status).toBe(204)
  // Another process may know it for half a minute more.
  await eventually(async () => expect(await statusBy(next, '/v1/runs')).toBe(401))
}
