/** Requests that no client library sends: each is answered by a problem, or ends in silence. */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { listen } from '../../src/hosts/node/listen.ts'
import type { App } from '../../src/http/request/route.ts'
import { cleanup } from '../support/cleanup.ts'
import { fullOr } from '../support/full.ts'
import { measured } from '../support/measured.ts'
import { until } from '../support/patience.ts'
import { rawProblem } from '../support/problem.ts'
import { raw } from '../support/raw.ts'
import { sharedServer } from '../support/server.ts'

const server = sharedServer()

/** A connection to a server, and the text that it has answered so far. */
function connection(url: string): { readonly socket: Socket; answer(): string } {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk.toString()
  })
  socket.on('error', () => {})
  return { socket, answer: () => answer }
}

/** Sends these bytes as they are; returns the answer once the server has closed the connection. */
async function answerTo(text: string): Promise<string> {
  const { socket, answer } = connection(server().url)
  socket.write(text)
  await once(socket, 'close')
  return answer()
}

describe('an ambiguous request', () => {
  it('gets 431 for headers that are too long', async () => {
    const answer = await raw(server(), { path: '/healthz', headers: [['X', 'a'.repeat(20_000)]] })
    expect(rawProblem(answer, 431).code).toBe('headers_too_large')
  })

  it.each([
    [
      'two Host headers',
      [
        ['Host', '127.0.0.1'],
        ['Host', 'b.example'],
      ] as const,
    ],
    ['an expectation that no server meets', [['Expect', 'coffee']] as const],
    [
      'two lengths',
      [
        ['Content-Length', '1'],
        ['Content-Length', '2'],
      ] as const,
    ],
    [
      'a length and chunks',
      [
        ['Content-Length', '1'],
        ['Transfer-Encoding', 'chunked'],
      ] as const,
    ],
    ['a folded header', [['X', 'a\r\n b']] as const],
    ['a header without a colon', [['X\r\nnonsense', 'a']] as const],
  ])('gets 400 for %s', async (_, headers) => {
    const answer = await raw(server(), { method: 'POST', path: '/v1/runs', headers })
    expect(rawProblem(answer, 400).code).toBe('malformed_request')
  })

  it('gets 400 without a Host header', async () => {
    const answer = await answerTo('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]+application\/problem\+json[\s\S]+has no Host/)
  })

  it('gets 405 for CONNECT, because the server is not a proxy', async () => {
    const answer = await answerTo('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1.1 405 [\s\S]+application\/problem\+json/)
  })

  it('a client that waits for 100 Continue receives it', async () => {
    const answer = await raw(server(), { path: '/healthz', headers: [['Expect', '100-continue']] })
    expect(answer.status).toBe(100)
  })
})

interface Line {
  readonly level: string
  readonly status?: number
}

it('a client that disconnects during its body is logged as a request, not as an error', async () => {
  const headOf = (more: string) =>
    `POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server().key}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n${more}\r\n\r\n`
  const before = server().process.output().length
  const newLines = (): Line[] =>
    server()
      .process.output()
      .slice(before)
      .split('\n')
      .slice(0, -1)
      // The start may still say where things are.
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
  const abandoned = () => newLines().filter(({ status }) => status === 499)
  for (const [head, body] of [
    [headOf('Content-Length: 100'), '{"in'],
    [headOf('Transfer-Encoding: chunked'), '5\r\n{"in'],
  ] as const) {
    const { socket, answer } = connection(server().url)
    socket.write(head)
    await until('100 Continue', () => answer().includes(' 100 '))
    await new Promise((resolve) => socket.write(body, resolve))
    socket.destroy()
  }
  await until('two lines of the log', () => abandoned().length === 2)
  for (const line of abandoned()) expect(line).toMatchObject({ event: 'request', path: '/v1/runs' })
  expect(newLines().filter(({ level }) => level !== 'info')).toEqual([])
  expect((await server().ask('/healthz')).status).toBe(200)
})

it('a client that trickles bytes keeps a connection only until its time-out', async () => {
  const app: App = new Hono()
  const bounds = { headersTimeout: 500, connectionsCheckingInterval: 100 }
  const impatient = await listen(app, { host: '127.0.0.1', port: 0 }, undefined, bounds)
  cleanup.push(impatient.close)
  await held(fullOr(server().url, impatient.url))
})

/** Drips a head until the server closes the connection. */
async function held(url: string): Promise<void> {
  const { socket, answer } = connection(url)
  const drip = setInterval(() => socket.write('a'), 50)
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ')
  await measured('a head that drips', () => once(socket, 'close'), { wallMs: 30_000 })
  clearInterval(drip)
  expect(answer()).toMatch(/^HTTP\/1.1 408 [\s\S]+application\/problem\+json/)
}
