/** The HTTP server of the Node host: when it closes, pipelined requests, chunks of bodies. */

import { once } from 'node:events'
import { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { Hono, type HonoRequest } from 'hono'
import { expect, it } from 'vitest'
import { listen } from '../../../../src/hosts/node/listen.ts'
import { readBytes } from '../../../../src/http/request/body.ts'
import type { RequestRefused } from '../../../../src/http/request/problem.ts'
import type { App } from '../../../../src/http/request/route.ts'

it('close ends connections at once and waits for the handlers of their requests', async () => {
  const events: string[] = []
  let enter = (): void => undefined
  let leave = (): void => undefined
  const entered = new Promise<void>((resolve) => (enter = resolve))
  const released = new Promise<void>((resolve) => (leave = resolve))
  const app = new Hono().get('/slow', async (c) => {
    enter()
    await released
    events.push('handled')
    return c.text('done')
  })
  const server = await listen(app as unknown as App, { host: '127.0.0.1', port: 0 })
  const request = fetch(`${server.url}/slow`).catch(() => events.push('broken'))
  await entered
  const closed = server.close().then(() => events.push('closed'))
  await request
  expect(events).toEqual(['broken'])
  leave()
  await closed
  expect(events).toEqual(['broken', 'handled', 'closed'])
})

const PIPELINED = 'GET /number HTTP/1.1\r\nHost: localhost\r\n\r\n'

/** A server whose first answer waits for `release`, and a connection with so many requests. */
async function pipelined(count: number) {
  let handled = 0
  let enter = (): void => undefined
  let release = (): void => undefined
  const entered = new Promise<void>((resolve) => (enter = resolve))
  const released = new Promise<void>((resolve) => (release = resolve))
  const app = new Hono().get('/number', async (c) => {
    handled += 1
    const number = handled
    enter()
    await released
    return c.text(`answer ${number};`)
  })
  const refused: object[] = []
  const server = await listen(
    app as unknown as App,
    { host: '127.0.0.1', port: 0 },
    ({ method, path, status }) => refused.push({ method, path, status }),
  )
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write(PIPELINED.repeat(count))
  await entered
  return { server, socket, release, refused, handled: () => handled }
}

it('handles a pipelined request when the answer to the one in front of it is complete', async () => {
  const { server, socket, release, handled } = await pipelined(20)
  expect(handled()).toBe(1)
  release()
  let text = ''
  for await (const chunk of socket) {
    text += chunk
    if (text.includes('answer 20;')) break
  }
  expect(text.match(/answer \d+;/g)).toEqual(
    Array.from({ length: 20 }, (_, index) => `answer ${index + 1};`),
  )
  await server.close()
})

it('closes a connection with more than 100 requests that are not answered, and logs it', async () => {
  const { server, socket, release, refused, handled } = await pipelined(300)
  socket.resume().on('error', () => {})
  await once(socket, 'close')
  release()
  await server.close()
  expect(handled()).toBe(1)
  expect(refused).toEqual([{ method: 'GET', path: '/number', status: 429 }])
})

/** Sends a chunked body; returns the answer of an app that reads it with `read`. */
async function chunked(body: string, read: (request: HonoRequest) => Promise<string>) {
  const app = new Hono().post('/', async (c) => c.text(await read(c.req)))
  const server = await listen(app as unknown as App, { host: '127.0.0.1', port: 0 })
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n'
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${body}`)
  let text = ''
  for await (const chunk of socket) text += chunk
  await server.close()
  return text
}
const inChunks = (texts: readonly string[]): string =>
  `${texts.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join('')}0\r\n\r\n`

it('joins the small chunks of a body in their order, because each costs memory', async () => {
  const texts = Array.from({ length: 9_000 }, (_, index) =>
    index % 1_000 === 999 ? 'x'.repeat(5_000) : String(index % 10),
  )
  let reads = 0
  let body = ''
  await chunked(inChunks(texts), async ({ raw }) => {
    for await (const bytes of raw.body!) {
      reads += 1
      body += Buffer.from(bytes)
    }
    return 'read'
  })
  expect(body).toBe(texts.join(''))
  expect(reads).toBeLessThan(200)
})

it('refuses a body of very many small chunks, also when it joins them', async () => {
  const answer = (texts: readonly string[]) =>
    chunked(inChunks(texts), (request) =>
      readBytes(request, 1_000_000).then(
        (bytes) => `${bytes.length} bytes`,
        (error: RequestRefused) => error.refusal.code,
      ),
    )
  expect(await answer(Array(20_000).fill('x'))).toContain('malformed_request')
  expect(await answer(Array(20_000).fill('x'.repeat(20)))).toContain('400000 bytes')
  expect(await answer(Array(9_000).fill('x'))).toContain('9000 bytes')
})

/** Connects to an app that answers with a megabyte, and sends requests. */
async function megabyte(requests: string) {
  const bytes = new Uint8Array(1_048_576).fill(120)
  const app = new Hono().get('/', (c) => c.body(bytes))
  const server = await listen(app as unknown as App, { host: '127.0.0.1', port: 0 })
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write(requests)
  return { server, socket }
}
const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n'

it('sends a large body complete, in its order among pipelined answers', async () => {
  const { server, socket } = await megabyte(`${GET}\r\n${GET}Connection: close\r\n\r\n`)
  let text = ''
  for await (const chunk of socket) text += chunk
  expect(text.match(/content-length: 1048576/gi)).toHaveLength(2)
  expect(text.match(/x{1048576}/g)).toHaveLength(2)
  await server.close()
})

it('writes a large body in pieces, so that the event loop continues in between', async () => {
  const { server, socket } = await megabyte(`${GET}\r\n`)
  const sizes: number[] = []
  const { write } = ServerResponse.prototype
  ServerResponse.prototype.write = function (this: ServerResponse, chunk: Uint8Array) {
    sizes.push(chunk.length)
    return Reflect.apply(write, this, [chunk])
  } as typeof write
  let size = 0
  for await (const chunk of socket) {
    size += chunk.length
    if (size > 1_048_576) break
  }
  ServerResponse.prototype.write = write
  expect(Math.max(...sizes)).toBe(65_536)
  expect(sizes).toHaveLength(16)
  await server.close()
})

it('stops sending a large body when the client disconnects', async () => {
  const { server, socket } = await megabyte(`${GET}\r\n`.repeat(8))
  await once(socket, 'data')
  socket.destroy()
  await server.close()
  expect(socket.destroyed).toBe(true)
})
