/**
 * Anthropic's Messages API. Streams: https://platform.claude.com/docs/en/build-with-claude/streaming
 * Errors: https://platform.claude.com/docs/en/api/errors
 * Caching: https://platform.claude.com/docs/en/build-with-claude/prompt-caching (read 2026-11-23).
 */

import { expect, it } from 'vitest'
import { events, KEY, refuses, wired, wireSuite } from './wire.ts'

const WIRE = {
  provider: { kind: 'anthropic', key: KEY, headers: { 'x-team': 'wire' } },
  base: '/v1',
  model: 'claude-sonnet-5-5',
}
const usage = { input_tokens: 4, cache_read_input_tokens: 8, output_tokens: 1 }
const start = {
  type: 'message_start',
  message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-5-5', usage },
}
const block = (index: number, content_block: object, ...deltas: readonly object[]) => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]
const end = (stop_reason: string) => [
  { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
]
const error = (type: string, message: string) => ({ type: 'error', error: { type, message } })

const TEXT = events([
  start,
  { type: 'ping' },
  ...block(
    0,
    { type: 'thinking', thinking: '' },
    { type: 'thinking_delta', thinking: 'hm' },
    { type: 'signature_delta', signature: 'EqQBCgIYAhIM' },
  ),
  ...block(
    1,
    { type: 'text', text: '' },
    { type: 'text_delta', text: 'Hel' },
    { type: 'text_delta', text: 'lo' },
  ),
  ...end('end_turn'),
])

wireSuite('anthropic', WIRE, {
  text: TEXT,
  call: events([
    start,
    ...block(
      0,
      { type: 'tool_use', id: 'toolu_1', name: 'file_read', input: {} },
      { type: 'input_json_delta', partial_json: '{"path":' },
      { type: 'input_json_delta', partial_json: '"a"}' },
    ),
    ...end('tool_use'),
  ]),
  refusal: events([start, ...end('refusal')]),
  busy: refuses(429, error('rate_limit_error', 'Slow down.'), { 'retry-after': '7' }),
  tooLong: refuses(400, error('invalid_request_error', 'prompt is too long: 9 tokens > 8 maximum')),
  badKey: refuses(401, error('authentication_error', `invalid x-api-key: ${KEY}`)),
  picture: (data) => ({ type: 'base64', media_type: 'image/png', data }),
  pdf: (data) => ({ type: 'base64', media_type: 'application/pdf', data }),
  breaks: events([start, error('overloaded_error', 'Overloaded')]),
})

it('anthropic: the prompt and the conversation are marked as cacheable prefixes', async () => {
  const { say, server, sent } = await wired(WIRE, TEXT)
  await say({ notes: 'Not available: x' })
  expect(sent().system.map((one: object) => 'cache_control' in one)).toEqual([false, true])
  expect(sent()).toMatchObject({ cache_control: { type: 'ephemeral' } })
  expect(server.received[0]?.headers).toMatchObject({
    'x-api-key': KEY,
    'anthropic-version': '2023-06-01',
    'x-team': 'wire',
  })
})

it('a signature of its reasoning is returned unchanged', async () => {
  const { say, sent } = await wired(WIRE, TEXT)
  const { answer } = await say()
  const parts = answer.ok ? answer.value.parts : []
  await say({
    messages: [
      { role: 'user', text: 'hi' },
      { role: 'assistant', parts },
      { role: 'user', text: 'go on' },
    ],
  })
  expect(sent().messages[1].content[0]).toMatchObject({
    ...{ type: 'thinking', thinking: 'hm', signature: 'EqQBCgIYAhIM' },
  })
})

it('a thinking budget is sent in the model’s format, and reported when unsupported', async () => {
  const old = await wired({ ...WIRE, model: 'claude-haiku-4-5' }, TEXT)
  await old.say({ settings: { thinking_budget: 2_048 } })
  expect(old.sent()).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 2_048 } })
  const { say, sent } = await wired(WIRE, TEXT)
  const { answer } = await say({ settings: { thinking_budget: 2_048 } })
  expect(sent()).toMatchObject({ thinking: { type: 'adaptive' } })
  expect(answer.ok && answer.value.warnings).toEqual([expect.stringContaining('thinking')])
})

it('anthropic: an unsupported setting is reported with the answer', async () => {
  const { say, sent } = await wired(WIRE, TEXT)
  const { answer } = await say({ settings: { seed: 7, parallel_tool_calls: false } })
  expect(answer.ok && answer.value.warnings).toEqual([expect.stringContaining('seed')])
  expect(sent()).not.toHaveProperty('seed')
  expect(sent().tool_choice).toMatchObject({ disable_parallel_tool_use: true })
})
