/** Costs: of a session, and of a day; each run counts once, with all that it has started. */

import { expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { taggedAs } from '../../../../src/lib/tags.ts'
import { iso } from '../../../../src/lib/time.ts'
import { testApi } from '../../../support/http.ts'
import { spawn } from '../../../support/script.ts'

type Api = Awaited<ReturnType<typeof testApi>>
const DAY_MS = 86_400_000
const dayOf = (at: number): string => iso(at).slice(0, 10)

async function pricedApi(): Promise<Api> {
  const api = await testApi()
  const { headers } = await api.call('GET', '/v1/policy')
  const first = await finished(api, { input: '@say free' })
  const prices = { [first.model]: { input_per_million: 200, output_per_million: 200 } }
  const etag = headers.get('etag') ?? '"0"'
  await api.call('PUT', '/v1/policy', { json: { prices }, headers: { 'if-match': etag } })
  return api
}

async function finished(api: Api, json: object) {
  const { body } = await api.call('POST', '/v1/runs', { json })
  await api.settle()
  return (await api.call('GET', `/v1/runs/${body.id}`)).body
}

const sumOf = (runs: readonly { cost: number | null }[]): number =>
  Math.round(runs.reduce((sum, { cost }) => sum + (cost ?? 0), 0) * 1e10) / 1e10

it("a session's cost is that of its runs and their subagents, and lists omit it", async () => {
  const api = await pricedApi()
  const session = (await api.call('POST', '/v1/sessions', { json: {} })).body
  expect(session.cost ?? null).toBeNull()
  const session_id = session.id
  const alone = await finished(api, { input: '@say one', session_id })
  const input = `${spawn({ task: '@say below' })}\n@await\n@say two`
  const parent = await finished(api, { input, session_id })
  expect(parent.cost).toBeGreaterThan(alone.cost)
  const { body } = await api.call('GET', `/v1/sessions/${session_id}`)
  expect(body.cost).toBe(sumOf([alone, parent]))
  expect(body.usage.model_calls).toBe(alone.usage.model_calls + parent.usage.model_calls)
  const listed = (await api.call('GET', '/v1/sessions')).body.data
  expect(listed.every((one: object) => !('cost' in one))).toBe(true)
})

it("a day's cost is that of its runs and fan-outs, each once, on every read", async () => {
  const api = await pricedApi()
  const input = `${spawn({ task: '@say below' })}\n@await\n@say two`
  const today = dayOf(api.world.clock.now())
  const first = await finished(api, { input })
  const fanout = (
    await api.call('POST', '/v1/fanouts', {
      json: { tasks: [{ task: '@say a' }, { task: '@say b' }] },
    })
  ).body
  await api.settle()
  const shown = (await api.call('GET', `/v1/fanouts/${fanout.id}`)).body
  api.world.clock.advance(DAY_MS)
  const second = await finished(api, { input: '@say tomorrow' })
  const { body } = await api.call('GET', '/v1/usage')
  expect(body.data.map(({ date }: { date: string }) => date)).toEqual([
    dayOf(api.world.clock.now()),
    today,
  ])
  // The one without a price came before there were any.
  expect(body.data[1]).toMatchObject({ runs: 2, fanouts: 1, unpriced: 1 })
  expect(body.data[1].cost).toBe(sumOf([first, { cost: shown.usage.list_price }]))
  expect(body.data[0]).toMatchObject({ runs: 1, fanouts: 0, unpriced: 0, cost: second.cost })
  expect(body.total.cost).toBe(sumOf(body.data))
  expect(body.next_to).toBeNull()
  expect((await api.call('GET', '/v1/usage')).body).toEqual(body)
  const one = await api.call('GET', `/v1/usage?from=${today}&to=${body.data[0].date}`)
  expect(one.body.data).toEqual([body.data[1]])
})

it('what exceeds one answer is reported, and returned by the next request', async () => {
  const api = await testApi()
  const now = api.world.clock.now()
  const usage = { input_tokens: 1, output_tokens: 1, model_calls: 1, list_price: 0.1 }
  // Two days together hold more than are read.
  for (let index = 0; index < LIMITS.usage_roots + 100; index += 1) {
    const at = now - (index % 2) * DAY_MS
    const id = `run_${String(index).padStart(8, '0')}`
    const view = { id, usage }
    const listed = { under: 'test/runs', at: `${iso(at)} ${id}`, tags: taggedAs('c', []) }
    const body = JSON.stringify({ seq: 1, commit: 'x', outbox: [], view })
    await api.world.store.commit(`test/run/${id}`, [], { expect: null, body, listed })
  }
  const first = (await api.call('GET', '/v1/usage')).body
  const each = (LIMITS.usage_roots + 100) / 2
  expect(first.data).toMatchObject([{ date: dayOf(now), runs: each, cost: each / 10 }])
  expect(first.next_to).toBe(dayOf(now))
  const next = (await api.call('GET', `/v1/usage?to=${first.next_to}`)).body
  expect(next.data).toMatchObject([{ date: dayOf(now - DAY_MS), runs: each }])
  expect(next.next_to).toBeNull()
})

it.each([
  ['from=2026-11-31', 'from'],
  ['to=yesterday', 'to'],
  ['from=2026-11-02&to=2026-11-02', 'must be before'],
  ['from=2020-01-01&to=2026-01-01', `at most ${LIMITS.usage_days} days`],
])('400: %s', async (query, said) => {
  const api = await testApi()
  const { status, body } = await api.call('GET', `/v1/usage?${query}`)
  expect([status, body.code]).toEqual([400, 'invalid_query'])
  expect(JSON.stringify(body)).toContain(said)
})
