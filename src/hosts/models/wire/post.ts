/** Sends an HTTP request to a provider whose protocol is implemented in this folder. */

import { traceHeaders } from '../../../core/trace/context.ts'
import type { ModelRequest } from '../../../ports/world.ts'
import { type ModelExchange, refusalOf } from '../exchange.ts'
import { ProviderError } from './provider-error.ts'

export interface Server {
  /** Base URL of the provider, without a trailing slash. */
  readonly baseURL: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: typeof fetch
}

interface PostOptions {
  readonly exchange: ModelExchange
  readonly request?: ModelRequest
}

/** Sends a request; returns the response body, or throws `ProviderError` on an error status. */
export async function post(
  { baseURL, headers, fetch }: Server,
  path: string,
  body: unknown,
  { exchange, request }: PostOptions,
): Promise<ReadableStream<Uint8Array> | null> {
  const { deadline } = exchange
  const response = await fetch(baseURL + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...headers,
      ...traceHeaders(request?.traceparent),
    },
    body: JSON.stringify(body),
    signal: deadline.signal,
    // A redirect is an error, because following the redirect would send the key to another host.
    redirect: 'manual',
  })
  deadline.touch()
  if (response.ok) return response.body
  const { status, headers: responseHeaders } = response
  const refusal = await refusalOf(response, exchange)
  throw new ProviderError({ status, headers: responseHeaders, body: await errorBody(refusal) })
}

/** Returns an error response's body as JSON or text; a partial body if reading fails. */
async function errorBody(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
