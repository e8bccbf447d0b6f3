/** What the operator reads on the server's standard error, without the API. */

import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { cleanup } from '../support/cleanup.ts'
import { until } from '../support/patience.ts'
import {
  createRun,
  MAIN,
  runToEnd,
  type Server,
  sharedServer,
  startServer,
  temporaryFolder,
} from '../support/server.ts'

type Line = Readonly<Record<string, string | number>>

/** Lines of the log for which it holds, once there is one. */
async function logged(server: Server, wanted: (line: Line) => boolean): Promise<Line[]> {
  const { output } = server.process
  const found = (): Line[] | undefined => {
    const lines = output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
    const matches = lines.map((line) => JSON.parse(line) as Line).filter(wanted)
    return matches.length > 0 ? matches : undefined
  }
  return until('a line of the log', found, { describe: output })
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point.
const SPEAKS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/

describe('the log', () => {
  const server = sharedServer()

  it('has one line per request with its IDs, status, and duration, and nothing of its body [H23]', async () => {
    const { id } = await createRun(server(), {
      input: 'a secret prompt',
      metadata: { a: 'hidden' },
    })
    const path = `/v1/runs/${id}/events?limit=7`
    const response = await server().ask(path)
    const request_id = response.headers.get('x-request-id')
    const found = await logged(server(), (line) => line.request_id === request_id)
    expect(found).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        level: 'info',
        event: 'request',
        request_id,
        tenant: 'default',
        key_id: expect.any(String),
        run_id: id,
        method: 'GET',
        path: `/v1/runs/${id}/events`,
        status: 200,
        duration_ms: expect.any(Number),
      },
    ])
    const created = await logged(
      server(),
      (line) => line.method === 'POST' && line.run_id === id && line.event === 'request',
    )
    expect(created).toMatchObject([{ path: '/v1/runs', status: 202 }])
    const log = server().process.output().split('shown only once')[1]?.split('\n').slice(1).join()
    for (const word of ['a secret prompt', 'hidden', 'limit=7', server().key]) {
      expect(log).not.toContain(word)
    }
  })

  it('has one line for a request that is refused before the app sees it', async () => {
    const response = await server().ask('/v1/runs', { headers: { authorization: 'Bearer wrong' } })
    const id = response.headers.get('x-request-id')
    const [line] = await logged(server(), ({ request_id }) => request_id === id)
    expect(line).toMatchObject({ status: 401, path: '/v1/runs' })
    expect(line).not.toHaveProperty('tenant')
  })

  it('has one line per ended run, and a warning with the reason for a failed one', async () => {
    const done = await runToEnd(server(), { input: '@say the answer' })
    const ended = (id: string) => (line: Line) => line.event === 'run.ended' && line.run_id === id
    const [line, ...more] = await logged(server(), ended(done.id))
    expect(more).toEqual([])
    expect(line).toMatchObject({
      level: 'info',
      tenant: 'default',
      status: 'completed',
      stop_reason: 'end_turn',
      agent: 'general',
      session_id: expect.stringMatching(/^ses_/),
      duration_ms: expect.any(Number),
    })
    expect(JSON.stringify(line)).not.toContain('the answer')
    const failed = await runToEnd(server(), { input: '@fail 400' })
    expect(await logged(server(), ended(failed.id))).toMatchObject(
      [{ level: 'warn', status: 'failed', error_code: 'model_rejected', message: /./ }].map(
        ({ message: _, ...one }) => one,
      ),
    )
  })

  it('contains no control characters from models or callers', async () => {
    const tool = 'no\u001b[31m\u202Etool'
    await runToEnd(server(), { input: `@call ${tool} {}\n@say x` })
    await server().ask('/v1/runs/%1b%5B2J%0a{"level":"error"}')
    await server().ask('/v1/runs/run_after')
    await logged(server(), ({ path }) => String(path).endsWith('/run_after'))
    const [, ...lines] = server().process.output().split('\n')
    for (const line of lines) expect(line).not.toMatch(SPEAKS)
    expect(lines.filter((line) => line.startsWith('{"level":"error"}'))).toEqual([])
  })
})

it('the log shows a model that refuses connections while the run still waits', async () => {
  const server = await startServer({
    env: { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', STRATA_MODEL: 'openai/x' },
  })
  const { id } = await createRun(server, { input: 'x' })
  const [line] = await logged(server, ({ event }) => event === 'model.failed')
  expect(line).toMatchObject({
    level: 'warn',
    run_id: id,
    tenant: 'default',
    attempt: 1,
    error_code: 'model_unavailable',
    message: expect.stringMatching(/ECONNREFUSED|connect/i),
  })
})

it('LOG_LEVEL omits lower entries or the whole log, and an unknown level stops the start', async () => {
  const warn = await startServer({
    env: { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', STRATA_MODEL: 'openai/x', LOG_LEVEL: 'warn' },
  })
  await createRun(warn, { input: 'x' })
  await logged(warn, ({ event }) => event === 'model.failed')
  expect(warn.process.output()).not.toContain('"event":"request"')
  const silent = await startServer({ env: { LOG_LEVEL: 'silent' } })
  await silent.ask('/v1/runs')
  await sleep(300)
  expect(silent.process.output()).not.toContain('{"time"')
  await expect(startServer({ env: { LOG_LEVEL: 'loud' } })).rejects.toThrow(
    /LOG_LEVEL must be one of info, debug, warn, error, silent, not loud/,
  )
})

it('start-up messages are written to standard output, and the log to standard error', async () => {
  const env = { PORT: '0', DATA_DIR: await temporaryFolder() }
  const child = spawn(process.execPath, [MAIN, 'serve'], { env })
  cleanup.push(async () => child.kill('SIGKILL'))
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  await until('the start', () => /No model/.test(out))
  const [, url] = /^Strata listens on (\S+) /.exec(out) ?? []
  await fetch(`${url}/v1/runs`)
  await until('a line of the log', () => err.endsWith('\n'))
  expect(out).toMatch(
    /^Strata listens on .*\n(warning: .*\n)*Admin API key \(shown only once\): \S+\n/,
  )
  expect(out).not.toContain('"event"')
  expect(JSON.parse(err)).toMatchObject({ event: 'request', status: 401 })
})
