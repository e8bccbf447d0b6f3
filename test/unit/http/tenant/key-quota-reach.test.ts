/** Reach of the quotas of an API key: work that the key causes through other resources. */

import { beforeEach, describe, expect, it } from 'vitest'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { type QuotaApi, quotaApi } from '../../../support/quota-api.ts'

let t: QuotaApi
beforeEach(async () => {
  t = await quotaApi()
})

describe('quotas of a key', () => {
  it('count the runs of a hook whose secret it rotates', async () => {
    const key = await t.keyWith({ active_runs: 0 })
    const { id } = (await t.ask('POST', '/v1/hooks', { scheme: 'standard', agent: 'general' })).body
    const { secret } = (await t.ask('POST', `/v1/hooks/${id}/rotate-secret`, {}, key)).body
    const refused = { code: 'quota_exceeded', owner: 'key' }
    expect((await t.message(id, secret, 'msg_1')).body).toMatchObject(refused)
  })

  it('count the runs that it starts by hand, and not the later ones of the schedule', async () => {
    const key = await t.keyWith({ active_runs: 0 })
    await t.ask('PUT', '/v1/schedules/hourly', { every: '1h', input: '@say x', overlap: 'allow' })
    await t.ask('POST', '/v1/schedules/hourly/run', {}, key)
    await tick(t.api.world)
    const { running } = (await t.ask('GET', '/v1/schedules/hourly')).body
    expect(running[0].reason).toContain('The API key can have at most 0 active runs')
    await t.ask('POST', '/v1/schedules/hourly/run', {})
    await tick(t.api.world)
    expect((await t.ask('GET', '/v1/runs')).body.data).toHaveLength(1)
  })

  it('count the schedules and their runs that the model of its run makes', async () => {
    const json = { approvals: { 'schedules_*': 'allow' } }
    const headers = { 'if-none-match': '*' }
    await t.api.call('PUT', '/v1/policy', { key: t.admin, json, headers })
    const key = await t.keyWith({ schedules: 1, tokens_per_day: 50_000 })
    const calls = ['night', 'noon'].map(
      (name) => `@call schedules_put {"name":"${name}","every":"1h","input":"@say x"}`,
    )
    const { id } = (await t.start(key, [...calls, '@say done'].join('\n'))).body
    await t.api.settle()
    const { data } = (await t.ask('GET', '/v1/schedules')).body
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['night'])
    const { body } = await t.ask('GET', `/v1/runs/${id}/events?limit=100`)
    expect(JSON.stringify(body)).toContain('The API key can have at most 1 schedules; it has 1')
    expect(await t.levels(key)).toContain('key schedules 1 1')
    await t.ask('POST', '/v1/schedules/night/run', {})
    await tick(t.api.world)
    await t.api.settle()
    const usage = (await t.ask('GET', '/v1/usage', undefined, key)).body
    const { input_tokens, output_tokens } = usage.total.usage
    const ofKey = usage.quotas.find(
      ({ owner, quota }: Record<string, unknown>) => owner === 'key' && quota === 'tokens_per_day',
    )
    expect(ofKey.used).toBe(input_tokens + output_tokens)
  })

  it('stay out of the audit entries of hooks and schedules that they count', async () => {
    const key = await t.keyWith({ active_runs: 3 })
    await t.ask('POST', '/v1/hooks', { scheme: 'standard', agent: 'general' }, key)
    await t.ask('PUT', '/v1/schedules/hourly', { every: '1h', input: '@say x' }, key)
    for (const kind of ['hook', 'schedule']) {
      const [entry] = (await t.ask('GET', `/v1/audit?kind=${kind}`)).body.data
      const fields = entry.changes.map(({ field }: { field: string }) => field)
      expect([kind, fields.filter((field: string) => field.startsWith('key'))]).toEqual([kind, []])
    }
  })

  it('no longer count a run that was deleted, and its subagents', async () => {
    const key = await t.keyWith({ active_runs: 1, queued_runs: 1, children: 1 })
    const { id } = (await t.start(key, '@spawn 1 {"task":"@say a"}\n@await\n@say done')).body
    await t.api.settle()
    expect((await t.ask('GET', `/v1/runs/${id}`)).body.children.total).toBe(1)
    expect((await t.ask('DELETE', `/v1/runs/${id}`, undefined, key)).status).toBe(204)
    expect(await t.levels(key)).toEqual(
      expect.arrayContaining(['key active_runs 1 0', 'key queued_runs 1 0', 'key children 1 0']),
    )
    expect((await t.start(key)).status).toBe(202)
  })
})
