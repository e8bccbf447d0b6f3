/** Tenants by the API: made and seen by the operator alone; a suspended one begins nothing. */

import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { readRun } from '../../src/engine/logs/run.ts'
import { runPartition } from '../../src/engine/partition/keys.ts'
import { createKey } from '../../src/engine/tenant/api-keys.ts'
import { tick } from '../../src/engine/worker/tick.ts'
import { type TestApi, testApi } from '../support/http.ts'
import { scriptModel } from '../support/script.ts'

let api: TestApi
let operator: string
const gate = { reached: () => {}, open: Promise.resolve() as Promise<void> }
beforeEach(async () => {
  gate.open = Promise.resolve()
  const model = scriptModel()
  const respond: typeof model.respond = async (...given) => {
    gate.reached()
    await gate.open
    return model.respond(...given)
  }
  api = await testApi({ model: { ...model, respond } })
  operator = (await createKey(api.world, 'default', ['*'])).key
})

const MINUTE = 60_000
const call = (method: string, path: string, json?: object, headers?: Record<string, string>) =>
  api.call(method, path, { key: operator, ...(json && { json }), ...(headers && { headers }) })
const make = async (id: string, more: object = {}): Promise<string> =>
  (await call('POST', '/v1/tenants', { id, ...more })).body.key.text
const suspend = (id: string, suspended = true) => call('PATCH', `/v1/tenants/${id}`, { suspended })
const statusBy = async (key: string, path = '/v1/runs') => {
  const { status, body } = await api.call('GET', path, { key })
  return [status, body.code]
}
const start = async (key: string, input = '@say done'): Promise<string> =>
  (await api.call('POST', '/v1/runs', { key, json: { input } })).body.id
const stateOf = async (tenant: string, id: string) =>
  (await readRun(api.world, runPartition(tenant, id)))!.state
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= MINUTE) {
    api.world.clock.advance(MINUTE)
    await tick(api.world)
    await api.settle()
  }
}

describe('a tenant', () => {
  it('is made with a key of its own, listed, named anew, and noted in the audit of the operator', async () => {
    const { status, body, headers } = await call('POST', '/v1/tenants', { id: 'acme', name: 'A' })
    expect([status, headers.get('location')]).toEqual([201, '/v1/tenants/acme'])
    const { key, ...shown } = body
    expect(shown).toMatchObject({ id: 'acme', name: 'A', status: 'active', deletion: null })
    expect(await statusBy(key.text)).toEqual([200, undefined])
    const { body: keys } = await api.call('GET', '/v1/keys', { key: key.text })
    expect(keys.data).toMatchObject([{ id: key.id, scopes: ['*'], current: true }])
    expect((await call('GET', '/v1/tenants')).body.data).toEqual([shown])
    expect((await call('GET', '/v1/tenants/acme')).body).toEqual(shown)
    const renamed = await call('PATCH', '/v1/tenants/acme', { name: 'Acme' })
    expect(renamed.body).toMatchObject({ name: 'Acme', status: 'active' })
    const entries = (await call('GET', '/v1/audit?kind=tenant')).body.data
    expect(entries).toMatchObject([
      { kind: 'tenant', name: 'acme', action: 'update' },
      { kind: 'tenant', name: 'acme', action: 'create' },
    ])
    const its = (await api.call('GET', '/v1/audit?kind=tenant', { key: key.text })).body.data
    expect(its).toEqual([])
  })

  it('is one for a request that is repeated, whose key is not shown twice; and no other takes its id', async () => {
    const headers = { 'idempotency-key': 'a-key-of-the-operator' }
    const ask = () => call('POST', '/v1/tenants', { id: 'acme' }, headers)
    const [first, again] = [await ask(), await ask()]
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.body).toEqual({ ...first.body, key: { id: first.body.key.id, text: null } })
    const other = await call('POST', '/v1/tenants', { id: 'acme' })
    expect([other.status, other.body.code]).toEqual([409, 'conflict'])
  })

  it('has no bad id, and none that the deployment uses', async () => {
    for (const id of ['', 'a', 'A', '1a', 'a/b', '_', 'a'.repeat(32), '../x', 'é'])
      expect((await call('POST', '/v1/tenants', { id })).status).toBe(422)
    for (const id of ['default', 'rows'])
      expect((await call('POST', '/v1/tenants', { id })).status).toBe(409)
    expect((await call('PATCH', '/v1/tenants/nobody', { suspended: true })).status).toBe(404)
    expect((await call('GET', '/v1/tenants/_')).status).toBe(404)
    expect((await call('POST', '/v1/tenants', { id: 'ok', scopes: ['*'] })).status).toBe(422)
  })
})

it('H21 to keys of other tenants these routes are paths that do not exist', async () => {
  const key = await make('acme')
  const bare = async (method: string, path: string, by = key) => {
    const json = method === 'GET' || method === 'DELETE' ? {} : { json: { id: 'other' } }
    const { status, body, headers } = await api.call(method, path, { key: by, ...json })
    const { request_id: _, instance: __, detail, ...rest } = body
    return { status, ...rest, detail: detail.replaceAll(path, 'PATH'), allow: headers.get('allow') }
  }
  for (const [path, unknown] of [
    ['/v1/tenants', '/v1/nonsense'],
    ['/v1/tenants/acme', '/v1/nonsense/acme'],
  ] as const)
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'])
      expect(await bare(method, path)).toEqual(await bare(method, unknown))
  // A key of the operator needs the scope.
  const { key: lesser } = await createKey(api.world, 'default', ['tenants:read'])
  expect((await api.call('GET', '/v1/tenants', { key: lesser })).status).toBe(200)
  const refused = await api.call('POST', '/v1/tenants', { key: lesser, json: { id: 'other' } })
  expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope'])
  expect((await api.call('GET', '/v1/tenants', { key: null })).status).toBe(401)
})

describe('a suspended tenant', () => {
  it('is refused by its keys and tokens, and goes on when it is resumed; others do not notice', async () => {
    const [acme, other] = [await make('acme'), await make('other')]
    const run = await start(acme)
    await api.settle()
    const json = { for: run, actions: ['read'] }
    const { token } = (await api.call('POST', '/v1/tokens', { key: acme, json })).body
    expect((await suspend('acme')).body.status).toBe('suspended')
    expect(await statusBy(acme)).toEqual([403, 'tenant_suspended'])
    expect(await statusBy(token, `/v1/runs/${run}`)).toEqual([403, 'tenant_suspended'])
    expect(await statusBy(other)).toEqual([200, undefined])
    await suspend('acme', false)
    expect(await statusBy(acme)).toEqual([200, undefined])
    expect(await statusBy(token, `/v1/runs/${run}`)).toEqual([200, undefined])
    const actions = (await call('GET', '/v1/audit?kind=tenant&name=acme')).body.data
    expect(actions.map(({ action }: { action: string }) => action)).toEqual([
      ...['resume', 'pause', 'create'],
    ])
  })

  it('starts no queued run, and starts it when it is resumed', async () => {
    const acme = await make('acme')
    const run = await start(acme)
    await suspend('acme')
    await api.settle()
    await pass(20 * MINUTE)
    expect((await stateOf('acme', run)).status).toBe('queued')
    await suspend('acme', false)
    await api.settle()
    expect((await stateOf('acme', run)).status).toBe('completed')
  })

  it('has its runs finish the step that is under way, and wait with the next', async () => {
    const acme = await make('acme')
    let open = () => {}
    gate.open = new Promise((resolve) => {
      open = resolve
    })
    const reached = new Promise<void>((resolve) => {
      gate.reached = resolve
    })
    const run = await start(acme, '@call file_write {"path":"x","content":"y"}\n@say done')
    const settled = api.settle()
    await reached
    await suspend('acme')
    open()
    await settled
    await pass(5 * MINUTE)
    const held = await stateOf('acme', run)
    expect([held.status, held.usage.model_calls]).toEqual(['running', 1])
    const written = await api.world.objects.list('acme/files/')
    expect(written.objects).toEqual([])
    await suspend('acme', false)
    await api.settle()
    expect((await stateOf('acme', run)).status).toBe('completed')
    expect((await api.world.objects.list('acme/files/')).objects).toHaveLength(1)
  })

  it('has its inbound hooks refused and its schedules silent', async () => {
    const acme = await make('acme')
    const hook = await api.call('POST', '/v1/hooks', { key: acme, json: { scheme: 'standard' } })
    const { id, secret } = hook.body
    const json = { input: '@say done', cron: '* * * * *' }
    await api.call('PUT', '/v1/schedules/often', { key: acme, json })
    const send = (name: string) => {
      const [body, now] = ['{"a":1}', api.world.clock.now()]
      const at = new Date(Math.floor(now / 1_000) * 1_000)
      const headers = {
        'webhook-id': name,
        'webhook-timestamp': String(at.getTime() / 1_000),
        'webhook-signature': new Webhook(secret).sign(name, at, body),
      }
      return api.call('POST', `/v1/hooks/${id}`, { body, headers, key: null })
    }
    expect((await send('msg_1')).status).toBe(202)
    await pass(2 * MINUTE)
    const runs = async () => (await api.world.store.list('acme/runs')).length
    const before = await runs()
    expect(before).toBeGreaterThan(2)
    await suspend('acme')
    const refused = await send('msg_2')
    expect([refused.status, refused.body.code]).toEqual([403, 'tenant_suspended'])
    await pass(5 * MINUTE)
    expect(await runs()).toBe(before)
    await suspend('acme', false)
    await pass(2 * MINUTE)
    expect(await runs()).toBeGreaterThan(before)
  })
})

describe('a tenant that is deleted', () => {
  it('is refused at once, goes with all that it has, and leaves its id behind', async () => {
    const [acme, other] = [await make('acme'), await make('other')]
    for (const key of [acme, other]) {
      await start(key, '@spawn 2 {"task":"@say child"}\n@say done')
      await api.call('POST', '/v1/hooks', { key, json: { scheme: 'standard' } })
      await api.call('POST', '/v1/browser-sessions', { key })
      await api.call('POST', '/v1/browser-sessions/links', { key })
      await api.settle()
    }
    const gone = await call('DELETE', '/v1/tenants/acme')
    expect([gone.status, gone.body.status, gone.body.deletion.left]).toEqual([202, 'deleting', []])
    expect((await statusBy(acme))[0]).toBe(403)
    await api.settle()
    await pass(3 * MINUTE)
    const { body } = await call('GET', '/v1/tenants/acme')
    expect(body).toMatchObject({ status: 'deleted', name: null })
    expect(body.deletion.rows).toBeGreaterThan(5)
    expect(await api.world.store.partitions?.('acme/', 100)).toEqual([])
    expect((await api.world.objects.list('acme/')).objects).toEqual([])
    expect((await statusBy(acme))[0]).toBe(401)
    expect((await statusBy(other))[0]).toBe(200)
    for (const beside of ['_/hook/', '_/browser/', '_/link/'])
      expect(await api.world.store.partitions?.(beside, 100)).toHaveLength(1)
    expect((await call('POST', '/v1/tenants', { id: 'acme' })).status).toBe(409)
    expect((await suspend('acme', false)).status).toBe(409)
    expect((await call('DELETE', '/v1/tenants/acme')).body.status).toBe('deleted')
    const { data } = (await call('GET', '/v1/audit?kind=tenant&name=acme&action=delete')).body
    expect(data).toHaveLength(2)
  })

  it('says how much has gone, also when the tick has written its row during the pass', async () => {
    const acme = await make('acme')
    await start(acme)
    await api.settle()
    const { store } = api.world
    const drop = store.drop.bind(store)
    vi.spyOn(store, 'drop').mockImplementationOnce(async (partition) => {
      const [row] = await store.heads(['_/tenant/acme'])
      const { version: expect, body } = row!
      await store.commit('_/tenant/acme', [], { expect, body })
      return drop(partition)
    })
    await call('DELETE', '/v1/tenants/acme')
    await api.settle()
    await pass(3 * MINUTE)
    const { body } = await call('GET', '/v1/tenants/acme')
    expect(body.status).toBe('deleted')
    // Its key and its run.
    expect(body.deletion.rows).toBe(2)
  })
})
