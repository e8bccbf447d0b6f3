/**
 * A peer that speaks raw TCP, so that it can say what no HTTP library would: `act` has the socket
 * once a request has come whole (or at once, where it does not wait for one). It counts the sockets
 * that are open: whoever gives up on a peer closes its connection.
 */

import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { minutes } from '../patience.ts'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly body: string
}

export interface Behaviour {
  /** What it does, for people. */
  readonly what: string
  /** Acts when somebody connects, without waiting for a request. */
  readonly eager?: boolean
  /** Speaks no HTTP at all at first: it is to be asked by https. */
  readonly tls?: boolean
  act(socket: Socket, asked: Asked): void
}

export interface HostilePeer {
  readonly port: number
  readonly origin: string
  /** Connections that are open now, and how many there ever were. */
  open(): number
  connections(): number
  /** Bytes that were handed to the system to be sent. */
  sent(): number
  /** Waits until every connection is closed; false when one stays open for minutes. */
  allClosed(ms?: number): Promise<boolean>
  close(): Promise<void>
}

export async function startHostilePeer(behaviour: Behaviour): Promise<HostilePeer> {
  const sockets = new Set<Socket>()
  let connections = 0
  let sent = 0
  // Half-open on purpose: a client that only ends its side has not closed the connection.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    connections += 1
    socket.on('error', () => {})
    socket.on('close', () => {
      sent += socket.bytesWritten
      sockets.delete(socket)
    })
    if (behaviour.eager) behaviour.act(socket, { method: '', path: '', body: '' })
    else onRequests(socket, (asked) => behaviour.act(socket, asked))
    // Whatever is not read any more: an end of the other side must be noticed.
    socket.on('end', () => socket.destroy())
    socket.resume()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const scheme = behaviour.tls ? 'https' : 'http'
  return {
    port,
    origin: `${scheme}://127.0.0.1:${port}`,
    open: () => sockets.size,
    connections: () => connections,
    sent: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, sent),
    async allClosed(ms = minutes(4)) {
      const end = performance.now() + ms
      while (sockets.size > 0 && performance.now() < end) await sleep(10)
      return sockets.size === 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** Each request of a connection, head and body of its declared length. */
function onRequests(socket: Socket, act: (asked: Asked) => void): void {
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    for (;;) {
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = text.slice(0, end)
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
      const chunked = /^transfer-encoding: *chunked/im.test(head)
      const rest = text.slice(end + 4)
      const last = chunked ? rest.indexOf('0\r\n\r\n') : length
      if (last < 0 || rest.length < last) return
      text = chunked ? rest.slice(last + 5) : rest.slice(length)
      const [, method = '', path = ''] = /^(\S+) (\S+)/.exec(head) ?? []
      const sent = rest.slice(0, last)
      const body = Buffer.from(chunked ? joinedChunks(sent) : sent, 'latin1').toString()
      act({ method, path, body })
    }
  })
}

/** Joins the chunks of a body in chunked coding, without the last, empty one. */
function joinedChunks(sent: string): string {
  let body = ''
  for (let at = 0; at < sent.length; ) {
    const start = sent.indexOf('\r\n', at) + 2
    const length = Number.parseInt(sent.slice(at, start), 16)
    body += sent.slice(start, start + length)
    at = start + length + 2
  }
  return body
}

/** Writes again and again, as fast as it is read, until the connection is gone. */
export function forever(socket: Socket, next: () => string | Buffer): void {
  const more = (): void => {
    while (!socket.destroyed && socket.writable) {
      if (!socket.write(next())) return void socket.once('drain', more)
    }
  }
  more()
}

/** Writes one piece each `ms` until the connection is gone. */
export function drip(socket: Socket, next: () => string | Buffer, ms = 50): void {
  const timer = setInterval(() => {
    if (socket.destroyed || !socket.writable) clearInterval(timer)
    else socket.write(next())
  }, ms)
  socket.on('close', () => clearInterval(timer))
}
