/** Runs in OpenAI's words: what the official client's program does not show. */

import { describe, expect, it } from 'vitest'
import { readRun } from '../../../../src/engine/logs/run.ts'
import { runPartition } from '../../../../src/engine/partition/keys.ts'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { settle, TENANT, typesOf } from '../../../support/drive.ts'
import { type Answer, type TestApi, testApi } from '../../../support/http.ts'

const NONE = 'resp_00000000000000000000000000'
const WEATHER = {
  type: 'function',
  name: 'weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const ASKS = '@call weather {"city":"Paris"}\n@then\n@say {last}'

const create = (api: TestApi, json: object): Promise<Answer> =>
  api.call('POST', '/v1/responses', { json })
const runOf = (id: string): string => id.replace(/^resp_/, 'run_').replace(/_\d+$/, '')
const stateOf = async ({ world }: TestApi, id: string) =>
  (await readRun(world, runPartition(TENANT, runOf(id))))!.state

/** Begun in the background, and moved until it rests. */
async function begun(api: TestApi, json: object): Promise<string> {
  const made = await create(api, { background: true, ...json })
  expect(made.status).toBe(200)
  await settle(api.world)
  return made.body.id
}
const read = async (api: TestApi, id: string) => (await api.call('GET', `/v1/responses/${id}`)).body

describe('a response', () => {
  it("has the ID of its run, and its instructions follow the agent's prompt", async () => {
    const api = await testApi()
    const id = await begun(api, { input: '@say hello', instructions: 'Be brief.' })
    const found = await read(api, id)
    expect(found).toMatchObject({ status: 'completed', model: 'agent/general' })
    const { body } = await api.call('GET', `/v1/runs/${runOf(id)}`)
    expect(body).toMatchObject({ status: 'completed', output: { text: 'hello' } })
    const config = await api.call('GET', `/v1/runs/${runOf(id)}/config`)
    expect(JSON.stringify(config.body)).toContain('Be brief.')
  })

  it.each([
    ['a parameter that is not known', { input: 'x', top_logprobs: 2 }, 'top_logprobs'],
    ['an empty list', { input: [] }, 'input'],
    ['a blank text', { input: ' ' }, 'input'],
    ['an item of another kind', { input: [{ type: 'reasoning' }] }, 'input'],
    ['a file by id', { input: [{ role: 'user', content: [{ type: 'input_file' }] }] }, 'input[0]'],
    ['a tool of ours', { input: 'x', tools: [{ ...WEATHER, name: 'ask_user' }] }, 'tools[0].name'],
    ['the same tool twice', { input: 'x', tools: [WEATHER, WEATHER] }, 'tools[1].name'],
    ['a forced tool', { input: 'x', tool_choice: 'required' }, 'tool_choice'],
    [
      'both ways to go on',
      { input: 'x', previous_response_id: NONE, conversation: 'ses_1' },
      'conv',
    ],
  ])('400 for %s', async (_, json, param) => {
    const { status, body } = await create(await testApi(), json)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ type: 'invalid_request_error', code: 'invalid_request' })
    expect(String(body.error.param)).toContain(param)
    expect(body.status).toBe(400)
  })

  it('with a schema is only the parsable data, whatever text surrounded it', async () => {
    const api = await testApi()
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const format = { type: 'json_schema', name: 'count', schema }
    const input = '@say <think>Hm</think>Here it is: {"n":3}, as you asked.'
    const found = await read(api, await begun(api, { input, text: { format } }))
    expect(found.output.at(-1).content[0].text).toBe('{"n":3}')
    const { body } = await api.call('GET', `/v1/runs/${runOf(found.id)}`)
    expect(body).toMatchObject({ usage: { model_calls: 1 }, output: { structured: { n: 3 } } })
  })

  it("401, 403, and 404 in OpenAI's format", async () => {
    const api = await testApi()
    const { key } = await createKey(api.world, TENANT, ['files:read'])
    const as = (authorization: string) => ({ json: { input: 'x' }, headers: { authorization } })
    const nobody = await api.call('POST', '/v1/responses', as('Bearer no'))
    expect([nobody.status, nobody.body.error.type]).toEqual([401, 'authentication_error'])
    const weak = await api.call('POST', '/v1/chat/completions', as(`Bearer ${key}`))
    expect([weak.status, weak.body.error.code]).toEqual([403, 'insufficient_scope'])
    for (const id of [NONE, 'resp_1', `${NONE}_7`, 'x']) {
      expect((await api.call('GET', `/v1/responses/${id}`)).status).toBe(404)
      expect((await api.call('POST', `/v1/responses/${id}/cancel`)).status).toBe(404)
      expect((await api.call('DELETE', `/v1/responses/${id}`)).status).toBe(404)
    }
    const next = await create(api, { input: 'x', previous_response_id: NONE })
    expect(next.status).toBe(404)
  })
})

function output(call_id: string, text: string) {
  return { type: 'function_call_output', call_id, output: text }
}
const callIn = (found: { output: { call_id?: string }[] }): string =>
  found.output.find(({ call_id }) => call_id)?.call_id ?? ''

describe('a client function of a response', () => {
  it('parks the run, which continues with its result under the same ID', async () => {
    const api = await testApi()
    const id = await begun(api, { input: ASKS, tools: [WEATHER] })
    const { waiting, spec } = await stateOf(api, id)
    expect(waiting?.on).toBe('function')
    expect(spec?.caller_tools).toContain('weather')
    const asked = await read(api, id)
    expect(asked).toMatchObject({ status: 'completed', strata: { waiting_on: 'function' } })
    const input = [output(callIn(asked), 'sunny')]
    const next = { input, background: true }
    const done = await create(api, { ...next, previous_response_id: id })
    expect(done.body.id).toBe(`${id}_1`)
    await settle(api.world)
    expect((await read(api, `${id}_1`)).output[0].content[0].text).toBe('sunny')
    // A client that keeps no ids: the call names the run.
    expect((await create(api, next)).body.id).toBe(`${id}_1`)
    expect((await read(api, id)).output).toEqual(asked.output)
  })

  it('is called with its intended arguments, and a repeated refusal shows the schema', async () => {
    const api = await testApi()
    const trip = {
      ...{ type: 'function', name: 'trip' },
      parameters: {
        type: 'object',
        properties: {
          cities: { type: 'array', items: { type: 'string' } },
          days: { type: 'integer' },
        },
        required: ['cities'],
      },
    }
    const input = '@call trip {"cities":"[\\"Paris\\"]","days":null}\n@then\n@say {last}'
    const found = await read(api, await begun(api, { input, tools: [trip] }))
    const call = found.output.at(-1)
    expect(call).toMatchObject({ type: 'function_call', arguments: '{"cities":["Paris"]}' })
    const { body } = await api.call('GET', `/v1/runs/${runOf(found.id)}/events`)
    const [plan] = body.data.find(({ type }: { type: string }) => type === 'assistant.message').data
      .calls
    expect(plan.mended).toBe('#/cities is array; #/days is omitted')

    const twice = '@call trip {}\n@then\n@call trip {}\n@then\n@say {last}'
    const ended = await read(api, await begun(api, { input: twice, tools: [trip] }))
    expect(ended.output.at(-1).content[0].text).toMatch(
      /cities.*\nSame error as before\. Valid arguments: \{"cities":\["text"\]\}\nThe/,
    )
  })

  it('expires when no result arrives', async () => {
    const api = await testApi()
    const id = await begun(api, { input: ASKS, tools: [WEATHER] })
    api.world.clock.advance(86_401_000)
    await tick(api.world)
    await settle(api.world)
    const { output: said } = await stateOf(api, id)
    expect(said?.text).toContain('expired')
    const late = { previous_response_id: id, input: [output(callIn(await read(api, id)), 'x')] }
    expect((await create(api, late)).status).toBe(409)
  })

  it('resumes its run once', async () => {
    const api = await testApi()
    const { body } = await api.call('POST', '/v1/chat/completions', {
      json: { messages: [{ role: 'user', content: 'no' }], tools: [{ type: 'function' }] },
    })
    expect(body.error.param).toContain('tools[0].function')
    const id = await begun(api, { input: ASKS, tools: [WEATHER] })
    const asked = await read(api, id)
    await create(api, { input: [output(callIn(asked), 'sunny')], background: true })
    await settle(api.world)
    const types = await typesOf(api.world, runOf(id))
    expect(types.filter((type) => type === 'run.resumed')).toHaveLength(1)
  })

  it('is abandoned together with its run', async () => {
    const api = await testApi()
    const id = await begun(api, { input: ASKS, tools: [WEATHER] })
    expect((await api.call('DELETE', `/v1/responses/${id}`)).status).toBe(409)
    await api.call('POST', `/v1/responses/${id}/cancel`)
    await settle(api.world)
    const late = { previous_response_id: id, input: [output(callIn(await read(api, id)), 'x')] }
    expect((await create(api, late)).status).toBe(409)
    expect((await api.call('DELETE', `/v1/responses/${id}`)).status).toBe(200)
    expect((await api.call('GET', `/v1/responses/${id}`)).status).toBe(404)
  })

  it('does not block the next turn of its conversation', async () => {
    const api = await testApi()
    const id = await begun(api, { input: ASKS, tools: [WEATHER] })
    const conversation = (await read(api, id)).conversation.id
    const { status, body } = await create(api, { input: 'next', conversation })
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('No tool output')])
  })
})

describe('a response stream', () => {
  it('has the same events and numbers on every read, from any position', async () => {
    const api = await testApi()
    const id = await begun(api, { input: '@call file_list {}\n@then\n@say the end', tools: [] })
    const events = async (query: string) => {
      const { text } = await api.call('GET', `/v1/responses/${id}?stream=true${query}`)
      return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
    }
    const all = await events('')
    expect(all.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
    for (const [place, { sequence_number: n }] of all.entries())
      expect(await events(`&starting_after=${n}`)).toEqual(all.slice(place + 1))
    const half = all[6].sequence_number - 3
    expect((await events(`&starting_after=${half}`))[0]).toMatchObject({ delta: 'end' })
    const { status } = await api.call('GET', `/v1/responses/${id}?starting_after=1`)
    expect(status).toBe(400)
  })
})
