/** Usage by agent, model, and kind: the groups of a day add up to the day, and cuts are stated. */

import { expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { taggedAs } from '../../../../src/lib/tags.ts'
import { iso } from '../../../../src/lib/time.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { spawn } from '../../../support/script.ts'

const DAY_MS = 86_400_000

async function usedApi(): Promise<TestApi> {
  const api = await testApi()
  const run = async (json: object) => {
    await api.call('POST', '/v1/runs', { json })
    await api.settle()
  }
  await run({ input: '@say one' })
  await run({ input: `${spawn({ task: '@say below' })}\n@await\n@say two` })
  await run({ input: '@say three', agent: 'explore' })
  await api.call('POST', '/v1/fanouts', { json: { tasks: [{ task: '@say a' }] } })
  await api.settle()
  api.world.clock.advance(DAY_MS)
  await run({ input: '@say tomorrow', agent: 'explore' })
  return api
}

const usage = async (api: TestApi, query: string) =>
  (await api.call('GET', `/v1/usage?${query}`)).body

const COUNTS = ['runs', 'fanouts', 'unpriced'] as const
const TOKENS = ['input_tokens', 'output_tokens', 'model_calls'] as const

interface SumShown extends Readonly<Record<(typeof COUNTS)[number], number>> {
  readonly usage: Readonly<Record<(typeof TOKENS)[number], number>>
}
interface UsageShown extends SumShown {
  readonly groups: readonly SumShown[]
  readonly other?: SumShown
}

/** Expects that the groups of a day, with those that are not listed, add up to the day. */
function expectSums(day: UsageShown): void {
  const groups = [...day.groups, ...(day.other ? [day.other] : [])]
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  for (const name of COUNTS) expect(sum(groups.map((group) => group[name]))).toBe(day[name])
  for (const name of TOKENS)
    expect(sum(groups.map((group) => group.usage[name]))).toBe(day.usage[name])
}

it.each([
  ['kind', [['main', 'fanout'], ['main']]],
  ['agent', [['general', 'explore', null], ['explore']]],
] as const)('200 grouped by %s, the groups add up to each day', async (group_by, names) => {
  const api = await usedApi()
  const plain = await usage(api, '')
  const body = await usage(api, `group_by=${group_by}`)
  expect(body.group_by).toBe(group_by)
  const days = body.data.toReversed()
  for (const [index, expected] of names.entries()) {
    const groups = days[index].groups.map(({ group }: { group: string | null }) => group)
    expect(new Set(groups)).toEqual(new Set(expected))
  }
  for (const day of [...body.data, body.total]) expectSums(day)
  const bare = ({ groups: _, ...day }: Record<string, unknown>) => day
  expect(body.data.map(bare)).toEqual(plain.data)
  expect(bare(body.total)).toEqual(plain.total)
  expect(plain).not.toHaveProperty('group_by')
  expect(plain.total).not.toHaveProperty('groups')
})

it('200 grouped by model, each group is a filter of the runs', async () => {
  const api = await usedApi()
  const { total } = await usage(api, 'group_by=model')
  expectSums(total)
  for (const { group, runs } of total.groups) {
    if (group === null) continue
    const listed = await api.call('GET', `/v1/runs?model=${encodeURIComponent(group)}`)
    expect(listed.body.data).toHaveLength(runs)
  }
})

it('200 groups beyond the limit are summed, and their number is stated', async () => {
  const api = await testApi()
  const now = api.world.clock.now()
  const count = LIMITS.usage_groups + 3
  for (let index = 0; index < count; index += 1) {
    const id = `run_${String(index).padStart(8, '0')}`
    const tokens = { input_tokens: index, output_tokens: 1, model_calls: 1 }
    const view = { id, usage: tokens, agent: `agent-${index}`, kind: 'main', model: 'a/b' }
    const listed = { under: 'test/runs', at: `${iso(now)} ${id}`, tags: taggedAs('c', []) }
    const body = JSON.stringify({ seq: 1, commit: 'x', outbox: [], view })
    await api.world.store.commit(`test/run/${id}`, [], { expect: null, body, listed })
  }
  const { data, total } = await usage(api, 'group_by=agent')
  for (const day of [data[0], total]) {
    expect(day.groups).toHaveLength(LIMITS.usage_groups)
    expect(day.groups[0].group).toBe(`agent-${count - 1}`)
    expect(day.other).toMatchObject({ groups: 3, runs: 3 })
    expectSums(day)
  }
})

it('400 an unknown member is refused', async () => {
  const api = await testApi()
  const { status, body } = await api.call('GET', '/v1/usage?group_by=label')
  expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'invalid_query', '/group_by'])
})
