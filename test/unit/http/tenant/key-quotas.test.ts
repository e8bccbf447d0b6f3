/** Quotas of an API key: exact beside those of the tenant, inherited, and never widened. */

import { beforeEach, describe, expect, it } from 'vitest'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { type QuotaApi, quotaApi } from '../../../support/quota-api.ts'

let t: QuotaApi
beforeEach(async () => {
  t = await quotaApi()
})

describe('quotas of a key', () => {
  it('refuse its new runs, and leave those of other keys alone', async () => {
    const key = await t.keyWith({ active_runs: 1 })
    const answers = await Promise.all([t.start(key), t.start(key), t.start(key)])
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(2)
    expect(refused[0]!.body).toMatchObject({
      ...{ code: 'quota_exceeded', owner: 'key', quota: 'active_runs', limit: 1, used: 1 },
      key_id: key.split('_')[1],
    })
    expect((await t.start(t.admin)).status).toBe(202)
    expect(await t.levels(key)).toEqual([
      ...['tenant active_runs 4 2', 'tenant tokens_per_day 100000 0', 'key active_runs 1 1'],
    ])
    expect(await t.levels(t.admin)).toHaveLength(2)
    await t.api.settle()
    expect((await t.start(key)).status).toBe(202)
  })

  it('hold together with those of the tenant, whose refusal takes no slot of the key', async () => {
    const key = await t.keyWith({ active_runs: 3 })
    const answers = await Promise.all([
      ...[t.start(t.admin), t.start(t.admin), t.start(t.admin)],
      ...[t.start(key), t.start(key), t.start(key)],
    ])
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.map(({ body }) => body.owner)).toEqual(['tenant', 'tenant'])
    const started = answers.slice(3).filter(({ status }) => status === 202).length
    expect(await t.levels(key)).toContain(`key active_runs 3 ${started}`)
  })

  it('count the tokens of its runs, of their subagents, and of fan-outs', async () => {
    const key = await t.keyWith({ tokens_per_day: 50_000 })
    await t.start(key, '@spawn 1 {"task":"@say a"}\n@await\n@say all')
    await t.start(t.admin)
    await t.ask('POST', '/v1/fanouts', { tasks: [{ task: '@say a' }, { task: '@say b' }] }, key)
    await t.api.settle()
    const usage = await t.ask('GET', '/v1/usage', undefined, key)
    const [ofTenant, ofKey] = [usage.body.quotas[1], usage.body.quotas[2]]
    const { data } = (await t.ask('GET', '/v1/runs?kind=main')).body
    const other = data[0].usage.input_tokens + data[0].usage.output_tokens
    expect(ofKey).toMatchObject({ owner: 'key', quota: 'tokens_per_day', reserved: 0 })
    expect(ofTenant.used - ofKey.used).toBe(other)
    const { input_tokens, output_tokens } = usage.body.total.usage
    expect(ofTenant.used).toBe(input_tokens + output_tokens)
  })

  it('fail a run whose key has too little left, also after the key was revoked', async () => {
    const made = await t.make({ tokens_per_day: 10 })
    const run = (await t.start(made.body.key)).body.id
    expect((await t.ask('DELETE', `/v1/keys/${made.body.id}`)).status).toBe(204)
    await t.api.settle()
    const { body } = await t.ask('GET', `/v1/runs/${run}`)
    expect(body.error).toMatchObject({ code: 'quota_exceeded' })
    expect(body.error.message).toContain('The API key can use at most 10 tokens per day')
  })

  it('keep no slot for a request with an Idempotency-Key that its session refuses', async () => {
    const key = await t.keyWith({ active_runs: 3 })
    const session_id = (await t.ask('POST', '/v1/sessions', {}, key)).body.id
    const json = { input: '@say done', session_id, on_busy: 'reject' }
    const request = (name: string) =>
      t.api.call('POST', '/v1/runs', { key, json, headers: { 'idempotency-key': name } })
    const answers = await Promise.all(['request-1', 'request-2', 'request-3'].map(request))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409])
    await t.api.settle()
    expect(await t.levels(key)).toContain('key active_runs 3 0')
  })

  it('count the runs of wakeups that its runs create', async () => {
    const key = await t.keyWith({ tokens_per_day: 50_000 })
    await t.start(key, '@call schedule_wakeup {"message":"@say again","delay_seconds":3600}')
    await t.api.settle()
    t.api.world.clock.advance(3_661_000)
    await tick(t.api.world)
    await t.api.settle()
    const { data } = (await t.ask('GET', '/v1/runs', undefined, key)).body
    expect(
      data.map(({ kind, status }: { kind: string; status: string }) => [kind, status]),
    ).toEqual([
      ['schedule', 'completed'],
      ['main', 'completed'],
    ])
    const { quotas, total } = (await t.ask('GET', '/v1/usage', undefined, key)).body
    const { input_tokens, output_tokens } = total.usage
    expect(quotas[2]).toMatchObject({ owner: 'key', used: input_tokens + output_tokens })
  })

  it('count the runs of hooks and schedules that it makes or changes', async () => {
    const key = await t.keyWith({ active_runs: 1 })
    const made = await t.ask('POST', '/v1/hooks', { scheme: 'standard', agent: 'general' })
    const { id, secret } = made.body
    expect((await t.ask('PATCH', `/v1/hooks/${id}`, { description: 'x' }, key)).status).toBe(200)
    const send = (messageId: string) => t.message(id, secret, messageId)
    expect((await send('msg_1')).status).toBe(202)
    expect((await send('msg_2')).body).toMatchObject({ code: 'quota_exceeded', owner: 'key' })
    expect(await t.levels(key)).toContain('key active_runs 1 1')
    await t.api.settle()
    await t.ask('PUT', '/v1/schedules/hourly', { every: '1h', input: '@say done' })
    await t.ask('PATCH', '/v1/schedules/hourly', { input: '@say more' }, key)
    await t.ask('PUT', '/v1/schedules/free', { every: '1h', input: '@say done' })
    for (const [name, by] of [
      ['hourly', t.admin],
      ['free', key],
    ]) {
      expect((await t.ask('POST', `/v1/schedules/${name}/run`, {}, by)).status).toBe(202)
      expect([name, await t.levels(key)]).toEqual([
        ...[name, expect.arrayContaining(['key active_runs 1 1'])],
      ])
      await t.api.settle()
    }
    expect((await t.ask('POST', '/v1/schedules/free/run', {})).status).toBe(202)
    expect(await t.levels(key)).toContain('key active_runs 1 0')
  })

  it('limit the subagents of its runs', async () => {
    const key = await t.keyWith({ children: 0 })
    const run = (await t.start(key, '@spawn 1 {"task":"@say a"}\n@say done')).body.id
    const free = (await t.start(t.admin, '@spawn 1 {"task":"@say a"}\n@await\n@say done')).body.id
    await t.api.settle()
    const texts = async (id: string, by: string) =>
      JSON.stringify((await t.ask('GET', `/v1/runs/${id}/events?limit=100`, undefined, by)).body)
    expect(await texts(run, key)).toContain('The API key can have at most 0 subagents')
    expect(await texts(free, t.admin)).not.toContain('quota_exceeded')
    expect(await t.levels(key)).toContain('key children 0 0')
  })

  it('are shared with a token of the key, and not with other work', async () => {
    const key = await t.keyWith({ active_runs: 1 })
    const session = (await t.ask('POST', '/v1/sessions', {}, key)).body.id
    const body = { for: { session }, scopes: ['runs:write', 'runs:read'] }
    const { token } = (await t.ask('POST', '/v1/tokens', body, key)).body
    expect((await t.start(key)).status).toBe(202)
    const input = { input: '@say x', session_id: session }
    expect((await t.ask('POST', '/v1/runs', input, token)).body.owner).toBe('key')
  })
})

describe('a key with quotas', () => {
  it('gives a new key its own quotas and the same count, never more', async () => {
    const maker = await t.keyWith({ active_runs: 2, tokens_per_day: 1_000 })
    expect((await t.make({ active_runs: 3 }, maker)).status).toBe(403)
    const made = await t.make({ active_runs: 1 }, maker)
    expect(made.body.quotas).toEqual({ active_runs: 1, tokens_per_day: 1_000 })
    expect((await t.start(maker)).status).toBe(202)
    expect((await t.start(made.body.key)).body.owner).toBe('key')
    const patch = (quotas: object | null) =>
      t.ask('PATCH', `/v1/keys/${made.body.id}`, { quotas }, maker)
    for (const quotas of [null, { active_runs: null }, { tokens_per_day: 1_001 }])
      expect([quotas, (await patch(quotas)).status]).toEqual([quotas, 403])
    expect((await patch({ active_runs: 2 })).body.quotas).toEqual({
      ...{ active_runs: 2, tokens_per_day: 1_000 },
    })
    expect((await t.start(made.body.key)).status).toBe(202)
    expect((await t.start(maker)).body.owner).toBe('key')
  })

  it('keeps its count when it is rotated', async () => {
    const made = await t.make({ active_runs: 1 })
    await t.start(made.body.key)
    const rotated = await t.ask('POST', `/v1/keys/${made.body.id}/rotate`, {})
    expect(rotated.body.quotas).toEqual({ active_runs: 1 })
    expect((await t.start(rotated.body.key)).body.owner).toBe('key')
  })

  it('gets no second count by changing and rotating keys that do not share its count', async () => {
    const maker = (await t.make({ active_runs: 1 })).body
    const other = (await t.make(undefined)).body
    const path = `/v1/keys/${other.id}`
    const change = await t.ask('PATCH', path, { quotas: { active_runs: 1 } }, maker.key)
    expect(change.status).toBe(200)
    const rotated = await t.ask('POST', `${path}/rotate`, {}, maker.key)
    expect([rotated.status, rotated.body.code]).toEqual([403, 'insufficient_scope'])
    const shared = (await t.make({ active_runs: 1 }, maker.key)).body
    expect((await t.ask('POST', `/v1/keys/${shared.id}/rotate`, {}, maker.key)).status).toBe(201)
    expect((await t.ask('POST', `${path}/rotate`, {})).status).toBe(201)
  })

  it('is no key that was created with an empty list of them', async () => {
    const { key, quotas } = (await t.make({})).body
    expect(quotas).toBeNull()
    const other = (await t.make(undefined)).body.id
    expect((await t.ask('POST', `/v1/keys/${other}/rotate`, {}, key)).status).toBe(201)
  })

  it('is changed quota by quota, with an audit entry, and listed with its quotas', async () => {
    const { body } = await t.make({ active_runs: 1 })
    const change = async (quotas: object | null) =>
      (await t.ask('PATCH', `/v1/keys/${body.id}`, { quotas })).body.quotas
    expect(await change({ dollars_per_day: 2.5 })).toEqual({
      active_runs: 1,
      dollars_per_day: 2.5,
    })
    expect(await change({ active_runs: null })).toEqual({ dollars_per_day: 2.5 })
    const listed = (await t.ask('GET', '/v1/keys')).body.data
    expect(listed.map(({ quotas }: { quotas: object }) => quotas)).toContainEqual({
      dollars_per_day: 2.5,
    })
    expect(await change(null)).toBeNull()
    for (const quotas of [{ files: 1 }, { active_runs: -1 }])
      expect((await t.ask('PATCH', `/v1/keys/${body.id}`, { quotas })).status).toBe(422)
    const audit = await t.ask('GET', '/v1/audit?kind=key&action=update')
    expect(audit.body.data).toHaveLength(3)
    expect(JSON.stringify(audit.body.data)).toContain('dollars_per_day')
  })
})
