/** Quotas of resources among concurrent requests of several processes. */

import { beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../../src/core/limits.ts'
import type { TenantQuotas } from '../../../src/core/tenant-quotas.ts'
import { createHook, deleteHook } from '../../../src/engine/inbound/manage.ts'
import { makeKey, revokeKey } from '../../../src/engine/keys/manage.ts'
import { deleteSchedule, putSchedule } from '../../../src/engine/schedule/manage.ts'
import { createKey, type StoredKey } from '../../../src/engine/tenant/api-keys.ts'
import { createBrowserSession } from '../../../src/engine/tenant/browser-sessions.ts'
import { countResources, reserveSlot } from '../../../src/engine/tenant/resource-quota.ts'
import { createTenant, editTenant } from '../../../src/engine/tenants/manage.ts'
import { createEndpoint, deleteEndpoint } from '../../../src/engine/webhook/endpoint/manage.ts'
import type { MemoryWorld } from '../../../src/hosts/memory/world.ts'
import type { Outcome } from '../../../src/lib/outcome.ts'
import { TENANT, testWorld } from '../../support/drive.ts'

let world: MemoryWorld
beforeEach(() => {
  world = testWorld({
    web: { check: () => undefined, send: async () => ({ ok: false, error: '' }) },
  })
})

/** Processes share the store and the bucket, but not the memory that belongs to these objects. */
const processes = (count: number): MemoryWorld[] =>
  Array.from({ length: count }, () => ({
    ...world,
    store: { ...world.store },
    objects: { ...world.objects },
  }))

/** Runs `count` requests at once, spread over four processes, and returns how many succeeded. */
async function atOnce(
  count: number,
  act: (process: MemoryWorld, index: number) => Promise<Outcome<unknown, { code: string }>>,
  code = 'rate_limited',
): Promise<number> {
  const all = processes(4)
  const results = await Promise.all(
    Array.from({ length: count }, (_, index) => act(all[index % 4]!, index)),
  )
  for (const result of results) if (!result.ok) expect(result.error.code).toBe(code)
  return results.filter(({ ok }) => ok).length
}

const asker = (process: MemoryWorld) => ({ world: process, tenant: TENANT, by: 'key' })
const scopes = ['*']

describe('concurrent requests', () => {
  it.each([
    ['keys', LIMITS.api_keys],
    ['browser sessions', LIMITS.browser_sessions],
    ['endpoints', LIMITS.webhook_endpoints],
    ['hooks', LIMITS.inbound_hooks],
    ['schedules', LIMITS.schedules],
  ])('never create more %s than the limit', async (kind, max) => {
    const { stored } = await createKey(testWorld(), TENANT, scopes)
    const made = await atOnce(max + 12, (process, index) => {
      const name = `name-${index}`
      if (kind === 'keys') return makeKey({ ...asker(process), scopes }, { scopes }, undefined)
      if (kind === 'browser sessions') return createBrowserSession(process, stored, { how: 'key' })
      if (kind === 'endpoints')
        return createEndpoint(asker(process), { url: 'https://a.example/' }, undefined)
      if (kind === 'hooks')
        return createHook(asker(process), { scheme: 'standard', agent: 'general' }, undefined)
      return putSchedule(asker(process), name, { cron: '0 0 * * *', input: 'x' }, undefined)
    })
    expect(made).toBe(max)
  })
})

describe('a slot', () => {
  const maker = () => ({ ...asker(world), scopes })

  it('is free after its resource was deleted', async () => {
    const keys = []
    for (let count = 0; count < LIMITS.api_keys; count += 1) {
      const made = await makeKey(maker(), { scopes }, undefined)
      keys.push(made.ok ? made.value.stored.key_id : '')
    }
    expect((await makeKey(maker(), { scopes }, undefined)).ok).toBe(false)
    await revokeKey(maker(), keys[7]!)
    expect((await makeKey(maker(), { scopes }, undefined)).ok).toBe(true)
    expect((await makeKey(maker(), { scopes }, undefined)).ok).toBe(false)
  })

  it('is free a minute after its creator ended before creating the resource', async () => {
    for (let count = 0; count < LIMITS.schedules; count += 1) {
      const slot = { tenant: TENANT, kind: 'schedules', partition: `lost-${count}` } as const
      expect(await reserveSlot(world, slot)).toBeUndefined()
    }
    const put = () =>
      putSchedule(asker(world), 'night', { cron: '0 0 * * *', input: 'x' }, undefined)
    expect((await put()).ok).toBe(false)
    world.clock.advance(60_000)
    expect((await put()).ok).toBe(true)
  })

  it('stays with a schedule that is created anew while its deletion ends', async () => {
    const put = (name: string) =>
      putSchedule(asker(world), name, { cron: '0 0 * * *', input: 'x' }, undefined)
    await put('night')
    const { commit } = world.store
    const store = { ...world.store }
    const slow = { ...world, store }
    store.commit = async (partition, ...more) => {
      const done = await commit(partition, ...more)
      // Between the deletion and the end of its request, another request creates the schedule.
      if (partition.includes('/schedule/')) {
        world.clock.advance(1)
        await put('night')
      }
      return done
    }
    await deleteSchedule(asker(slow), 'night', undefined)
    const slots = JSON.parse((await world.store.heads([`${TENANT}/quota/schedules`]))[0]!.body)
    expect(Object.keys(slots.slots)).toHaveLength(1)
  })
})

const KINDS = ['keys', 'endpoints', 'hooks', 'schedules'] as const

/** Creates a resource whose name contains the index. */
function create(process: MemoryWorld, kind: (typeof KINDS)[number], index: number) {
  if (kind === 'keys') return makeKey({ ...asker(process), scopes }, { scopes }, undefined)
  if (kind === 'endpoints')
    return createEndpoint(asker(process), { url: 'https://a.example/' }, undefined)
  if (kind === 'hooks')
    return createHook(asker(process), { scheme: 'standard', agent: 'general' }, undefined)
  const schedule = { cron: '0 0 * * *', input: 'x' }
  return putSchedule(asker(process), `name-${index}`, schedule, undefined)
}

async function limit(quotas: TenantQuotas): Promise<void> {
  const operator = { world, tenant: 'default', by: 'operator' }
  await createTenant(operator, { id: TENANT }, undefined)
  expect((await editTenant(operator, TENANT, { quotas })).ok).toBe(true)
}

/** The process for requests of a new key. */
async function keyed(process: MemoryWorld, quotas: StoredKey['quotas']): Promise<MemoryWorld> {
  const { stored } = await createKey(world, TENANT, scopes, quotas && { quotas })
  return { ...process, keyId: stored.key_id }
}

describe('quotas of a tenant', () => {
  it.each(KINDS)('hold for %s in concurrent requests of several processes', async (kind) => {
    await limit({ [kind]: 3 })
    const existing = kind === 'keys' ? 1 : 0
    const made = await atOnce(
      12,
      (process, index) => create(process, kind, index),
      'quota_exceeded',
    )
    expect(made).toBe(3 - existing)
    const owner = { tenant: TENANT, quotas: { [kind]: 3 } }
    expect(await countResources(world, owner, kind)).toBe(3)
  })

  it('count resources from before the quota, and never lift the limit of the deployment', async () => {
    expect((await create(world, 'hooks', 0)).ok).toBe(true)
    await limit({ hooks: 1 })
    const full = await create(world, 'hooks', 1)
    expect(full.ok ? undefined : full.error).toMatchObject({
      code: 'quota_exceeded',
      detail: 'The tenant can have at most 1 hooks; it has 1.',
      extra: { owner: 'tenant', quota: 'hooks', limit: 1, used: 1 },
    })
    await limit({ schedules: LIMITS.schedules + 4 })
    const put = (process: MemoryWorld, at: number) => create(process, 'schedules', at)
    expect(await atOnce(LIMITS.schedules + 4, put)).toBe(LIMITS.schedules)
  })

  it('name the quota that is as high as the limit of the deployment', async () => {
    await limit({ hooks: LIMITS.inbound_hooks })
    const make = (process: MemoryWorld, at: number) => create(process, 'hooks', at)
    const made = await atOnce(LIMITS.inbound_hooks + 2, make, 'quota_exceeded')
    expect(made).toBe(LIMITS.inbound_hooks)
  })
})

describe('quotas of a key', () => {
  it.each(KINDS)('hold for %s that it creates, and not for those of others', async (kind) => {
    const mine = await keyed(world, { [kind]: 2 })
    const made = await atOnce(
      8,
      (process, index) => create({ ...process, keyId: mine.keyId! }, kind, index),
      'quota_exceeded',
    )
    expect(made).toBe(2)
    expect((await create(world, kind, 99)).ok).toBe(true)
    const other = await keyed(world, { [kind]: 1 })
    expect((await create(other, kind, 100)).ok).toBe(true)
  })

  it('have a free slot at once after the deletion, also by another key after a minute', async () => {
    const mine = await keyed(world, { hooks: 1 })
    const made = async () => {
      const result = await create(mine, 'hooks', 0)
      return result.ok && 'hook' in result.value ? result.value.hook.id : undefined
    }
    const first = await made()
    expect(await made()).toBeUndefined()
    await deleteHook(asker(mine), first!, undefined)
    const second = await made()
    await deleteHook(asker(world), second!, undefined)
    world.clock.advance(60_000)
    expect(await made()).toBeDefined()
  })

  it('keep the slot of an endpoint whose deletion was refused', async () => {
    const mine = await keyed(world, { endpoints: 1 })
    const url = 'https://a.example/'
    const made = await createEndpoint(asker(mine), { url }, undefined)
    const id = made.ok ? made.value.endpoint.id : ''
    expect((await deleteEndpoint(asker(mine), id, '99')).ok).toBe(false)
    expect((await createEndpoint(asker(mine), { url }, undefined)).ok).toBe(false)
    expect((await deleteEndpoint(asker(mine), id, undefined)).ok).toBe(true)
    expect((await createEndpoint(asker(mine), { url }, undefined)).ok).toBe(true)
  })

  it('do not count a schedule that another key deleted and created anew', async () => {
    const mine = await keyed(world, { schedules: 1 })
    expect((await create(mine, 'schedules', 1)).ok).toBe(true)
    await deleteSchedule(asker(world), 'name-1', undefined)
    expect((await create(world, 'schedules', 1)).ok).toBe(true)
    world.clock.advance(60_000)
    expect((await create(mine, 'schedules', 2)).ok).toBe(true)
    expect((await create(mine, 'schedules', 3)).ok).toBe(false)
  })

  it('hold together with those of the tenant, and say which one decided', async () => {
    await limit({ hooks: 1 })
    const mine = await keyed(world, { hooks: 2 })
    const owner = async () => {
      const result = await create(mine, 'hooks', 0)
      return result.ok ? 'created' : result.error.extra?.owner
    }
    expect([await owner(), await owner()]).toEqual(['created', 'tenant'])
    // A concurrent request reaches the reservation; its refusal leaves no slot of the key.
    const slot = { tenant: TENANT, kind: 'hooks', partition: '_/hook/late' } as const
    expect((await reserveSlot(mine, slot))?.extra?.owner).toBe('tenant')
    await limit({ hooks: 5 })
    expect([await owner(), await owner()]).toEqual(['created', 'key'])
  })
})
