/** Background rounds of an exchange of the master key, over all tenants. */

import { expect, it } from 'vitest'
import { DEFAULT_TENANT } from '../../../src/engine/partition/keys.ts'
import { RESEAL } from '../../../src/engine/reseal-rounds.ts'
import { wakeRounds } from '../../../src/engine/rounds.ts'
import { createKey } from '../../../src/engine/tenant/api-keys.ts'
import { memoryClock } from '../../../src/hosts/memory/clock.ts'
import { memoryObjects } from '../../../src/hosts/memory/objects.ts'
import { memoryStore } from '../../../src/hosts/memory/store.ts'
import { environmentSecrets } from '../../../src/hosts/shared/secrets.ts'
import type { LogEntry, Store } from '../../../src/ports/world.ts'
import { encryptedWorld } from '../../support/encrypted-world.ts'
import { testApi } from '../../support/http.ts'

const [OLD, NEW, OTHER] = ['a1', 'b2', 'c3'] as const
const DAY_MS = 86_400_000
const JSON_SECRET = { value: 'the value of a secret', hosts: ['mcp.shop.example'] }

const keyed = (byte: string, previous?: string) =>
  environmentSecrets({
    env: previous === undefined ? {} : { STRATA_MASTER_KEY_PREVIOUS: previous.repeat(32) },
    tenant: DEFAULT_TENANT,
    key: new Uint8Array(Buffer.from(byte.repeat(32), 'hex')),
  })

/** Starts servers with different master keys over one store. */
function deployment() {
  const clock = memoryClock()
  const store = memoryStore()
  const objects = memoryObjects(() => clock.now())
  const logged: LogEntry[] = []
  const log = { write: (entry: LogEntry) => void logged.push(entry) }
  const start = async (key: string, previous?: string, rows: Store = store) => {
    const secrets = keyed(key, previous)
    const api = await testApi({ clock, store: rows, objects, log, secrets }, encryptedWorld)
    const operator = (await createKey(api.world, DEFAULT_TENANT, ['*'])).key
    const minute = async (ms = 0): Promise<readonly LogEntry[]> => {
      clock.advance(ms)
      logged.length = 0
      await wakeRounds(api.world)
      await api.settle()
      return logged.filter(({ event }) => event.startsWith('secrets.'))
    }
    const create = async (id: string): Promise<string> => {
      const json = { id, encryption: 'tenant_key' }
      return (await api.call('POST', '/v1/tenants', { key: operator, json })).body.key.text
    }
    const put = (key: string) => api.call('PUT', '/v1/secrets/A', { key, json: JSON_SECRET })
    return { api, minute, create, put, operator }
  }
  return { clock, store, start }
}

it('one master key needs no round', async () => {
  const { store, start } = deployment()
  const { minute } = await start(NEW)
  expect(await minute()).toEqual([])
  expect(await store.read(RESEAL)).toEqual([])
})

it('two rounds a day apart leave nothing that needs the previous key, and the log says so', async () => {
  const { clock, start } = deployment()
  const first = await start(OLD)
  const keys = [first.operator, await first.create('acme'), await first.create('beta')]
  for (const key of keys) expect((await first.put(key)).status).toBe(201)
  const began = clock.now()
  const { minute } = await start(NEW, OLD)
  const date = (at: number) => new Date(at).toISOString()
  // A secret of the operator, and two secrets and two data keys of its tenants.
  const counts = { event: 'secrets.resealed', tenants: 3, values: 5, lost: 0, failed: 0 }
  expect(await minute()).toEqual([
    {
      ...{ level: 'info', ...counts },
      previous_key: `needed; the next round begins at ${date(began + DAY_MS)}`,
    },
  ])
  expect(await minute(60_000)).toEqual([])
  const afterFirst = await start(NEW)
  for (const tenant of [DEFAULT_TENANT, 'acme', 'beta'])
    expect(await afterFirst.api.world.secrets.get(tenant, 'A')).toBe(JSON_SECRET.value)
  expect(await minute(DAY_MS)).toEqual([
    {
      ...{ level: 'info', ...counts },
      previous_key: `needed by tokens and links until ${date(began + 8 * DAY_MS)}`,
    },
  ])
  expect(await minute(DAY_MS)).toEqual([])
  // A process that returned to the old key, such as after a rollback.
  const late = await start(OLD)
  await late.put(await late.create('late'))
  expect(await minute(6 * DAY_MS)).toMatchObject([
    { tenants: 4, values: 7, previous_key: 'can be removed: unset STRATA_MASTER_KEY_PREVIOUS' },
  ])
  const { api } = await start(NEW)
  expect(await api.world.secrets.get('late', 'A')).toBe(JSON_SECRET.value)
  expect(await minute(60_000)).toEqual([])
  expect(await minute(DAY_MS)).toHaveLength(1)
})

it('a tenant that no key opens is logged, does not stop the others, and delays the end', async () => {
  const { start } = deployment()
  const first = await start(OTHER)
  await first.create('locked')
  const second = await start(OLD)
  await second.put(await second.create('free'))
  const { api, minute } = await start(NEW, OLD)
  expect(await minute()).toMatchObject([
    { level: 'error', event: 'secrets.reseal_failed', tenant: 'locked' },
    { level: 'warn', tenants: 3, values: 2, failed: 1 },
  ])
  expect(await api.world.secrets.get('free', 'A')).toBe(JSON_SECRET.value)
  for (const _ of [1, 2]) expect((await minute(DAY_MS)).at(-1)).toMatchObject({ failed: 1 })
})

it('a pass that crashes is continued by a later one at its tenant', async () => {
  const { store, start } = deployment()
  const first = await start(OLD)
  for (const id of ['acme', 'beta']) await first.put(await first.create(id))
  let writes = 0
  const mortal: Store = {
    ...store,
    commit(partition, ...more) {
      if (partition === RESEAL && (writes += 1) === 3) throw new Error('the process died')
      return store.commit(partition, ...more)
    },
  }
  const { minute } = await start(NEW, OLD, mortal)
  await expect(minute()).rejects.toThrow('the process died')
  expect(await minute(60_000)).toEqual([])
  expect(await minute(900_000)).toMatchObject([{ level: 'info', tenants: 3, lost: 0 }])
})
