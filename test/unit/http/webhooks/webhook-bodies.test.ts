/** What a webhook says besides its event: whose it is, what it has cost, what came of it. */

import { beforeEach, describe, expect, it } from 'vitest'
import { BANK, bank, setPolicy } from '../../../support/approvals.ts'
import { putFiles } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { type Receivers, receivers } from '../../../support/receivers.ts'
import { verifyWebhook } from '../../../support/verify-webhook.ts'

const URL = 'https://one.example/hook'
const ENDPOINT = 'https://two.example/hook'
const metadata = { customer: '42', order: 'a b' }
let api: TestApi
let web: Receivers
beforeEach(async () => {
  web = receivers()
  api = await testApi({ web, tools: bank().tools })
})
const run = async (json: object) => {
  const { body } = await api.call('POST', '/v1/runs', { json: { metadata, ...json } })
  await api.settle()
  return body
}
const last = (url = URL) => web.at(url).at(-1)!.json.data

describe('webhook bodies', () => {
  it('the end of a run carries metadata, session, usage, and the text one level down', async () => {
    const made = await run({ input: '@say hello', webhook: { url: URL } })
    expect(last()).toMatchObject({
      type: 'run.completed',
      run_id: made.id,
      session_id: made.session_id,
      metadata,
      usage: { input_tokens: 10, output_tokens: 5, model_calls: 1 },
      output: { text: 'hello', structured: null },
      data: { stop_reason: 'end_turn', output: { text: 'hello' } },
    })
    const [got] = web.at(URL)
    expect(Object.keys(got!.json).sort()).toEqual(['data', 'timestamp', 'type'])
    const message = verifyWebhook(made.webhook_secret, got!, api.world.clock.now())
    expect(message).toEqual(got!.json)
  })

  it('a text stored elsewhere is included completely, and one above the message limit is shortened', async () => {
    const text = 'word '.repeat(2_000)
    await run({ input: `@say ${text}`, webhook: { url: URL } })
    expect(last().output.text.trim()).toBe(text.trim())
    expect(last().output).not.toHaveProperty('truncated')
    await run({ input: `@say ${'word '.repeat(20_000)}`, webhook: { url: URL } })
    expect(last()).toMatchObject({ metadata, output: { truncated: true } })
    expect(last().output.text.length).toBeGreaterThan(100)
    expect(web.at(URL).at(-1)!.body.length).toBeLessThan(20_480)
  })

  it('every event carries the metadata: subagents, approval requests, and endpoints included', async () => {
    await putFiles(api.world, { 'base/.agents/config.toml': BANK })
    await setPolicy(api.world, { approvals: { mcp__bank__pay: 'ask' } })
    const events = ['run.*', 'subagent.*', 'approval.requested', 'fanout.*']
    await api.call('POST', '/v1/webhook-endpoints', { json: { url: ENDPOINT, events } })
    const task = JSON.stringify('@call mcp__bank__pay {"amount":1}\n@say paid')
    const made = await run({
      input: `@spawn 1 {"task":${task}}\n@await\n@say all`,
      webhook: {
        url: URL,
        events: ['run.completed', 'approval.requested', 'subagent.spawned', 'subagent.announced'],
      },
    })
    const [asked] = (await api.call('GET', '/v1/approvals')).body.data
    const json = { decision: 'approve' }
    await api.call('POST', `/v1/approvals/${asked.id}/decision`, { json })
    await api.settle()
    const types = (url: string) => [...new Set(web.at(url).map(({ json }) => json.type))].sort()
    expect(types(URL)).toEqual([
      'approval.requested',
      'run.completed',
      'subagent.announced',
      'subagent.spawned',
    ])
    expect(types(ENDPOINT)).toEqual(expect.arrayContaining(['approval.requested', 'run.completed']))
    for (const { json } of [...web.at(URL), ...web.at(ENDPOINT)]) {
      expect([json.type, json.data.metadata]).toEqual([json.type, metadata])
      expect(json.data.session_id).toMatch(/^ses_/)
      expect(json.data.usage).toMatchObject({ model_calls: expect.any(Number) })
    }
    expect(last().session_id).toBe(made.session_id)
    expect(last(ENDPOINT).output).toMatchObject({ text: 'all' })
  })

  it('the end of a run without an answer carries its error', async () => {
    await run({ input: '@error 400', webhook: { url: URL } })
    expect(last()).toMatchObject({
      type: 'run.failed',
      metadata,
      error: { code: 'model_rejected' },
    })
    expect(last()).not.toHaveProperty('output')
  })

  it("a fan-out's end carries the total usage, no session, and the answer of the closing run", async () => {
    const json = {
      tasks: [{ task: '@say a' }, { task: '@say b' }],
      then: { input: '@say both' },
      webhook: { url: URL },
    }
    await api.call('POST', '/v1/fanouts', { json })
    await api.settle()
    expect(last()).toMatchObject({
      type: 'fanout.completed',
      session_id: null,
      metadata: {},
      usage: { model_calls: 3 },
      output: { text: 'both' },
    })
  })
})
