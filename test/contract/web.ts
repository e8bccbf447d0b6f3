/**
 * What every outbound door promises, as tests; the words are those of `Web` in src/ports/world.ts.
 * The receiver is a real server on loopback, so a door is made with loopback allowed.
 */

import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Web, WebRequest } from '../../src/ports/world.ts'
import { type Received, startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { measured } from '../support/measured.ts'
import { minutes, startTimer } from '../support/patience.ts'

export type MakeWeb = () => Web

const to = (url: string, more: Partial<WebRequest> = {}): WebRequest => ({
  method: 'GET',
  url,
  headers: {},
  timeoutMs: 20_000,
  maxBytes: 10_000,
  ...more,
})
async function receiver(handler: (request: Received, response: ServerResponse) => void) {
  const server = await startCannedServer(handler)
  cleanup.push(server.close)
  return server
}
const SENTENCE = /^[a-z].{5,200}$/
/** What ends at once. */
const SOON = { wallMs: 5_000 }

export function webContract(name: string, make: MakeWeb): void {
  describe(`web: ${name}`, () => {
    describe('policy', () => policyPromises(make))
    describe('a request', () => requestPromises(make))
    describe('an answer', () => answerPromises(make))
    describe('an answer with a body time-out', () => briefPromises(make))
    describe('a failure', () => failurePromises(make))
  })
}

/** What also a door promises that leads nowhere. */
export function policyPromises(make: MakeWeb): void {
  const refused = [
    '',
    'not a URL',
    'http://example.com/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/',
    'https://user:secret@example.com/',
    'file:///etc/passwd',
  ]

  it.each(refused)('%j is refused with a sentence and not sent', async (url) => {
    const web = make()
    expect(web.check(url)).toMatch(SENTENCE)
    const sent = await web.send(to(url))
    expect(sent).toEqual({ ok: false, error: expect.stringMatching(SENTENCE) })
    expect(JSON.stringify([web.check(url), sent])).not.toContain('secret')
  })

  it('an abort before sending is a failure', async () => {
    const stop = AbortSignal.abort(new Error('never the reason of a rejection'))
    expect(await make().send(to('https://example.com/'), stop)).toMatchObject({ ok: false })
  })
}

function requestPromises(make: MakeWeb): void {
  it('is sent once, with the given method, headers, and body', async () => {
    const { origin, received } = await receiver((_, response) => void response.end('ok'))
    const web = make()
    expect(web.check(origin)).toBeUndefined()
    const body = '{"t":"héllo 😀"}'
    const headers = { 'webhook-id': 'msg_1', 'content-type': 'application/json' }
    await web.send(to(`${origin}/a?b=c`, { method: 'POST', headers, body }))
    await web.send(to(`${origin}/get`))
    expect(received).toMatchObject([
      { method: 'POST', url: '/a?b=c', headers, body },
      { method: 'GET', url: '/get', body: '' },
    ])
  })

  it.each([301, 302, 303, 307, 308])(
    'a redirect (%i) is an answer and is not followed',
    async (status) => {
      const { origin, received } = await receiver((_, response) => {
        response.writeHead(status, { location: '/elsewhere' }).end()
      })
      const sent = await make().send(to(origin, { method: 'POST', body: 'x' }))
      expect(sent).toMatchObject({
        ok: true,
        value: { status, headers: { location: '/elsewhere' } },
      })
      expect(received).toHaveLength(1)
    },
  )

  it('is not retried after a refusal or a missing answer', async () => {
    const { origin, received } = await receiver(({ url }, response) => {
      if (url === '/cut') response.destroy()
      else response.writeHead(503, { 'retry-after': '0' }).end()
    })
    const web = make()
    expect(await web.send(to(`${origin}/busy`))).toMatchObject({ ok: true, value: { status: 503 } })
    expect(await web.send(to(`${origin}/cut`))).toMatchObject({ ok: false })
    expect(received.map(({ url }) => url)).toEqual(['/busy', '/cut'])
  })
}

function answerPromises(make: MakeWeb): void {
  it('has its status, its body, and lowercase header names', async () => {
    const { origin } = await receiver((_, response) => {
      response.writeHead(418, { 'X-Mixed-Case': 'As It Is', 'Content-Type': 'text/plain' })
      response.end('grüße 🙂')
    })
    expect(await make().send(to(origin))).toMatchObject({
      ok: true,
      value: {
        status: 418,
        headers: { 'x-mixed-case': 'As It Is', 'content-type': 'text/plain' },
        body: 'grüße 🙂',
      },
    })
  })

  it.each([204, 304])('may have no body (%i)', async (status) => {
    const { origin } = await receiver((_, response) => void response.writeHead(status).end())
    expect(await make().send(to(origin))).toMatchObject({ ok: true, value: { status, body: '' } })
  })

  it('is cut at the limit of decoded bytes in every encoding', async () => {
    const { origin } = await receiver(({ url }, response) => {
      const text = 'x'.repeat(url === '/exact' ? 1_000 : 1_000_000)
      if (url !== '/gzip') return void response.end(text)
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text))
    })
    const web = make()
    for (const path of ['exact', 'plain', 'gzip']) {
      const sent = await web.send(to(`${origin}/${path}`, { maxBytes: 1_000 }))
      expect(sent.ok && sent.value.body === 'x'.repeat(1_000), path).toBe(true)
    }
  })
}

function briefPromises(make: MakeWeb): void {
  it.each(['trickle', 'silence', 'broken', 'encoding'])(
    'has its status and the body so far when the body ends in %s',
    async (path) => {
      const { origin } = await receiver((_, response) => {
        const encoding = path === 'encoding' ? { 'content-encoding': 'sdch' } : {}
        response.writeHead(503, { 'retry-after': '7', ...encoding }).write('so far')
        if (path === 'broken') setTimeout(() => response.destroy(), 50)
        if (path === 'trickle') {
          const timer = setInterval(() => response.write(' '), 10)
          response.on('close', () => clearInterval(timer))
        }
      })
      const send = () => make().send(to(origin, { bodyMs: 200 }))
      const sent = await measured(path, send, SOON)
      expect(sent).toMatchObject({
        ok: true,
        value: { status: 503, headers: { 'retry-after': '7' }, cut: true },
      })
      if (path !== 'encoding') expect(sent.ok && sent.value.body).toMatch(/^so far {0,99}$/)
    },
  )

  it('has the complete body, without waiting after its end', async () => {
    const { origin } = await receiver((_, response) => void response.end('all'))
    const sent = await make().send(to(origin, { bodyMs: 10_000 }))
    expect(sent).toMatchObject({ ok: true, value: { status: 200, body: 'all', cut: false } })
  })

  it('without a status in time is a failure', async () => {
    const { origin } = await receiver(() => {})
    const sent = await make().send(to(origin, { timeoutMs: 100, bodyMs: 10_000 }))
    expect(sent).toEqual({ ok: false, error: expect.stringMatching(SENTENCE) })
  })
}

function failurePromises(make: MakeWeb): void {
  it('is returned within the total time, whether the head or the end of the body is missing', async () => {
    const { origin } = await receiver(({ url }, response) => {
      if (url === '/body') response.writeHead(200).write('x')
    })
    for (const path of ['head', 'body']) {
      // Half the time: a busy event loop calls timers that are due together in any order.
      const isDue = startTimer(50)
      const send = () => make().send(to(`${origin}/${path}`, { timeoutMs: 100 }))
      const sent = await measured(path, send, SOON)
      expect(sent).toEqual({ ok: false, error: expect.stringMatching(SENTENCE) })
      expect(isDue()).toBe(true)
    }
  })

  it('is returned at once when the signal aborts, before or during the request', async () => {
    const { origin, received } = await receiver(() => {})
    const web = make()
    // Its own time-out would come after the end of the test.
    const request = to(origin, { timeoutMs: minutes(10) })
    expect(await web.send(request, AbortSignal.abort())).toMatchObject({ ok: false })
    expect(received).toHaveLength(0)
    const send = () => web.send(request, AbortSignal.timeout(30))
    expect(await measured('an aborted request', send, SOON)).toMatchObject({ ok: false })
  })

  it('is a sentence without secrets, never an exception', async () => {
    const { origin } = await receiver(({ url }, response) => {
      if (url?.startsWith('/junk')) response.socket?.end('canary-answer is not HTTP\r\n\r\n')
      else response.destroy()
    })
    const authorization = 'Bearer canary-token'
    const requests = [
      to(`${origin}/cut?key=canary-query`, { headers: { authorization } }),
      to(`${origin}/junk?key=canary-query`, { headers: { authorization } }),
      to('http://127.0.0.1:1/?key=canary-query', { headers: { authorization } }),
      to(origin, { headers: { authorization: `${authorization}\r\nX: y` } }),
      to(origin, { headers: { 'not a name: canary': 'x' } }),
    ]
    for (const request of requests) {
      const sent = await make().send(request)
      expect(sent).toEqual({ ok: false, error: expect.stringMatching(SENTENCE) })
      expect(JSON.stringify(sent)).not.toMatch(/canary|127\.0\.0\.1/)
    }
  })
}
