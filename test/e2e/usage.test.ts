/** A provider that reports what cannot be true, through a running server. */

import { expect, it } from 'vitest'
import { sse, startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startNodeApi } from '../support/node-api.ts'
import { eventsOf, runToEnd } from '../support/node-client.ts'

it.each([
  [{ prompt_tokens: -1_000_000, completion_tokens: -1_000_000 }],
  [{ prompt_tokens: 0.1, completion_tokens: 0.1 }],
  [undefined],
])('a budget of tokens is kept whatever the provider reports: %j', async (usage) => {
  let calls = 0
  const provider = await startCannedServer((_, response) => {
    const call = { index: 0, id: `c${calls++}`, function: { name: 'file_list', arguments: '{}' } }
    const choices = [{ delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(sse([{ choices, usage }]))
  })
  cleanup.push(provider.close)
  const api = await startNodeApi({ OPENAI_BASE_URL: `${provider.origin}/v1` })
  const run = await runToEnd(api, { input: 'list '.repeat(1_000), limits: { max_tokens: 3_000 } })
  expect(run).toMatchObject({ status: 'completed', stop_reason: 'budget' })
  expect(calls).toBeLessThanOrEqual(3)
  expect(run.usage).toMatchObject({ estimated: true })
  expect(run.usage.input_tokens).toBeGreaterThan(1_600)
  const said = (await eventsOf(api, run.id)).filter(({ type }) => type === 'assistant.message')
  for (const { data } of said) expect(data.usage).toMatchObject({ estimated: true })
})
