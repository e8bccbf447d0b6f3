/**
 * An answer that breaks off and becomes a call without words: every door that streams takes back
 * the text that it has sent.
 */

import { expect, it } from 'vitest'
import { sse, startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { ask } from '../support/node-client.ts'

const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
})
const PARTIAL = 'The sky is green, as everybody who has seen it'
const CALL = {
  index: 0,
  id: 'call_1',
  type: 'function',
  function: { name: 'no_such', arguments: '{}' },
}
const USER = { role: 'user', content: 'Which color?' }

/** A vendor whose first stream breaks off, whose second may be a call, and the next the answer. */
async function startApi(calls: boolean): Promise<NodeApi> {
  let requests = 0
  const vendor = await startCannedServer((_, response) => {
    requests += 1
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (requests === 1) {
      response.write(sse([chunk({ role: 'assistant', content: PARTIAL })]), () => {
        setTimeout(() => response.destroy(), 300)
      })
    } else {
      const rest =
        requests === 2 && calls
          ? [chunk({ tool_calls: [CALL] }), chunk({}, 'tool_calls')]
          : [chunk({ content: 'Blue.' }), chunk({}, 'stop')]
      response.end(`${sse(rest)}data: [DONE]\n\n`)
    }
  })
  cleanup.push(vendor.close)
  const a = { kind: 'openai-compatible', base_url: `${vendor.origin}/v1`, key: 'sk-none-123' }
  return startNodeApi({
    STRATA_PROVIDERS: JSON.stringify({ providers: { a }, default: 'a/one' }),
    STRATA_MODEL: '',
    MODEL_PATIENCE_SECONDS: '',
  })
}

// biome-ignore lint/suspicious/noExplicitAny: events of four protocols.
type Told = any

async function told(path: string, body: object, headers = {}, calls = true): Promise<Told[]> {
  const { status, text } = await ask(await startApi(calls), 'POST', path, body, headers)
  expect([status, text.slice(0, 300)]).toEqual([200, expect.any(String)])
  const lines = text.split('\n').filter((line) => /^data: \{/.test(line))
  return lines.map((line) => JSON.parse(line.slice('data: '.length)))
}

it('chat completions retract the text by a notice before the answer', async () => {
  const request = { model: 'agent/general', messages: [USER], stream: true }
  const chunks = await told('/v1/chat/completions', request)
  const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
  const notice = '[The text above was interrupted; ignore it.]'
  expect(text).toBe(`${PARTIAL}\n\n${notice}\n\nBlue.`)
  expect(chunks.find(({ strata }) => strata?.voided)).toBeDefined()
  expect(chunks.at(-1).strata.content).toBe('Blue.')
})

it('Responses retracts the text by an incomplete item', async () => {
  const request = { model: 'agent/general', input: USER.content, stream: true }
  const events = await told('/v1/responses', request)
  const of = (type: string) => events.filter((one) => one.type === `response.${type}`)
  const [voided, ...others] = of('output_item.done').map(({ item }) => item)
  expect(voided).toMatchObject({ type: 'message', status: 'incomplete', content: [] })
  expect(others.map(({ type, status }) => [type, status])).toEqual([
    ['mcp_call', 'failed'],
    ['message', 'completed'],
  ])
  expect(of('output_item.added').map(({ item }) => item.id)).toEqual(
    of('output_item.done').map(({ item }) => item.id),
  )
  const numbers = events.map(({ sequence_number }) => sequence_number)
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
  expect(of('completed')[0].response.output.map((item: Told) => item.id)).toEqual(
    others.map(({ id }) => id),
  )
})

it('Responses sends the replacement answer as a new item', async () => {
  const request = { model: 'agent/general', input: USER.content, stream: true }
  const events = await told('/v1/responses', request, {}, false)
  const texts = new Map<string, string>()
  for (const { type, item_id, delta } of events)
    if (type === 'response.output_text.delta')
      texts.set(item_id, (texts.get(item_id) ?? '') + delta)
  const done = events.filter(({ type }) => type === 'response.output_item.done')
  const [voided, answer] = done.map(({ item }) => item)
  expect([voided.status, texts.get(voided.id)]).toEqual(['incomplete', PARTIAL])
  expect([answer.status, texts.get(answer.id)]).toEqual(['completed', 'Blue.'])
  expect(done.map(({ output_index }) => output_index)).toEqual([0, 0])
  const numbers = events.map(({ sequence_number }) => sequence_number)
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
  expect(
    events.at(-1).response.output_text ?? events.at(-1).response.output[0].content[0].text,
  ).toBe('Blue.')
})

it('AG-UI retracts the text by a void message, and shows the wait', async () => {
  const message = { id: 'm1', ...USER }
  const request = { threadId: 't1', runId: 'r1', messages: [message], tools: [], context: [] }
  const events = await told(
    '/v1/ag-ui/general',
    { ...request, state: {}, forwardedProps: {} },
    { accept: 'text/event-stream' },
  )
  const first = events.find(({ type }) => type === 'TEXT_MESSAGE_START').messageId
  const types = events.map(({ type, name }) => name ?? type)
  const from = types.indexOf('TEXT_MESSAGE_END')
  expect(types.slice(from, from + 3)).toEqual([
    ...['TEXT_MESSAGE_END', 'strata.text.void', 'strata.run.waiting'],
  ])
  expect(events[from + 1].value).toBe(first)
  expect(events.filter(({ name }) => name === 'strata.text.void')).toHaveLength(1)
  const said = events.filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT')
  expect(said.filter(({ messageId }) => messageId !== first).map(({ delta }) => delta)).toEqual([
    'Blue.',
  ])
})

it('A2A retracts the text by an empty artifact and a status', async () => {
  const message = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: USER.content }] }
  const rpc = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message } }
  const events = await told('/v1/a2a/general', rpc, { 'a2a-version': '1.0' })
  const results = events.map(({ result }) => result)
  const texts = results.flatMap(({ artifactUpdate: update }) =>
    update ? [[update.artifact.artifactId, update.artifact.parts[0].text, update.append]] : [],
  )
  expect(texts.slice(0, 2)).toEqual([
    ['text-0', PARTIAL, undefined],
    ['text-0', '', undefined],
  ])
  expect(texts.at(-1)?.[0]).not.toBe('text-0')
  const words = results.map((one) => one.statusUpdate?.status.message?.parts[0].text ?? '')
  expect(words.join('\n')).toContain('The model is unavailable; the run retries until 20')
})
