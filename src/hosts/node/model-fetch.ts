/**
 * Provides `fetch` for model calls, based on Node's HTTP client with one keep-alive agent per
 * scheme. Small streamed responses need less CPU time than with the global `fetch`. Redirects are
 * not followed.
 */

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { answerOrEnd } from './answer.ts'
import { bodyStream } from './body-stream.ts'

const KEEP_MS = 60_000

/** HTTP statuses whose responses must not have a body. */
const BODILESS = new Set([204, 205, 304])

export function modelFetch(): typeof fetch {
  const agents = {
    'http:': new HttpAgent({ keepAlive: true, keepAliveMsecs: KEEP_MS }),
    'https:': new HttpsAgent({ keepAlive: true, keepAliveMsecs: KEEP_MS }),
  }
  return (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const { method = 'GET', headers, body, signal } = init
    const secure = url.protocol === 'https:'
    const agent = agents[secure ? 'https:' : 'http:']
    const options = { method, agent, headers: plain(headers), ...(signal ? { signal } : {}) }
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const sent = (secure ? httpsRequest : httpRequest)(url, options)
      // A request is never retried here after a broken connection, even a previously idle one,
      // because the model may have received the request.
      answerOrEnd(sent, reject, (response) => resolve(answer(response)))
      sent.end(body as string | Uint8Array | undefined)
    })
  }
}

/**
 * Converts request headers to a plain object; creating and reading a `Headers` costs as much CPU
 * time as the request.
 */
function plain(headers: RequestInit['headers']): Record<string, string> {
  const isPlain = !Array.isArray(headers) && !(headers instanceof Headers)
  const entries = isPlain ? Object.entries(headers ?? {}) : [...new Headers(headers)]
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

function answer(response: IncomingMessage): Response {
  const { statusCode: status = 0, headers: raw } = response
  const headers: [string, string][] = Object.entries(raw).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? '']).map((item): [string, string] => [name, item]),
  )
  if (BODILESS.has(status)) {
    response.resume()
    return new Response(null, { status, headers })
  }
  return new Response(bodyStream(response), { status, headers })
}
