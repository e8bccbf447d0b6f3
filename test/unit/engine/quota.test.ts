/** Quotas of resources among concurrent requests of several processes. */

import { beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../../src/core/limits.ts'
import { createHook } from '../../../src/engine/inbound/manage.ts'
import { deleteSchedule, putSchedule } from '../../../src/engine/schedule/manage.ts'
import { createKey } from '../../../src/engine/tenant/api-keys.ts'
import { createBrowserSession } from '../../../src/engine/tenant/browser-sessions.ts'
import { makeKey, revokeKey } from '../../../src/engine/tenant/manage-keys.ts'
import { reserveSlot } from '../../../src/engine/tenant/quota.ts'
import { createEndpoint } from '../../../src/engine/webhook/endpoint/manage.ts'
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
): Promise<number> {
  const all = processes(4)
  const results = await Promise.all(
    Array.from({ length: count }, (_, index) => act(all[index % 4]!, index)),
  )
  for (const result of results) if (!result.ok) expect(result.error.code).toBe('rate_limited')
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
      const slot = { tenant: TENANT, quota: 'schedules', partition: `lost-${count}` } as const
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
