/** A canary for every secret that a running server holds, repeated to it in every encoding. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startCannedMcp } from '../support/canned-mcp.ts'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { ask, eventsOf, putFile, runToEnd } from '../support/node-client.ts'
import { until } from '../support/patience.ts'

const TOKEN = 'canary-BEARER-4f9a7Zq.77/+x'
const HEADER = 'canary-HEADER-b81c9Xw"y77'
const PATH = 'canaryPATHd02ePv00'
const LINES = [
  '-----BEGIN KEY-----',
  'canaryLINEoneMIIEvQIBADAN',
  'canaryLINEtwoAgEAAoIBAQC7',
  '-----END KEY-----',
].join('\n')
const PROVIDER = 'sk-canaryPROVIDER93hKd8s'
const SECRETS = [TOKEN, HEADER, PATH, LINES, PROVIDER]

const encodings = (secret: string): string[] => [
  secret,
  ...secret.split('\n').filter((line) => !line.startsWith('---')),
  ...[0, 1, 2].map((shift) => Buffer.from('Bx'.slice(0, shift) + secret).toString('base64')),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(secret).toString('hex'),
  encodeURIComponent(secret),
  JSON.stringify(secret),
  [...secret].join('.'),
]

/** Letters and digits alone, so that no spelling is missed. */
const bare = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '')

/** What must be found nowhere: of each secret a middle that no encoding cuts off. */
const traces = SECRETS.flatMap((secret) =>
  secret
    .split('\n')
    .filter((line) => !line.startsWith('---'))
    .flatMap((line) => [
      bare(line),
      ...[0, 1, 2].map((shift) =>
        bare(Buffer.from('B'.repeat(shift) + line).toString('base64')).slice(4, -4),
      ),
      Buffer.from(line).toString('hex'),
      bare(encodeURIComponent(line)),
    ]),
)

function everyFile(folder: string): { path: string; text: string }[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .map((path) => ({ path, text: readFileSync(path, 'latin1') }))
}

function clean(where: string, text: string): void {
  const letters = bare(text)
  for (const trace of traces) {
    expect([where, trace, letters.includes(trace)]).toEqual([where, trace, false])
  }
}

const settled = (api: NodeApi): Promise<true> =>
  until('an attempt of each delivery', async () => {
    const { data } = (await ask(api, 'GET', '/v1/webhook-deliveries?limit=100')).body
    return data.length > 0 && data.every((one: { attempts: number }) => one.attempts > 0)
  })

it('a secret appears in no row, object, event, webhook, answer, or log [I22]', async () => {
  const echo = SECRETS.slice(0, 4).flatMap(encodings)
  const text = echo.join(' | ')
  const mcp = await startCannedMcp({
    tools: [
      {
        name: 'act',
        description: `It says ${text}`,
        inputSchema: { type: 'object', properties: { a: { type: 'string', description: text } } },
      },
      { name: 'fail', description: 'Fails.', inputSchema: { type: 'object' } },
    ],
    onCall: (message, response, nth) => {
      const result = { content: [{ type: 'text', text: `${nth} ${text}` }] }
      const error = { code: -32_000, message: text }
      const failed = (message.params as { name: string }).name === 'fail'
      const body = { jsonrpc: '2.0', id: message.id, ...(failed ? { error } : { result }) }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      return true
    },
  })
  const signing = `whsec_${Buffer.from('canarySIGNINGcanarySIGNING3').toString('base64')}`
  const received: string[] = []
  const receiver = await startCannedServer((request, response) => {
    received.push(request.body)
    response.writeHead(500, { 'content-type': 'text/plain' }).end(`${signing} ${signing.slice(6)}`)
  })
  const provider = await startCannedServer((request, response) => {
    const key = String(request.headers.authorization)
    const message = `you sent ${key} ${encodings(PROVIDER).join(' ')}`
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message, type: 'invalid_request_error' } }))
  })
  cleanup.push(mcp.close, receiver.close, provider.close)
  const env = {
    STRATA_SECRETS: 'TOKEN@127.0.0.1 HEADER@127.0.0.1 PATHKEY@127.0.0.1 LINES@127.0.0.1',
    TOKEN,
    HEADER,
    PATHKEY: PATH,
    LINES: LINES.replaceAll('\n', ' '),
  }
  const api = await startNodeApi(env)
  const open = '$' + '{'
  const config = [
    '[mcp_servers.echo]',
    `url = "${mcp.url}/${open}PATHKEY}"`,
    'bearer_token_env_var = "TOKEN"',
    'env_http_headers = { "X-H" = "HEADER" }',
    `http_headers = { "X-L" = "${open}LINES}" }`,
  ]
  await putFile(api, 'base/.agents/config.toml', config.join('\n'))
  const webhook = { url: `${receiver.origin}/in`, secret: signing }
  const input = '@call mcp__echo__act {}\n@call mcp__echo__fail {}\n@say {last}'
  const run = await runToEnd(api, { input, webhook })
  expect(run.status).toBe('completed')
  expect(mcp.messages('tools/call')).toHaveLength(2)
  expect(mcp.messages('tools/call')[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`)
  const events = await eventsOf(api, run.id)
  const results = events.filter(({ type }) => type === 'tool.result')
  for (const { data } of results) expect(data.text).toContain('[redacted]')
  const probed = await ask(api, 'POST', '/v1/mcp-servers/echo/test', {})
  expect(probed.body.reachable).toBe(true)
  await settled(api)
  const { data } = (await ask(api, 'GET', '/v1/webhook-deliveries')).body
  const delivery = (await ask(api, 'GET', `/v1/webhook-deliveries/${data[0].id}`)).body
  expect(delivery.last_body).toBe('[redacted] [redacted]')
  const broken = await startNodeApi({
    OPENAI_BASE_URL: `${provider.origin}/v1`,
    OPENAI_API_KEY: PROVIDER,
  })
  const failed = await runToEnd(broken, { input: 'x' })
  expect(failed.error.message).toContain('[redacted]')
  for (const one of [api, broken]) {
    for (const { path, text: stored } of everyFile(one.folder)) clean(path, stored)
    clean('log', one.told.join('\n'))
  }
  clean('events', JSON.stringify(events))
  clean('error', JSON.stringify(await eventsOf(broken, failed.id)))
  clean('probe', probed.text)
  clean('delivery', JSON.stringify(delivery))
  for (const body of received) clean('webhook', body)
  for (const { body } of api.model.requests) clean('model', JSON.stringify(body))
  const resolved = await ask(api, 'POST', '/v1/resolve', {})
  clean('resolve', resolved.text)
})
