/** Tenants with a data key: what the stores show of them, and when nothing opens their data. */

import { expect, it } from 'vitest'
import { DEFAULT_TENANT } from '../../../../src/engine/partition/keys.ts'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { SWEEP, wakeSweep } from '../../../../src/engine/worker/sweep.ts'
import { resume, tick } from '../../../../src/engine/worker/tick.ts'
import { memoryClock } from '../../../../src/hosts/memory/clock.ts'
import { memoryObjects } from '../../../../src/hosts/memory/objects.ts'
import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import { environmentSecrets } from '../../../../src/hosts/shared/secrets.ts'
import { decode } from '../../../../src/lib/bytes.ts'
import type { LogEntry, Objects, Secrets, Store } from '../../../../src/ports/world.ts'
import { encryptedWorld } from '../../../support/encrypted-world.ts'
import { fillTenant } from '../../../support/full-tenant.ts'
import { testApi } from '../../../support/http.ts'
import { receivers } from '../../../support/receivers.ts'

const keyed = (byte: string, previous?: string): Secrets =>
  environmentSecrets({
    env: previous === undefined ? {} : { STRATA_MASTER_KEY_PREVIOUS: previous.repeat(32) },
    tenant: DEFAULT_TENANT,
    key: new Uint8Array(Buffer.from(byte.repeat(32), 'hex')),
  })

interface Stored {
  readonly clock: ReturnType<typeof memoryClock>
  readonly store: Store
  readonly objects: Objects
}

const emptyStored = (): Stored => {
  const clock = memoryClock()
  return { clock, store: memoryStore(), objects: memoryObjects(() => clock.now()) }
}

/** A server over these stores, as after a start with these master keys. */
async function server(stored: Stored, secrets = keyed('a1')) {
  const logged: LogEntry[] = []
  const overrides = {
    ...{ ...stored, secrets, web: receivers(), settings: { spillBytes: 4_096 } },
    log: { write: (entry: LogEntry) => void logged.push(entry) },
  }
  const api = await testApi(overrides, encryptedWorld)
  const operator = (await createKey(api.world, DEFAULT_TENANT, ['*'])).key
  const ask = (method: string, path: string, json?: unknown) =>
    api.call(method, path, { key: operator, ...(json === undefined ? {} : { json }) })
  const create = async (id: string, encryption = 'tenant_key'): Promise<string> =>
    (await ask('POST', '/v1/tenants', { id, encryption })).body.key.text
  const bring = (id: string, body: string) =>
    api.call('POST', `/v1/tenants/${id}/import`, {
      ...{ key: operator, body, headers: { 'content-type': 'application/jsonl' } },
    })
  return { api, ask, create, bring, logged }
}

/** All bodies of rows and objects of a tenant as they are stored, by name. */
async function bodiesOf({ store, objects }: Stored, tenant: string): Promise<[string, string][]> {
  const bodies: [string, string][] = []
  for (const partition of (await store.partitions?.(`${tenant}/`, 100_000)) ?? [])
    for (const { key, body } of await store.read(partition))
      bodies.push([`${partition} ${key}`, body])
  for (const prefix of [`${tenant}/`, `rows/${tenant}/`])
    for (const { key } of (await objects.list(prefix)).objects)
      bodies.push([key, decode((await objects.get(key))!.body)])
  return bodies
}

const isSealed = ([, body]: readonly [string, string]): boolean =>
  body.startsWith('enc1.') || body.slice(1).startsWith('strata1\0')

it('no body of an encrypted tenant is stored in plain text, and all of it is served', async () => {
  const stored = emptyStored()
  const { api, ask, create } = await server(stored)
  const [secret, plain] = [await create('acme'), await create('other', 'none')]
  const ids = await fillTenant(api, secret)
  await fillTenant(api, plain)
  const value = { value: 'theirs in a secret', hosts: ['mcp.theirs.example'] }
  expect((await api.call('PUT', '/v1/secrets/A', { key: secret, json: value })).status).toBe(201)
  expect(await api.world.secrets.get('acme', 'A')).toBe('theirs in a secret')
  const [sealed, open] = [await bodiesOf(stored, 'acme'), await bodiesOf(stored, 'other')]
  expect(open.filter(([, body]) => /theirs/i.test(body)).length).toBeGreaterThan(20)
  expect(sealed.length).toBeGreaterThan(60)
  expect(sealed.filter((entry) => !isSealed(entry)).map(([name]) => name)).toEqual([
    'acme/chain/tip head',
  ])
  expect(sealed.filter(([, body]) => /theirs/i.test(body))).toEqual([])
  expect(api.errors).toEqual([])
  const run = await api.call('GET', `/v1/runs/${ids.run}`, { key: secret })
  expect(run.body).toMatchObject({ status: 'completed' })
  const file = await api.call('GET', '/v1/files/theirs/notes.md', { key: secret })
  expect(file.text).toBe('Theirs.')
  const files = await api.call('GET', '/v1/files?prefix=theirs/', { key: secret })
  expect(files.body.data).toMatchObject([{ size: 7 }])
  expect((await ask('GET', '/v1/tenants/acme')).body.encryption).toBe('tenant_key')
  expect((await ask('GET', '/v1/tenants/other')).body.encryption).toBe('none')
})

it('encryption is chosen at creation, and a change is refused', async () => {
  const { ask, create } = await server(emptyStored())
  await create('acme')
  const refused = await ask('PATCH', '/v1/tenants/acme', { encryption: 'none' })
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
  expect(refused.body.detail).toContain('chosen at its creation')
  const same = await ask('PATCH', '/v1/tenants/acme', { encryption: 'tenant_key', name: 'Acme' })
  expect([same.status, same.body.name]).toEqual([200, 'Acme'])
  const { data } = (await ask('GET', '/v1/audit?kind=tenant&name=acme')).body
  expect(data.at(-1)).toMatchObject({ action: 'create', detail: 'encryption: tenant_key' })
})

it('a tenant is created only when all processes know it', async () => {
  const stored = emptyStored()
  const overrides = { ...stored, settings: { singleProcess: false } }
  const api = await testApi(overrides, encryptedWorld)
  const key = (await createKey(api.world, DEFAULT_TENANT, ['*'])).key
  const create = async (id: string, encryption: string): Promise<number> => {
    const began = api.world.clock.now()
    await api.call('POST', '/v1/tenants', { key, json: { id, encryption } })
    return api.world.clock.now() - began
  }
  expect(await create('plain', 'none')).toBeLessThan(1_000)
  expect(await create('acme', 'tenant_key')).toBeGreaterThanOrEqual(3_000)
})

it('an export is plain, and is encrypted again where it is imported', async () => {
  const origin = await server(emptyStored())
  const key = await origin.create('acme')
  const ids = await fillTenant(origin.api, key)
  await origin.ask('POST', '/v1/tenants/acme/suspend', {})
  const exported = (await origin.ask('GET', '/v1/tenants/acme/export')).text
  expect(exported).toContain('@say theirs')
  expect(exported).not.toContain('enc1.')
  const stored = emptyStored()
  const target = await server(stored, keyed('b2'))
  await target.create('acme')
  await target.ask('POST', '/v1/tenants/acme/suspend', {})
  const imported = await target.bring('acme', exported)
  expect(imported.status).toBe(200)
  const bodies = await bodiesOf(stored, 'acme')
  expect(bodies.filter((entry) => !isSealed(entry)).map(([name]) => name)).toEqual([
    'acme/chain/tip head',
  ])
  const run = (api: typeof origin.api) => api.call('GET', `/v1/runs/${ids.run}`, { key })
  expect((await run(target.api)).body.output).toEqual((await run(origin.api)).body.output)
})

it('bodies in the bucket of a store without encryption are not imported in plain text', async () => {
  const stored = emptyStored()
  const { create, ask, bring } = await server(stored)
  await create('acme')
  await ask('POST', '/v1/tenants/acme/suspend', {})
  const key = 'rows/acme/run/run_a/0123'
  const body = Buffer.from('theirs').toString('base64')
  const exported = [
    { object: 'tenant_export', format: 1, tenant: 'acme', exported_at: '2026-01-01T00:00:00Z' },
    { object: 'tenant_object', key, size: 6, body },
    { object: 'tenant_object', key: 'acme/files/a.txt', size: 6, body },
    { object: 'tenant_export_end', rows: 0, objects: 2, left: [] },
  ]
  const imported = await bring('acme', exported.map((line) => JSON.stringify(line)).join('\n'))
  expect([imported.status, imported.body.objects]).toEqual([200, 2])
  const objects = (await bodiesOf(stored, 'acme')).filter(([name]) => name.includes('/a'))
  expect(objects.map(([name]) => name)).toEqual(['acme/files/a.txt'])
  expect(objects.every(isSealed)).toBe(true)
})

it('a tenant whose data exists in plain text is not created with encryption', async () => {
  const stored = emptyStored()
  const { api, ask } = await server(stored)
  const { key } = await createKey(api.world, 'acme', ['*'])
  const json = { input: '@say theirs' }
  const run = await api.call('POST', '/v1/runs', { key, json })
  await api.settle()
  const refused = await ask('POST', '/v1/tenants', { id: 'acme', encryption: 'tenant_key' })
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
  expect(refused.body.detail).toContain('plain text')
  const view = await api.call('GET', `/v1/runs/${run.body.id}`, { key })
  expect(view.body.status).toBe('completed')
  expect((await ask('POST', '/v1/tenants', { id: 'acme' })).status).toBe(201)
})

it('the deletion destroys the key first, and a copy from before it stays closed', async () => {
  const stored = emptyStored()
  const { api, ask, create } = await server(stored)
  const key = await create('acme')
  await fillTenant(api, key)
  const accepted = await api.call('POST', '/v1/runs', { key, json: { input: '@say late' } })
  const copy = await bodiesOf(stored, 'acme')
  const requested = await ask('DELETE', '/v1/tenants/acme')
  expect(requested.body).toMatchObject({ status: 'deleting', encryption: 'tenant_key' })
  // The background passes have not begun.
  const [row] = await stored.store.heads(['_/tenant/acme'])
  expect(JSON.parse(row!.body).encryption).toEqual({ sealed: null })
  expect(await bodiesOf(stored, 'acme')).toEqual(copy)
  const partitions = (await stored.store.partitions?.('acme/run/', 1)) ?? []
  const rows = await api.world.store.read(partitions[0]!)
  expect(rows.map(({ body }) => body).join('')).toBe('')
  // A start counts passes that its predecessor did not end, also of such a run.
  const since = api.world.clock.now()
  await resume(api.world, [{ partition: `acme/run/${accepted.body.id}`, since }])
  await expect(api.world.objects.get('acme/files/theirs/notes.md')).rejects.toThrow(/deleted/)
  expect(await tick(api.world)).toBeGreaterThan(0)
  await api.settle()
  api.world.clock.advance(60_000)
  await api.settle()
  expect(await bodiesOf(stored, 'acme')).toEqual([])
  expect((await ask('GET', '/v1/tenants/acme')).body.status).toBe('deleted')
  expect(api.errors).toEqual([])
})

it('with another master key, requests say so, one line is logged, and others work', async () => {
  const stored = emptyStored()
  const first = await server(stored)
  const [locked, free] = [await first.create('acme'), await first.create('other', 'none')]
  for (const key of [locked, free])
    await first.api.call('POST', '/v1/runs', { key, json: { input: '@say done' } })
  const { api, logged } = await server(stored, keyed('b2'))
  const refused = await api.call('GET', '/v1/runs', { key: locked })
  expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
  expect(refused.body.detail).toContain('cannot be decrypted with the configured master key')
  const write = { key: locked, json: { input: '@say late' } }
  expect((await api.call('POST', '/v1/runs', write)).status).toBe(503)
  const files = { key: locked, body: 'x', headers: { 'content-type': 'text/plain' } }
  expect((await api.call('PUT', '/v1/files/a.txt', files)).status).toBe(503)
  api.world.clock.advance(3_600_000)
  expect(await tick(api.world)).toBeGreaterThanOrEqual(2)
  await api.settle()
  const { body } = await api.call('GET', '/v1/runs', { key: free })
  expect(body.data).toMatchObject([{ status: 'completed' }])
  expect(logged.filter(({ event }) => event === 'tenant.locked')).toEqual([
    { level: 'error', event: 'tenant.locked', tenant: 'acme' },
  ])
  // A start counts passes that its predecessor did not end, whose row no key opens.
  const interrupted = (await stored.store.partitions?.('acme/run/', 9)) ?? []
  expect(interrupted).toHaveLength(1)
  const since = api.world.clock.now()
  await resume(
    api.world,
    interrupted.map((partition) => ({ partition, since })),
  )
  await api.settle()
  expect((await bodiesOf(stored, 'acme')).every(isSealed)).toBe(true)
  // The key is restored, and the run that waited continues.
  const restored = await server(stored)
  restored.api.world.clock.advance(3_600_000)
  await tick(restored.api.world)
  await restored.api.settle()
  const runs = await restored.api.call('GET', '/v1/runs', { key: locked })
  expect(runs.body.data).toMatchObject([{ status: 'completed' }])
})

it('after the master key is exchanged and data is encrypted again, only the new one is needed', async () => {
  const stored = emptyStored()
  const first = await server(stored)
  const key = await first.create('acme')
  const { run } = await fillTenant(first.api, key)
  const row = async () => JSON.parse((await stored.store.heads(['_/tenant/acme']))[0]!.body)
  const { sealed } = (await row()).encryption
  const both = await server(stored, keyed('b2', 'a1'))
  const { body } = await both.api.call('POST', '/v1/secrets/reseal', { key })
  expect(body.lost).toEqual([])
  expect((await row()).encryption.sealed).not.toBe(sealed)
  const after = await server(stored, keyed('b2'))
  const view = await after.api.call('GET', `/v1/runs/${run}`, { key })
  expect(view.body.status).toBe('completed')
})

it('where several processes share the store, a process reads the row of the key once a minute', async () => {
  const stored = emptyStored()
  let reads = 0
  const store: Store = {
    ...stored.store,
    heads(partitions) {
      if (partitions.includes('_/tenant/acme')) reads += 1
      return stored.store.heads(partitions)
    },
  }
  const overrides = { ...stored, store, settings: { singleProcess: false } }
  const api = await testApi(overrides, encryptedWorld)
  const key = (await createKey(api.world, DEFAULT_TENANT, ['*'])).key
  const json = { id: 'acme', encryption: 'tenant_key' }
  await api.call('POST', '/v1/tenants', { key, json })
  await api.world.store.read('acme/run/a')
  const before = reads
  for (let second = 0; second < 59; second += 1) {
    stored.clock.advance(1_000)
    await api.world.store.read('acme/run/a')
  }
  expect(reads - before).toBe(0)
  await api.call('DELETE', '/v1/tenants/acme', { key })
  stored.clock.advance(2_000)
  const write = { expect: null, body: '{}' }
  await expect(api.world.store.commit('acme/run/a', [], write)).rejects.toThrow(/deleted tenant/)
})

it('a sweep of the bucket passes over a tenant that no master key opens', async () => {
  const stored = emptyStored()
  const first = await server(stored)
  await fillTenant(first.api, await first.create('acme'))
  await fillTenant(first.api, await first.create('other', 'none'))
  const objects = (await bodiesOf(stored, 'acme')).length
  const { api } = await server(stored, keyed('b2'))
  const sweep = async () => {
    const [row] = await stored.store.heads([SWEEP])
    return JSON.parse(row!.body) as { readonly next_at: number; readonly place?: object }
  }
  await wakeSweep(api.world)
  for (let round = 0; round < 5; round += 1) {
    api.world.clock.set((await sweep()).next_at)
    await wakeSweep(api.world)
    await api.settle()
    const { next_at, place } = await sweep()
    expect([next_at - api.world.clock.now(), place]).toEqual([86_400_000, undefined])
  }
  expect(await bodiesOf(stored, 'acme')).toHaveLength(objects)
})
