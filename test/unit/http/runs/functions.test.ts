/** Functions of a caller over `/v1/runs`: declared with the run, called, and answered. */

import { describe, expect, it } from 'vitest'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { settle } from '../../../support/drive.ts'
import { type Answer, type TestApi, testApi } from '../../../support/http.ts'

const WEATHER = {
  name: 'weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const ASKS = '@call weather {"city":"Paris"}\n@then\n@say {last}'

interface FunctionCall {
  readonly call: string
  readonly name: string
  readonly arguments: unknown
}

async function begun(api: TestApi, json: object): Promise<string> {
  const made = await api.call('POST', '/v1/runs', { json: { functions: [WEATHER], ...json } })
  expect(made.status).toBe(202)
  await settle(api.world)
  return made.body.id
}
const read = async (api: TestApi, id: string) => (await api.call('GET', `/v1/runs/${id}`)).body
const callsOf = async (api: TestApi, id: string): Promise<FunctionCall[]> =>
  (await read(api, id)).function_calls
const answer = (api: TestApi, id: string, call: string, json: object): Promise<Answer> =>
  api.call('POST', `/v1/runs/${id}/functions/${call}`, { json })

describe('a client function of a run', () => {
  it('parks the run, which shows the call and continues with its answer', async () => {
    const api = await testApi()
    const id = await begun(api, { input: ASKS })
    const parked = await read(api, id)
    expect(parked).toMatchObject({
      status: 'waiting',
      waiting_on: 'function',
      function_calls: [{ name: 'weather', arguments: { city: 'Paris' } }],
    })
    const [{ call, expires_at }] = parked.function_calls
    expect(Date.parse(expires_at)).toBeGreaterThan(api.world.clock.now())
    const { body } = await api.call('GET', `/v1/runs/${id}/events`)
    const waits = body.data.find(({ type }: { type: string }) => type === 'run.waiting')
    expect(waits.data).toMatchObject({ on: 'function' })
    const listed = await api.call('GET', '/v1/runs')
    expect(listed.body.data[0]).toMatchObject({ id, waiting_on: 'function' })

    const answered = await answer(api, id, call, { output: 'sunny' })
    expect(answered).toMatchObject({ status: 200, body: { id } })
    expect(answered.body.function_calls).toBeUndefined()
    await settle(api.world)
    const ended = await read(api, id)
    expect(ended).toMatchObject({ status: 'completed', output: { text: 'sunny' } })
    // The same answer again changes nothing; another one is refused.
    expect((await answer(api, id, call, { output: 'sunny' })).status).toBe(200)
    expect(await answer(api, id, call, { output: 'rain' })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
  })

  it('accepts data as JSON, and an error as an error', async () => {
    const api = await testApi()
    const input =
      '@call weather {"city":"Paris"}\n@call weather {"city":"Rome"}\n@then\n@say {results}'
    const id = await begun(api, { input })
    const [paris, rome] = await callsOf(api, id)
    expect((await answer(api, id, paris!.call, { output: { celsius: 21 } })).status).toBe(200)
    const left = await read(api, id)
    expect(left).toMatchObject({ status: 'waiting', waiting_on: 'function' })
    expect(left.function_calls).toEqual([rome])
    const failed = { error: 'no such city' }
    expect((await answer(api, id, rome!.call, failed)).status).toBe(200)
    expect((await answer(api, id, rome!.call, failed)).status).toBe(200)
    expect((await answer(api, id, rome!.call, { output: 'no such city' })).status).toBe(409)
    await settle(api.world)
    const { body } = await api.call('GET', `/v1/runs/${id}/events`)
    const results = body.data.filter(({ type }: { type: string }) => type === 'tool.result')
    expect(results.map(({ data }: { data: object }) => data)).toMatchObject([
      { status: 'ok', text: '{"celsius":21}' },
      { status: 'error', text: 'no such city' },
    ])
  })

  it('ends the wait of a request, because the caller has to act', async () => {
    const api = await testApi()
    const id = await begun(api, { input: ASKS })
    const { status, body } = await api.call('GET', `/v1/runs/${id}?wait=60`)
    expect([status, body.waiting_on]).toEqual([200, 'function'])
  })

  it('expires when its caller sends no result', async () => {
    const api = await testApi()
    const id = await begun(api, { input: ASKS })
    const [open] = await callsOf(api, id)
    api.world.clock.advance(86_401_000)
    await tick(api.world)
    await settle(api.world)
    expect((await read(api, id)).output.text).toContain('expired')
    expect((await answer(api, id, open!.call, { output: 'late' })).status).toBe(409)
  })

  it.each([
    ['a call of no run', 'call_00000000000000000000000000', { output: 'x' }, 404],
    ['a text that is no id', 'x', { output: 'x' }, 404],
    ['nothing', undefined, {}, 422],
    ['an output and an error', undefined, { output: 'x', error: 'y' }, 422],
    ['an error that is no text', undefined, { error: {} }, 422],
    ['an output that is too large', undefined, { output: 'x'.repeat(1_100_000) }, 413],
  ])('refuses %s', async (_, named, json, status) => {
    const api = await testApi()
    const id = await begun(api, { input: ASKS })
    const [open] = await callsOf(api, id)
    expect((await answer(api, id, named ?? open!.call, json)).status).toBe(status)
    expect(await callsOf(api, id)).toEqual([open])
  })

  it('answers no call of another tool and none of a cancelled run', async () => {
    const api = await testApi()
    const input = '@call file_list {"path":"."}\n@then\n@call weather {"city":"Oslo"}'
    const id = await begun(api, { input })
    const { body } = await api.call('GET', `/v1/runs/${id}/events`)
    const listing = body.data.find(({ type }: { type: string }) => type === 'tool.result').data.call
    expect((await answer(api, id, listing, { output: 'x' })).status).toBe(404)
    const [open] = await callsOf(api, id)
    expect((await api.call('POST', `/v1/runs/${id}/cancel`, { json: {} })).status).toBe(200)
    await settle(api.world)
    expect(await answer(api, id, open!.call, { output: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'run_ended' },
    })
  })

  it.each([
    ['a name of a tool of ours', [{ ...WEATHER, name: 'ask_user' }], '/functions/0/name'],
    ['the same name twice', [WEATHER, WEATHER], '/functions/1/name'],
    ['a name with a space', [{ ...WEATHER, name: 'the weather' }], '/functions/0/name'],
    [
      'a schema of something else than an object',
      [{ ...WEATHER, parameters: { type: 'string' } }],
      '/functions/0/parameters/type',
    ],
    [
      'a schema that is none',
      [{ ...WEATHER, parameters: { type: 'text' } }],
      '/functions/0/parameters/type',
    ],
  ])('is refused with %s', async (_, functions, pointer) => {
    const api = await testApi()
    const { status, body } = await api.call('POST', '/v1/runs', { json: { input: 'x', functions } })
    expect([status, body.errors[0].pointer]).toEqual([422, pointer])
  })
})
