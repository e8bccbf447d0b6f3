/**
 * Serves HTTP on Node. The app receives each request target unmodified. A malformed request is
 * answered with a problem document.
 */

import {
  createServer,
  type IncomingMessage,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { PROBLEMS, type Refusal, refusal } from '../../core/problem.ts'
import { arrivedChunks } from '../../http/request/body.ts'
import { PROBLEM_TYPE, problemDocument } from '../../http/request/problem.ts'
import type { SeenRequest } from '../../http/request/request-log.ts'
import type { App } from '../../http/request/route.ts'
import { random } from '../../lib/id.ts'
import { systemClock } from '../shared/clock.ts'
import { PiecedResponse } from './large-responses.ts'
import { JoinedRequest } from './small-chunks.ts'

export interface Listening {
  readonly url: string
  /** Frees the port, closes open connections, and waits for running request handlers. */
  close(): Promise<void>
}

const MAX_HEADER_BYTES = 16_384
/** Maximum number of requests of a connection that wait for an earlier response; more close it. */
const MAX_PIPELINED = 100
/**
 * Time-outs in milliseconds that limit how long a slow client can occupy a connection. Idle
 * connections outlive the one-minute limit of load balancers, because closing a connection that a
 * balancer is reusing would fail the request.
 */
const BOUNDS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 2_000,
} as const

const CLASSES = { IncomingMessage: JoinedRequest, ServerResponse: PiecedResponse } as const

/** Serves the app at an address; rejects if the address cannot be bound. */
export async function listen(
  app: App,
  { host, port }: { readonly host: string; readonly port: number },
  onRefused: OnRefused = () => {},
  bounds: ServerOptions = {},
): Promise<Listening> {
  const listener = getRequestListener(
    (request, { incoming }) => {
      if (incoming instanceof JoinedRequest && incoming.isChunked)
        arrivedChunks.set(request, incoming.arrived)
      return app.fetch(request, {
        target: incoming.url ?? '',
        address: incoming.socket.remoteAddress,
      })
    },
    { hostname: host, errorHandler: (error) => unreadable((error as Error).message, onRefused) },
  )
  const answers = underWay()
  const answer: typeof listener = (incoming, outgoing) => answers.add(listener(incoming, outgoing))
  const inTurn = pipelining(answer, onRefused)
  // Node's own response to a missing Host header has no problem document.
  const server = createServer(
    { ...BOUNDS, ...bounds, ...CLASSES, requireHostHeader: false },
    (incoming, outgoing) => {
      const wrong = ambiguous(incoming)
      if (wrong === undefined) return void inTurn(incoming, outgoing)
      refuse(outgoing, wrong, incoming, onRefused)
    },
  )
  server.on('checkExpectation', (incoming, outgoing) => {
    refuse(outgoing, 'The only supported expectation is 100-continue.', incoming, onRefused)
  })
  server.on('connect', (incoming, socket) => {
    socket.on('error', () => {})
    const problem = refusal('method_not_allowed', 'This server is not a proxy.')
    socket.end(asText(problem, incoming, onRefused))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    // A request whose client disconnected is already logged by its handler.
    const report = error.code === 'HPE_INVALID_EOF_STATE' ? () => {} : onRefused
    socket.end(asText(unparsed(error.code), NO_REQUEST, report))
    // Without this, a client that continues to send would keep the connection half-open
    // indefinitely.
    socket.destroySoon()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const name = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${name}:${(server.address() as AddressInfo).port}`,
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      // A handler continues after its client disconnects and may be between a read and a commit.
      await answers.settled()
    },
  }
}

/**
 * Handles the requests of a connection one after another. Node itself handles pipelined requests at
 * once and keeps their responses in memory, however many there are, until the client reads them.
 */
function pipelining(
  handle: (incoming: IncomingMessage, outgoing: ServerResponse) => unknown,
  onRefused: OnRefused,
) {
  const waiting = new WeakMap<Socket, number>()
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    // A response has no socket while the response before it is incomplete.
    if (outgoing.socket !== null) return void handle(incoming, outgoing)
    const { socket } = incoming
    const count = (waiting.get(socket) ?? 0) + 1
    waiting.set(socket, count)
    if (count > MAX_PIPELINED) {
      // Node may already have parsed more requests of the connection; the first one is logged.
      if (count === MAX_PIPELINED + 1) logged('rate_limited', incoming, onRefused)
      return void socket.destroy()
    }
    outgoing.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
      handle(incoming, outgoing)
    })
  }
}

/** Tracks pending promises. Rejections are reported by the code that created the promises. */
function underWay() {
  const promises = new Set<Promise<unknown>>()
  return {
    add<T>(promise: Promise<T>): Promise<T> {
      const remove = (): unknown => promises.delete(promise)
      promises.add(promise)
      promise.then(remove, remove)
      return promise
    },
    settled: (): Promise<unknown> => Promise.allSettled(promises),
  }
}

/** Returns the rejection that corresponds to an error code of Node's HTTP parser. */
function unparsed(code: string | undefined): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return refusal('headers_too_large', `The headers exceed ${MAX_HEADER_BYTES} bytes.`)
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refusal('request_timeout', 'The request did not arrive in time.')
    default:
      return refusal('malformed_request', 'The data on the connection is not an HTTP request.')
  }
}

/**
 * Returns what is wrong with the Host header; undefined if it is valid. Two parsers could read a
 * repeated header differently, and Node silently keeps the first value.
 */
function ambiguous({ rawHeaders, httpVersionMinor }: IncomingMessage): string | undefined {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) return 'The request has more than one Host header.'
  return hosts === 0 && httpVersionMinor === 1 ? 'The request has no Host header.' : undefined
}

function refuse(outgoing: ServerResponse, detail: string, sent: Sent, onRefused: OnRefused): void {
  const problem = refusal('malformed_request', detail)
  const body = documentOf(problem, sent, onRefused)
  const length = Buffer.byteLength(body)
  // The connection closes because data after a malformed request is not read.
  const headers = { 'content-type': PROBLEM_TYPE, 'content-length': length, connection: 'close' }
  outgoing.writeHead(400, headers).end(body)
}

/** Method and URL of a malformed request for the log; the URL's query is removed. */
type Sent = Pick<IncomingMessage, 'method' | 'url'>
const NO_REQUEST: Sent = { method: '', url: '' }
/** Called for each rejected request that never reaches the app. */
export type OnRefused = (request: SeenRequest) => void

/** Logs a rejected request and returns its ID. */
function logged(code: Refusal['code'], { method, url }: Sent, onRefused: OnRefused): string {
  const request_id = random('req', systemClock.random(17))
  const [status] = PROBLEMS[code]
  const [path = ''] = (url ?? '').split('?')
  onRefused({ request_id, method: method ?? '', path, status, duration_ms: 0 })
  return request_id
}

function documentOf(problem: Refusal, sent: Sent, onRefused: OnRefused): string {
  const request_id = logged(problem.code, sent, onRefused)
  return JSON.stringify(problemDocument(problem, { instance: '', request_id }))
}

const unreadable = (reason: string, onRefused: OnRefused): Response =>
  new Response(documentOf(refusal('malformed_request', `${reason}.`), NO_REQUEST, onRefused), {
    status: 400,
    headers: { 'content-type': PROBLEM_TYPE },
  })

function asText(problem: Refusal, sent: Sent, onRefused: OnRefused): string {
  const body = documentOf(problem, sent, onRefused)
  const [status] = PROBLEMS[problem.code]
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
