/** Limits of a tenant's own: set by its operator, kept at every door, however many come at once. */

import { beforeEach, describe, expect, it } from 'vitest'
import { createKey } from '../../src/engine/tenant/api-keys.ts'
import { tick } from '../../src/engine/worker/tick.ts'
import { type MemoryClock, memoryClock } from '../../src/hosts/memory/clock.ts'
import { ok } from '../../src/lib/outcome.ts'
import type { ModelRequest } from '../../src/ports/world.ts'
import { type TestApi, testApi } from '../support/http.ts'
import { receivers } from '../support/receivers.ts'
import { scriptModel, spawn } from '../support/script.ts'

let api: TestApi
let clock: MemoryClock
let operator: string
const OUTPUT = 1_000
/** A model that answers as long as it may. */
const spends = { calls: [] as ModelRequest[] }
beforeEach(async () => {
  spends.calls = []
  clock = memoryClock()
  const model = scriptModel(clock)
  const respond: typeof model.respond = async (request, options) => {
    spends.calls.push(request)
    const answer = await model.respond(request, options)
    if (!answer.ok) return answer
    const input_tokens = 500
    const output_tokens = request.settings?.max_output_tokens ?? OUTPUT
    return ok({ ...answer.value, usage: { input_tokens, output_tokens, model_calls: 1 } })
  }
  api = await testApi({ clock, web: receivers(), model: { ...model, respond } })
  operator = (await createKey(api.world, 'default', ['*'])).key
})

const call = (method: string, path: string, json?: object) =>
  api.call(method, path, { key: operator, ...(json && { json }) })
const make = async (limits: object, id = 'acme'): Promise<string> =>
  (await call('POST', '/v1/tenants', { id, limits })).body.key.text
const set = (limits: object | null) => call('PATCH', '/v1/tenants/acme', { limits })
const many = <T>(count: number, each: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => each(index)))
const start = (key: string, input = '@say done', more: object = {}) =>
  api.call('POST', '/v1/runs', { key, json: { input, ...more } })
const runOf = async (key: string, id: string) =>
  (await api.call('GET', `/v1/runs/${id}`, { key })).body
const quotas = async (key: string) => (await api.call('GET', '/v1/quotas', { key })).body.data
const used = async (key: string, limit: string) =>
  (await quotas(key)).find((one: { limit: string }) => one.limit === limit)
const statuses = (answers: readonly { readonly status: number }[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describe('limits of a tenant', () => {
  it('are set and taken away by its operator, shown to both, and noted in the audit', async () => {
    const key = await make({ live_runs: 10, dollars_per_day: 0.5 })
    const shown = (await call('GET', '/v1/tenants/acme')).body.limits
    expect(shown).toMatchObject({ live_runs: 10, dollars_per_day: 0.5, files: null })
    const changed = await set({ live_runs: null, files: 3 })
    expect(changed.body.limits).toMatchObject({ live_runs: null, dollars_per_day: 0.5, files: 3 })
    expect(await quotas(key)).toEqual([
      {
        ...{ limit: 'dollars_per_day', value: 0.5, used: 0, reserved: 0 },
        resets_at: expect.stringMatching(/T00:00:00\.000Z$/),
      },
      { limit: 'files', value: 3, used: 0, reserved: 0, resets_at: null },
    ])
    const entries = (await call('GET', '/v1/audit?kind=tenant')).body.data
    expect(entries.map(({ detail }: { detail: string }) => detail)).toEqual([
      'limits: dollars_per_day 0.5, files 3',
      'limits: live_runs 10, dollars_per_day 0.5',
    ])
    expect((await set(null)).body.limits.files).toBeNull()
    expect(await quotas(key)).toEqual([])
    expect(await quotas(operator)).toEqual([])
  })

  it('422 for what is no limit, and for more than the deployment counts', async () => {
    await make({})
    for (const limits of [
      ...[{ live_runs: -1 }, { live_runs: 1.5 }, { live_runs: 1_001 }, { files: 100_001 }],
      ...[{ schedules: 101 }, { endpoints: 51 }, { tokens: 1 }, { dollars_per_day: '1' }],
    ])
      expect((await set(limits)).status).toBe(422)
  })

  it('429 for more live runs than allowed, of requests at once; one that ends makes room', async () => {
    const key = await make({ live_runs: 10 })
    const all = await many(50, () => start(key))
    expect(statuses(all)).toEqual({ 202: 10, 429: 40 })
    const { body } = all.find(({ status }) => status === 429)!
    expect(body).toMatchObject({ code: 'quota_exceeded', limit: 'live_runs', value: 10 })
    expect(await used(key, 'live_runs')).toMatchObject({ used: 10 })
    await api.settle()
    expect(await used(key, 'live_runs')).toMatchObject({ used: 0 })
    expect(statuses(await many(50, () => start(key)))).toEqual({ 202: 10, 429: 40 })
  })

  it('a turn that its session refuses gives its place back at once', async () => {
    const key = await make({ live_runs: 2 })
    const first = (await start(key)).body
    const turn = { session_id: first.session_id, on_busy: 'reject' }
    for (let index = 0; index < 5; index += 1) {
      const { body } = await start(key, '@say next', turn)
      expect(body.code).toBe('session_busy')
    }
    expect(await used(key, 'live_runs')).toMatchObject({ used: 1 })
  })

  it('429 leaves the Idempotency-Key to a later request, which is the run', async () => {
    const key = await make({ live_runs: 0 })
    const ask = () =>
      api.call('POST', '/v1/runs', {
        ...{ key, json: { input: '@say done' }, headers: { 'idempotency-key': 'the-same' } },
      })
    expect((await ask()).status).toBe(429)
    await set({ live_runs: 1 })
    const [first, again] = [await ask(), await ask()]
    expect([first.status, again.status]).toEqual([202, 202])
    expect(again.body.id).toBe(first.body.id)
  })

  it('a subagent for which there is no room is a refusal that its parent reads', async () => {
    const key = await make({ live_runs: 2 })
    const input = `${spawn({ task: '@say below' }, 3)}\n@say over`
    const { id } = (await start(key, input)).body
    await api.settle()
    const { body } = await api.call('GET', `/v1/runs/${id}/transcript`, { key })
    expect(JSON.stringify(body).split('quota_exceeded').length - 1).toBe(2)
    expect((await runOf(key, id)).status).toBe('completed')
  })

  it('tasks of a fan-out wait until there is room, and all of them are done', async () => {
    const key = await make({ live_runs: 2 })
    const tasks = Array.from({ length: 6 }, (_, index) => ({ task: `@say ${index}` }))
    const { body } = await api.call('POST', '/v1/fanouts', { key, json: { tasks } })
    for (let pass = 0; pass < 20; pass += 1) {
      await api.settle()
      clock.advance(10_000)
      await tick(api.world)
    }
    const fanout = (await api.call('GET', `/v1/fanouts/${body.id}`, { key })).body
    expect(fanout.status).toBe('completed')
  })

  it('429 for files and bytes beyond, of writes at once; a deleted one makes room', async () => {
    const key = await make({ files: 10 })
    const put = (path: string, body = 'x') =>
      api.call('PUT', `/v1/files/base/${path}`, { key, body })
    const all = await many(30, (index) => put(`f${index}.txt`))
    expect(statuses(all)).toEqual({ 201: 10, 429: 20 })
    expect(all.find(({ status }) => status === 429)!.body).toMatchObject({
      ...{ code: 'quota_exceeded', limit: 'files', value: 10, used: 10 },
    })
    const there = all.findIndex(({ status }) => status === 201)
    expect((await put(`f${there}.txt`, 'other')).status).toBe(200)
    expect((await api.call('DELETE', `/v1/files/base/f${there}.txt`, { key })).status).toBe(204)
    expect(statuses(await many(5, (index) => put(`g${index}.txt`)))).toEqual({ 201: 1, 429: 4 })
    await set({ files: null, storage_bytes: 100 })
    const large = await many(10, (index) => put(`l${index}.txt`, 'x'.repeat(30)))
    const made = large.filter(({ status }) => status === 201).length
    expect(made).toBeGreaterThan(0)
    expect((await used(key, 'storage_bytes')).used).toBeLessThanOrEqual(100)
    expect(10 + made * 30).toBeLessThanOrEqual(100)
  })

  it('429 or an error of the tool, whoever would write the file that finds no room', async () => {
    const key = await make({ files: 1 })
    expect((await api.call('PUT', '/v1/files/base/a.txt', { key, body: 'x' })).status).toBe(201)
    const written = JSON.stringify({ path: 'b.txt', content: 'x' })
    const { id } = (await start(key, `@call file_write ${written}\n@say over`)).body
    await api.settle()
    const { body } = await api.call('GET', `/v1/runs/${id}/transcript`, { key })
    const results = body.data.find(({ role }: { role: string }) => role === 'tool').results
    expect(results[0]).toMatchObject({ is_error: true })
    expect(results[0].text).toMatch(/^quota_exceeded: /)
    const content = '- The desk closes at six.'
    const agent = { agent_md: '---\nname: tester\ndescription: Tests.\n---\nTest.' }
    for (const [path, json] of [
      ['/v1/memory/shared/notes.md', { content }],
      ['/v1/agents/tester', agent],
    ] as const) {
      const put = await api.call('PUT', path, { key, json, headers: { 'if-none-match': '*' } })
      expect([path, put.status, put.body.code]).toEqual([path, 429, 'quota_exceeded'])
    }
    expect((await used(key, 'files')).used).toBe(1)
  })

  it('429 for schedules and endpoints beyond its own number', async () => {
    const key = await make({ schedules: 2, endpoints: 3 })
    const schedules = await many(10, (index) =>
      api.call('PUT', `/v1/schedules/s${index}`, {
        key,
        json: { input: 'Go.', cron: '0 7 * * *' },
      }),
    )
    expect(statuses(schedules)).toEqual({ 201: 2, 429: 8 })
    const endpoints = await many(10, (index) =>
      api.call('POST', '/v1/webhook-endpoints', {
        ...{ key, json: { url: `https://one.example/${index}` } },
      }),
    )
    expect(statuses(endpoints)).toEqual({ 201: 3, 429: 7 })
    expect(await quotas(key)).toMatchObject([
      { limit: 'schedules', value: 2, used: 2 },
      { limit: 'endpoints', value: 3, used: 3 },
    ])
  })
})

describe('tokens and dollars of a tenant', () => {
  it('20 runs at once never spend more; those without room fail and say so', async () => {
    const key = await make({ tokens_per_day: 30_000 })
    const started = await many(20, () =>
      start(key, '@say done', { model_settings: { max_output_tokens: OUTPUT } }),
    )
    for (let pass = 0; pass < 10; pass += 1) {
      await api.settle()
      clock.advance(61_000)
      await tick(api.world)
    }
    const ended = await Promise.all(started.map(({ body }) => runOf(key, body.id)))
    const spent = spends.calls.length * (500 + OUTPUT)
    expect(spent).toBeLessThanOrEqual(30_000)
    expect(spends.calls.length).toBeGreaterThan(5)
    const failed = ended.filter(({ status }) => status === 'failed')
    expect(failed.length + spends.calls.length).toBe(20)
    expect(failed[0].error).toMatchObject({ code: 'quota_exceeded' })
    expect(failed[0].error.message).toContain('begin anew at')
    expect(await used(key, 'tokens_per_day')).toMatchObject({ used: spent, reserved: 0 })
  })

  it('429 with Retry-After for what would begin once they are used up, until they begin anew', async () => {
    const key = await make({ tokens_per_day: 20_000 })
    const spend = { model_settings: { max_output_tokens: 15_000 } }
    const first = (await start(key, '@say done', spend)).body.id
    await api.settle()
    expect((await runOf(key, first)).status).toBe('completed')
    await set({ tokens_per_day: 15_500 })
    const at = Date.parse((await used(key, 'tokens_per_day')).resets_at)
    const seconds = String(Math.ceil((at - clock.now()) / 1_000))
    const fanout = { tasks: [{ task: '@say done' }] }
    for (const refused of [
      await start(key),
      await api.call('POST', '/v1/fanouts', { key, json: fanout }),
      await api.call('POST', '/v1/responses', { key, json: { model: 'general', input: 'Go.' } }),
    ]) {
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, seconds])
      expect(refused.body).toMatchObject({ code: 'quota_exceeded', limit: 'tokens_per_day' })
    }
    clock.advance(Number(seconds) * 1_000)
    expect((await start(key)).status).toBe(202)
    expect((await api.call('POST', '/v1/fanouts', { key, json: fanout })).status).toBe(202)
  })

  it('422 under a limit of dollars for a model without a price, of a run and of a task', async () => {
    const key = await make({ dollars_per_day: 5 })
    const run = await start(key)
    expect(run).toMatchObject({
      status: 422,
      body: { code: 'price_unknown', errors: [{ pointer: '/model' }] },
    })
    const tasks = [{ task: '@say one' }]
    const fanout = await api.call('POST', '/v1/fanouts', { key, json: { tasks } })
    expect(fanout).toMatchObject({
      status: 422,
      body: { code: 'price_unknown', errors: [{ pointer: '/tasks/0/agent' }] },
    })
    await set(null)
    expect((await start(key)).status).toBe(202)
  })

  it('a schedule that finds them used up tries for a while, and then fails in the open', async () => {
    const key = await make({ live_runs: 0 })
    const at = new Date(clock.now() + 60_000).toISOString()
    const json = { input: '@say done', at }
    expect((await api.call('PUT', '/v1/schedules/soon', { key, json })).status).toBe(201)
    for (let pass = 0; pass < 90; pass += 1) {
      clock.advance(60_000)
      await tick(api.world)
      await api.settle()
    }
    const { data } = (await api.call('GET', '/v1/runs', { key })).body
    expect(data).toHaveLength(1)
    expect(data[0].status).toBe('failed')
    expect((await runOf(key, data[0].id)).error.code).toBe('quota_exceeded')
  })
})
