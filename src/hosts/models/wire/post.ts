/** One HTTP request to a provider whose dialect is read here. */

import { traceHeaders } from '../../../core/trace/context.ts'
import { decode } from '../../../lib/bytes.ts'
import type { ModelRequest } from '../../../ports/world.ts'
import type { ModelExchange } from '../exchange.ts'
import { ProviderError } from './provider-error.ts'

export interface Server {
  /** Without a slash at its end. */
  readonly baseURL: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: typeof fetch
}

interface PostOptions {
  readonly exchange: ModelExchange
  readonly request?: ModelRequest
}

/** Bytes of an error's body that are read. */
const ERROR_BYTES = 65_536

/** Returns the body of the answer; throws `ProviderError` unless the status is a success. */
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
    // A redirect would carry the key along to wherever it points; it is an error instead.
    redirect: 'manual',
  })
  deadline.touch()
  if (response.ok) return response.body
  const { status, headers: answered } = response
  throw new ProviderError({ status, headers: answered, body: await errorBody(response) })
}

/** Parsed JSON, or the text; as much of it as could be read. */
async function errorBody({ body }: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = body?.getReader()
  try {
    while (reader && size < ERROR_BYTES) {
      const { done, value } = await reader.read()
      if (done) break
      chunks.push(value)
      size += value.length
    }
  } catch {
    // The status says enough.
  }
  reader?.cancel().catch(() => {})
  const text = decode(Buffer.concat(chunks))
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
