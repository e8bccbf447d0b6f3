/** Requests that no client library sends: each is answered by a problem, or ends in silence. */

import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { rawProblem } from '../support/problem.ts'
import { raw } from '../support/raw.ts'
import { sharedServer } from '../support/server.ts'

const server = sharedServer()

/** Sends these bytes as they are, and hangs up after `ms`; what came back. */
async function bytes(text: string, ms: number): Promise<string> {
  const { hostname, port } = new URL(server().url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk.toString()
  })
  socket.on('error', () => {})
  socket.write(text)
  await sleep(ms)
  socket.destroy()
  return answer
}

describe('a request that two readers could take for two', () => {
  it('431 for headers that are too long', async () => {
    const answer = await raw(server(), { path: '/healthz', headers: [['X', 'a'.repeat(20_000)]] })
    expect(rawProblem(answer, 431).code).toBe('headers_too_large')
  })

  it.each([
    ['two Host headers', [['Host', 'b.example']] as const],
    ['an expectation that nobody meets', [['Expect', 'coffee']] as const],
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
  ])('400 for %s', async (_, headers) => {
    const answer = await raw(server(), { method: 'POST', path: '/v1/runs', headers })
    expect(rawProblem(answer, 400).code).toBe('malformed_request')
  })

  it('400 for no Host at all', async () => {
    const answer = await bytes('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 500)
    expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]+application\/problem\+json[\s\S]+names no Host/)
  })

  it('405 for CONNECT: this is no proxy', async () => {
    const answer = await bytes('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 500)
    expect(answer).toMatch(/^HTTP\/1.1 405 [\s\S]+application\/problem\+json/)
  })

  it('100 Continue is still said to who waits for it', async () => {
    const answer = await raw(server(), { path: '/healthz', headers: [['Expect', '100-continue']] })
    expect(answer.status).toBe(100)
  })
})

it('a client that goes away in the middle of its body is no trouble in the log', async () => {
  const head = (more: string) =>
    `POST /v1/runs HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server().key}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`
  const before = server().process.output().length
  await bytes(`${head('Content-Length: 100')}{"in`, 100)
  await bytes(`${head('Transfer-Encoding: chunked')}5\r\n{"in`, 100)
  await sleep(500)
  const lines = server().process.output().slice(before).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'info', event: 'request', path: '/v1/runs', status: 499 },
    { level: 'info', event: 'request', path: '/v1/runs', status: 499 },
  ])
  expect((await server().ask('/healthz')).status).toBe(200)
})

it('who sends a byte now and then holds a connection for no longer than its time', async () => {
  const { hostname, port } = new URL(server().url)
  const began = performance.now()
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk.toString()
  })
  const drip = setInterval(() => socket.write('a'), 500)
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nX: ')
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(drip)
  expect(performance.now() - began).toBeLessThan(30_000)
  expect(answer).toMatch(/^HTTP\/1.1 408 [\s\S]+application\/problem\+json/)
})

it('408 for a body of which a byte comes now and then, and the connection ends', async () => {
  const { hostname, port } = new URL(server().url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk.toString()
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write('POST /v1/runs HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n')
  socket.write(`Authorization: Bearer ${server().key}\r\nContent-Length: 200000\r\n\r\n{`)
  const drip = setInterval(() => socket.write(' '), 500)
  await closed
  clearInterval(drip)
  expect(answer).toMatch(/^HTTP\/1.1 408 [\s\S]+"code":"request_timeout"/)
}, 120_000)
