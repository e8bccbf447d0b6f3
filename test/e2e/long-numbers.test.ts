/** Numbers with more digits than a double keeps, between models and MCP servers. */

import { describe, expect, it } from 'vitest'
import { startCannedMcp } from '../support/canned-mcp.ts'
import { sse, startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startNodeApi } from '../support/node-api.ts'
import { eventsOf, putFile, runToEnd } from '../support/node-client.ts'
import { BASE_CONFIG } from '../support/resolved.ts'

const LONG = '12345678901234567891'

async function apiWith(id: object, result = '{"content":[]}', env = {}) {
  const server = await startCannedMcp({
    tools: [{ name: 'act', inputSchema: { type: 'object', properties: { id }, required: ['id'] } }],
    onCall({ id: request }, response) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(request)},"result":${result}}`)
      return true
    },
  })
  cleanup.push(server.close)
  const api = await startNodeApi(env)
  await putFile(api, BASE_CONFIG, `[mcp_servers.x]\nurl = "${server.url}"\n`)
  const bodies = () => server.received.map(({ body }) => body).filter((one) => /s\/call/.test(one))
  return { api, bodies }
}
const call = (written: string) => `@call mcp__x__act {"id":${written}}\n@then\n@say {last}`

describe('a long number in the arguments of a call', () => {
  it.each([
    ['a string is asked for', { type: 'string' }, LONG, `"id":"${LONG}"`],
    ['a string or null is asked for', { type: ['string', 'null'] }, LONG, `"id":"${LONG}"`],
    ['an integer is asked for', { type: 'integer' }, LONG, `"id":${LONG}`],
    ['a list of numbers is asked for', { type: 'array' }, `[1,${LONG}]`, `"id":[1,${LONG}]`],
    ['nothing is said', {}, `{"a":${LONG}}`, `"id":{"a":${LONG}}`],
    [
      'an amount is asked for',
      { type: 'string' },
      '0.12345678901234567891',
      '"0.12345678901234567891"',
    ],
  ])('keeps all its digits where %s', async (_, schema, written, sent) => {
    const { api, bodies } = await apiWith(schema)
    const run = await runToEnd(api, { input: call(written) })
    expect(run.status).toBe('completed')
    expect(bodies()).toEqual([expect.stringContaining(sent)])
    const asked = (await eventsOf(api, run.id)).find(({ type }) => type === 'assistant.message')
    const [digits] = /\d[\d.]{15,}/.exec(written)!
    expect(JSON.stringify(asked.data)).toContain(digits)
    // The model is shown what it wrote.
    expect(JSON.stringify(api.model.requests[1]?.body)).toContain(digits)
  })

  it('keeps all its digits when written as an object instead of text', async () => {
    let calls = 0
    const vendor = await startCannedServer((_, response) => {
      calls += 1
      const made = { index: 0, id: 'c', function: { name: 'mcp__x__act', arguments: { id: 7 } } }
      const delta = calls === 1 ? { tool_calls: [made] } : { content: 'done' }
      const events = sse([{ choices: [{ index: 0, delta, finish_reason: 'stop' }] }])
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(events.replace('"id":7', `"id":${LONG}`))
    })
    cleanup.push(vendor.close)
    const provider = { kind: 'openai-compatible', base_url: `${vendor.origin}/v1`, key: 'k-1234' }
    const STRATA_PROVIDERS = JSON.stringify({ providers: { a: provider }, default: 'a/one' })
    const { api, bodies } = await apiWith({ type: 'integer' }, undefined, {
      STRATA_PROVIDERS,
      STRATA_MODEL: '',
    })
    await runToEnd(api, { input: 'hi' })
    expect(bodies()).toEqual([expect.stringContaining(`"id":${LONG}`)])
  })
})

describe('a long number in a result', () => {
  it.each([
    ['structured', `{"content":[],"structuredContent":{"id":${LONG}}}`],
    ['in a part of another kind', `{"content":[{"type":"row","id":${LONG}}]}`],
  ])('%s reaches the model with all its digits as text, with a note', async (_, result) => {
    const { api } = await apiWith({}, result)
    const run = await runToEnd(api, { input: call('1') })
    expect(run.output.text).toContain(`"id":"${LONG}"`)
    expect(run.output.text).toContain('numbers with too many digits become strings')
  })

  it('of a text stays unchanged', async () => {
    const { api } = await apiWith({}, `{"content":[{"type":"text","text":"{\\"id\\":${LONG}}"}]}`)
    const run = await runToEnd(api, { input: call('1') })
    expect(run.output.text).toBe(`{"id":${LONG}}`)
  })
})

it("a long limit in a tool's schema stays a number", async () => {
  const server = await startCannedMcp({
    onRequest({ body }, response) {
      if (!body.includes('tools/list')) return false
      const schema =
        '{"type":"object","properties":{"n":{"type":"integer","maximum":18446744073709551615}}}'
      const tools = `{"tools":[{"name":"act","inputSchema":${schema}}]}`
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(`{"jsonrpc":"2.0","id":${JSON.parse(body).id},"result":${tools}}`)
      return true
    },
  })
  cleanup.push(server.close)
  const api = await startNodeApi()
  await putFile(api, BASE_CONFIG, `[mcp_servers.x]\nurl = "${server.url}"\n`)
  const run = await runToEnd(api, { input: '@call mcp__x__act {"n":1}\n@then\n@say {last}' })
  expect([run.output.text, run.warnings]).toEqual(['done', undefined])
})
