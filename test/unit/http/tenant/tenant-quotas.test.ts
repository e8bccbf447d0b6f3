/** Quotas of a tenant by the API: set by the operator, visible to the tenant, refused with a code. */

import { beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_TENANT } from '../../../../src/engine/partition/keys.ts'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { type Receivers, receivers } from '../../../support/receivers.ts'

let api: TestApi
let web: Receivers
let operator: string
let tenant: string
beforeEach(async () => {
  web = receivers()
  api = await testApi({ web })
  operator = (await createKey(api.world, DEFAULT_TENANT, ['*'])).key
  const created = await ask('POST', '/v1/tenants', { id: 'acme', quotas: { active_runs: 1 } })
  tenant = created.body.key.text
})

const ask = (method: string, path: string, json?: unknown, key = operator) =>
  api.call(method, path, { key, ...(json === undefined ? {} : { json }) })

describe('quotas', () => {
  it('are set with the tenant, changed, and removed one by one', async () => {
    const change = async (quotas: object) =>
      (await ask('PATCH', '/v1/tenants/acme', { quotas })).body.quotas
    expect(await change({ tokens_per_day: 1_000 })).toEqual({
      active_runs: 1,
      tokens_per_day: 1_000,
    })
    expect(await change({ active_runs: null })).toEqual({ tokens_per_day: 1_000 })
    expect((await ask('PATCH', '/v1/tenants/acme', { name: 'Acme' })).body).toMatchObject({
      ...{ name: 'Acme', quotas: { tokens_per_day: 1_000 } },
    })
    expect((await ask('PATCH', '/v1/tenants/acme', { quotas: null })).body.quotas).toEqual({})
    const { body } = await ask('GET', '/v1/audit?kind=tenant&action=update')
    expect(body.data[0]).toMatchObject({ action: 'update', name: 'acme' })
    expect(body.data.map(({ detail }: { detail: string }) => detail)).toEqual([
      'quotas: none',
      ...Array.from({ length: 2 }, () => 'quotas: tokens_per_day 1000'),
      'quotas: active_runs 1, tokens_per_day 1000',
    ])
  })

  it('with invalid values are refused by member', async () => {
    for (const quotas of [
      { active_runs: -1 },
      { active_runs: 1_001 },
      { queued_runs: 1_001 },
      { endpoints: 101 },
      { hooks: 1.5 },
      { schedules: -1 },
      { keys: '2' },
      { tokens_per_day: 1.5 },
      { dollars_per_day: '5' },
      { dollars_per_month: 1e10 },
      { runs: 1 },
    ]) {
      const { status, body } = await ask('PATCH', '/v1/tenants/acme', { quotas })
      expect([quotas, status, body.errors?.[0]?.pointer]).toEqual([
        ...[quotas, 422],
        `/quotas/${Object.keys(quotas)[0]}`,
      ])
    }
    expect((await ask('PATCH', '/v1/tenants/none', {})).status).toBe(404)
    expect((await ask('PATCH', '/v1/tenants/acme', { name: 'Mine' }, tenant)).status).toBe(403)
  })

  it('refuse new work with their name, and appear in the usage of the tenant', async () => {
    const first = await ask('POST', '/v1/runs', { input: '@say done' }, tenant)
    expect(first.status).toBe(202)
    const second = await ask('POST', '/v1/runs', { input: '@say done' }, tenant)
    const { status, body, headers } = second
    expect([status, body.code, body.quota, body.limit, headers.get('retry-after')]).toEqual([
      ...[429, 'quota_exceeded', 'active_runs', 1, '5'],
    ])
    const tasks = [{ task: '@say done' }]
    expect((await ask('POST', '/v1/fanouts', { tasks }, tenant)).body.code).toBe('quota_exceeded')
    const usage = await ask('GET', '/v1/usage', undefined, tenant)
    expect(usage.body.quotas).toEqual([
      { owner: 'tenant', quota: 'active_runs', limit: 1, used: 1, reserved: 0, resets_at: null },
    ])
    await api.settle()
    expect((await ask('POST', '/v1/runs', { input: '@say done' }, tenant)).status).toBe(202)
  })

  it('hold a slot of a schedule, whose reason is visible at once', async () => {
    const first = await ask('POST', '/v1/runs', { input: '@say done' }, tenant)
    const schedule = { cron: '0 0 1 1 *', input: '@say scheduled' }
    await ask('PUT', '/v1/schedules/night', schedule, tenant)
    const fired = await ask('POST', '/v1/schedules/night/run', {}, tenant)
    const running = async () =>
      (await ask('GET', '/v1/schedules/night', undefined, tenant)).body.running
    expect(await running()).toMatchObject([
      {
        run_id: fired.body.run_id,
        status: 'due',
        reason: expect.stringMatching(/^quota_exceeded: .*1 active runs/),
      },
    ])
    await api.settle()
    expect((await ask('GET', `/v1/runs/${first.body.id}`, undefined, tenant)).body.status).toBe(
      'completed',
    )
    for (let minute = 0; minute < 10 && (await running()).length > 0; minute += 1) {
      api.world.clock.advance(60_000)
      await tick(api.world)
      await api.settle()
    }
    expect(await running()).toEqual([])
    const run = await ask('GET', `/v1/runs/${fired.body.run_id}`, undefined, tenant)
    expect(run.body.status).toBe('completed')
  })

  it('of resources refuse new ones by name, and appear in the usage of the tenant', async () => {
    const quotas = { active_runs: null, endpoints: 0, hooks: 1, schedules: 1, keys: 1 }
    const changed = await ask('PATCH', '/v1/tenants/acme', { quotas })
    expect(changed.body.quotas).toEqual({ endpoints: 0, hooks: 1, schedules: 1, keys: 1 })
    const requests = [
      ['PUT', '/v1/schedules/one', { every: '1h', input: 'x' }],
      ['PUT', '/v1/schedules/two', { every: '1h', input: 'x' }],
      ['POST', '/v1/hooks', { scheme: 'standard', agent: 'general' }],
      ['POST', '/v1/hooks', { scheme: 'standard', agent: 'general' }],
      ['POST', '/v1/webhook-endpoints', { url: 'https://a.example/' }],
      ['POST', '/v1/keys', { scopes: ['runs:read'] }],
    ] as const
    const outcomes: unknown[] = []
    for (const [method, path, json] of requests) {
      const { status, body } = await ask(method, path, json, tenant)
      outcomes.push([status, body.quota, body.limit, body.used].join(' ').trim())
    }
    expect(outcomes).toEqual([
      ...['201', '429 schedules 1 1', '201', '429 hooks 1 1', '429 endpoints 0 0', '429 keys 1 1'],
    ])
    const usage = await ask('GET', '/v1/usage', undefined, tenant)
    const levels = usage.body.quotas.map(({ quota, limit, used }: Record<string, unknown>) =>
      [quota, limit, used].join(' '),
    )
    expect(levels).toEqual(['endpoints 0 0', 'hooks 1 1', 'schedules 1 1', 'keys 1 1'])
    // The same name replaces the schedule and needs no slot.
    const again = { every: '2h', input: 'x' }
    expect((await ask('PUT', '/v1/schedules/one', again, tenant)).status).toBe(200)
  })

  it('of subagents refuse a spawn, which the model reads, and appear in the usage', async () => {
    await ask('PATCH', '/v1/tenants/acme', { quotas: { active_runs: null, children: 1 } })
    const input = '@spawn 2 {"task":"@slow 60000\\n@say a"}\n@await\n@say all'
    const run = await ask('POST', '/v1/runs', { input }, tenant)
    await api.settle()
    const { body } = await ask('GET', `/v1/runs/${run.body.id}/transcript`, undefined, tenant)
    expect(JSON.stringify(body)).toContain(
      'quota_exceeded: The tenant can have at most 1 subagents',
    )
    const usage = await ask('GET', '/v1/usage', undefined, tenant)
    expect(usage.body.quotas).toMatchObject([{ owner: 'tenant', quota: 'children', limit: 1 }])
  })

  it('of usage refuse new runs until the count starts again', async () => {
    await ask('PATCH', '/v1/tenants/acme', { quotas: { active_runs: null, tokens_per_day: 8_000 } })
    const run = await ask('POST', '/v1/runs', { input: '@say done' }, tenant)
    await api.settle()
    const done = await ask('GET', `/v1/runs/${run.body.id}`, undefined, tenant)
    expect(done.body.status).toBe('completed')
    await ask('PATCH', '/v1/tenants/acme', { quotas: { tokens_per_day: 15 } })
    const refused = await ask('POST', '/v1/runs', { input: '@say done' }, tenant)
    expect([refused.status, refused.body.quota, refused.body.used]).toEqual([
      ...[429, 'tokens_per_day', 15],
    ])
    expect(refused.headers.get('retry-after')).toBe(String(refused.body.retry_after))
    const usage = await ask('GET', '/v1/usage', undefined, tenant)
    expect(usage.body.quotas).toMatchObject([{ quota: 'tokens_per_day', limit: 15, used: 15 }])
  })
})

describe('the event quota.exceeded', () => {
  const RECEIVER = 'https://receiver.example/in'
  const listen = () =>
    ask('POST', '/v1/webhook-endpoints', { url: RECEIVER, events: ['quota.exceeded'] }, tenant)
  const events = () => web.at(RECEIVER).map(({ json }) => json.data.data)
  const refused = async () => {
    expect((await ask('POST', '/v1/runs', { input: '@say x' }, tenant)).status).toBe(429)
    await api.settle()
  }

  it('is sent once an hour for active runs, also to an endpoint that was created late', async () => {
    await ask('POST', '/v1/runs', { input: '@say done' }, tenant)
    expect((await ask('POST', '/v1/runs', { input: '@say x' }, tenant)).status).toBe(429)
    await listen()
    await ask('PATCH', '/v1/tenants/acme', { quotas: { active_runs: 0 } })
    await api.settle()
    for (const count of [1, 1, 2, 2]) {
      await refused()
      expect(events()).toHaveLength(count)
      if (events().length < 2) api.world.clock.advance(1_800_000)
    }
    expect(events()[0]).toEqual({
      ...{ tenant: 'acme', owner: 'tenant', key_id: null },
      ...{ quota: 'active_runs', limit: 0, used: 0, resets_at: null },
    })
  })

  it('is sent once a day for a quota of a day, also for a model call', async () => {
    await listen()
    const quotas = { active_runs: null, tokens_per_day: 10 }
    await ask('PATCH', '/v1/tenants/acme', { quotas })
    for (const count of [1, 1]) {
      const { body } = await ask('POST', '/v1/runs', { input: '@say done' }, tenant)
      await api.settle()
      const run = await ask('GET', `/v1/runs/${body.id}`, undefined, tenant)
      expect(run.body.error.code).toBe('quota_exceeded')
      expect(events()).toHaveLength(count)
    }
    const { resets_at } = events()[0]
    expect(events()[0]).toMatchObject({ quota: 'tokens_per_day', limit: 10, used: 0 })
    api.world.clock.advance(Date.parse(resets_at) - api.world.clock.now())
    await ask('POST', '/v1/runs', { input: '@say done' }, tenant)
    await api.settle()
    expect(events()).toHaveLength(2)
  })
})
