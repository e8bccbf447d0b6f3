/**
 * Secrets that a tenant stores with the API, through the running server: sent to the servers and
 * providers to which they are bound, refused elsewhere, and shown nowhere.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CannedMcp, startCannedMcp } from '../support/canned-mcp.ts'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { canned, mcp, secretsOf } from '../support/mcp-port.ts'
import { startModelServer } from '../support/model-server.ts'
import { startOtlpReceiver } from '../support/otlp-receiver.ts'
import { until } from '../support/patience.ts'
import { type RunShown, runToEnd, type Server, startServer } from '../support/server.ts'

/** Has characters that URLs, JSON, and base64 write differently. */
const VALUE = 'canaryTENANT4f9a7ZqLmN8/+"x'
const NEXT = 'next-canaryTENANTb81c9XwPqR'
const MODEL_KEY = 'sk-canaryMODEL93hKd8sQwErTy'
const SEARCH_KEY = 'canarySEARCHd02ePv00QaZx'
const ALL = [VALUE, NEXT, MODEL_KEY, SEARCH_KEY]

const encodings = (value: string): string[] => [
  value,
  ...[0, 1, 2].map((shift) => Buffer.from('Bx'.slice(0, shift) + value).toString('base64')),
  Buffer.from(value).toString('base64url'),
  Buffer.from(value).toString('hex'),
  encodeURIComponent(value),
  JSON.stringify(value).slice(1, -1),
]

/** Returns a reference to a secret in the configuration of a server. */
const reference = (name: string): string => ['$', '{', name, '}'].join('')

/** Letters and digits alone, so that no separator hides a value. */
const bare = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '')

/** Parts of the values' encodings that do not depend on the text before and after. */
const TRACES = ALL.flatMap((value) => [
  bare(value),
  ...[0, 1, 2].map((shift) =>
    bare(Buffer.from('B'.repeat(shift) + value).toString('base64')).slice(4, -4),
  ),
  Buffer.from(value).toString('hex'),
  bare(encodeURIComponent(value)),
])

function expectClean(where: string, text: string): void {
  const letters = bare(text)
  expect([where, TRACES.filter((trace) => letters.includes(trace))]).toEqual([where, []])
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Starts an MCP server that repeats the headers of each call, in results and in errors. */
async function startEcho(): Promise<CannedMcp> {
  const mcp = await startCannedMcp({
    tools: [
      { name: 'act', inputSchema: { type: 'object' } },
      { name: 'fail', inputSchema: { type: 'object' } },
    ],
    onCall: (message, response) => {
      const { headers } = mcp.messages('tools/call').at(-1)!
      const token = String(headers.authorization).replace(/^Bearer /, '')
      const text = [JSON.stringify(headers), ...encodings(token)].join(' ')
      const isFailure = (message.params as { name: string }).name === 'fail'
      const answer = isFailure
        ? { error: { code: -32_000, message: text } }
        : { result: { content: [{ type: 'text', text }] } }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer }))
      return true
    },
  })
  cleanup.push(mcp.close)
  return mcp
}

interface Written {
  readonly version: number
  readonly warnings: readonly string[]
}
const put = (server: Server, name: string, json: object) =>
  server.get<Written>(`/v1/secrets/${name}`, { method: 'PUT', json })

const configure = (server: Server, ...lines: readonly string[]) =>
  server.ask('/v1/files/base/.agents/config.toml', { method: 'PUT', body: lines.join('\n') })

const resolve = async (server: Server) =>
  server.get<{
    readonly secrets: readonly { readonly name: string; readonly source: string }[]
    readonly diagnostics: readonly { readonly code: string }[]
  }>('/v1/resolve', { method: 'POST', json: {} })

const callEcho = (server: Server) =>
  runToEnd(server, { input: '@call mcp__echo__act {}\n@say {last}' })

describe('an MCP server', () => {
  it("gets the tenant's secret in bearer, header, and reference, and its next value at once", async () => {
    const mcp = await startEcho()
    const model = await startModelServer()
    cleanup.push(model.close)
    const server = await startServer({ env: { OPENAI_BASE_URL: model.url } })
    await configure(
      server,
      '[mcp_servers.echo]',
      `url = "${mcp.url}"`,
      'bearer_token_env_var = "TOKEN"',
      'env_http_headers = { "X-H" = "HEADER" }',
      `http_headers = { "X-R" = "ref ${reference('REFERENCE')}" }`,
    )
    for (const name of ['TOKEN', 'HEADER', 'REFERENCE'])
      await put(server, name, { value: `${name}-value-1`, hosts: ['127.0.0.1'] })
    expect((await callEcho(server)).status).toBe('completed')
    const headers = () => {
      const {
        authorization,
        'x-h': header,
        'x-r': reference,
      } = mcp.messages('tools/call').at(-1)!.headers
      return [authorization, header, reference]
    }
    expect(headers()).toEqual(['Bearer TOKEN-value-1', 'HEADER-value-1', 'ref REFERENCE-value-1'])
    for (const name of ['TOKEN', 'HEADER', 'REFERENCE'])
      await put(server, name, { value: `${name}-value-2`, hosts: ['127.0.0.1'] })
    expect((await callEcho(server)).status).toBe('completed')
    expect(headers()).toEqual(['Bearer TOKEN-value-2', 'HEADER-value-2', 'ref REFERENCE-value-2'])
    expect((await resolve(server)).secrets.map(({ source }) => source)).toEqual(
      Array(3).fill('tenant'),
    )
  })

  it('at another host gets no secret, and the resolution says why', async () => {
    const mcp = await startEcho()
    const server = await startServer({
      env: { STRATA_SECRETS: 'TOKEN', TOKEN: 'a variable of the deployment' },
    })
    await configure(
      server,
      '[mcp_servers.echo]',
      `url = "${mcp.url}"`,
      'bearer_token_env_var = "TOKEN"',
    )
    expect((await resolve(server)).secrets).toEqual([
      { server: 'echo', name: 'TOKEN', source: 'deployment' },
    ])
    const codes = async () => (await resolve(server)).diagnostics.map(({ code }) => code)
    await put(server, 'TOKEN', { value: VALUE, hosts: ['elsewhere.example'] })
    expect(await codes()).toEqual(['secret_host_mismatch'])
    const probe = await server.ask('/v1/mcp-servers/echo/test', { method: 'POST', json: {} })
    expect(await probe.text()).toContain('bound to elsewhere.example')
    // A secret of the tenant for other uses hides the deployment's secret of the same name.
    await put(server, 'TOKEN', { value: VALUE, hosts: ['127.0.0.1'], uses: ['model'] })
    expect(await codes()).toEqual(['missing_secret'])
    await put(server, 'TOKEN', { value: VALUE, hosts: ['127.0.0.1'] })
    expect(await codes()).toEqual([])
    expect((await server.ask('/v1/secrets/TOKEN', { method: 'DELETE' })).status).toBe(204)
    expect((await resolve(server)).secrets[0]?.source).toBe('deployment')
    for (const { headers } of mcp.received) expect(headers.authorization).toBeUndefined()
  })
})

it('an open connection is replaced when another process changes a value in its headers', async () => {
  const values: Record<string, string> = { TOKEN: 'value-1' }
  const tools = mcp({ secrets: secretsOf(values) })
  const http_headers = { 'x-r': reference('TOKEN') }
  const { server, entry } = await canned({}, { http_headers })
  const sent = () => server.messages('tools/call').map(({ headers }) => headers['x-r'])
  await tools.run(entry, 'act')
  values.TOKEN = 'value-2'
  await tools.run(entry, 'act')
  await tools.run(entry, 'act')
  expect(sent()).toEqual(['value-1', 'value-2', 'value-2'])
  expect(server.messages('initialize')).toHaveLength(2)
})

describe('a model provider', () => {
  it("gets the tenant's key instead of the deployment's, and never at another host", async () => {
    const model = await startModelServer()
    cleanup.push(model.close)
    const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'key-of-the-deployment' }
    const server = await startServer({ env })
    const key = () => model.requests.at(-1)?.headers.authorization
    await runToEnd(server, { input: '@say one' })
    expect(key()).toBe('Bearer key-of-the-deployment')
    const bound = { value: MODEL_KEY, hosts: ['127.0.0.1'], uses: ['model'] }
    expect((await put(server, 'OPENAI_API_KEY', bound)).warnings).toEqual([])
    await runToEnd(server, { input: '@say two' })
    expect(key()).toBe(`Bearer ${MODEL_KEY}`)
    const count = model.requests.length
    const away = { ...bound, hosts: ['api.openai.com'] }
    const { warnings } = await put(server, 'OPENAI_API_KEY', away)
    expect(warnings[0]).toContain('127.0.0.1')
    const refused = await runToEnd(server, { input: '@say three' })
    expect(refused.status).toBe('failed')
    expect(refused.error?.message).toContain('bound to api.openai.com and is not sent to 127.0.0.1')
    expect(model.requests).toHaveLength(count)
    await server.ask('/v1/secrets/OPENAI_API_KEY', { method: 'DELETE' })
    await runToEnd(server, { input: '@say four' })
    expect(key()).toBe('Bearer key-of-the-deployment')
  })
})

it('the master key is exchanged without losing a secret, and the previous key can be removed', async () => {
  const mcp = await startEcho()
  const model = await startModelServer()
  cleanup.push(model.close)
  const [previous, current] = ['a1'.repeat(32), 'b2'.repeat(32)]
  const restart = async (keys: Readonly<Record<string, string>>, before?: Server) => {
    await before?.process.stop('SIGKILL')
    return startServer({
      ...(before && { before }),
      env: { OPENAI_BASE_URL: model.url, ...keys },
    })
  }
  const sent = () => mcp.messages('tools/call').at(-1)?.headers.authorization
  const count = () => mcp.messages('tools/call').length
  let server = await restart({ STRATA_MASTER_KEY: previous })
  await configure(
    server,
    '[mcp_servers.echo]',
    `url = "${mcp.url}"`,
    'bearer_token_env_var = "TOKEN"',
  )
  await put(server, 'TOKEN', { value: VALUE, hosts: ['127.0.0.1'] })
  const both = { STRATA_MASTER_KEY: current, STRATA_MASTER_KEY_PREVIOUS: previous }
  server = await restart(both, server)
  await callEcho(server)
  expect([sent(), count()]).toEqual([`Bearer ${VALUE}`, 1])
  const result = await server.get<object>('/v1/secrets/reseal', { method: 'POST' })
  expect(result).toMatchObject({ resealed: 1, lost: [] })
  server = await restart({ STRATA_MASTER_KEY: current }, server)
  await callEcho(server)
  expect([sent(), count()]).toEqual([`Bearer ${VALUE}`, 2])
})

it('secrets are where they were sent, and nowhere else', async () => {
  const mcp = await startEcho()
  const model = await startModelServer()
  const spans = await startOtlpReceiver()
  const received: string[] = []
  const receiver = await startCannedServer((request, response) => {
    received.push(JSON.stringify(request.headers) + request.body)
    response.writeHead(200).end(request.body)
  })
  const search = await startCannedServer((request, response) => {
    const key = String(request.headers['x-subscription-token'])
    const hit = { title: key, url: 'https://example.org/', description: encodings(key).join(' ') }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ web: { results: [hit] } }))
  })
  const provider = await startCannedServer((request, response) => {
    const key = String(request.headers.authorization).replace(/^Bearer /, '')
    const message = `you sent ${encodings(key).join(' ')}`
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message, type: 'invalid_request_error' } }))
  })
  cleanup.push(model.close, spans.close, receiver.close, search.close, provider.close)
  const server = await startServer({
    env: {
      OPENAI_BASE_URL: model.url,
      STRATA_PROVIDERS: JSON.stringify({
        providers: { broken: { kind: 'openai-compatible', base_url: `${provider.origin}/v1` } },
      }),
      STRATA_MODEL: 'openai/scripted',
      BRAVE_API_KEY: 'key-of-the-deployment',
      STRATA_SEARCH_BASE_URL: search.origin,
      OTEL_EXPORTER_OTLP_ENDPOINT: spans.origin,
      LOG_LEVEL: 'debug',
    },
  })
  const hosts = ['127.0.0.1']
  const answers = [JSON.stringify(await put(server, 'TOKEN', { value: VALUE, hosts }))]
  await put(server, 'BROKEN_API_KEY', { value: MODEL_KEY, hosts, uses: ['model'] })
  await put(server, 'BRAVE_API_KEY', { value: SEARCH_KEY, hosts, uses: ['search'] })
  await configure(
    server,
    '[mcp_servers.echo]',
    `url = "${mcp.url}"`,
    'bearer_token_env_var = "TOKEN"',
    `http_headers = { "X-R" = "ref ${reference('TOKEN')}" }`,
  )
  const input = [
    '@call mcp__echo__act {}',
    '@call mcp__echo__fail {}',
    '@call web_search {"query":"otters"}',
    '@say {last}',
  ].join('\n')
  const request = { input, webhook: { url: `${receiver.origin}/in` } }
  const runs = [await runToEnd(server, request)]
  expect((await put(server, 'TOKEN', { value: NEXT, hosts })).version).toBe(4)
  runs.push(await runToEnd(server, request))
  runs.push(await runToEnd(server, { input: 'x', model: 'broken/m' }))
  expect(runs.map(({ status }) => status)).toEqual(['completed', 'completed', 'failed'])
  const tokens = mcp.messages('tools/call').map(({ headers }) => headers.authorization)
  expect(new Set(tokens)).toEqual(new Set([`Bearer ${VALUE}`, `Bearer ${NEXT}`]))
  expect(search.received.at(-1)?.headers['x-subscription-token']).toBe(SEARCH_KEY)
  expect(provider.received.at(-1)?.headers.authorization).toBe(`Bearer ${MODEL_KEY}`)
  await until('two webhooks', () => received.length >= 2)
  await until('spans of three runs', () => spans.spans.length >= 3)
  for (const path of [
    '/v1/secrets',
    '/v1/secrets/TOKEN',
    '/v1/audit',
    '/v1/runs',
    ...runs.flatMap(({ id }: RunShown) => [
      `/v1/runs/${id}`,
      `/v1/runs/${id}/events?limit=100`,
      `/v1/runs/${id}/transcript`,
      `/v1/runs/${id}/config`,
    ]),
    '/v1/webhook-deliveries',
    '/v1/limits',
    '/v1/models',
    '/metrics',
  ]) {
    const response = await server.ask(path)
    expect([path, response.status]).toEqual([path, 200])
    answers.push(await response.text())
  }
  answers.push(JSON.stringify(await resolve(server)))
  const probe = await server.ask('/v1/mcp-servers/echo/test', { method: 'POST', json: {} })
  answers.push(await probe.text())
  const all = answers.join('\n')
  expect(all.match(/\[redacted\]/g)?.length).toBeGreaterThan(4)
  expectClean('answers', all)
  expectClean('output', server.process.output())
  for (const path of filesBelow(server.dataDir)) expectClean(path, readFileSync(path, 'latin1'))
  for (const text of received) expectClean('webhook', text)
  for (const sent of model.requests) expectClean('model', JSON.stringify(sent))
  for (const sent of spans.received) expectClean('span', JSON.stringify(sent))
})
