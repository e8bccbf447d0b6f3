/** Who may read `GET /metrics`, and hosts that have none. */

import { expect, it } from 'vitest'
import { DEFAULT_TENANT } from '../../../../src/engine/partition/keys.ts'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { testApi } from '../../../support/api.ts'

const METRICS = { text: async () => '# numbers\n', open: false }

it('a platform without metrics reports where they are available', async () => {
  const { call } = await testApi()
  const answer = await call('GET /metrics')
  expect(answer.status).toBe(404)
  expect(answer.body).toMatchObject({ code: 'not_found' })
  expect(answer.body.detail).toMatch(/CloudWatch.*Workers Analytics Engine/)
})

it("the scope metrics:read suffices, and any other scope or another tenant's key does not", async () => {
  const api = await testApi({ metrics: METRICS })
  const ask = async (tenant: string, scopes: readonly string[]) => {
    const { key } = await createKey(api.world, tenant, scopes)
    return (await api.call('GET /metrics', undefined, { authorization: `Bearer ${key}` })).status
  }
  expect(await ask(DEFAULT_TENANT, ['metrics:read'])).toBe(200)
  expect(await ask(DEFAULT_TENANT, ['runs:*', 'layers:read'])).toBe(403)
  expect(await ask('other', ['*'])).toBe(403)
  expect((await api.call('GET /metrics', undefined, { authorization: '' })).status).toBe(401)
})
