/** The official `openai` package, unmodified: responses, chat completions, models, errors. */

import assert from 'node:assert/strict'
import OpenAI from 'openai'
import type { Given } from '../given.ts'

type Response = OpenAI.Responses.Response

const WEATHER: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'get_weather',
  description: 'Weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
  strict: true,
}

const TWO_CITIES =
  '@text Looking.\n@call get_weather {"city":"Paris"}\n@call get_weather {"city":"Rome"}\n' +
  '@say it is {last}'

export default async function story({ url, key }: Given): Promise<void> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
  await plain(client)
  await streamed(client)
  await inBackground(client)
  await inConversation(client)
  await withFunctions(client)
  await structured(client)
  await ignored(client)
  await chat(client)
  await chatInterrupted(client)
  await chatWithFunctions(client)
  await models(client)
  await errors(client, url)
}

async function plain(client: OpenAI): Promise<void> {
  const made = await client.responses.create({
    model: 'agent/general',
    input: '@say hello',
    instructions: 'Be brief.',
    metadata: { ticket: '4711' },
    max_output_tokens: 200,
    temperature: 0,
  })
  assert.equal(made.status, 'completed')
  assert.equal(made.output_text, 'hello')
  assert.equal(made.metadata?.ticket, '4711')
  assert.ok((made.usage?.total_tokens ?? 0) > 0)
  const read = await client.responses.retrieve(made.id)
  assert.deepEqual(read.output, made.output)
  const items = await client.responses.inputItems.list(made.id)
  assert.equal(items.data.length, 1)
  const picture = await client.responses.create({
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look:' },
          { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
        ],
      },
      { role: 'user', content: '@say seen' },
    ],
  })
  assert.equal(picture.output_text, 'seen')
  await client.responses.delete(picture.id)
  await assert.rejects(client.responses.retrieve(picture.id), OpenAI.NotFoundError)
}

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

type Event = OpenAI.Responses.ResponseStreamEvent

async function all(events: AsyncIterable<Event>): Promise<Event[]> {
  const found: Event[] = []
  for await (const event of events) found.push(event)
  return found
}

const said = (events: readonly Event[]): string =>
  events.map((one) => (one.type === 'response.output_text.delta' ? one.delta : '')).join('')

async function streamed(client: OpenAI): Promise<void> {
  const input = `@slow 600\n@say ${'a long answer '.repeat(20)}`
  const events = await all(await client.responses.create({ input, stream: true }))
  const types = events.map(({ type }) => type)
  assert.deepEqual(types.slice(0, 4), [
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
  ])
  const last = events.at(-1)
  assert.ok(last?.type === 'response.completed')
  assert.equal(said(events), last.response.output_text ?? textOf(last.response))
  const numbers = events.map(({ sequence_number: n }) => n)
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].sort((a, b) => a - b),
  )

  // From anywhere on the rest is the same, by the same numbers.
  const { id } = last.response
  for (const [place, { sequence_number: starting_after }] of events.entries()) {
    const rest = await all(await client.responses.retrieve(id, { stream: true, starting_after }))
    assert.equal(said(events.slice(0, place + 1)) + said(rest), said(events))
    const whole = (list: readonly Event[]) =>
      list.filter(({ type }) => type !== 'response.output_text.delta')
    assert.deepEqual(whole(rest), whole(events.slice(place + 1)))
  }
  const helper = client.responses.stream({ input })
  assert.equal((await helper.finalResponse()).output_text, said(events))
}

const textOf = ({ output }: Response): string =>
  output
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map((part) => (part.type === 'output_text' ? part.text : ''))
    .join('')

async function inBackground(client: OpenAI): Promise<void> {
  let found = await client.responses.create({ input: '@slow 300\n@say later', background: true })
  assert.equal(found.status, 'queued')
  while (found.status === 'queued' || found.status === 'in_progress') {
    await new Promise((resolve) => setTimeout(resolve, 50))
    found = await client.responses.retrieve(found.id)
  }
  assert.equal(found.output_text, 'later')
  const slow = await client.responses.create({ input: '@slow 20000\n@say no', background: true })
  await client.responses.cancel(slow.id)
  const events = await all(await client.responses.retrieve(slow.id, { stream: true }))
  assert.equal(events.at(-1)?.type, 'response.failed')
  assert.equal((await client.responses.retrieve(slow.id)).status, 'cancelled')
}

async function inConversation(client: OpenAI): Promise<void> {
  const first = await client.responses.create({ input: '@say one' })
  const second = await client.responses.create({
    input: '@say two',
    previous_response_id: first.id,
  })
  assert.equal(second.previous_response_id, first.id)
  assert.equal(second.conversation?.id, first.conversation?.id)
  const again = { input: '@say three', previous_response_id: first.id }
  await assert.rejects(client.responses.create(again), OpenAI.ConflictError)
  const conversation = second.conversation?.id ?? ''
  const third = await client.responses.create({ input: '@say three', conversation })
  assert.equal(third.output_text, 'three')
  // An agent that asks ends its response, and the next input answers.
  const asks = '@call ask_user {"question":"Which one?"}\n@say you want {last}'
  const asked = await client.responses.create({ input: asks })
  assert.equal(asked.output_text, 'Which one?')
  const told = await client.responses.create({ input: 'blue', previous_response_id: asked.id })
  assert.match(told.output_text, /^you want .*blue/)
}

async function withFunctions(client: OpenAI): Promise<void> {
  const asked = await client.responses.create({ input: TWO_CITIES, tools: [WEATHER] })
  assert.equal(asked.status, 'completed')
  const calls = asked.output.filter((item) => item.type === 'function_call')
  assert.deepEqual(
    calls.map(({ name, arguments: written }) => [name, JSON.parse(written).city]),
    [
      ['get_weather', 'Paris'],
      ['get_weather', 'Rome'],
    ],
  )
  const previous_response_id = asked.id
  const outputs = calls.map(({ call_id }, index) => {
    return { type: 'function_call_output' as const, call_id, output: `sunny ${index}` }
  })
  const some = { previous_response_id, input: outputs.slice(0, 1) }
  await assert.rejects(client.responses.create(some), /No tool output found/)
  const none = { previous_response_id, input: 'never mind' }
  await assert.rejects(client.responses.create(none), OpenAI.BadRequestError)
  const done = await client.responses.create({ previous_response_id, input: outputs })
  assert.equal(done.output_text, 'it is sunny 1')
  assert.equal(done.id, `${asked.id}_1`)
  // Sent again it is the same answer; other outputs are refused.
  const again = await client.responses.create({ previous_response_id, input: outputs })
  assert.deepEqual(again.output, done.output)
  const other = outputs.map((one) => ({ ...one, output: 'rain' }))
  const lie = { previous_response_id, input: other }
  await assert.rejects(client.responses.create(lie), OpenAI.ConflictError)
  const items = await client.responses.inputItems.list(done.id, { order: 'asc' })
  assert.deepEqual(
    items.data.map(({ type }) => type),
    ['function_call_output', 'function_call_output'],
  )
  const events = await client.responses.create({
    ...{ input: TWO_CITIES, tools: [WEATHER] },
    stream: true,
  })
  const types = (await all(events)).map(({ type }) => type)
  assert.equal(types.filter((type) => type === 'response.function_call_arguments.done').length, 2)
  assert.equal(types.at(-1), 'response.completed')
}

async function structured(client: OpenAI): Promise<void> {
  const schema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }
  const parsed = await client.responses.parse({
    input: '@say {"sum": 3}',
    text: { format: { type: 'json_schema', name: 'sum', schema, strict: true } },
  })
  assert.equal(parsed.output_text, '{"sum": 3}')
  const completion = await client.chat.completions.create({
    model: 'agent/general',
    messages: [{ role: 'user', content: '@say {"sum": 4}' }],
    response_format: { type: 'json_schema', json_schema: { name: 'sum', schema } },
  })
  assert.equal(completion.choices[0]?.message.content, '{"sum": 4}')
  const said = await client.responses.parse({
    input: '@say Here it is: {"sum": 5}, as asked.',
    text: { format: { type: 'json_schema', name: 'sum', schema, strict: true } },
  })
  assert.deepEqual(JSON.parse(said.output_text), { sum: 5 })
}

/** Members and items that mean nothing here are left out and named. */
async function ignored(client: OpenAI): Promise<void> {
  const asked = {
    ...{ model: 'agent/general', messages: [{ role: 'user' as const, content: '@say taken' }] },
    ...{ n: 1, frequency_penalty: 0, logprobs: false, temperature: null, user: 'u-1', top_k: 40 },
  }
  const { data, response } = await client.chat.completions.create(asked).withResponse()
  assert.equal(data.choices[0]?.message.content, 'taken')
  assert.match(response.headers.get('strata-ignored') ?? '', /user, top_k/)
  const made = await client.responses.create({
    input: [
      { role: 'user', content: 'Think.' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
      { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: SAID },
      { role: 'user', content: '@say answered' },
    ],
  })
  assert.equal(made.output_text, 'answered')
  const { strata } = made as unknown as { strata: { ignored: readonly string[] } }
  assert.deepEqual(strata.ignored, ['input[1] reasoning'])
  const loud = client.chat.completions.create({ ...asked, frequency_penalty: 1 })
  await assert.rejects(loud, (error) => {
    assert.ok(error instanceof OpenAI.BadRequestError)
    assert.equal(error.param, 'frequency_penalty')
    return true
  })
}

const SAID: OpenAI.Responses.ResponseOutputText[] = [
  { type: 'output_text', text: 'Done.', annotations: [] },
]

async function chat(client: OpenAI): Promise<void> {
  const model = 'agent/general'
  const messages = [
    { role: 'system' as const, content: 'Be brief.' },
    { role: 'user' as const, content: 'Hello' },
    { role: 'assistant' as const, content: 'Hello!' },
    { role: 'user' as const, content: '@slow 300\n@say a chat of some length' },
  ]
  const whole = await client.chat.completions.create({ model, messages })
  assert.equal(whole.choices[0]?.message.content, 'a chat of some length')
  assert.equal(whole.choices[0]?.finish_reason, 'stop')
  const chunks = await client.chat.completions.create({
    ...{ model, messages, stream: true },
    stream_options: { include_usage: true },
  })
  let text = ''
  let tokens = 0
  for await (const chunk of chunks) {
    text += chunk.choices[0]?.delta.content ?? ''
    tokens = chunk.usage?.total_tokens ?? tokens
  }
  assert.equal(text, 'a chat of some length')
  assert.ok(tokens > 0)
}

/** An answer that breaks off, and another attempt that says something else. */
async function chatInterrupted(client: OpenAI): Promise<void> {
  const text = 'of an answer that is long enough to be interrupted in its middle'
  const content = `@slow 400\n@cut times=1\n@say Attempt {attempt} ${text}`
  const messages = [{ role: 'user' as const, content }]
  const chunks = await client.chat.completions.create({
    ...{ model: 'agent/general', messages, stream: true },
  })
  let said = ''
  let strata: { voided?: boolean; content?: string } = {}
  for await (const chunk of chunks) {
    said += chunk.choices[0]?.delta.content ?? ''
    strata = { ...strata, ...(chunk as { strata?: typeof strata }).strata }
  }
  assert.match(said, /^Attempt 1 .*\n\n\[The text above was interrupted; ignore it\./)
  assert.ok(said.endsWith(`\n\nAttempt 2 ${text}`), said)
  assert.equal(strata.voided, true)
  assert.equal(strata.content, `Attempt 2 ${text}`)
}

async function chatWithFunctions(client: OpenAI): Promise<void> {
  const { type, name, description, parameters } = WEATHER
  const rest = { name, description: description ?? '', parameters: parameters ?? {} }
  const request = { model: 'agent/general', tools: [{ type, function: rest }] }
  const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: 'user', content: TWO_CITIES }]
  const { choices } = await client.chat.completions.create({ ...request, messages })
  const [choice] = choices
  assert.equal(choice?.finish_reason, 'tool_calls')
  const { message } = choice
  messages.push(message)
  for (const { id } of message.tool_calls ?? [])
    messages.push({ role: 'tool', tool_call_id: id, content: 'cloudy' })
  const done = await client.chat.completions.create({ ...request, messages })
  assert.equal(done.choices[0]?.message.content, 'it is cloudy')
  // The whole conversation is the history of another run.
  messages.push(done.choices[0].message, { role: 'user', content: '@say bye' })
  const next = await client.chat.completions.create({ ...request, messages })
  assert.equal(next.choices[0]?.message.content, 'bye')
  // The client's own loop.
  const runner = client.chat.completions.runTools({
    model: 'agent/general',
    messages: [{ role: 'user', content: TWO_CITIES }],
    tools: [{ type, function: { ...rest, parse: JSON.parse, function: async () => 'windy' } }],
  })
  assert.equal(await runner.finalContent(), 'it is windy')
}

async function models(client: OpenAI): Promise<void> {
  const { data } = await client.models.list()
  const general = data.find(({ id }) => id === 'agent/general')
  assert.equal(general?.object, 'model')
  assert.equal(general.owned_by, 'strata')
  assert.deepEqual(await client.models.retrieve('agent/general'), general)
  await assert.rejects(client.models.retrieve('agent/nobody'), OpenAI.NotFoundError)
}

async function errors(client: OpenAI, url: string): Promise<void> {
  const stranger = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'nobody', maxRetries: 0 })
  await assert.rejects(stranger.responses.create({ input: 'x' }), OpenAI.AuthenticationError)
  const missing = client.responses.retrieve('resp_00000000000000000000000000')
  await assert.rejects(missing, OpenAI.NotFoundError)
  const wrong = client.responses.create({ input: 'x', top_logprobs: 3 })
  await assert.rejects(wrong, (error) => {
    assert.ok(error instanceof OpenAI.BadRequestError)
    assert.equal(error.code, 'invalid_request')
    assert.equal(error.param, 'top_logprobs')
    assert.equal(error.type, 'invalid_request_error')
    return true
  })
  const nobody = { model: 'agent/nobody', messages: [{ role: 'user' as const, content: 'x' }] }
  await assert.rejects(client.chat.completions.create(nobody), OpenAI.BadRequestError)
}
