/** Inputs of the secrets API that could store a credential wrongly, or repeat it in a response. */

import { beforeEach, expect, it } from 'vitest'
import { DEFAULT_TENANT } from '../../../../src/engine/partition/keys.ts'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { type TestApi, testApi } from '../../../support/http.ts'

const VALUE = 'canary-1'
const BOUND = { value: VALUE, hosts: ['mcp.shop.example'] }
let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

const put = (name: string, json: object) => api.call('PUT', `/v1/secrets/${name}`, { json })

it('an empty end user is refused, and does not stand for the whole tenant', async () => {
  await put('A', BOUND)
  for (const path of ['/v1/secrets/A?subject=', '/v1/secrets/A?subject=%20']) {
    for (const [method, json] of [['PUT', BOUND], ['GET'], ['DELETE']] as const) {
      const { status, body } = await api.call(method, path, json && { json })
      expect([status, body.code]).toEqual([400, 'invalid_query'])
    }
  }
  expect((await api.call('GET', '/v1/secrets?subject=')).status).toBe(400)
  const authorization = '/v1/mcp-servers/shop/authorization?subject='
  expect((await api.call('DELETE', authorization)).body.code).toBe('invalid_query')
  expect((await api.call('GET', '/v1/secrets/A')).body.version).toBe(1)
})

it('a body that is not JSON is not repeated', async () => {
  const headers = { 'content-type': 'application/json' }
  for (const text of [VALUE, `{"value":${VALUE}}`, `{"value":'${VALUE}'}`, `{"v":1}${VALUE}`]) {
    const { status, body } = await api.call('PUT', '/v1/secrets/A', { body: text, headers })
    expect([status, body.code]).toEqual([400, 'invalid_json'])
    for (let from = 0; from + 3 <= VALUE.length; from += 1)
      expect(JSON.stringify(body)).not.toContain(VALUE.slice(from, from + 3))
    expect(body.detail).toContain('JSON')
  }
})

it('a host that no server can have is refused', async () => {
  for (const host of [
    'a.example,b.example',
    '*.10.0.0.1',
    'a..example',
    '.example',
    "a'b",
    '*.[::1]',
  ]) {
    const { status, body } = await put('A', { ...BOUND, hosts: [host] })
    expect([host, status, body.errors?.[0].pointer]).toEqual([host, 422, '/hosts/0'])
  }
  const hosts = ['münchen.example', 'A_b.example', '[::1]', '10.0.0.1', '*.example', 'stdio']
  expect((await put('A', { ...BOUND, hosts })).body.hosts).toEqual([
    ...['xn--mnchen-3ya.example', 'a_b.example', '[::1]', '10.0.0.1', '*.example', 'stdio'],
  ])
})

it('the refusal of a name states the maximum length', async () => {
  expect((await put('A'.repeat(129), BOUND)).body.detail).toContain('128')
})

it('each entry about a secret states its origin, and each change states what changed', async () => {
  await put('A', BOUND)
  await put('A', { ...BOUND, hosts: ['other.example'] })
  await api.call('GET', '/v1/secrets/A')
  await api.call('GET', '/v1/secrets')
  await api.call('DELETE', '/v1/secrets/A')
  const { body, text } = await api.call('GET', '/v1/audit?kind=secret')
  expect(body.data).toHaveLength(5)
  for (const entry of body.data)
    expect(entry).toMatchObject({ via: 'api', credential: { type: 'key', id: entry.by } })
  const [update] = body.data.filter(({ action }: { action: string }) => action === 'update')
  expect(update.changes).toContainEqual({
    ...{ field: 'hosts', before: '["mcp.shop.example"]', after: '["other.example"]' },
  })
  expect(update.before).not.toBe(update.after)
  const [removal] = body.data.filter(({ action }: { action: string }) => action === 'delete')
  expect([removal.before, removal.after]).toEqual([update.after, null])
  expect(text).not.toContain(VALUE)
})

it('the export of a tenant is recorded with its origin', async () => {
  const { key } = await createKey(api.world, DEFAULT_TENANT, ['*'])
  await api.call('POST', '/v1/tenants', { key, json: { id: 'acme' } })
  await api.call('GET', '/v1/tenants/acme/export', { key })
  const { body } = await api.call('GET', '/v1/audit?kind=tenant&action=export', { key })
  expect(body.data[0]).toMatchObject({ via: 'api', credential: { type: 'key' } })
})
