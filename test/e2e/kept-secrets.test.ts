/**
 * Canaries in secrets that a tenant keeps by the API: only the server that one is bound to gets it,
 * in its header; it is in no row, object, event, answer, webhook, request of the model, span or line.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type CannedMcp, startCannedMcp } from '../support/canned-mcp.ts'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startModelServer } from '../support/model-server.ts'
import { startOtlpReceiver } from '../support/otlp-receiver.ts'
import { type RunShown, runToEnd, type Server, startServer } from '../support/server.ts'

const CANARY = Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url')
/** Signs that URLs, JSON and base64 write in another way. */
const VALUE = `${CANARY}/+"x`
const NEXT = `next-${[...CANARY].reverse().join('')}`

const encodings = (value: string): string[] => [
  value,
  Buffer.from(value).toString('base64'),
  Buffer.from(value).toString('base64url'),
  Buffer.from(value).toString('hex'),
  encodeURIComponent(value),
  JSON.stringify(value).slice(1, -1),
]

/** An MCP server that says all headers back, in results, errors and texts of its tools. */
async function startEcho(): Promise<CannedMcp> {
  const mcp = await startCannedMcp({
    tools: [
      { name: 'act', inputSchema: { type: 'object' } },
      { name: 'fail', inputSchema: { type: 'object' } },
    ],
    onCall: (message, response) => {
      const { headers } = mcp.messages('tools/call').at(-1)!
      const sent = String(headers.authorization).replace(/^Bearer /, '')
      const text = [JSON.stringify(headers), ...encodings(sent)].join(' ')
      const result = { content: [{ type: 'text', text }] }
      const error = { code: -32_000, message: text }
      const failed = (message.params as { name: string }).name === 'fail'
      const body = { jsonrpc: '2.0', id: message.id, ...(failed ? { error } : { result }) }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      return true
    },
  })
  cleanup.push(mcp.close)
  return mcp
}

const everyFile = (folder: string): [string, string][] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .map((path) => [path, readFileSync(path, 'latin1')])

/** Letters and digits alone, so that no spelling is missed. */
const bare = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '')

function clean(where: string, text: string, values: readonly string[]): void {
  const letters = bare(text)
  for (const form of values.flatMap(encodings).map(bare)) {
    // The last character of base64 depends on its end.
    const trace = form.slice(0, -4)
    expect([where, trace, letters.includes(trace)]).toEqual([where, trace, false])
  }
}

const put = (server: Server, name: string, json: object) =>
  server.get<{ version: number }>(`/v1/secrets/${name}`, { method: 'PUT', json })

const configured = (server: Server, url: string) =>
  server.ask('/v1/files/base/.agents/config.toml', {
    method: 'PUT',
    body: `[mcp_servers.echo]\nurl = "${url}"\nbearer_token_env_var = "TOKEN"\n`,
  })

describe('a secret that a tenant keeps', () => {
  it('H23 U33: is where it was sent, and nowhere else; nor is the key of the API', async () => {
    const mcp = await startEcho()
    const model = await startModelServer()
    const spans = await startOtlpReceiver()
    const received: string[] = []
    const receiver = await startCannedServer((request, response) => {
      received.push(JSON.stringify(request.headers) + request.body)
      response.writeHead(200).end(request.body)
    })
    cleanup.push(model.close, spans.close, receiver.close)
    const server = await startServer({
      env: {
        OPENAI_BASE_URL: model.url,
        OTEL_EXPORTER_OTLP_ENDPOINT: spans.origin,
        LOG_LEVEL: 'debug',
        TOKEN: 'a variable of the deployment that nobody has listed',
      },
    })
    const answers = [
      JSON.stringify(await put(server, 'TOKEN', { value: VALUE, hosts: ['127.0.0.1'] })),
    ]
    await configured(server, mcp.url)
    const input = '@call mcp__echo__act {}\n@call mcp__echo__fail {}\n@say {last}'
    const request = { input, webhook: { url: `${receiver.origin}/in` } }
    const run = await runToEnd(server, request)
    expect(run.status).toBe('completed')
    const calls = mcp.messages('tools/call')
    expect(calls.map(({ headers }) => headers.authorization)).toEqual(
      Array(2).fill(`Bearer ${VALUE}`),
    )
    // Another value counts from the next request on; the one before is gone.
    expect((await put(server, 'TOKEN', { value: NEXT, hosts: ['127.0.0.1'] })).version).toBe(2)
    const again = await runToEnd(server, request)
    expect(again.status).toBe('completed')
    expect(mcp.messages('tools/call').at(-1)!.headers.authorization).toBe(`Bearer ${NEXT}`)
    while (received.length < 2 || spans.spans.length < 2) await sleep(20)
    for (const path of [
      '/v1/secrets',
      '/v1/secrets/TOKEN',
      '/v1/audit',
      '/v1/runs',
      ...[run, again].flatMap(({ id }: RunShown) => [
        `/v1/runs/${id}`,
        `/v1/runs/${id}/events?limit=100`,
        `/v1/runs/${id}/transcript`,
      ]),
      '/v1/webhook-deliveries',
      '/v1/limits',
    ]) {
      const response = await server.ask(path)
      expect([path, response.status]).toEqual([path, 200])
      answers.push(await response.text())
    }
    answers.push(await (await server.ask('/v1/resolve', { method: 'POST', json: {} })).text())
    const probe = await server.ask('/v1/mcp-servers/echo/test', { method: 'POST', json: {} })
    answers.push(await probe.text())
    expect(answers.join()).toContain('[redacted]')
    const values = [VALUE, NEXT]
    clean('answers', answers.join(), values)
    clean('output', server.process.output(), values)
    for (const [path, text] of everyFile(server.dataDir)) clean(path, text, values)
    for (const body of received) clean('webhook', body, values)
    for (const { body, headers } of model.requests) {
      clean('model', JSON.stringify([body, headers]), values)
    }
    for (const { body } of spans.received) clean('span', body, values)
    // U33: whatever goes out, the key that a request came with does not.
    const sent = [mcp.received, received, model.requests, spans.received].map((one) =>
      JSON.stringify(one),
    )
    const secretPart = server.key.split('_')[2]!
    for (const text of sent) expect(text.includes(secretPart)).toBe(false)
    // H23: nor are prompts in the log.
    expect(server.process.output()).not.toContain('mcp__echo__act {}')
  })

  it('T13 T15: is refused to another host, and a variable that is not listed is no secret', async () => {
    const mcp = await startEcho()
    const server = await startServer({ env: { TOKEN: 'a variable of the deployment' } })
    await configured(server, mcp.url)
    const resolve = async () =>
      (await server.ask('/v1/resolve', { method: 'POST', json: {} })).text()
    expect(await resolve()).toContain('missing_secret')
    await put(server, 'TOKEN', { value: VALUE, hosts: ['elsewhere.example'] })
    expect(await resolve()).toContain('secret_host_mismatch')
    const probe = await server.ask('/v1/mcp-servers/echo/test', { method: 'POST', json: {} })
    expect(await probe.text()).toContain('bound to elsewhere.example')
    expect(JSON.stringify(mcp.received)).not.toContain(CANARY)
    await put(server, 'TOKEN', { value: VALUE, hosts: ['127.0.0.1'] })
    expect(await resolve()).not.toContain('secret_host_mismatch')
    expect((await server.ask('/v1/secrets/TOKEN', { method: 'DELETE' })).status).toBe(204)
    expect(await resolve()).toContain('missing_secret')
    for (const { headers } of mcp.received) expect(headers.authorization).toBeUndefined()
  })
})
