/** Recordings: made through the real adapters, replayed when models and servers are gone. */

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type AgentRun, RecordingError, ReplayError, runAgent } from '../../../src/testing/index.ts'
import { startModelServer } from '../../../src/testing/model-server.ts'
import { startCannedMcp } from '../../support/canned-mcp.ts'
import { cleanup } from '../../support/cleanup.ts'
import { everythingByStdio } from '../../support/everything.ts'

const KEY = 'sk-canary-5f0c9b1e7a'
const TOKEN = 'token-canary-81d2e6c40f'
const HEADER = 'header-canary-0b7e55aa91'

function fileIn(name = 'recording.json'): string {
  const dir = mkdtempSync(join(tmpdir(), 'strata-recording-'))
  cleanup.push(async () => rmSync(dir, { recursive: true }))
  return join(dir, 'tests', name)
}

const local = everythingByStdio()
const BY_STDIO = {
  'base/.agents/config.toml': `[mcp_servers.everything]
command = ${JSON.stringify(local.command)}
args = ${JSON.stringify(local.args)}
`,
}
const INPUT = [
  '@call mcp__everything__echo {"message":"one"}',
  '@call mcp__everything__get-sum {"a":2,"b":3}',
  '@then',
  '@spawn 2 {"task":"@slow 30\\n@say child {i} is done"}',
  '@await',
  '@reason Two of them.',
  '@slow 20',
  '@say {results} children; {last}',
].join('\n')

/** An event without its times: those of the wall differ from one run to the next. */
const eventsOf = ({ events }: AgentRun) =>
  events.map(({ type, seq, data }) => ({ type, seq, data: withoutTimes(data) }))
const withoutTimes = (data: unknown): unknown =>
  JSON.parse(
    JSON.stringify(data, (key, value: unknown) =>
      /_at$|_ms$|^(?:ms|time|created|duration|running_ms)$/.test(key) ? undefined : value,
    ),
  )

async function model() {
  const server = await startModelServer()
  const settings = {
    ...{ OPENAI_BASE_URL: server.url, OPENAI_API_KEY: KEY, STRATA_MODEL: 'openai/scripted' },
    ...{ ALLOW_STDIO_MCP: 'true', ALLOW_LOOPBACK: 'true' },
  }
  return { server, settings }
}

/** A server over HTTP that repeats the credentials that it was sent. */
async function repeating() {
  const server = await startCannedMcp({
    onRequest: () => false,
    onCall: (message, response) => {
      const { headers } = server.messages('tools/call').at(-1)!
      const text = `sent: ${headers.authorization} and ${headers['x-own']}`
      const result = { content: [{ type: 'text', text }] }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
      return true
    },
  })
  const files = {
    'base/.agents/config.toml': `[mcp_servers.canned]
url = "${server.url}"
bearer_token_env_var = "CANNED_TOKEN"
http_headers = { x-own = "${HEADER}" }
`,
  }
  return { server, files }
}

describe('a recording', () => {
  it('of a real model and a stdio server replays the same events and text without them', async () => {
    const file = fileIn()
    const { server, settings } = await model()
    const first = await runAgent(BY_STDIO, INPUT, { record: file, settings })
    await server.close()
    expect(first.text).toContain('2 children')
    expect(first.calls.map(({ tool, isError }) => [tool, isError])).toEqual([
      ['mcp__everything__echo', false],
      ['mcp__everything__get-sum', false],
      ['sessions_spawn', false],
      ['sessions_spawn', false],
    ])
    // No such program: a replay that starts one fails.
    const gone = BY_STDIO['base/.agents/config.toml'].replace(/command = .*/, 'command = "/gone"')
    const files = { 'base/.agents/config.toml': gone }
    const again = await runAgent(files, INPUT, { replay: file })
    expect(again.text).toBe(first.text)
    expect(again.unplayed).toEqual([])
    expect(eventsOf(again).map(({ type }) => type)).toEqual(eventsOf(first).map(({ type }) => type))
    const third = await runAgent(files, INPUT, { replay: file })
    expect(third.events).toEqual(again.events)
  })

  it('is readable, with its version, requests, streams, usage, and exchanges', async () => {
    const file = fileIn()
    const { server, settings } = await model()
    await runAgent(BY_STDIO, INPUT, { record: file, settings })
    await server.close()
    const recording = JSON.parse(readFileSync(file, 'utf8'))
    expect(recording.strata_recording).toBe(1)
    const [list] = recording.calls.filter((one: { kind: string }) => one.kind === 'mcp')
    expect(list.request).toEqual({ server: 'everything', method: 'tools/list' })
    const [called] = recording.calls.filter(
      ({ request }: { request: { method?: string } }) => request.method === 'tools/call',
    )
    expect(called.request).toMatchObject({ tool: 'echo', arguments: { message: 'one' } })
    const answered = recording.calls.findLast((one: { kind: string }) => one.kind === 'model')
    expect(answered.request).toMatchObject({ model: 'openai/scripted' })
    expect(answered.stream.map(([, , text]: [number, string, string]) => text).join('')).toContain(
      '2 children',
    )
    expect(answered.answer.value.usage).toMatchObject({ model_calls: 1 })
  })

  it('of an HTTP server replays without it, with [redacted] for a repeated credential', async () => {
    const file = fileIn()
    const { server, settings } = await model()
    const canned = await repeating()
    const secrets = { CANNED_TOKEN: TOKEN, STRATA_SECRETS: 'CANNED_TOKEN@127.0.0.1' }
    const input = '@call mcp__canned__act {}\n@say {last}'
    const options = { record: file, settings: { ...settings, ...secrets } }
    const first = await runAgent(canned.files, input, options)
    await Promise.all([server.close(), canned.server.close()])
    expect(first.text).toBe(`sent: Bearer [redacted] and ${HEADER}`)
    const again = await runAgent(canned.files, input, { replay: file })
    expect(again.text).toBe('sent: Bearer [redacted] and [redacted]')
    expect(again.unplayed).toEqual([])
  })

  it('never contains a key, a header, or a secret, even when a server repeats it', async () => {
    const file = fileIn()
    const { server, settings } = await model()
    const canned = await repeating()
    const secrets = { CANNED_TOKEN: TOKEN, STRATA_SECRETS: 'CANNED_TOKEN@127.0.0.1' }
    const input = `@call mcp__canned__act {}\n@say the key is ${KEY}; {last}`
    const options = { record: file, settings: { ...settings, ...secrets } }
    const first = await runAgent(canned.files, input, options)
    expect(canned.server.messages('tools/call')[0]?.headers.authorization).toContain(TOKEN)
    await Promise.all([server.close(), canned.server.close()])
    expect(first.calls).toMatchObject([{ tool: 'mcp__canned__act', isError: false }])
    const text = readFileSync(file, 'utf8')
    for (const canary of [KEY, TOKEN, HEADER]) expect(text).not.toContain(canary)
    expect(text).not.toMatch(/authorization/i)
    expect(text).toContain('CANNED_TOKEN')
    const refused = runAgent(canned.files, 'Another input', { replay: file })
    await expect(refused).rejects.toBeInstanceOf(ReplayError)
  })
})

describe('a replay', () => {
  const recorded = async (): Promise<string> => {
    const file = fileIn()
    const { server, settings } = await model()
    await runAgent(BY_STDIO, INPUT, { record: file, settings })
    await server.close()
    return file
  }

  it('refuses a call missing from the recording, and reports the difference and the fix', async () => {
    const file = await recorded()
    const other = runAgent(BY_STDIO, INPUT.replace('"one"', '"two"'), { replay: file })
    await expect(other).rejects.toThrow(ReplayError)
    await expect(other).rejects.toThrow(/does not contain this call: model openai\/scripted/)
    await expect(other).rejects.toThrow(/message 1 \(user\): recorded .*one.* now .*two/)
    await expect(other).rejects.toThrow(/Record it again/)
    const agent = '---\nname: general\ndescription: Other.\n---\nOther prompt.\n'
    const prompt = { ...BY_STDIO, 'base/.agents/agents/general.md': agent }
    await expect(runAgent(prompt, INPUT, { replay: file })).rejects.toThrow(/the system prompt/)
    const config = BY_STDIO['base/.agents/config.toml']
    const fewer = { 'base/.agents/config.toml': `${config}disabled_tools = ["echo"]\n` }
    const listed = runAgent(fewer, INPUT, { replay: file })
    await expect(listed).rejects.toThrow(
      /tools\/list on the server everything[\s\S]*disabled_tools/,
    )
  })

  it('names a model missing from the recording', async () => {
    const file = await recorded()
    const other = runAgent(BY_STDIO, { input: INPUT, model: 'openai/other' }, { replay: file })
    await expect(other).rejects.toThrow(/does not define the model openai\/other/)
  })

  it('reports which recorded calls were not made', async () => {
    const file = await recorded()
    const value = JSON.parse(readFileSync(file, 'utf8'))
    value.calls.push(value.calls.at(-1))
    writeFileSync(file, JSON.stringify(value))
    const { unplayed } = await runAgent(BY_STDIO, INPUT, { replay: file })
    expect(unplayed).toEqual([
      `call ${value.calls.length} of ${file} was not made: model openai/scripted`,
    ])
  })

  it('refuses a file that is not a recording of its version, with a sentence', async () => {
    const file = await recorded()
    const text = readFileSync(file, 'utf8')
    const rejects = async (content: string, message: RegExp) => {
      writeFileSync(file, content)
      const run = runAgent(BY_STDIO, INPUT, { replay: file })
      await expect(run).rejects.toThrow(RecordingError)
      await expect(run).rejects.toThrow(message)
    }
    await rejects(text.replace('"strata_recording": 1', '"strata_recording": 2'), /has version 2/)
    await rejects('{', /is not JSON/)
    await rejects('[]', /is not a recording/)
    await rejects(text.replace('"calls": [', '"calls": [ 1,'), /invalid at calls\.0/)
    const missing = runAgent(BY_STDIO, INPUT, { replay: `${file}x` })
    await expect(missing).rejects.toThrow(/does not exist/)
  })

  it('excludes other sources of answers', async () => {
    const both = runAgent({}, 'x', { replay: 'a.json', script: '@say x' })
    await expect(both).rejects.toThrow(/script and replay are mutually exclusive/)
  })
})

it('settings alone use real models and write nothing', async () => {
  const file = fileIn()
  const { server, settings } = await model()
  const { text } = await runAgent({}, '@say real', { settings })
  await server.close()
  expect(text).toBe('real')
  expect(existsSync(file)).toBe(false)
})

it('a refused run leaves an older recording unchanged', async () => {
  const file = fileIn()
  const { server, settings } = await model()
  await runAgent({}, '@say one', { record: file, settings })
  const before = readFileSync(file, 'utf8')
  const refused = runAgent({}, { input: 'x', agent: 'nobody' }, { record: file, settings })
  await expect(refused).rejects.toMatchObject({ code: 'unknown_agent' })
  await server.close()
  expect(readFileSync(file, 'utf8')).toBe(before)
})
