/** A run and a fan-out show what of their budget is spent, reserved and left, and what ended them. */

import { expect, it } from 'vitest'
import { startNodeApi } from '../support/node-api.ts'
import { ask, runToEnd } from '../support/node-client.ts'
import { until } from '../support/patience.ts'

it('a run names the limit that ended it and what it spent', async () => {
  const api = await startNodeApi()
  const call = '@call todo {"todos":[]}'
  const input = [call, '@then', call, '@then', '@say done'].join('\n')
  const run = await runToEnd(api, { input, limits: { max_model_calls: 2, max_tokens: 1_000_000 } })
  expect([run.status, run.stop_reason]).toEqual(['completed', 'budget'])
  const { max_tokens, ...rest } = run.budget
  expect(rest).toEqual({
    max_model_calls: { limit: 2, spent: 2, reserved: 0, left: 0 },
    ended_by: 'max_model_calls',
  })
  expect(max_tokens.spent).toBe(run.usage.input_tokens + run.usage.output_tokens)
  expect(max_tokens.left).toBe(1_000_000 - max_tokens.spent)
})

it('a budget given to subagents is reserved until they end', async () => {
  const api = await startNodeApi()
  const spawn = `@call sessions_spawn ${JSON.stringify({ task: '@call ask_user {"question":"?"}' })}`
  const input = [spawn, '@await', '@say done'].join('\n')
  const { id } = (await ask(api, 'POST', '/v1/runs', { input, limits: { max_model_calls: 9 } }))
    .body
  const parked = await until('a subagent that asks', async () => {
    const { body } = await ask(api, 'GET', `/v1/runs/${id}`)
    return body.waiting_on === 'input' && body
  })
  const { limit, spent, reserved, left } = parked.budget.max_model_calls
  expect([limit, spent + reserved + left, reserved > 0]).toEqual([9, 9, true])
})

it('a fan-out shows its budget the same way, and a run without a budget shows none', async () => {
  const api = await startNodeApi()
  const tasks = [{ task: '@say one' }, { task: '@say two' }]
  const made = (await ask(api, 'POST', '/v1/fanouts', { tasks, limits: { max_model_calls: 8 } }))
    .body
  const done = await until('the end', async () => {
    const { body } = await ask(api, 'GET', `/v1/fanouts/${made.id}`)
    return body.status === 'completed' && body
  })
  expect(done.budget).toEqual({
    max_model_calls: { limit: 8, spent: 2, reserved: 0, left: 6 },
  })
  expect(await runToEnd(api, { input: '@say x' })).not.toHaveProperty('budget')
})
