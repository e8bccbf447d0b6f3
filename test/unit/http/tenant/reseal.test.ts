/** Exchange of the master key: the previous key decrypts until all data is encrypted again. */

import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { tenantSecrets } from '../../../../src/engine/tenant/secrets.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { expanded } from '../../../../src/hosts/mcp/expand-server.ts'
import { environmentSecrets } from '../../../../src/hosts/shared/secrets.ts'
import type { Store } from '../../../../src/ports/world.ts'
import { TENANT } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { receivers } from '../../../support/receivers.ts'

const OLD = 'a1'.repeat(32)
const NEW = 'b2'.repeat(32)
const VALUE = 'the value that outlives its key'
const HOSTS = ['mcp.shop.example']

const keyed = (key: string, previous?: string) =>
  environmentSecrets({
    env: previous === undefined ? {} : { STRATA_MASTER_KEY_PREVIOUS: previous },
    tenant: TENANT,
    key: new Uint8Array(Buffer.from(key, 'hex')),
  })

/** Replaces the secrets port, as a restart with these keys does. */
function restart({ world }: TestApi, key: string, previous?: string): void {
  Object.assign(world, { secrets: tenantSecrets(keyed(key, previous), world) })
}

const sealedIn = async (store: Store, partition: string): Promise<string[]> => {
  const rows = await store.read(partition)
  return rows.flatMap(({ body }) => body.match(/v1\.[\w-]{30,}/g) ?? [])
}

it('data of the previous key stays readable, is encrypted again, and then needs only the current key', async () => {
  const api = await testApi({ secrets: keyed(OLD), web: receivers() })
  const { world, call } = api
  const value = () => world.secrets.get(TENANT, 'A')
  const put = (name: string, text: string) =>
    call('PUT', `/v1/secrets/${name}`, { json: { value: text, hosts: HOSTS } })
  for (let index = 0; index < 25; index += 1) await put(`S${index}`, `${VALUE} ${index}`)
  await put('A', VALUE)
  const endpoint = await call('POST', '/v1/webhook-endpoints', {
    json: { url: 'https://desk.shop.example/in' },
  })
  expect(endpoint.status).toBe(201)
  const hook = await call('POST', '/v1/hooks', { json: { scheme: 'standard' } })
  expect(hook.status).toBe(201)
  const schedule = await call('PUT', '/v1/schedules/nightly', {
    json: {
      ...{ cron: '0 2 * * *', input: 'x' },
      webhook: { url: 'https://desk.shop.example/in' },
    },
  })
  expect([200, 201]).toContain(schedule.status)
  const partitions = [
    `${TENANT}/secrets/tenant`,
    `${TENANT}/endpoint/${endpoint.body.id}`,
    `_/hook/${hook.body.id}`,
    `${TENANT}/schedule/${schedule.body.id}`,
  ]
  const sealed = async () =>
    (await Promise.all(partitions.map((one) => sealedIn(world.store, one)))).flat()
  expect(await sealed()).toHaveLength(26 + 3)

  restart(api, NEW)
  expect(await value()).toBeUndefined()
  restart(api, NEW, OLD)
  expect(await value()).toBe(VALUE)
  // A write uses the current key.
  await put('S0', 'another value')
  restart(api, NEW)
  expect(await world.secrets.get(TENANT, 'S0')).toBe('another value')
  const blind = await call('POST', '/v1/secrets/reseal')
  expect(blind.body.resealed).toBe(1)
  expect(blind.body.lost).toHaveLength(28)
  expect(blind.body.lost).toContain('secret A')

  restart(api, NEW, OLD)
  const before = await sealed()
  const { status, body } = await call('POST', '/v1/secrets/reseal')
  expect([status, body.resealed, body.lost]).toEqual([200, 29, []])
  expect(body.left.join()).toContain('Webhook secrets of runs and fan-outs that have ended')
  const after = await sealed()
  expect(after).toHaveLength(29)
  expect(after.filter((one) => before.includes(one))).toEqual([])

  restart(api, NEW)
  expect(await value()).toBe(VALUE)
  expect(await world.secrets.get(TENANT, 'S24')).toBe(`${VALUE} 24`)
  expect((await call('POST', '/v1/secrets/reseal')).body).toMatchObject({ resealed: 29, lost: [] })
  const { body: audit } = await call('GET', '/v1/audit')
  expect(audit.data[0]).toMatchObject({ kind: 'secret', action: 'reseal' })
})

it('values that no key decrypts are named with their owner, in the answer and the error', async () => {
  const api = await testApi()
  restart(api, OLD)
  const json = { value: VALUE, hosts: ['mcp.shop.example'] }
  await api.call('PUT', '/v1/secrets/A', { json })
  await api.call('PUT', '/v1/secrets/A?subject=alice', { json })
  restart(api, NEW)
  const { body } = await api.call('POST', '/v1/secrets/reseal')
  expect([body.resealed, body.lost]).toEqual([0, ['secret A', 'secret A of alice']])
  const audit = await api.call('GET', '/v1/audit?action=reseal&name=A')
  const details = audit.body.data.map(({ detail }: { detail: string }) => detail).sort()
  expect(details).toEqual([
    '0 values; not decrypted: 1',
    'subject: alice; 0 values; not decrypted: 1',
  ])
  const url = 'https://mcp.shop.example/mcp'
  const http_headers = { 'x-token': ['$', '{A}'].join('') }
  const entry = { name: 'shop', url, transport: 'http', http_headers, bearer_token_env_var: null }
  const server = { ...entry, args: [], env: {}, env_http_headers: {} }
  const secrets = expanded(TENANT, server as never, api.world.secrets)
  await expect(secrets).rejects.toThrow('the master key does not decrypt the secret A')
})

it('an active run, a fan-out, and a delivery are signed after the previous key is removed', async () => {
  const web = receivers()
  const api = await testApi({ secrets: keyed(OLD), web })
  const { world, call, settle } = api
  const secret = `whsec_${Buffer.from('a secret of one webhook of ours').toString('base64')}`
  const url = 'https://desk.shop.example/in'
  const late = 'https://desk.shop.example/late'
  // One delivery waits for its second attempt; one run and one fan-out have not started.
  web.answer(late, null)
  const json = { input: '@say done', webhook: { url: late, secret } }
  const waits = await call('POST', '/v1/runs', { json })
  await settle()
  expect(web.at(late)).toHaveLength(1)
  const run = await call('POST', '/v1/runs', { json: { ...json, webhook: { url, secret } } })
  const tasks = [{ task: '@say one' }, { task: '@say two' }]
  const fanout = await call('POST', '/v1/fanouts', { json: { tasks, webhook: { url, secret } } })
  expect([waits.status, run.status, fanout.status]).toEqual([202, 202, 202])

  restart(api, NEW, OLD)
  const { status, body } = await call('POST', '/v1/secrets/reseal')
  expect([status, body.resealed, body.lost]).toEqual([200, 3, []])
  restart(api, NEW)
  web.answer(late, { status: 204 })
  await settle()
  for (let attempt = 0; attempt < 4 && web.at(late).length < 2; attempt += 1) {
    world.clock.advance(60_000)
    await tick(world)
    await settle()
  }
  expect(web.at(late)).toHaveLength(2)
  const signed = [...web.at(url), ...web.at(late)]
  const types = signed.map(({ json: event }) => event.type)
  expect(types).toEqual(expect.arrayContaining(['run.completed', 'fanout.completed']))
  for (const { headers, body: sent } of [...web.at(url), ...web.at(late).slice(1)]) {
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
    const signature = new Webhook(secret).sign(headers['webhook-id']!, at, sent)
    expect(headers['webhook-signature']).toBe(signature)
  }
})

it('without the previous key, a webhook secret is reported as lost and nothing is sent', async () => {
  const web = receivers()
  const api = await testApi({ secrets: keyed(OLD), web })
  const secret = `whsec_${Buffer.from('a secret of one webhook of ours').toString('base64')}`
  const webhook = { url: 'https://desk.shop.example/in', secret }
  await api.call('POST', '/v1/runs', { json: { input: '@say done', webhook } })
  restart(api, NEW)
  const { body } = await api.call('POST', '/v1/secrets/reseal')
  expect([body.resealed, body.lost.length]).toEqual([0, 1])
  expect(body.lost[0]).toMatch(/^webhook of run_/)
  await api.settle()
  expect(web.got).toEqual([])
})

it('requires secrets:write, and changes no other tenant', async () => {
  const api = await testApi({ secrets: keyed(OLD) })
  await api.call('PUT', '/v1/secrets/A', { json: { value: VALUE, hosts: HOSTS } })
  const { key } = await createKey(api.world, TENANT, ['secrets:read', 'webhooks:*'])
  expect((await api.call('POST', '/v1/secrets/reseal', { key })).status).toBe(403)
  const other = await createKey(api.world, 'other', ['*'])
  const done = await api.call('POST', '/v1/secrets/reseal', { key: other.key })
  expect(done.body.resealed).toBe(0)
})
