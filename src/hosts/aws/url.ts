/**
 * Adapts a Lambda function URL to `fetch`: events become requests, responses become streams. The
 * types contain only the members of the event format (payload version 2.0) that this program needs.
 */

import { refusal } from '../../core/problem.ts'
import { PROBLEM_TYPE, problemDocument } from '../../http/request/problem.ts'
import type { App } from '../../http/request/route.ts'
import { random } from '../../lib/id.ts'
import { systemClock } from '../shared/clock.ts'

export interface UrlEvent {
  /** Request path as sent, without normalization. */
  readonly rawPath: string
  readonly rawQueryString?: string
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Request cookies, which a function URL removes from the headers. */
  readonly cookies?: readonly string[]
  readonly requestContext: {
    readonly domainName: string
    readonly http: { readonly method: string; readonly sourceIp?: string }
  }
  readonly body?: string
  readonly isBase64Encoded?: boolean
}

/** Stream to which a Lambda handler writes its response. */
export interface ResponseStream {
  write(chunk: Uint8Array | string, done?: (error?: Error | null) => void): unknown
  end(): void
  on(event: 'close' | 'error', listener: () => void): unknown
}
export interface Metadata {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  /** Values of the `Set-Cookie` headers, which must not be in `headers`. */
  readonly cookies?: readonly string[]
}
export interface Context {
  getRemainingTimeInMillis(): number
}
export type StreamingHandler = (
  event: UrlEvent,
  stream: ResponseStream,
  context: Context,
) => Promise<void>

/** Functions that the Lambda runtime adds to the global scope. */
export interface LambdaRuntime {
  streamifyResponse(handler: StreamingHandler): StreamingHandler
  readonly HttpResponseStream: {
    from(stream: ResponseStream, metadata: Metadata): ResponseStream
  }
}

/** Application that answers requests, or a replacement for it. */
type Answering = Pick<App, 'fetch'>

/**
 * Time before the function's time-out at which streams end, in milliseconds; otherwise they would
 * be cut off in the middle of a chunk.
 */
const LEAVE_MS = 10_000

/** HTTP methods whose body is dropped, because a `Request` does not allow one. */
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/**
 * Converts a function URL event to a request. Throws on invalid requests that Lambda permits, such
 * as the method `TRACE` or a header `é`.
 */
export function requestOf(event: UrlEvent): Request {
  const { rawPath, rawQueryString = '', headers: sent = {}, requestContext, body } = event
  const { method } = requestContext.http
  const query = rawQueryString === '' ? '' : `?${rawQueryString}`
  const headers = new Headers()
  for (const [name, value] of Object.entries(sent))
    if (value !== undefined) headers.set(name, value)
  if (event.cookies?.length) headers.set('cookie', event.cookies.join('; '))
  const encoding = event.isBase64Encoded ? 'base64' : 'utf8'
  const bytes = body === undefined || BODILESS.has(method) ? null : Buffer.from(body, encoding)
  const url = `https://${requestContext.domainName}${rawPath}${query}`
  return new Request(url, { method, headers, body: bytes })
}

/**
 * Streams the app's response in chunks. Its source is cancelled when the client disconnects, or
 * shortly before the function times out; clients that follow a run then reconnect.
 */
export async function answer(
  app: Answering,
  event: UrlEvent,
  stream: ResponseStream,
  { runtime, context }: { readonly runtime: LambdaRuntime; readonly context: Context },
): Promise<void> {
  const response = await responseTo(app, event)
  const cookies = response.headers.getSetCookie()
  response.headers.delete('set-cookie')
  const headers = Object.fromEntries(response.headers)
  const metadata = { statusCode: response.status, headers, ...(cookies.length > 0 && { cookies }) }
  const out = runtime.HttpResponseStream.from(stream, metadata)
  const reader = response.body?.getReader()
  let isClosed = false
  const leave = (): void => {
    isClosed = true
    reader?.cancel().catch(() => {})
  }
  out.on('error', leave)
  out.on('close', leave)
  const late = setTimeout(leave, context.getRemainingTimeInMillis() - LEAVE_MS)
  // Lambda sends the headers only with a write, so an empty body is written too.
  if (!reader) out.write('')
  while (reader && !isClosed) {
    const { done, value } = await reader.read()
    if (done) break
    await new Promise<void>((resolve) => out.write(value, () => resolve()))
  }
  clearTimeout(late)
  out.end()
}

async function responseTo(app: Answering, event: UrlEvent): Promise<Response> {
  let request: Request
  try {
    request = requestOf(event)
  } catch (error) {
    const place = { instance: '', request_id: random('req', systemClock.random(17)) }
    const detail = `${(error as Error).message}.`
    const problem = problemDocument(refusal('malformed_request', detail), place)
    const headers = { 'content-type': PROBLEM_TYPE }
    return new Response(JSON.stringify(problem), { status: 400, headers })
  }
  const address = event.requestContext.http.sourceIp
  return app.fetch(request, { target: event.rawPath, address })
}
