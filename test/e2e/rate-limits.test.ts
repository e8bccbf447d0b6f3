/** Rate limits of keys through a running server: a flood is refused, and others are served. */

import { expect, it } from 'vitest'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'

const read = (api: NodeApi, key = api.key, path = '/v1/runs') =>
  fetch(`${api.url}${path}`, { headers: { authorization: `Bearer ${key}` } })

async function send(api: NodeApi, method: string, path: string, json: object) {
  const answer = await fetch(`${api.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  })
  const { status, headers } = answer
  return { status, headers, body: (await answer.json()) as { id: string; key: string } }
}

it('a flood from one key gets 429 with the time to retry, and another key is served', async () => {
  const api = await startNodeApi()
  const made = await send(api, 'POST', '/v1/keys', {
    scopes: ['runs:*'],
    rate_limits: { requests_per_second: 1 },
  })
  const flood = Promise.all(Array.from({ length: 300 }, () => read(api, made.body.key)))
  const other = await read(api)
  expect(other.status).toBe(200)
  expect(other.headers.get('ratelimit')).toMatch(/^"key-requests";r=\d+;t=\d+, "tenant-requests";/)
  const refused = (await flood).filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(200)
  for (const { headers } of refused) {
    expect(headers.get('retry-after')).toBe('1')
    expect(headers.get('ratelimit-policy')).toContain('"key-requests";q=2;w=2')
  }
  const [first] = refused
  expect(await first!.json()).toMatchObject({ status: 429, code: 'rate_limited' })
})

it('limits are read from the environment and shown', async () => {
  const api = await startNodeApi({ TENANT_REQUESTS_PER_SECOND: '3', KEY_REQUESTS_PER_SECOND: '9' })
  const { headers } = await read(api)
  expect(headers.get('ratelimit-policy')).toContain('"key-requests";q=6;w=2')
  const limits = (await (await read(api, api.key, '/v1/limits')).json()) as Record<
    string,
    { readonly value: number }
  >
  expect(limits.tenant_requests_per_second?.value).toBe(3)
  await expect(startNodeApi({ KEY_REQUESTS_PER_SECOND: '0' })).rejects.toThrow(
    'KEY_REQUESTS_PER_SECOND',
  )
})
