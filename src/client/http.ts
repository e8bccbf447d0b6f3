/** One request: the key, the time-out, and the tries that the server's answers allow. */

import { ConnectionError, ProblemError, StrataError, TimeoutError } from './errors.ts'

export interface ClientOptions {
  /**
   * Default: the variable STRATA_URL, else `http://127.0.0.1:8787`; by the cookie: the origin of the
   * page. `''` is that too.
   */
  readonly url?: string | undefined
  /** Default: the variable STRATA_API_KEY. */
  readonly apiKey?: string | undefined
  /**
   * `cookie`: for a page of the deployment itself, whose browser is signed in
   * (`browserSessions.create`). No key is sent then. Default: `key`.
   */
  readonly auth?: 'key' | 'cookie' | undefined
  /** How long one try may take, in milliseconds; waiting for a run comes on top. Default: 60,000. */
  readonly timeoutMs?: number
  /** How often a request is tried again where it may succeed later. Default: 4. */
  readonly retries?: number
  /** Called before a request is tried again. */
  readonly onRetry?: (error: StrataError, pauseMs: number) => void
  /** Default: the platform's. */
  readonly fetch?: typeof fetch
}

/** The last argument of every method. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number
  readonly retries?: number
  /** Of requests that create: the same key is the same request. Default: a key of its own. */
  readonly idempotencyKey?: string
  /** The `ETag` that the thing must still have; `*`: it must be there. */
  readonly ifMatch?: string
  /** `*`: it must not be there yet. An `ETag`: answer only what differs. */
  readonly ifNoneMatch?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface Request extends CallOptions {
  readonly method: string
  /** With its places filled. */
  readonly path: string
  readonly query?: object | undefined
  /** Becomes JSON, unless it is bytes. */
  readonly body?: unknown
  /** Whether it creates something and takes an Idempotency-Key. */
  readonly keyed?: boolean
}

export type Http = (request: Request) => Promise<Response>

const TIMEOUT_MS = 60_000
const RETRIES = 4
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 30_000
const LATER: ReadonlySet<number> = new Set([429, 502, 503, 504])
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE'])

/** Throws `ProblemError`, `TimeoutError` or `ConnectionError`, or the reason of the caller's signal. */
export function httpOf(options: ClientOptions): Http {
  const { url, access } = options.auth === 'cookie' ? byCookie(options) : byKey(options)
  const send = options.fetch ?? fetch
  return async (request) => {
    const { retries = options.retries ?? RETRIES, signal } = request
    const init = initOf(request, access)
    const timeoutMs = request.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS
    for (let tried = 0; ; tried += 1) {
      try {
        return await once(send, `${url}${request.path}${queryOf(request.query)}`, init, {
          ...{ timeoutMs, signal, url: url || 'the origin of the page' },
        })
      } catch (error) {
        if (!(error instanceof StrataError) || tried >= retries || !mayPass(error, init))
          throw error
        const pauseMs = pauseAfter(error, tried)
        options.onRetry?.(error, pauseMs)
        await sleep(pauseMs, signal)
      }
    }
  }
}

/** The part of every request by which it is let in. */
type Access = Pick<Init, 'headers' | 'credentials'>
interface Door {
  readonly url: string
  readonly access: Access
}

function byKey(options: ClientOptions): Door {
  const env = (globalThis as { process?: { env?: Record<string, string> } }).process?.env ?? {}
  const apiKey = options.apiKey ?? env.STRATA_API_KEY
  if (!apiKey) throw new StrataError('give `apiKey`, or set STRATA_API_KEY to an API key')
  const url = options.url ?? (env.STRATA_URL || 'http://127.0.0.1:8787')
  return { url: trimmed(url), access: { headers: { authorization: `Bearer ${apiKey}` } } }
}

/** The header shows that a page has made the request, which its browser then lets only ours send. */
function byCookie({ apiKey, url }: ClientOptions): Door {
  if (apiKey !== undefined) throw new StrataError('give `apiKey`, or `auth: "cookie"`, not both')
  const page = (globalThis as { location?: { origin?: string } }).location?.origin
  const access = { headers: { 'x-strata-console': '1' }, credentials: 'same-origin' } as const
  return { url: trimmed(url || page || ''), access }
}

const trimmed = (url: string): string => url.replace(/\/+$/, '')

interface Init {
  readonly method: string
  /** Absent: as the platform does by itself. */
  readonly credentials?: 'same-origin'
  readonly headers: Record<string, string>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

function initOf(request: Request, access: Access): Init {
  const { method, body, keyed, idempotencyKey, ifMatch, ifNoneMatch } = request
  const headers: Record<string, string> = {
    ...access.headers,
    ...(keyed ? { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() } : {}),
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
    ...request.headers,
  }
  const bare = { ...access, method, headers }
  if (body === undefined) return bare
  if (body instanceof Uint8Array) {
    headers['content-type'] ??= 'application/octet-stream'
    return { ...bare, body: body as Uint8Array<ArrayBuffer> }
  }
  headers['content-type'] ??= 'application/json'
  return { ...bare, body: JSON.stringify(body) }
}

/** Lists become one value with commas; objects such as `metadata` a value each. */
function queryOf(query: object = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    search.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

interface Bounds {
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly url: string
}

async function once(send: typeof fetch, to: string, init: Init, bounds: Bounds): Promise<Response> {
  const { timeoutMs, signal, url } = bounds
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeoutMs)
  const stop = signal ? AbortSignal.any([signal, late.signal]) : late.signal
  try {
    const response = await send(to, { ...init, signal: stop, redirect: 'error' })
    if (response.ok || response.status === 304) return response
    throw new ProblemError(response, await response.text())
  } catch (error) {
    if (error instanceof StrataError) throw error
    signal?.throwIfAborted()
    if (late.signal.aborted) throw new TimeoutError(`no answer from ${url} in ${timeoutMs} ms`)
    throw new ConnectionError(`no server answers at ${url} (${reasonOf(error)})`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

const reasonOf = (error: unknown): string =>
  (error as { cause?: { message?: string } }).cause?.message ?? String(error)

/** A request that may have been taken is sent again only where twice is once. */
function mayPass(error: StrataError, { method, headers }: Init): boolean {
  if (error instanceof ProblemError) return LATER.has(error.status)
  const conditional = 'if-match' in headers || 'if-none-match' in headers
  return (
    'idempotency-key' in headers || method === 'GET' || (REPEATABLE.has(method) && !conditional)
  )
}

const pauseAfter = (error: StrataError, tried: number): number => {
  const hint = error instanceof ProblemError ? error.retryAfterMs : undefined
  const own = FIRST_PAUSE_MS * 2 ** tried * (0.75 + Math.random() / 2)
  return Math.min(LONGEST_PAUSE_MS, Math.max(hint ?? 0, own))
}

/** Throws the signal's reason when it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
