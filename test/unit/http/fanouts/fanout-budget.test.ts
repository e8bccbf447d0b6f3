/** What tasks and fan-outs are given besides their text: models, times, schemas, a budget. */

import { describe, expect, it } from 'vitest'
import { settle } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { together } from '../../../support/together.ts'

const created = async (api: TestApi, json: unknown) =>
  (await api.call('POST', '/v1/fanouts', { json })).body
const look = async (api: TestApi, id: string) => (await api.call('GET', `/v1/fanouts/${id}`)).body
const specOf = async (api: TestApi, id: string) =>
  (await api.call('GET', `/v1/runs/${id}/events`)).body.data[0].data

describe('tasks of a fan-out', () => {
  it('accept their own model, timeout_seconds, output_schema, and metadata with 202', async () => {
    const api = await testApi()
    const schema = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }
    const { id } = await created(api, {
      label: 'nightly',
      metadata: { batch: '7' },
      tasks: [
        { task: '@say {"a":1}', output_schema: schema, metadata: { row: '1' } },
        { task: '@say no json', output_schema: schema },
        { task: '@say plain', model: 'other/model', timeout_seconds: 12 },
      ],
    })
    await settle(api.world)
    const body = await look(api, id)
    expect(body).toMatchObject({ status: 'completed', label: 'nightly', metadata: { batch: '7' } })
    const [right, wrong, plain] = body.results
    expect(right).toMatchObject({
      structured: { a: 1 },
      schema_error: null,
      metadata: { row: '1' },
    })
    expect(wrong.structured).toBe(null)
    expect(wrong.schema_error).toMatch(/\w/)
    const run = (await api.call('GET', `/v1/runs/${plain.run_id}`)).body
    expect(run.metadata).toEqual({ batch: '7' })
    expect((await api.call('GET', `/v1/runs/${right.run_id}`)).body.metadata).toEqual({
      batch: '7',
      row: '1',
    })
    expect(await specOf(api, plain.run_id)).toMatchObject({
      model: 'other/model',
      limits: { timeout_seconds: 12 },
    })
    const events = (await api.call('GET', `/v1/fanouts/${id}/events`)).body.data
    expect(events[0].data).toMatchObject({ label: 'nightly', metadata: { batch: '7' } })
  })

  it('get 422 with the pointer of the task for an unusable schema', async () => {
    const api = await testApi()
    const answer = await api.call('POST', '/v1/fanouts', {
      json: { tasks: [{ task: 'x' }, { task: 'y', output_schema: { type: 'nothing' } }] },
    })
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([
      422,
      '/tasks/1/output_schema/type',
    ])
  })
})

describe('the limits of a fan-out', () => {
  /** Three calls of the model each. */
  const costly = (count: number) =>
    Array.from({ length: count }, () => ({
      task: '@call file_list {}\n@then\n@call file_search {"pattern":"*"}\n@say done',
    }))

  it.each([settle, together])(
    'apply to all runs together, and tasks that did not begin are reported',
    async (drive) => {
      const api = await testApi({ settings: { maxLiveChildren: 4 } })
      const { id } = await created(api, {
        tasks: costly(40),
        limits: { max_model_calls: 30 },
      })
      await drive(api.world)
      const body = await look(api, id)
      expect(body).toMatchObject({ status: 'completed', released_by: 'budget' })
      expect(body.usage.model_calls).toBeLessThanOrEqual(30)
      expect(body.usage.model_calls).toBeGreaterThan(20)
      expect(body.children.completed).toBeGreaterThan(5)
      expect(body.children.cancelled).toBe(40 - body.children.completed)
      expect(body.limits).toEqual({
        max_tokens: null,
        max_model_calls: 30,
        max_cost_usd: null,
      })
    },
  )

  it('allow all tasks where they suffice, and the closing run gets the remainder', async () => {
    const api = await testApi({ settings: { maxLiveChildren: 4 } })
    const { id } = await created(api, {
      tasks: costly(10),
      limits: { max_model_calls: 100, max_tokens: 100_000 },
      then: { input: '@say all {results}' },
    })
    await settle(api.world)
    const body = await look(api, id)
    expect(body).toMatchObject({ status: 'completed', released_by: 'joined' })
    expect(body.children.completed).toBe(10)
    expect(body.output.text).toBe('all 10')
    expect(body.usage.model_calls).toBe(31)
    const { limits } = await specOf(api, body.closing_run_id)
    expect(limits).toMatchObject({ max_model_calls: 70 })
  })
})
