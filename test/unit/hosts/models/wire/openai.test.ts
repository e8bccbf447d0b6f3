/**
 * OpenAI's Responses API, by OpenAI and by Azure.
 * https://developers.openai.com/api/reference/resources/responses/streaming-events,
 * https://developers.openai.com/api/docs/guides/error-codes and
 * https://learn.microsoft.com/en-us/azure/ai-foundry/openai/api-version-lifecycle (read 2026-11-23).
 */

import { expect, it } from 'vitest'
import { azureAddress } from '../../../../../src/hosts/models/azure.ts'
import { modelConfigFromEnv } from '../../../../../src/hosts/models/config.ts'
import { events, KEY, refuses, wired, wireSuite } from './wire.ts'

const created = {
  type: 'response.created',
  response: { id: 'resp_1', created_at: 0, model: 'gpt-5.6' },
}
const usage = {
  input_tokens: 12,
  input_tokens_details: { cached_tokens: 8 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 17,
}
const completed = { type: 'response.completed', response: { usage } }
const thought = { type: 'reasoning', id: 'rs_1', summary: [] }
const message = { type: 'message', id: 'msg_1', role: 'assistant', content: [] }
const item = (kind: 'added' | 'done', output_index: number, one: object) => ({
  ...{ type: `response.output_item.${kind}`, output_index },
  item: one,
})
const text = (delta: string) => ({
  ...{ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 1, content_index: 0 },
  delta,
})
const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'file_read' }
const piece = (delta: string) => ({
  ...{ type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 0 },
  delta,
})
const summary = { item_id: 'rs_1', output_index: 0, summary_index: 0 }
const error = (code: string, said: string) => ({
  error: { code, message: said, type: 'invalid_request_error', param: null },
})

const TEXT = events([
  created,
  item('added', 0, thought),
  { type: 'response.reasoning_summary_part.added', ...summary },
  { type: 'response.reasoning_summary_text.delta', ...summary, delta: 'hm' },
  { type: 'response.reasoning_summary_part.done', ...summary },
  item('done', 0, { ...thought, encrypted_content: 'gAAAA' }),
  item('added', 1, message),
  text('Hel'),
  text('lo'),
  item('done', 1, message),
  completed,
])
const DIALECT = {
  text: TEXT,
  call: events([
    created,
    item('added', 0, { ...call, arguments: '' }),
    piece('{"path":'),
    piece('"a"}'),
    item('done', 0, { ...call, arguments: '{"path":"a"}', status: 'completed' }),
    completed,
  ]),
  refusal: events([
    created,
    {
      type: 'response.incomplete',
      response: { usage, incomplete_details: { reason: 'content_filter' } },
    },
  ]),
  busy: refuses(429, error('rate_limit_exceeded', 'Slow down.'), { 'retry-after': '7' }),
  tooLong: refuses(400, error('context_length_exceeded', 'Exceeds the context window.')),
  picture: (data: string) => ({ type: 'input_image', image_url: `data:image/png;base64,${data}` }),
  pdf: (data: string) => ({
    ...{ type: 'input_file', filename: 'a.pdf' },
    file_data: `data:application/pdf;base64,${data}`,
  }),
  badKey: refuses(401, error('invalid_api_key', `Incorrect API key provided: ${KEY}`)),
  breaks: events([
    created,
    { type: 'error', sequence_number: 1, code: 'server_error', message: 'it broke', param: null },
  ]),
}

const OPENAI = { provider: { kind: 'openai', key: KEY }, base: '/v1', model: 'gpt-5.6' }
wireSuite('openai', OPENAI, DIALECT)

it('openai: nothing is stored at the vendor, and settings use its spelling', async () => {
  const { say, server, sent } = await wired(OPENAI, TEXT)
  const settings = {
    max_output_tokens: 900,
    parallel_tool_calls: false,
    reasoning_effort: 'low',
    provider_options: { openai: { serviceTier: 'flex', store: true }, anthropic: { effort: 'x' } },
  } as const
  const { answer } = await say({ settings })
  expect(sent()).toMatchObject({
    ...{ store: false, max_output_tokens: 900, parallel_tool_calls: false },
    reasoning: { effort: 'low' },
  })
  expect(server.received[0]).toMatchObject({
    url: '/v1/responses',
    headers: { authorization: `Bearer ${KEY}` },
  })
  expect(answer).toMatchObject({ ok: true })
})

it('openai: stop and thinking_budget are not sent, with a notice', async () => {
  const { say, sent } = await wired(OPENAI, TEXT)
  const { answer } = await say({ settings: { stop: ['END'], thinking_budget: 10 } })
  expect(answer.ok && answer.value.warnings?.join()).toMatch(/thinking_budget.*stop/)
  expect(JSON.stringify(sent())).not.toMatch(/END/)
})

const AZURE = {
  provider: { kind: 'azure', key: KEY },
  base: '/openai/v1',
  model: 'our-deployment',
}
wireSuite('azure', AZURE, DIALECT)

it('azure: the key is sent as a separate header, and nothing is stored there', async () => {
  const { say, server, sent } = await wired(AZURE, TEXT)
  await say()
  expect(server.received[0]).toMatchObject({
    url: '/openai/v1/responses',
    headers: { 'api-key': KEY },
  })
  expect(sent()).toMatchObject({ model: 'our-deployment', store: false })
})

it.each([
  [{ resource: 'desk' }, 'https://desk.openai.azure.com/openai/v1/responses?api-version=v1'],
  [
    { resource: 'desk', api_version: '2026-01-01-preview' },
    'https://desk.openai.azure.com/openai/v1/responses?api-version=2026-01-01-preview',
  ],
  [
    { base_url: 'https://desk.openai.azure.com/openai/v1/' },
    'https://desk.openai.azure.com/openai/v1/responses',
  ],
  [
    { base_url: 'https://desk.services.ai.azure.com/api/projects/mail/openai' },
    'https://desk.services.ai.azure.com/api/projects/mail/openai/v1/responses',
  ],
  [{ base_url: 'https://gateway.example/azure' }, 'https://gateway.example/azure/responses'],
  // The endpoint as the portal of Azure shows it.
  [
    { base_url: 'https://desk.openai.azure.com/' },
    'https://desk.openai.azure.com/openai/v1/responses?api-version=v1',
  ],
  [
    { base_url: 'https://desk.services.ai.azure.com' },
    'https://desk.services.ai.azure.com/openai/v1/responses?api-version=v1',
  ],
  // A version that is set is sent to each address.
  [
    { base_url: 'https://desk.openai.azure.com/openai/v1', api_version: 'preview' },
    'https://desk.openai.azure.com/openai/v1/responses?api-version=preview',
  ],
  [
    { base_url: 'https://gateway.example/openai/v1', api_version: 'preview' },
    'https://gateway.example/openai/v1/responses?api-version=preview',
  ],
] as const)('azure: the address of %j is %s', (members, url) => {
  expect(azureAddress({ kind: 'azure', key: KEY, ...members }).responses).toBe(url)
})

it('azure: a resource that is not one label of a host name is refused', () => {
  const desk = { kind: 'azure', key: KEY, resource: 'a.evil.example/x' }
  const read = () =>
    modelConfigFromEnv({ STRATA_PROVIDERS: JSON.stringify({ providers: { desk } }) })
  expect(read).toThrow(/resource.*must be one label of a host name/)
})
