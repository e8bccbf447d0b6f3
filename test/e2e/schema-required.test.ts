/** An answer that must fit a schema, through a running server: what a run is that has none. */

import { expect, it } from 'vitest'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startNodeApi } from '../support/node-api.ts'
import { ask, eventsOf, runToEnd } from '../support/node-client.ts'
import { eventually } from '../support/patience.ts'

const output_schema = {
  type: 'object',
  properties: { n: { type: 'integer' } },
  required: ['n'],
  additionalProperties: false,
}
const required = { output_schema, output_schema_required: true }
/** Two answers that do not fit; a third one is not asked for. */
const UNFIT = '@say sorry\n@say {"n":"x"}\n@say {"n":5}'

it('a run fails with schema_unmet after one repair, keeps its text, and the webhook reports it', async () => {
  const api = await startNodeApi()
  const hook = await startCannedServer((_, response) => void response.end())
  cleanup.push(hook.close)
  const webhook = { url: `${hook.origin}/`, events: ['run.failed', 'run.completed'] }
  const run = await runToEnd(api, { input: UNFIT, ...required, webhook })
  expect(run).toMatchObject({
    status: 'failed',
    stop_reason: 'error',
    output: null,
    partial: '{"n":"x"}',
    error: { code: 'schema_unmet', message: expect.stringContaining('integer') },
    steps: 2,
  })
  await eventually(() => expect(hook.received).toHaveLength(1))
  const told = JSON.parse(hook.received[0]!.body)
  expect(told).toMatchObject({ type: 'run.failed', data: { error: { code: 'schema_unmet' } } })
  const events = await eventsOf(api, run.id)
  expect(events[0].data).toMatchObject({ output_schema_required: true })
  expect(events.at(-1)).toMatchObject({ type: 'run.failed', data: { error: run.error } })
})

it('a run completes when the answer fits at once or on a retry, and without the flag', async () => {
  const api = await startNodeApi()
  for (const input of ['@say {"n":1}', '@say sorry\n@say {"n":1}']) {
    const run = await runToEnd(api, { input, ...required })
    expect(run).toMatchObject({ status: 'completed', output: { structured: { n: 1 } } })
    expect(run).not.toHaveProperty('partial')
  }
  for (const off of [{ output_schema }, { output_schema, output_schema_required: false }]) {
    const { status, output } = await runToEnd(api, { input: UNFIT, ...off })
    expect([status, output.text]).toEqual(['completed', '{"n":"x"}'])
    expect(output.schema_error).toContain('integer')
  }
})

it('a run with a schema that is cut before its answer reports that, even without the flag', async () => {
  const api = await startNodeApi()
  const input = '@call file_list {}\n@then\n@call file_list {"path":"a"}\n@then\n@say {"n":1}'
  const run = await runToEnd(api, { input, output_schema, limits: { max_model_calls: 1 } })
  expect(run).toMatchObject({ status: 'completed', stop_reason: 'budget' })
  expect(run.output).toMatchObject({
    structured: null,
    schema_error: expect.stringContaining('ended without'),
  })
})

it('a run that exhausts steps or budget before an answer fits fails with the reason', async () => {
  const api = await startNodeApi()
  const busy = '@call file_list {}\n@then\n@call file_list {"path":"a"}\n@then\n@say {"n":1}'
  const spent = await runToEnd(api, { input: busy, ...required, limits: { max_model_calls: 1 } })
  expect(spent).toMatchObject({ status: 'failed', error: { code: 'schema_unmet' } })
  expect(spent.error.message).toContain('ended without an answer')
  const once = await runToEnd(api, { input: UNFIT, ...required, limits: { max_model_calls: 1 } })
  expect(once).toMatchObject({ status: 'failed', partial: 'sorry' })
  expect(once.error.message).not.toContain('asked for again')
})

it('fan-out tasks and subagents support the flag, and their end reports it to the parent', async () => {
  const api = await startNodeApi()
  const { body } = await ask(api, 'POST', '/v1/fanouts', {
    tasks: [
      { task: UNFIT, ...required },
      { task: '@say {"n":2}', ...required },
    ],
  })
  const fanout = async () => (await ask(api, 'GET', `/v1/fanouts/${body.id}`)).body
  await eventually(async () => expect(await fanout()).toMatchObject({ status: 'completed' }))
  const { results } = await fanout()
  expect(results[0]).toMatchObject({ status: 'failed', error: { code: 'schema_unmet' } })
  expect(results[1]).toMatchObject({ status: 'completed', structured: { n: 2 } })

  const spawn = `@spawn 1 ${JSON.stringify({ task: UNFIT, ...required })}\n@await\n@say {results}`
  const run = await runToEnd(api, { input: spawn })
  const told = (await eventsOf(api, run.id)).find(({ type }) => type === 'subagent.failed')
  expect(told.data.announce).toMatchObject({
    status: 'failed',
    result: null,
    partial: '{"n":"x"}',
    error: { code: 'schema_unmet' },
  })
})

it('the flag without a schema returns 422, and refuses the call', async () => {
  const api = await startNodeApi()
  const bare = { output_schema_required: true }
  const run = await ask(api, 'POST', '/v1/runs', { input: 'x', ...bare })
  expect([run.status, run.body.errors[0].pointer]).toEqual([422, '/output_schema_required'])
  const fanout = await ask(api, 'POST', '/v1/fanouts', {
    tasks: [{ task: 'x' }, { task: 'x', ...bare }],
  })
  const at = fanout.body.errors[0].pointer
  expect([fanout.status, at]).toEqual([422, '/tasks/1/output_schema_required'])
  const call = `@call sessions_spawn ${JSON.stringify({ task: 'x', ...bare })}\n@then\n@say {last}`
  const { output } = await runToEnd(api, { input: call })
  expect(output.text).toContain('output_schema_required: requires an output_schema')
})
