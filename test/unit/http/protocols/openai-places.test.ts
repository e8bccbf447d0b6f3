/** Refusals at OpenAI's endpoints name the place in the request as its client sent it. */

import { describe, expect, it } from 'vitest'
import { testApi } from '../../../support/http.ts'

const refusedAt = async (path: string, json: object) => {
  const api = await testApi()
  const { status, body } = await api.call('POST', path, { json })
  expect(status).toBe(400)
  const { param, message } = body.error
  return { param, message, pointer: body.errors?.[0]?.pointer }
}

const BAD = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' }
const BAD_CHAT = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
const user = (...content: object[]) => ({ role: 'user', content })
const thought = { type: 'reasoning', id: 'rs_1', summary: [] }
const item = { type: 'function_call_output', call_id: 'c', output: [BAD] }
const text = { type: 'input_text', text: 'look' }
const blank = { type: 'input_text', text: ' ' }

describe('the param of a refused response', () => {
  it.each<[string, object, string]>([
    ['one message', { input: [user(text, BAD)] }, 'input[0].content[1]'],
    ['a blank part before', { input: [user(blank, BAD)] }, 'input[0].content[1]'],
    ['a left-out item before', { input: [thought, user(text, BAD)] }, 'input[1].content[1]'],
    [
      'left-out items in between',
      { input: [thought, user(text), thought, thought, user(BAD)] },
      'input[4].content[0]',
    ],
    [
      'instructions and calls before',
      {
        input: [
          { role: 'system', content: 'Be brief.' },
          { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
          user(text),
          user(BAD),
        ],
      },
      'input[3].content[0]',
    ],
    ['a result behind a left-out item', { input: [thought, item] }, 'input[1].output[0]'],
    [
      'a wrong item behind a left-out one',
      { input: [thought, { role: 'user' }] },
      'input[1].content',
    ],
    [
      'a schema of a tool',
      { input: 'x', tools: [{ type: 'function', name: 'f', parameters: { type: 7 } }] },
      'tools[0].parameters.type',
    ],
    [
      'a schema of the answer',
      { input: 'x', text: { format: { type: 'json_schema', name: 'a', schema: { type: 7 } } } },
      'text.format.schema.type',
    ],
  ])('with %s is the path in the request as sent', async (_, json, param) => {
    const refused = await refusedAt('/v1/responses', json)
    expect(refused.param).toBe(param)
    expect(refused.message).not.toContain('/input/0/content/0')
  })
})

describe('the param of a refused chat completion', () => {
  const CALL = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
  const said = { role: 'assistant', content: 'Calling.', tool_calls: [CALL, { ...CALL, id: 'd' }] }
  const chatText = { type: 'text', text: 'look' }
  it.each<[string, object, string]>([
    ['one message', { messages: [user(chatText, BAD_CHAT)] }, 'messages[0].content[1]'],
    [
      'messages that are several items before',
      { messages: [user(chatText), said, user(chatText, BAD_CHAT)] },
      'messages[2].content[1]',
    ],
    [
      'a message of the system before',
      { messages: [{ role: 'system', content: 'x' }, user(BAD_CHAT)] },
      'messages[1].content[0]',
    ],
    [
      'a result that is no text',
      {
        messages: [user(chatText), said, { role: 'tool', tool_call_id: 'c', content: [BAD_CHAT] }],
      },
      'messages[2].content[0]',
    ],
    ['nothing said', { messages: [{ role: 'user', content: ' ' }] }, 'messages'],
    ['the last word of a model', { messages: [{ role: 'assistant', content: 'x' }] }, 'messages'],
    [
      'a schema of a tool',
      {
        messages: [{ role: 'user', content: 'x' }],
        tools: [{ type: 'function', function: { name: 'f', parameters: { type: 7 } } }],
      },
      'tools[0].function.parameters.type',
    ],
    [
      'a schema of the answer',
      {
        messages: [{ role: 'user', content: 'x' }],
        response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 7 } } },
      },
      'response_format.json_schema.schema.type',
    ],
  ])('with %s is the path in the request as sent', async (_, json, param) => {
    const refused = await refusedAt('/v1/chat/completions', json)
    expect(refused.param).toBe(param)
    expect(refused.message).not.toContain('/input')
    expect(refused.message).not.toContain('caller_tools')
  })
})
