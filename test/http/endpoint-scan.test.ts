/** U35 who tests a thousand endpoints learns nothing of the network, and is slowed down. */

import { expect, it } from 'vitest'
import { LIMITS } from '../../src/core/limits.ts'
import { createKey } from '../../src/engine/tenant/api-keys.ts'
import { testApi } from '../support/http.ts'
import { receivers } from '../support/receivers.ts'

it('U35 429 for more test events in a minute, of one tenant alone', async () => {
  const api = await testApi({ web: receivers() })
  const made = async (key: string) =>
    (await api.call('POST', '/v1/webhook-endpoints', { key, json: { url: 'https://a.example' } }))
      .body.id
  const { key: other } = await createKey(api.world, 'stranger', ['*'])
  const [id, theirs] = [await made(api.key), await made(other)]
  const test = (key: string, of: string) =>
    api.call('POST', `/v1/webhook-endpoints/${of}/test`, { key })
  for (let count = 0; count < LIMITS.endpoint_tests_per_minute; count += 1)
    expect((await test(api.key, id)).status).toBe(202)
  const refused = await test(api.key, id)
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
  expect(refused.headers.get('retry-after')).toBe('60')
  expect((await test(other, theirs)).status).toBe(202)
  api.world.clock.advance(60_001)
  expect((await test(api.key, id)).status).toBe(202)
})
