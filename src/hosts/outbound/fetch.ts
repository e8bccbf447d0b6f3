/**
 * Sends outbound requests for webhooks, MCP, and `web_fetch`. Every request is checked by
 * `guard.ts`, no redirect is followed, and the response size is limited. Workers use the platform's
 * `fetch` (strictly public); Node uses a transport that pins the vetted address.
 */

import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { TLS_FAILED, type Web, type WebAnswer, type WebRequest } from '../../ports/world.ts'
import { Deadline, type DeadlineOptions } from './deadline.ts'
import { checkUrl, UNKNOWN_HOST, type UrlPolicy } from './guard.ts'

/** Subset of `fetch` that outbound requests use. Request bodies are strings. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** Error thrown for a rejected outbound request; its message can be shown to users. */
export class OutboundRefused extends Error {
  override readonly name = 'Refused'
}

const MAX_HEADERS = 100
const MAX_HEADER_BYTES = 16_384
/** Response headers that affect a client instead of describing the body. */
const DROPPED_HEADERS: ReadonlySet<string> = new Set([
  'set-cookie',
  'set-cookie2',
  'refresh',
  'link',
])

/**
 * Returns a `fetch` that enforces the URL policy and follows no redirects. Rejects like the
 * standard `fetch`.
 */
export function guardedFetch(policy: UrlPolicy, connect: Fetch): Fetch {
  return async (url, init) => {
    const checked = checkUrl(String(url), policy)
    if (!checked.ok) throw new OutboundRefused(checked.error)
    return connect(checked.value, { ...init, redirect: 'manual' })
  }
}

export function createWeb(policy: UrlPolicy, connect: Fetch): Web {
  const door = guardedFetch(policy, connect)
  const check: Web['check'] = (url) => {
    const checked = checkUrl(url, policy)
    return checked.ok ? undefined : checked.error
  }
  return { check, send: sendThrough(door) }
}

/** Sends outbound requests through the given `fetch`, with size and time limits. */
export const sendThrough =
  (door: Fetch): Web['send'] =>
  async (request, signal) => {
    const deadline = new Deadline({ totalMs: request.timeoutMs, signals: [signal] })
    try {
      const { method, url, headers, body = null } = request
      const init = { method, headers, signal: deadline.signal, body }
      const response = await deadline.race(door(url, init))
      if (request.bodyMs === undefined) return await deadline.race(answerOf(response, request))
      // The response status arrived in time; the body has a separate time-out.
      deadline.close()
      return await answerOf(response, request, signal)
    } catch (error) {
      if (signal?.aborted) return fail('the request was aborted')
      if (deadline.ended) return fail(`timed out after ${request.timeoutMs} ms`)
      return fail(sentence(error))
    } finally {
      deadline.close()
    }
  }

async function answerOf(
  response: Response,
  { maxBytes, bodyMs }: WebRequest,
  signal?: AbortSignal,
): Promise<Outcome<WebAnswer, string>> {
  const headers = headersOf(response)
  if (headers === undefined) {
    await response.body?.cancel()
    return fail('the response has too many headers')
  }
  const { bytes, cut } =
    bodyMs === undefined
      ? await read(response, maxBytes)
      : await readBriefly(response, maxBytes, { totalMs: bodyMs, signals: [signal] })
  let text: string | undefined
  return ok({
    status: response.status,
    headers: headers,
    bytes,
    cut,
    // The body text is decoded lazily, because megabytes of an image need no text form.
    get body() {
      text ??= new TextDecoder().decode(bytes)
      return text
    },
  })
}

function headersOf(response: Response): Record<string, string> | undefined {
  const headers: Record<string, string> = {}
  let count = 0
  let bytes = 0
  for (const [name, value] of response.headers) {
    count += 1
    bytes += name.length + value.length
    if (!DROPPED_HEADERS.has(name)) headers[name] = value
  }
  return count > MAX_HEADERS || bytes > MAX_HEADER_BYTES ? undefined : headers
}

type Body = Required<Pick<WebAnswer, 'bytes' | 'cut'>>

/** Reads decoded response bytes up to the limit, and then closes the connection. */
async function read({ body }: Response, maxBytes: number): Promise<Body> {
  const pieces: Uint8Array[] = []
  const cut = body !== null && (await readInto(pieces, body.getReader(), maxBytes))
  return { bytes: joined(pieces), cut }
}

/** Reads a response body until it ends, fails, or times out, and then closes the connection. */
export async function readBriefly(
  { body }: Response,
  maxBytes: number,
  options: DeadlineOptions,
): Promise<Body> {
  const pieces: Uint8Array[] = []
  if (body === null) return { bytes: joined(pieces), cut: false }
  const reader = body.getReader()
  const deadline = new Deadline(options)
  try {
    const cut = await deadline.race(readInto(pieces, reader, maxBytes))
    return { bytes: joined(pieces), cut }
  } catch {
    reader.cancel().catch(() => {})
    return { bytes: joined(pieces), cut: true }
  } finally {
    deadline.close()
  }
}

/** Reads a response body into a buffer; resolves to true if the body exceeds the limit. */
async function readInto(
  pieces: Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<boolean> {
  let remaining = maxBytes
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return false
    pieces.push(value.subarray(0, remaining))
    remaining -= value.length
    if (remaining < 0) {
      // The cancellation is not awaited, because the peer may never confirm it.
      reader.cancel().catch(() => {})
      return true
    }
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces
  if (only !== undefined && pieces.length === 1) return only
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

/**
 * Describes a request failure without the error's text, which may contain addresses or headers and
 * reveal the internal network.
 */
function sentence(error: unknown): string {
  const refusal = refusedIn(error)
  if (refusal) return refusal.message
  const code = codeOf(error)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return UNKNOWN_HOST
  return tlsTrouble(code) ?? 'the connection failed'
}

/** Describes a TLS failure by its system or OpenSSL code; returns undefined for other codes. */
export function tlsTrouble(code: string): string | undefined {
  if (/CERT|ALTNAME|VERIFY|SIGNATURE|HOSTNAME/.test(code))
    return `${TLS_FAILED}the host has no valid certificate`
  return /TLS|SSL|^EPROTO$/.test(code) ? `${TLS_FAILED}the host does not support TLS` : undefined
}

/** Returns the `OutboundRefused` error among the error's causes, if any. */
export const refusedIn = (error: unknown): OutboundRefused | undefined =>
  causes(error).find((cause) => cause instanceof OutboundRefused)

/** Returns an error and its causes, outermost first. */
export function causes(error: unknown, depth = 6): readonly unknown[] {
  if (typeof error !== 'object' || error === null || depth === 0) return []
  return [error, ...causes((error as { cause?: unknown }).cause, depth - 1)]
}

/**
 * Returns the system code of the error's innermost cause, for example `ECONNREFUSED`, or an empty
 * string.
 */
export function codeOf(error: unknown): string {
  const codes = causes(error).map((cause) => (cause as { code?: unknown }).code)
  return codes.findLast((code) => typeof code === 'string') ?? ''
}
