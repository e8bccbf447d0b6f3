/**
 * Connects outbound requests on Node: a `fetch` based on `node:http(s)` that can pin the connection
 * to the vetted addresses. A host name is rejected unless all of its addresses are allowed. Neither
 * a second A record nor DNS rebinding reaches the internal network.
 */

import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import http, { type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { getOwn } from '../../lib/own-member.ts'
import { type Fetch, OutboundRefused } from '../outbound/fetch.ts'
import {
  isOwnAddress,
  mayConnect,
  OWN_URL,
  UNKNOWN_HOST,
  type UrlPolicy,
} from '../outbound/guard.ts'
import { answerOrEnd } from './answer.ts'
import { bodyStream } from './body-stream.ts'

/** Resolves a host name to all of its IP addresses. */
export type Resolve = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

const CONNECT_MS = 5_000
const IDLE_MS = 15_000
const MAX_HEADER_BYTES = 16_384
const MAX_HEADERS = 100

const system: Resolve = (hostname, done) => systemLookup(hostname, { all: true }, done)

/**
 * Creates a `fetch` that rejects like the standard function and supports only text and bytes as
 * bodies. Call it through `guardedFetch`.
 */
export function pinnedFetch(policy: UrlPolicy, resolve: Resolve = system): Fetch {
  const options = { keepAlive: true, timeout: IDLE_MS }
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) }
  const lookup = vetted(policy, resolve)
  return async (input, init = {}) => {
    // The signal is checked first, because an unused connection would be kept alive.
    init.signal?.throwIfAborted()
    const url = new URL(input)
    const secure = url.protocol === 'https:'
    const request: RequestOptions = {
      method: init.method ?? 'GET',
      headers: headersOf(init),
      agent: secure ? agents['https:'] : agents['http:'],
      lookup,
      maxHeaderSize: MAX_HEADER_BYTES,
      ...(init.signal ? { signal: init.signal } : {}),
    }
    return exchange(url, request, init, secure ? https.request : http.request)
  }
}

function headersOf(init: RequestInit): Record<string, string> {
  const headers = Object.fromEntries(new Headers(init.headers))
  headers['accept-encoding'] ??= 'gzip, br'
  headers['user-agent'] ??= 'strata'
  if (typeof init.body === 'string') {
    headers['content-length'] = String(Buffer.byteLength(init.body))
  }
  return headers
}

function vetted(policy: UrlPolicy, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, (error, addresses) => {
      if (error) return callback(error, [], 0)
      const allowed = addresses.every((entry) => mayConnect(hostname, entry.address, policy))
      const first = addresses[0]
      if (!allowed || !first) {
        const isOwn = addresses.some((entry) => isOwnAddress(entry.address, policy))
        const reason = isOwn ? OWN_URL : UNKNOWN_HOST
        const refusal: NodeJS.ErrnoException = new OutboundRefused(reason)
        return callback(refusal, [], 0)
      }
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

function exchange(
  url: URL,
  options: RequestOptions,
  init: RequestInit,
  send: typeof https.request,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = send(url, options)
    // Node's default limit drops excess headers silently; the limit below rejects the response.
    request.maxHeadersCount = 0
    request.once('socket', (socket) => {
      if (!socket.connecting) return
      const slow = () =>
        request.destroy(new OutboundRefused(`no connection within ${CONNECT_MS} ms`))
      const timer = setTimeout(slow, CONNECT_MS)
      const connected = () => clearTimeout(timer)
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', connected)
      socket.once('close', connected)
    })
    answerOrEnd(request, reject, (message) => resolve(responseOf(message)))
    request.end(init.body ?? undefined)
  })
}

function responseOf(message: IncomingMessage): Response {
  if (message.rawHeaders.length / 2 > MAX_HEADERS) {
    throw new OutboundRefused('the response has too many headers')
  }
  const headers = new Headers()
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    if (name === 'set-cookie') continue
    for (const value of values ?? []) headers.append(name, value)
  }
  const status = message.statusCode ?? 0
  if (status === 204 || status === 205 || status === 304) {
    message.resume()
    return new Response(null, { status, headers })
  }
  const body = decoded(message, headers)
  return new Response(bodyStream(body), { status, headers })
}

/**
 * Decodes one layer of response compression as a stream; readers limit the number of decoded bytes.
 */
function decoded(message: IncomingMessage, headers: Headers): Readable {
  const encoding = (headers.get('content-encoding') ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') return message
  const make = getOwn(DECODERS, encoding)
  // The response status is known, so an unsupported encoding fails only the reading of the body.
  if (!make)
    return message.destroy(new OutboundRefused('the response has an unsupported content encoding'))
  headers.delete('content-encoding')
  headers.delete('content-length')
  const decoder = make()
  message.once('error', (error) => decoder.destroy(error))
  decoder.once('close', () => message.destroy())
  return message.pipe(decoder)
}

const DECODERS: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
}
