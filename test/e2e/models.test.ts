/**
 * Chains of models, their settings and GET /v1/models through a running server, whose providers
 * are servers on loopback that speak chat completions and Anthropic's Messages API.
 */

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { models } from '../../src/cli/models.ts'
import { push } from '../../src/cli/push.ts'
import type { Terminal } from '../../src/cli/terminal.ts'
import { sse, startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { ask, eventsOf, putFile, runToEnd } from '../support/node-client.ts'
import { until } from '../support/patience.ts'
import { terminal } from '../support/terminal.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
type Sent = any
type Reply = (response: ServerResponse, sent: Sent, call: number) => void

const says =
  (text: string): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      sse([{ choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] }]),
    )
  }
const fails =
  (status: number, message: string): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '600' })
    response.end(JSON.stringify({ error: { message, type: 'scripted' } }))
  }

async function vendor(reply: Reply) {
  const sent: Sent[] = []
  const server = await startCannedServer(({ body }, response) => {
    const asked = JSON.parse(body)
    reply(response, asked, sent.push(asked) - 1)
  })
  cleanup.push(server.close)
  const provider = {
    kind: 'openai-compatible',
    base_url: `${server.origin}/v1`,
    key: 'sk-vendor-1',
  }
  return { sent, provider }
}

/** Providers `a` and `b`; the alias `chain` asks them in this order. */
async function chained(first: Reply, second: Reply, more: object = {}) {
  const a = await vendor(first)
  const b = await vendor(second)
  const STRATA_PROVIDERS = JSON.stringify({
    providers: { a: a.provider, b: b.provider },
    aliases: { chain: ['a/one', 'b/two'] },
    default: 'chain',
    ...more,
  })
  const env = { STRATA_PROVIDERS, STRATA_MODEL: '' }
  return { a, b, api: await startNodeApi(env) }
}

const message = async (api: NodeApi, id: string) =>
  (await eventsOf(api, id)).find(({ type }) => type === 'assistant.message').data

describe('an alias that lists models', () => {
  it.each([
    [429, 'rate_limited'],
    [503, 'unavailable'],
  ] as const)(
    'tries the next model when the first returns %i, and reports that',
    async (status, code) => {
      const { api, a, b } = await chained(fails(status, 'no'), says('hello'))
      const run = await runToEnd(api, { input: 'hi' })
      expect(run).toMatchObject({ status: 'completed', model: 'a/one', output: { text: 'hello' } })
      expect([a.sent.length, b.sent.length]).toEqual([1, 1])
      expect(await message(api, run.id)).toMatchObject({
        model: 'b/two',
        tried: [{ model: 'a/one', code }],
      })
      expect(run.warnings).toContainEqual({
        code: 'model_fallback',
        message: expect.stringMatching(/^b\/two answered instead of a\/one: a responded with/),
      })
      expect((await ask(api, 'GET', `/v1/runs/${run.id}/config`)).body.fallbacks).toEqual(['b/two'])
    },
  )

  it("tries the next model when the first one's window is too small, and shortens nothing", async () => {
    const models = { 'a/one': { window: 2_000 }, 'b/two': { window: 100_000 } }
    const { api, a } = await chained(says('never'), says('hello'), { models })
    const run = await runToEnd(api, { input: 'word '.repeat(4_000) })
    expect(run.output).toMatchObject({ text: 'hello' })
    expect(a.sent).toHaveLength(0)
    const events = await eventsOf(api, run.id)
    expect(events.map(({ type }) => type)).not.toContain('transcript.compacted')
    expect((await message(api, run.id)).tried).toMatchObject([{ model: 'a/one', code: 'too_long' }])
  })

  it('tries no other model when the request itself is refused', async () => {
    const { api, b } = await chained(fails(400, 'no such tool'), says('never'))
    const run = await runToEnd(api, { input: 'hi' })
    expect(run).toMatchObject({ status: 'failed', error: { code: 'model_rejected' } })
    expect(b.sent).toHaveLength(0)
  })

  it('waits when all models fail, and reports each failure', async () => {
    const { api } = await chained(fails(503, 'down'), fails(429, 'busy'))
    const { id } = (await ask(api, 'POST', '/v1/runs', { input: 'hi' })).body
    const waits = await until('the wait', async () =>
      (await eventsOf(api, id)).find(({ type }) => type === 'run.waiting'),
    )
    expect(waits.data.error.message).toMatch(
      /a responded with 503: down.*b\/two: b responded with 429: busy/,
    )
    await ask(api, 'POST', `/v1/runs/${id}/cancel`, {})
  })
})

describe('settings', () => {
  it('of a run override those of the agent file, which override those of the alias', async () => {
    const aliases = {
      chain: { models: ['a/one'], settings: { temperature: 1, top_p: 0.1, seed: 1 } },
    }
    const { api, a } = await chained(says('hello'), says('never'), { aliases })
    const agent = '---\nname: tuned\ndescription: Is tuned.\ntemperature: 0.5\ntopP: 0.2\n---\nGo.'
    await putFile(api, 'base/.agents/agents/tuned.md', agent)
    const model_settings = { temperature: 0, stop: ['END'] }
    const run = await runToEnd(api, { input: 'hi', agent: 'tuned', model_settings })
    expect(a.sent[0]).toMatchObject({ temperature: 0, top_p: 0.2, seed: 1, stop: ['END'] })
    expect((await ask(api, 'GET', `/v1/runs/${run.id}/config`)).body.model_settings).toEqual({
      ...{ temperature: 0, top_p: 0.2, seed: 1, stop: ['END'] },
    })
    expect(run.warnings ?? []).toEqual([])
  })

  it('of a fan-out task apply to that task alone', async () => {
    const { api, a } = await chained(says('hello'), says('never'))
    const model_settings = { temperature: 0.25 }
    const made = await ask(api, 'POST', '/v1/fanouts', { tasks: [{ task: 'hi', model_settings }] })
    expect(made.status).toBe(202)
    await ask(api, 'GET', `/v1/fanouts/${made.body.id}?wait=30`)
    expect(a.sent[0]).toMatchObject({ temperature: 0.25 })
    const wrong = { tasks: [{ task: 'hi', model_settings: { temperature: 9 } }] }
    const { status, body } = await ask(api, 'POST', '/v1/fanouts', wrong)
    expect([status, body.errors[0].pointer]).toEqual([422, '/tasks/0/model_settings/temperature'])
  })

  it('that the provider does not support cause one warning per run', async () => {
    const { api } = await chained(says('hello'), says('never'))
    const run = await runToEnd(api, { input: 'hi', model_settings: { thinking_budget: 5 } })
    expect(run.warnings).toEqual([
      {
        code: 'model_setting',
        message:
          'a/one: openai-compatible does not support thinking_budget; the setting was not sent',
      },
    ])
  })

  it.each([
    [{ temperature: 3 }, '/model_settings/temperature'],
    [{ temprature: 1 }, '/model_settings/temprature'],
    [{ stop: [] }, '/model_settings/stop'],
    [{ reasoning_effort: 'hard' }, '/model_settings/reasoning_effort'],
    [{ provider_options: { a: { b: 'x'.repeat(20_000) } } }, '/model_settings/provider_options'],
  ])('number %# that is invalid returns 422 with its pointer', async (model_settings, pointer) => {
    const { api } = await chained(says('never'), says('never'))
    const { status, body } = await ask(api, 'POST', '/v1/runs', { input: 'hi', model_settings })
    expect(status).toBe(422)
    expect(body.errors.map((one: { pointer: string }) => one.pointer)).toContain(pointer)
  })
})

describe('an input', () => {
  const small = { models: { 'a/one': { window: 2_000 }, 'b/two': { window: 4_000 } } }
  const words = (tokens: number): string => 'word'.repeat(tokens)

  it('beyond the widest known window is refused without a model call', async () => {
    const { api, a, b } = await chained(says('x'), says('x'), small)
    const { status, body } = await ask(api, 'POST', '/v1/runs', { input: words(4_100) })
    expect([status, body.code]).toEqual([422, 'invalid_request'])
    expect(body.detail).toMatch(
      /^The input has an estimated 4100 tokens, but the context window of b\/two is 4000\. Inputs are not shortened\. /,
    )
    expect(body.errors).toMatchObject([{ pointer: '/input' }])
    expect([...a.sent, ...b.sent]).toEqual([])
  })

  it('that leaves little room causes a warning', async () => {
    const { api } = await chained(says('x'), says('x'), small)
    const run = await runToEnd(api, { input: words(3_000) })
    expect(run.status).toBe('completed')
    expect(run.warnings).toMatchObject([
      {
        code: 'input_large',
        message: expect.stringMatching(/estimated 3000 tokens, .* b\/two is 4000\.$/),
      },
    ])
  })

  it('beyond an assumed window causes a warning and is sent', async () => {
    const { api, a } = await chained(says('x'), says('x'))
    await putFile(api, 'base/long.txt', words(130_000))
    const input = [{ type: 'file', key: 'base/long.txt' }]
    const run = await runToEnd(api, { input, model: 'a/one' })
    expect(run.status).toBe('completed')
    expect(run.warnings).toMatchObject([
      { code: 'input_large', message: expect.stringContaining('128000 (assumed because') },
    ])
    expect(a.sent).toHaveLength(1)
  })

  it('of a task beyond the window ends the task without a model call', async () => {
    const { api, a, b } = await chained(says('x'), says('x'), small)
    const made = await ask(api, 'POST', '/v1/fanouts', { tasks: [{ task: words(4_100) }] })
    const ended = await until('the end', async () => {
      const { body } = await ask(api, 'GET', `/v1/fanouts/${made.body.id}`)
      return body.ended_at !== null && body
    })
    expect(JSON.stringify(ended)).toMatch(/"code":"context_too_large","message":"The input has /)
    expect([...a.sent, ...b.sent]).toEqual([])
  })
})

describe('a model whose provider is unknown', () => {
  const WHY = 'unknown provider "foo"; the providers are a, b, openai.'

  it('is refused with 422 and the list of providers', async () => {
    const { api, a, b } = await chained(says('x'), says('x'))
    const { status, body } = await ask(api, 'POST', '/v1/runs', { input: 'x', model: 'foo/bar' })
    expect([status, body.code]).toEqual([422, 'model_not_configured'])
    expect(body.detail).toContain(WHY)
    expect(body.errors).toEqual([{ pointer: '/model', message: body.detail }])
    expect([...a.sent, ...b.sent]).toEqual([])
  })

  it('is refused when a model starts a subagent with it', async () => {
    const api = await startNodeApi()
    const input = '@call sessions_spawn {"task":"@say x","model":"openia/gpt"}\n@say {last}'
    const run = await runToEnd(api, { input })
    expect(run.output.text).toMatch(/^model_not_configured: .* Did you mean "openai\/gpt"\?$/)
    expect(run.children.total).toBe(0)
  })

  it('is one finding of strata push, about the agent that names it', async () => {
    const { api } = await chained(says('x'), says('x'))
    const dir = mkdtempSync(join(tmpdir(), 'strata-test-'))
    mkdirSync(join(dir, '.agents/agents'), { recursive: true })
    const agent = '---\nname: lost\ndescription: x\nmodel: foo/bar\n---\nDo.\n'
    writeFileSync(join(dir, '.agents/agents/lost.md'), agent)
    const heard = terminal({ STRATA_URL: api.url, STRATA_API_KEY: api.key })
    for (let at = 0; at < 2; at += 1) {
      expect(await push(heard, { dir, prefix: 'roles/lost' })).toBe(0)
      const [finding, ...more] = heard.errors
      expect([finding, more]).toEqual([expect.stringContaining(WHY), []])
    }
    expect(heard.errors[0]).toContain('.agents/agents/lost.md: warning: ')
  })
})

describe('GET /v1/models', () => {
  it("returns 200 with every alias and its chain, and each model's known data, but no key", async () => {
    const models = { 'a/one': { window: 9_000, input: ['text'] } }
    const { api } = await chained(says('x'), says('x'), { models })
    const policy = { model_aliases: { mine: 'b/two' } }
    const fresh = { 'if-none-match': '*' }
    expect((await ask(api, 'PUT', '/v1/policy', policy, fresh)).status).toBe(200)
    const { status, body } = await ask(api, 'GET', '/v1/models')
    expect(status).toBe(200)
    expect(body.default).toBe('a/one')
    const unknown = { max_output: null, price: null, long: null, source: null, read: null }
    expect(body.data.filter((one: Sent) => one.kind !== 'agent')).toEqual(
      [
        {
          ...{ id: 'a/one', provider: 'a', kind: 'openai-compatible', ...unknown },
          ...{ window: 9_000, input: ['text'] },
        },
        {
          ...{ id: 'b/two', provider: 'b', kind: 'openai-compatible', ...unknown },
          ...{ window: null, input: null },
        },
      ].map((one) => expect.objectContaining(one)),
    )
    expect(body.aliases).toContainEqual({
      ...{ alias: 'chain', models: ['a/one', 'b/two'], settings: null, from: 'deployment' },
    })
    expect(body.aliases).toContainEqual({
      ...{ alias: 'mine', models: ['b/two'], settings: null, from: 'tenant' },
    })
    expect(JSON.stringify(body)).not.toContain('sk-vendor-1')
  })

  it("returns prices and their source for a vendor's model that the table contains", async () => {
    const api = await startNodeApi({ ANTHROPIC_API_KEY: 'sk-none', STRATA_MODEL: '' })
    const { body } = await ask(api, 'GET', '/v1/models')
    const sonnet = body.data.find((one: Sent) => one.id === 'anthropic/claude-sonnet-5-5')
    expect(sonnet).toMatchObject({
      ...{ window: 1_000_000, input: ['text', 'image', 'pdf'], read: '2026-11-23' },
      price: { input_per_million: 2, output_per_million: 10, cache_read_per_million: 0.1 },
      source: expect.stringMatching(/^https:\/\/platform\.claude\.com\//),
    })
  })
})

describe('strata models', () => {
  it('prints what GET /v1/models returns', async () => {
    const { api } = await chained(says('x'), says('x'), { models: { 'a/one': { window: 9_000 } } })
    const lines: string[] = []
    const env = { STRATA_URL: api.url, STRATA_API_KEY: api.key }
    const terminal = { env, out: (line: string) => lines.push(line) } as unknown as Terminal
    expect(await models(terminal, {})).toBe(0)
    const text = lines.join('\n')
    expect(text).toMatch(/^alias +models$/m)
    expect(text).toMatch(/^chain +a\/one, then b\/two$/m)
    expect(text).toMatch(/^id +kind +window +input +price$/m)
    expect(text).toMatch(/^a\/one +openai-compatible +9000 +\? +\?$/m)
    expect(await models(terminal, { json: true })).toBe(0)
    const { body } = await ask(api, 'GET', '/v1/models')
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual(body)
  })
})

describe('settings in an agent file', () => {
  it('are changed by PATCH in the spelling that the file uses, and mistakes are warnings', async () => {
    const { api, a } = await chained(says('hello'), says('never'))
    const agent = '---\nname: tuned\ndescription: Is tuned.\ntop_p: 0.2\ntemperature: hot\n---\nGo.'
    await putFile(api, 'base/.agents/agents/tuned.md', agent)
    const read = await ask(api, 'GET', '/v1/agents/tuned')
    const found = JSON.stringify(read.body)
    expect(found).toContain('`temperature` was ignored')
    const etag = { 'if-match': read.headers.get('etag') ?? '' }
    const patched = await ask(api, 'PATCH', '/v1/agents/tuned', { top_p: 0.9, seed: 3 }, etag)
    expect(patched.status).toBe(200)
    await runToEnd(api, { input: 'hi', agent: 'tuned' })
    expect(a.sent[0]).toMatchObject({ top_p: 0.9, seed: 3 })
    expect(a.sent[0]).not.toHaveProperty('temperature')
  })
})

it('the default model returns 503 while its server is down, and is queried again afterwards', async () => {
  let isAway = true
  const server = await startCannedServer((request, response) => {
    if (isAway) return void response.writeHead(502).end()
    response.writeHead(200, { 'content-type': 'application/json' })
    if (request.url.endsWith('/models')) response.end('{"data":[{"id":"theirs"}]}')
    else response.end('{"choices":[]}')
  })
  cleanup.push(server.close)
  const api = await startNodeApi({ OPENAI_BASE_URL: `${server.origin}/v1`, STRATA_MODEL: '' })
  const refused = await ask(api, 'POST', '/v1/runs', { input: 'x' })
  expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
  expect(refused.body.detail).toContain('it responded with 502 to GET /models')
  isAway = false
  expect((await ask(api, 'POST', '/v1/runs', { input: 'x' })).status).toBe(202)
})
