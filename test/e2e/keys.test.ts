/** Keys bound to addresses, through a running server. */

import { expect, it } from 'vitest'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'

async function send(
  api: NodeApi,
  path: string,
  { method = 'GET', key = api.key, json = undefined as object | undefined, headers = {} } = {},
) {
  const answer = await fetch(`${api.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(json ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(json ? { body: JSON.stringify(json) } : {}),
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
  return { status: answer.status, body: (await answer.json()) as any }
}

it('a key is accepted only from its addresses, regardless of headers', async () => {
  const api = await startNodeApi()
  const json = { scopes: ['runs:read'], addresses: ['203.0.113.0/24'] }
  const { body: made } = await send(api, '/v1/keys', { method: 'POST', json })
  const headers = { 'x-forwarded-for': '203.0.113.9' }
  const refused = await send(api, '/v1/runs', { key: made.key, headers })
  expect([refused.status, refused.body.code]).toEqual([403, 'address_not_allowed'])
  const change = { method: 'PATCH', json: { addresses: ['127.0.0.0/8', '::1'] } }
  expect((await send(api, `/v1/keys/${made.id}`, change)).status).toBe(200)
  expect((await send(api, '/v1/runs', { key: made.key })).status).toBe(200)
  const { body: shown } = await send(api, `/v1/keys/${made.id}`)
  expect(shown.last_used_at).toMatch(/:00:00/)
  expect(shown.addresses).toEqual(['127.0.0.0/8', '::1'])
})

it('a key is accepted by X-Forwarded-For when the operator trusts a proxy', async () => {
  const api = await startNodeApi({ TRUSTED_PROXIES: '1' })
  const json = { scopes: ['runs:read'], addresses: ['203.0.113.9'] }
  const { body: made } = await send(api, '/v1/keys', { method: 'POST', json })
  const status = async (list: string) =>
    (await send(api, '/v1/runs', { key: made.key, headers: { 'x-forwarded-for': list } })).status
  expect(await status('192.0.2.1, 203.0.113.9')).toBe(200)
  expect(await status('203.0.113.9, 192.0.2.1')).toBe(403)
})

it('the audit log is filtered by kind, name, author, and action', async () => {
  const api = await startNodeApi()
  const json = { scopes: ['keys:*', 'runs:read'] }
  const { body: maker } = await send(api, '/v1/keys', { method: 'POST', json })
  const narrow = { method: 'POST', json: { scopes: ['runs:read'] }, key: maker.key }
  const { body: made } = await send(api, '/v1/keys', narrow)
  const query = `kind=key&action=create&by=${maker.id}&name=${made.id}`
  const { status, body } = await send(api, `/v1/audit?${query}`)
  const entry = { kind: 'key', action: 'create', by: maker.id, name: made.id }
  expect([status, body.data]).toMatchObject([200, [entry]])
  const after = 'created[gte]=2100-01-01T00:00:00Z'
  expect((await send(api, `/v1/audit?${query}&${after}`)).body.data).toEqual([])
})
