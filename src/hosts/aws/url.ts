/**
 * A function URL of Lambda as `fetch`: its events become requests, answers become streams. Only
 * what this program needs of the event's format (payload version 2.0) is named here.
 */

import type { App } from '../../http/route.ts'

export interface UrlEvent {
  /** As it was sent, without repairs. */
  readonly rawPath: string
  readonly rawQueryString: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly requestContext: {
    readonly domainName: string
    readonly http: { readonly method: string }
  }
  readonly body?: string
  readonly isBase64Encoded?: boolean
}

/** What Lambda gives a streaming handler to write to. */
export interface ResponseStream {
  write(chunk: Uint8Array | string, done?: (error?: Error | null) => void): unknown
  end(): void
  on(event: 'close' | 'error', heard: () => void): unknown
}
export interface Metadata {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
}
export type StreamingHandler = (event: UrlEvent, stream: ResponseStream) => Promise<void>

/** The two functions that Lambda's runtime adds to the global scope. */
export interface LambdaRuntime {
  streamifyResponse(handler: StreamingHandler): StreamingHandler
  readonly HttpResponseStream: {
    from(stream: ResponseStream, metadata: Metadata): ResponseStream
  }
}

export function requestOf(event: UrlEvent): Request {
  const { rawPath, rawQueryString, requestContext, body, isBase64Encoded } = event
  const query = rawQueryString === '' ? '' : `?${rawQueryString}`
  const headers = new Headers()
  for (const [name, value] of Object.entries(event.headers))
    if (value !== undefined) headers.set(name, value)
  const bytes = body === undefined ? null : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
  return new Request(`https://${requestContext.domainName}${rawPath}${query}`, {
    method: requestContext.http.method,
    headers,
    body: bytes,
  })
}

/** Answers through the app, piece by piece; a reader that goes away ends the stream's source. */
export async function answer(
  app: App,
  event: UrlEvent,
  stream: ResponseStream,
  runtime: LambdaRuntime,
): Promise<void> {
  const response = await app.fetch(requestOf(event), { target: event.rawPath })
  const headers = Object.fromEntries(response.headers)
  const out = runtime.HttpResponseStream.from(stream, { statusCode: response.status, headers })
  const reader = response.body?.getReader()
  let gone = false
  const leave = (): void => {
    gone = true
    reader?.cancel().catch(() => {})
  }
  out.on('error', leave)
  out.on('close', leave)
  // Without a single write the headers would never be sent.
  if (!reader) out.write('')
  while (reader && !gone) {
    const { done, value } = await reader.read()
    if (done) break
    await new Promise<void>((resolve) => out.write(value, () => resolve()))
  }
  out.end()
}
