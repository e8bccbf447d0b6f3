/** `strata run` with its options, on a running server. */

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../../src/cli/run.ts'
import { sse, startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startNodeApi } from '../support/node-api.ts'
import { ask } from '../support/node-client.ts'
import { terminal } from '../support/terminal.ts'

const FAILS = '@call file_read {"path": "none.txt"}'

it('a failed call is shown as failed, with its first line', async () => {
  const api = await startNodeApi()
  const printed = terminal({ STRATA_URL: api.url, STRATA_API_KEY: api.key })
  expect(await run(printed, { input: FAILS })).toBe(0)
  const lines = printed.lines()
  const at = lines.findIndex((line) => / tool\.result file_read FAILED$/.test(line))
  expect(at).toBeGreaterThan(0)
  expect(lines[at + 1]).toMatch(/^ {5}.*none\.txt/)
  expect(lines.join('\n')).not.toContain('{"path"')
})

it('--verbose shows the arguments and the result of a call', async () => {
  const api = await startNodeApi()
  const printed = terminal({ STRATA_URL: api.url, STRATA_API_KEY: api.key })
  await run(printed, { input: '@call todo {"todos": []}', verbose: true })
  const text = printed.lines().join('\n')
  expect(text).toMatch(/\n {5}todo \{"todos": ?\[\]\}\n/)
  expect(text).toMatch(/tool\.result todo\n {5}\S/)
})

it('--detach prints only the ID, and accepts the options of the run', async () => {
  const api = await startNodeApi()
  const printed = terminal({ STRATA_URL: api.url, STRATA_API_KEY: api.key })
  const schema = join(mkdtempSync(join(tmpdir(), 'strata-test-')), 'schema.json')
  writeFileSync(schema, '{"type": "object", "properties": {"a": {"type": "integer"}}}')
  const code = await run(printed, {
    ...{ input: '@say {"a": 1}', detach: true, schema, label: 'nightly' },
    metadata: ['team=support=eu'],
  })
  expect(code).toBe(0)
  const [id, ...more] = printed.lines()
  expect(more).toEqual([])
  const { body } = await ask(api, 'GET', `/v1/runs/${id}?wait=20`)
  expect(body).toMatchObject({ label: 'nightly', metadata: { team: 'support=eu' } })
  expect(body.output.structured).toEqual({ a: 1 })
})

it('--timeout ends the run, and the exit code reports it', async () => {
  const api = await startNodeApi()
  const printed = terminal({ STRATA_URL: api.url, STRATA_API_KEY: api.key })
  const timeout = 1
  expect(await run(printed, { input: '@slow 20000\n@say Late.', timeout })).toBe(1)
  expect(printed.lines().join('\n')).toContain('run.timed_out')
})

it('a schema that is not JSON is wrong usage', async () => {
  const printed = terminal({ STRATA_URL: 'http://127.0.0.1:9', STRATA_API_KEY: 'k' })
  await expect(run(printed, { input: 'x', schema: 'none.json' })).rejects.toThrow(/none\.json/)
})

it('a retried model call shows the reason, the time, and the seconds until it', async () => {
  const answer = sse([
    { choices: [{ index: 0, delta: { content: 'at last' }, finish_reason: 'stop' }] },
  ])
  let calls = 0
  const vendor = await startCannedServer((_, response) => {
    calls += 1
    if (calls === 1) {
      response.writeHead(503, { 'content-type': 'application/json' })
      return void response.end('{"error":{"message":"overloaded, key sk-none-123"}}')
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`${answer}data: [DONE]\n\n`)
  })
  cleanup.push(vendor.close)
  const a = { kind: 'openai-compatible', base_url: `${vendor.origin}/v1`, key: 'sk-none-123' }
  const api = await startNodeApi({
    STRATA_PROVIDERS: JSON.stringify({ providers: { a }, default: 'a/one' }),
    STRATA_MODEL: '',
    MODEL_PATIENCE_SECONDS: '',
  })
  const printed = terminal({ STRATA_URL: api.url, STRATA_API_KEY: api.key })
  expect(await run(printed, { input: 'hi' })).toBe(0)
  const lines = printed.lines()
  const at = lines.findIndex((line) => line.includes(' run.waiting '))
  expect(lines[at]).toMatch(/ run\.waiting model_unavailable: .*503.*overloaded/)
  expect(lines[at]).not.toContain('sk-none-123')
  expect(lines[at + 1]).toMatch(
    /^ {5}attempt 1 of the model call failed; retries at \d\d:\d\d:\d\d \(in [1-3] s\), gives up at .*; to retry now, run strata retry run_/,
  )
})
