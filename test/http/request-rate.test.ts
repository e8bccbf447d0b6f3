/** H19: requests above the rate of a key or a tenant are refused, and say when to come again. */

import { describe, expect, it } from 'vitest'
import { createKey } from '../../src/engine/tenant/api-keys.ts'
import { memoryClock } from '../../src/hosts/memory/clock.ts'
import { TENANT } from '../support/drive.ts'
import { testApi } from '../support/http.ts'

const settings = { keyRequests: 2, tenantRequests: 3 }

async function limited() {
  const clock = memoryClock()
  const api = await testApi({ clock, settings })
  const one = async (key?: string) => {
    const answer = await api.call('GET', '/v1/runs', key === undefined ? {} : { key })
    const { status, headers, body } = answer
    const [rate, retry] = [headers.get('ratelimit'), headers.get('retry-after')]
    return { status, rate, retry, code: body.code, headers }
  }
  const many = async (count: number, key?: string) => {
    const all = []
    for (let index = 0; index < count; index += 1) all.push((await one(key)).status)
    return all
  }
  const keyOf = async (tenant: string) => (await createKey(api.world, tenant, ['*'])).key
  return { clock, api, one, many, keyOf }
}

describe('H19 the rate of requests', () => {
  it('200 says what is left of the key and of its tenant', async () => {
    const { one } = await limited()
    const { headers } = await one()
    expect(headers.get('ratelimit-policy')).toBe('"key";q=20;w=10, "tenant";q=30;w=10')
    expect(headers.get('ratelimit')).toBe('"key";r=19;t=1, "tenant";r=29;t=1')
  })

  it('429 after a burst of ten times as many, with the second of the next one', async () => {
    const { clock, one, many } = await limited()
    expect(await many(20)).toEqual(Array(20).fill(200))
    const refused = await one()
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited', retry: '1' })
    expect(refused.rate).toBe('"key";r=0;t=10, "tenant";r=10;t=7')
    clock.advance(1_000)
    expect(await many(3)).toEqual([200, 200, 429])
  })

  it('429 for all keys of a tenant together, and never for another tenant', async () => {
    const { many, keyOf } = await limited()
    const [second, third, foreign] = [await keyOf(TENANT), await keyOf(TENANT), await keyOf('b')]
    expect(await many(20)).not.toContain(429)
    expect(await many(15, second)).toEqual([...Array(10).fill(200), ...Array(5).fill(429)])
    expect(await many(2, third)).toEqual([429, 429])
    expect(await many(20, foreign)).not.toContain(429)
  })

  it('429 takes nothing: whoever goes on asking is not kept out longer', async () => {
    const { clock, many } = await limited()
    await many(60)
    clock.advance(10_000)
    expect(await many(20)).toEqual(Array(20).fill(200))
  })

  it('shows the rates of this deployment among the limits', async () => {
    const { api } = await limited()
    const { body } = await api.call('GET', '/v1/limits')
    expect([body.key_requests_per_second.value, body.requests_per_second.value]).toEqual([2, 3])
  })
})
