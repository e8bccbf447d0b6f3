/**
 * What must be refused, over real HTTP: each refusal is a problem document with a stable code, and
 * nothing of it is stored.
 */

import { describe, expect, it } from 'vitest'
import { type Problem, pointers, problem, rawProblem } from '../support/problem.ts'
import { chunked, type RawAnswer, raw } from '../support/raw.ts'
import {
  eventPages,
  runToEnd,
  type Server,
  sharedServer,
  startServer,
  transcript,
} from '../support/server.ts'

const server = sharedServer()
const JSON_TYPE = ['Content-Type', 'application/json'] as const
const LIMIT = 262_144

const post = (json: unknown): Promise<Response> =>
  server().ask('/v1/runs', { method: 'POST', json })

/** Sends a body as it stands. */
const postText = (body: string | Buffer, headers: [string, string][] = []): Promise<RawAnswer> =>
  raw(server(), { method: 'POST', path: '/v1/runs', body, headers: [JSON_TYPE, ...headers] })

describe('POST /v1/runs', () => {
  it('returns 422 for an unknown agent, with the sorted list of known agents', async () => {
    const body = await problem(await post({ input: 'x', agent: 'ghost' }), 422)
    expect(body).toMatchObject({ code: 'unknown_agent', errors: [{ pointer: '/agent' }] })
    expect(body.available).toContain('general')
    expect(body.available).toEqual([...(body.available ?? [])].sort())
  })

  it('returns 422 for a missing repo_dir before accepting anything [GC-40]', async () => {
    const body = await problem(await post({ input: 'x', repo_dir: 'repos/none' }), 422)
    expect(body).toMatchObject({ code: 'unknown_repo', errors: [{ pointer: '/repo_dir' }] })
    expect(body.detail).toMatch(/repos\/none.* does not exist/)
  })

  it('returns 422 for a repo_dir that is a file [GC-41]', async () => {
    await server().ask('/v1/files/repos/file', { method: 'PUT', body: 'x' })
    const body = await problem(await post({ input: 'x', repo_dir: 'repos/file' }), 422)
    expect(body).toMatchObject({ code: 'unknown_repo', errors: [{ pointer: '/repo_dir' }] })
    expect(body.detail).toMatch(/not a directory/)
  })

  it('returns 422 for a negative time limit [GC-42]', async () => {
    const body = await problem(await post({ input: 'x', limits: { timeout_seconds: -1 } }), 422)
    expect(pointers(body)).toEqual(['/limits/timeout_seconds'])
  })

  it('returns 400 for a body of 100,000 one-byte chunks, but not for one of 5,000', async () => {
    const inChunks = (text: string) => `${text.replaceAll(/./gs, '1\r\n$&\r\n')}0\r\n\r\n`
    const encoding: [string, string][] = [['Transfer-Encoding', 'chunked']]
    const blank = ' '.repeat(100_000)
    const refused = await postText(inChunks(`{${blank}"input":"x"}`), encoding)
    expect(rawProblem(refused, 400).code).toBe('malformed_request')
    const body = inChunks(`{${' '.repeat(5_000)}}`)
    const headers = [JSON_TYPE, ...encoding]
    const taken = await raw(server(), { method: 'POST', path: '/v1/resolve', body, headers })
    expect(taken.status).toBe(200)
  })

  it('returns 422 with a pointer to every invalid field', async () => {
    const wrong = { input: 7, label: false, limits: { max_steps: 'many', 'a/b~c': 1 }, extra: 1 }
    const body = await problem(await post(wrong), 422)
    expect(body.code).toBe('invalid_request')
    const places = ['/extra', '/input', '/label', '/limits/a~1b~0c', '/limits/max_steps']
    expect(pointers(body).sort()).toEqual(places)
  })

  it('returns 422 without a model, naming the variables that configure one', async () => {
    const bare = await startServer()
    const made = await bare.ask('/v1/runs', { method: 'POST', json: { input: 'x' } })
    const body = await problem(made, 422)
    expect(body.code).toBe('model_not_configured')
    for (const name of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_BASE_URL']) {
      expect(body.detail).toContain(name)
    }
    expect((await bare.get<{ data: unknown[] }>('/v1/runs')).data).toEqual([])
  })

  it('returns 413 for one byte too many with a correct Content-Length [J01]', async () => {
    const frame = JSON.stringify({ input: '' }).length
    const body = (bytes: number) => JSON.stringify({ input: 'x'.repeat(bytes - frame), agent: 1 })
    const over = JSON.stringify({ input: 'x'.repeat(LIMIT + 1 - frame) })
    expect(rawProblem(await postText(over), 413).code).toBe('too_large')
    // At the limit the body is read, and refused for what it says.
    expect(rawProblem(await postText(body(LIMIT - ',"agent":1'.length)), 422)).toBeDefined()
  })
  it('returns 400 for a wrong Content-Length, judged by the bytes that were read [J02]', async () => {
    const body = JSON.stringify({ input: 'x'.repeat(89) })
    expect(body).toHaveLength(101)
    const answer = await postText(body, [['Content-Length', '5']])
    // The parser gives up on what follows the five bytes, before or after these are judged.
    expect(['invalid_json', 'malformed_request']).toContain(rawProblem(answer, 400).code)
  })
  it('returns 413 for a chunked body, measured while it is read [J01]', async () => {
    const body = chunked(JSON.stringify({ input: 'x'.repeat(LIMIT) }))
    const answer = await postText(body, [['Transfer-Encoding', 'chunked']])
    expect(rawProblem(answer, 413).code).toBe('too_large')
  })
  it.each([
    ['J07 __proto__', '{"input":"x","__proto__":{"role":"admin"}}', ['/__proto__']],
    ['J08 constructor', '{"input":"x","constructor":{"prototype":{}}}', ['/constructor']],
    ['J09 a huge integer', '{"input":"x","limits":{"max_steps":12345678901234567890}}', undefined],
    ['J09 infinity', '{"input":"x","limits":{"max_steps":1e400}}', ['/limits/max_steps']],
    ['J09 minus nothing', '{"input":"x","limits":{"max_children":-0}}', ['/limits/max_children']],
    ['J10 a lone surrogate', '{"input":"\\ud800"}', ['/input']],
    ['J11 null', 'null', ['']],
    ['J11 an array', '[]', ['']],
    ['J11 a number', '1', ['']],
    [
      'J14 fields of ours',
      '{"input":"x","tenant_id":"t","lane":"main","epoch":1,"status":"completed","depth":0}',
      ['/depth', '/epoch', '/lane', '/status', '/tenant_id'],
    ],
  ])('%s returns 422', async (_, body, places) => {
    const refused = rawProblem(await postText(body), 422)
    expect(refused.code).toBe('invalid_request')
    if (places) expect([...new Set(pointers(refused))].sort()).toEqual(places)
  })
})

describe('tool arguments', () => {
  it('that do not parse or have the wrong shape reach the model as an error', async () => {
    const own = await startServer({ env: { OPENAI_BASE_URL: server().model.url } })
    const wrong = ['{path: x}', '[]', '{"path":[7]}', '{"path":"x","more":1}', '{}']
    const calls = wrong.map((given) => `@call file_read ${given}`)
    const run = await runToEnd(own, { input: [...calls, '@say {tools} told'].join('\n') })
    expect(run).toMatchObject({ status: 'completed', output: { text: '5 told' } })
    const results = (await transcript(own, run.id)).flatMap((one) => one.results ?? [])
    expect(results).toHaveLength(wrong.length)
    for (const { is_error, text } of results) {
      expect(is_error).toBe(true)
      expect(text).toMatch(/^invalid_arguments: /)
    }
    const log = await eventPages(own, run.id)
    expect(log.filter(({ type }) => type === 'tool.call')).toEqual([])
  })
})

describe('a refused request', () => {
  // The last of those that ask for runs: none of them may have left one.
  it('stores nothing', async () => {
    expect((await server().get<{ data: unknown[] }>('/v1/runs')).data).toEqual([])
  })
})

describe('authentication', () => {
  const ask = (headers: [string, string][], path = '/v1/runs') => raw(server(), { path, headers })
  const wrongSecret = ({ key }: Server): string => {
    const [, id] = key.split('_')
    return `strata_${id}_${'0'.repeat(52)}_000000`
  }

  it('returns 401 for no key, another scheme, two spaces, or a key in the query [H01]', async () => {
    const { key } = server()
    const bare = await fetch(`${server().url}/v1/runs`)
    expect((await problem(bare, 401)).code).toBe('unauthorized')
    expect(bare.headers.get('www-authenticate')).toMatch(/^Bearer/)
    for (const header of ['', `Basic ${btoa(key)}`, `Bearer  ${key}`, `Bearer ${key} x`, key]) {
      expect((await ask([['Authorization', header]])).status, header).toBe(401)
    }
    for (const name of ['key', 'api_key', 'access_token']) {
      const asked = await fetch(`${server().url}/v1/runs?${name}=${key}`)
      expect((await problem(asked, 401)).code).toBe('unauthorized')
      expect((await ask([], `/v1/runs?${name}=${key}`)).status).toBe(400)
    }
  })
  it('returns 200 for the scheme in lower case [H01]', async () => {
    expect((await ask([['Authorization', `bearer ${server().key}`]])).status).toBe(200)
  })
  it('returns the same 401 for a wrong checksum, a wrong secret, and an unknown ID [H02 H03]', async () => {
    const { key } = server()
    const keys = [`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`, wrongSecret(server()), 'x']
    const answers = await Promise.all(keys.map((one) => ask([['Authorization', `Bearer ${one}`]])))
    const bodies = answers.map((answer) => {
      const { request_id: _, ...body } = rawProblem(answer, 401) as Problem & { request_id: string }
      return body
    })
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  })
  it('derives the tenant from the key and ignores tenant headers [H16]', async () => {
    const answer = await ask([
      ['X-Tenant', 'other'],
      ['X-Tenant-Id', 'other'],
    ])
    expect(answer.status).toBe(200)
    const refused = await problem(
      await server().ask('/v1/runs', { method: 'POST', json: { input: 'x', tenant: 'other' } }),
      422,
    )
    expect(pointers(refused)).toEqual(['/tenant'])
  })
})

describe('every request', () => {
  it('gets 404 as a problem for unknown routes, with and without a key', async () => {
    for (const path of ['/nothing', '/v1/nothing', '/v1/runs/x/nothing', '/v2/runs']) {
      expect((await problem(await server().ask(path), 404)).code).toBe('not_found')
    }
    expect((await problem(await fetch(`${server().url}/nothing`), 404)).code).toBe('not_found')
    const run = `/v1/runs/run_${'0'.repeat(26)}`
    for (const path of [run, `${run}/events`, `${run}/transcript`, `${run}/tree`, '/v1/runs/x']) {
      expect((await problem(await server().ask(path), 404)).code).toBe('not_found')
    }
  })
  it('gets 405 for a known path under another method, with the allowed methods', async () => {
    const response = await server().ask('/v1/runs', { method: 'DELETE' })
    expect((await problem(response, 405)).code).toBe('method_not_allowed')
    expect(response.headers.get('allow')).toBe('POST, GET')
  })
  it('gets no Access-Control-Allow-Origin for any Origin [J22]', async () => {
    const headers = { origin: 'https://evil.example' }
    for (const method of ['GET', 'OPTIONS']) {
      const response = await server().ask('/v1/runs', { method, headers })
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
  it('gets a problem as JSON even when it accepts HTML, with sniffing disabled [J23]', async () => {
    const path = '/v1/<script>alert(1)</script>'
    const response = await server().ask(path, { headers: { accept: 'text/html' } })
    await problem(response, 404)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })
})
