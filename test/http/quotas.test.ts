/** What a tenant may have is never more than it may have, however many requests come at once. */

import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../src/core/limits.ts'
import { memoryClock } from '../../src/hosts/memory/clock.ts'
import { type TestApi, testApi } from '../support/http.ts'
import { receivers } from '../support/receivers.ts'

interface Kind {
  readonly max: number
  readonly make: (api: TestApi, index: number) => ReturnType<TestApi['call']>
  readonly path: string
  /** By which it is deleted. */
  readonly id: (made: { id: string; name: string }) => string
}
const KINDS: Readonly<Record<string, Kind>> = {
  'API keys': {
    max: LIMITS.api_keys,
    make: (api) => api.call('POST', '/v1/keys', { json: { scopes: ['runs:read'] } }),
    path: '/v1/keys',
    id: ({ id }) => id,
  },
  endpoints: {
    max: 50,
    make: (api, index) =>
      api.call('POST', '/v1/webhook-endpoints', { json: { url: `https://one.example/${index}` } }),
    path: '/v1/webhook-endpoints',
    id: ({ id }) => id,
  },
  hooks: {
    max: 100,
    make: (api) => api.call('POST', '/v1/hooks', { json: { scheme: 'standard' } }),
    path: '/v1/hooks',
    id: ({ id }) => id,
  },
  schedules: {
    max: LIMITS.schedules,
    make: (api, index) =>
      api.call('PUT', `/v1/schedules/s${index}`, { json: { input: 'Go.', cron: '0 7 * * *' } }),
    path: '/v1/schedules',
    id: ({ name }) => name,
  },
}

async function countOf(api: TestApi, path: string): Promise<number> {
  const { data, has_more } = (await api.call('GET', `${path}?limit=100`)).body
  expect(has_more).toBe(false)
  return data.length
}

describe.each(Object.entries(KINDS))('the quota of %s', (_, { max, make, path, id }) => {
  it('429 beyond it for requests at once; a deleted one gives its place back', async () => {
    const clock = memoryClock()
    const api = await testApi({ clock, web: receivers() })
    const before = await countOf(api, path)
    const all = await Promise.all(
      Array.from({ length: max - before + 15 }, (_each, index) => make(api, index)),
    )
    const refused = all.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(15)
    expect(refused[0]!.body.detail).toContain(`at most ${max} `)
    expect(await countOf(api, path)).toBe(max)
    const made = all.find(({ status }) => status < 300)!
    expect((await api.call('DELETE', `${path}/${id(made.body)}`)).status).toBeLessThan(300)
    const again = await Promise.all([make(api, 1_001), make(api, 1_002)])
    expect(again.map(({ status }) => status).sort()).toEqual([201, 429])
    expect(await countOf(api, path)).toBe(max)
  })
})
