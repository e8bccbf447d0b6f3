/** Rows and objects of encrypted tenants: sealed where they lie, bound to it, lost with their key. */

import { beforeEach, expect, it } from 'vitest'
import { forgetTenant } from '../../../src/engine/tenant/state.ts'
import { deleteTenant } from '../../../src/engine/tenants/delete.ts'
import { makeTenant } from '../../../src/engine/tenants/manage.ts'
import { memoryObjects } from '../../../src/hosts/memory/objects.ts'
import { MAX_SEALED_BODY, memoryStore } from '../../../src/hosts/memory/store.ts'
import { tenantEncryption } from '../../../src/hosts/shared/encryption.ts'
import { environmentSecrets } from '../../../src/hosts/shared/secrets.ts'
import { decode, encode } from '../../../src/lib/bytes.ts'
import type { Objects, Store, World } from '../../../src/ports/world.ts'
import { objectsContract } from '../../contract/objects.ts'
import { storeContract } from '../../contract/store.ts'
import { countingStore } from '../../support/counting-store.ts'
import { testWorld } from '../../support/drive.ts'

const CANARY = 'canary-in-the-body'
const secretsOf = (key: string, before?: string) =>
  environmentSecrets({
    env: before === undefined ? {} : { STRATA_MASTER_KEY_PREVIOUS: before },
    tenant: 'default',
    key: new Uint8Array(Buffer.from(key, 'hex')),
  })
const [KEY, OTHER] = ['a1'.repeat(32), 'b2'.repeat(32)]

let store: Store
let objects: Objects
let world: World
let now = 0

/** As another process sees the same storage. */
function process(key = KEY, of = { store, objects }): World {
  const secrets = secretsOf(key)
  const clock = { now: () => now }
  // Another identity: nothing is remembered.
  const encryption = tenantEncryption({ store: { ...of.store }, secrets, clock })
  return testWorld({
    secrets,
    store: encryption.rows(of.store),
    objects: encryption.objects(of.objects),
    asStored: of.store,
  })
}

async function make(id: string, encrypted?: boolean): Promise<void> {
  const made = await makeTenant({ world, tenant: 'default', by: 'x' }, { id, encrypted }, undefined)
  expect(made.ok).toBe(true)
}

beforeEach(async () => {
  store = memoryStore()
  objects = memoryObjects(() => 0)
  now = 0
  world = process()
  await make('acme', true)
  await make('plain')
})

const HEAD = { body: JSON.stringify({ canary: CANARY }), expect: null }
const listed = { under: 'acme/runs', at: '2026-01-01 run_1', tags: ' a ' }
const row = (key: string) => ({
  ...{ op: 'put' as const, key, body: JSON.stringify(CANARY), expect: 'absent' as const },
})
const write = (tenant: string, to = world) =>
  to.store.commit(`${tenant}/run/run_1`, [row('f/1')], { ...HEAD, listed })

it('every verb shows what was written, and what lies there shows none of it', async () => {
  expect(await write('acme')).toBe('ok')
  await world.objects.put('acme/files/a.txt', encode(CANARY), 'absent')
  const lies = await store.read('acme/run/run_1')
  expect(lies.map(({ key }) => key)).toEqual(['f/1', 'head'])
  expect(JSON.stringify(lies)).not.toContain(CANARY)
  expect(Buffer.from((await objects.get('acme/files/a.txt'))!.body).includes(CANARY)).toBe(false)
  for (const one of [world, process()]) {
    const bodies = (rows: readonly { readonly body: string }[]) => rows.map(({ body }) => body)
    expect(bodies(await one.store.read('acme/run/run_1'))).toEqual([
      ...[JSON.stringify(CANARY), HEAD.body],
    ])
    const [head] = await one.store.heads(['acme/run/run_1'])
    expect(head?.body).toBe(HEAD.body)
    expect(bodies(await one.store.list('acme/runs'))).toEqual([HEAD.body])
    const wanted = { marks: '', words: ['a'], order: 'newest', limit: 9 } as const
    expect(bodies((await one.store.find('acme/runs', wanted)).rows)).toEqual([HEAD.body])
    expect(decode((await one.objects.get('acme/files/a.txt'))!.body)).toBe(CANARY)
    expect((await one.objects.list('acme/')).objects[0]?.size).toBe(CANARY.length)
  }
})

it('bodies of a tenant that is not encrypted, and of the deployment, lie as they are', async () => {
  expect(await write('plain')).toBe('ok')
  expect(await write('default')).toBe('ok')
  await world.objects.put('plain/files/a.txt', encode(CANARY), 'absent')
  expect(JSON.stringify(await store.read('plain/run/run_1'))).toContain(CANARY)
  expect(JSON.stringify(await store.read('default/run/run_1'))).toContain(CANARY)
  expect(decode((await objects.get('plain/files/a.txt'))!.body)).toBe(CANARY)
})

it('a row that was written in the plain stays readable beside sealed ones', async () => {
  await store.commit('acme/run/run_2', [row('f/1')], HEAD)
  await world.store.commit('acme/run/run_2', [row('f/2')])
  const rows = await world.store.read('acme/run/run_2')
  expect(rows.map(({ body }) => body)).toEqual([
    ...[JSON.stringify(CANARY), JSON.stringify(CANARY), HEAD.body],
  ])
  await objects.put('acme/files/old.txt', encode(CANARY), 'absent')
  expect(decode((await world.objects.get('acme/files/old.txt'))!.body)).toBe(CANARY)
})

it('a body that was moved to another row, partition or object, or changed, does not open', async () => {
  await write('acme')
  const body = (await store.read('acme/run/run_1'))[0]!.body
  for (const [partition, key] of [
    ...([
      ['acme/run/run_1', 'f/2'],
      ['acme/run/run_9', 'f/1'],
    ] as const),
  ]) {
    await store.commit(partition, [{ ...row(key), body }])
    await expect(world.store.read(partition)).rejects.toThrow(`the row ${key} of ${partition}`)
  }
  const bent = body.slice(0, -6) + (body.at(-6) === 'A' ? 'B' : 'A') + body.slice(-5)
  await store.commit('acme/run/run_7', [{ ...row('f/1'), body: bent }])
  await expect(world.store.read('acme/run/run_7')).rejects.toThrow('changed or moved')
  await world.objects.put('acme/files/a', encode(CANARY), 'any')
  await objects.put('acme/files/b', (await objects.get('acme/files/a'))!.body, 'any')
  await expect(world.objects.get('acme/files/b')).rejects.toThrow('the object acme/files/b')
})

it('another master key opens nothing, says which key is missing, and writes nothing', async () => {
  await write('acme')
  await world.objects.put('acme/files/a', encode(CANARY), 'any')
  const other = process(OTHER)
  const says = 'the data key of the tenant acme does not open'
  await expect(other.store.read('acme/run/run_1')).rejects.toThrow(says)
  await expect(other.store.list('acme/runs')).rejects.toThrow(says)
  await expect(other.objects.get('acme/files/a')).rejects.toThrow(says)
  await expect(other.objects.put('acme/files/z', encode('z'), 'any')).rejects.toThrow(says)
  await expect(write('acme', other)).rejects.toThrow(says)
})

it('the order to delete destroys the key: no process opens what a backup has, none writes in the plain', async () => {
  await write('acme')
  await world.objects.put('acme/files/a', encode(CANARY), 'any')
  const [body, file] = [await store.read('acme/run/run_1'), (await objects.get('acme/files/a'))!]
  const beside = process()
  await beside.store.read('acme/run/run_1')
  expect((await deleteTenant({ world, tenant: 'default', by: 'x' }, 'acme')).ok).toBe(true)
  expect(JSON.stringify(await store.read('_/tenant/acme'))).not.toContain('sealed_key')
  forgetTenant(world, 'acme')
  const says = 'destroyed or missing'
  await expect(write('acme')).rejects.toThrow(says)
  // One that knew it forgets it within a minute.
  now += 60_001
  await expect(beside.store.read('acme/run/run_1')).rejects.toThrow(says)
  // Rows and objects of before, brought back beside the record of today.
  const [fact, head] = body
  const back = { expect: head!.version, body: head!.body }
  await store.commit('acme/run/run_1', [{ ...row('f/1'), expect: 'any', body: fact!.body }], back)
  await objects.put('acme/files/a', file.body, 'any')
  const restored = process()
  await expect(restored.store.read('acme/run/run_1')).rejects.toThrow(says)
  await expect(restored.objects.get('acme/files/a')).rejects.toThrow(says)
  await expect(restored.objects.put('acme/files/b', encode('b'), 'any')).rejects.toThrow(says)
})

it('a tenant that is not encrypted costs no read more than the engine makes anyway', async () => {
  const { store: counted, counts } = countingStore(store)
  const secrets = secretsOf(KEY)
  const encryption = tenantEncryption({ store: counted, secrets, clock: { now: () => now } })
  const rows = encryption.rows(counted)
  // The engine reads the tenant first (`tenantStatus`).
  await rows.heads(['_/tenant/plain'])
  const { calls } = counts
  await rows.commit('plain/run/run_5', [row('f/1')], HEAD)
  await rows.read('plain/run/run_5')
  await rows.commit('default/run/run_5', [row('f/1')], HEAD)
  expect(counts.calls - calls).toBe(3)
})

// The contracts name partitions and objects as they like: here all of them are of one tenant.

const PREFIX = 'acme/it/'
async function encrypted() {
  const kept = { store: memoryStore(2 * MAX_SEALED_BODY), objects: memoryObjects(() => Date.now()) }
  const secrets = secretsOf(KEY)
  const encryption = tenantEncryption({ store: kept.store, secrets, clock: { now: () => 0 } })
  const opened = { store: encryption.rows(kept.store), objects: encryption.objects(kept.objects) }
  const by = testWorld({ ...opened, secrets, asStored: kept.store })
  await makeTenant(
    { world: by, tenant: 'default', by: 'x' },
    { id: 'acme', encrypted: true },
    undefined,
  )
  return opened
}
const bare = (name: string): string => name.slice(PREFIX.length)
const unnamed = <T extends { readonly partition: string }>(rows: readonly T[]): T[] =>
  rows.map((one) => ({ ...one, partition: bare(one.partition) }))

storeContract('encrypted', async () => {
  const { store } = await encrypted()
  return {
    ...store,
    read: (partition, after) => store.read(PREFIX + partition, after),
    heads: (partitions) => store.heads(partitions.map((one) => PREFIX + one)),
    commit: (partition, writes, head) => store.commit(PREFIX + partition, writes, head),
    drop: (partition) => store.drop(PREFIX + partition),
    async due(at, cursor) {
      const page = await store.due(at, cursor)
      return { ...page, entries: unnamed(page.entries) }
    },
    list: async (under, before, limit) => unnamed(await store.list(under, before, limit)),
    async find(under, wanted) {
      const found = await store.find(under, wanted)
      return { ...found, rows: unnamed(found.rows) }
    },
    partitions: async (prefix, limit) =>
      (await store.partitions!(PREFIX + prefix, limit)).map(bare),
  }
})

objectsContract('encrypted', async () => {
  const { objects } = await encrypted()
  return {
    get: (key) => objects.get(PREFIX + key),
    put: (key, body, expect) => objects.put(PREFIX + key, body, expect),
    delete: (key, expect) => objects.delete(PREFIX + key, expect),
    async list(prefix, cursor) {
      const page = await objects.list(PREFIX + prefix, cursor)
      return { ...page, objects: page.objects.map((one) => ({ ...one, key: bare(one.key) })) }
    },
  }
})
