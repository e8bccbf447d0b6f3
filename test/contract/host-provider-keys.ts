/** Keys of models that tenants bring, on every host: used, and warned of where they go nowhere. */

import { expect } from 'vitest'
import { type Client, runToEnd } from '../support/launch.ts'
import type { ModelServer } from '../support/model-server.ts'
import { eventually } from './store/kit.ts'

export async function bringsKeys(client: Client, model: ModelServer): Promise<void> {
  const path = '/v1/secrets/OPENAI_API_KEY'
  const value = `sk-${crypto.randomUUID()}`
  const put = (host: string) =>
    client.get<{ warnings: string[] }>(path, {
      ...{ method: 'PUT', json: { value, hosts: [host], uses: ['model'] } },
    })
  const proof = () => model.requests.at(-1)?.headers.authorization
  const ask = (word: string) => runToEnd(client, { input: `@say ${word}` })
  await ask('before')
  expect(proof()).not.toBe(`Bearer ${value}`)
  expect((await put('127.0.0.1')).warnings).toEqual([])
  // Another process may not know it for half a minute.
  await eventually(async () => {
    expect((await ask('mine')).status).toBe('completed')
    expect(proof()).toBe(`Bearer ${value}`)
  }, 500)
  expect((await put('elsewhere.example')).warnings.join()).toContain('127.0.0.1')
  expect((await client.ask(path, { method: 'DELETE' })).status).toBe(204)
}
