/**
 * HTTP requests with the API key, a time-out, and the retries that the server's responses allow.
 */

import { ConnectionError, ProblemError, StrataError, TimeoutError } from './errors.ts'

export interface ClientOptions {
  /** Base URL of the server; defaults to STRATA_URL, else `http://127.0.0.1:8787`. */
  readonly url?: string | undefined
  /** API key of the tenant; defaults to STRATA_API_KEY. */
  readonly apiKey?: string | undefined
  /**
   * Set to `cookie` by pages of the deployment itself, which use the browser session instead of a
   * key.
   */
  readonly credentials?: 'cookie'
  /**
   * Time-out of one attempt in milliseconds; the requested waiting time for a run is added.
   * Default: 60,000.
   */
  readonly timeoutMs?: number
  /**
   * Maximum number of retries per request. Only requests that may succeed within two minutes are
   * retried. Default: 4.
   */
  readonly retries?: number
  /** Called before a request is retried. */
  readonly onRetry?: (error: StrataError, pauseMs: number) => void
  /** `fetch` implementation to use; defaults to the platform's. */
  readonly fetch?: typeof fetch
}

/** Options that every method accepts as its last argument. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number
  readonly retries?: number
  /**
   * Idempotency key of a create request: requests with the same key count as one. Default: a new
   * key per request.
   */
  readonly idempotencyKey?: string
  /** `ETag` that the resource must still have; `*` requires only that the resource exists. */
  readonly ifMatch?: string
  /**
   * `*` requires that the resource does not exist. With an `ETag`, the body is returned only if the
   * resource has changed.
   */
  readonly ifNoneMatch?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface Request extends CallOptions {
  readonly method: string
  /** Request path with its parameters filled in. */
  readonly path: string
  readonly query?: object | undefined
  /** Request body, sent as JSON unless it consists of bytes. */
  readonly body?: unknown
  /** Whether the request creates a resource and accepts an idempotency key. */
  readonly keyed?: boolean
}

export type Http = (request: Request) => Promise<Response>

const TIMEOUT_MS = 60_000
const RETRIES = 4
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 30_000
/** Longest `Retry-After` that retries wait for: an earlier retry would be refused, too. */
const LATEST_RETRY_MS = RETRIES * LONGEST_PAUSE_MS
const LATER: ReadonlySet<number> = new Set([429, 502, 503, 504])
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE'])

/**
 * Creates the HTTP functions. Requests throw `ProblemError`, `TimeoutError`, `ConnectionError`, or
 * the abort reason of the caller's signal.
 */
export function httpOf(options: ClientOptions): Http {
  const env = (globalThis as { process?: { env?: Record<string, string> } }).process?.env ?? {}
  const byCookie = options.credentials === 'cookie'
  const apiKey = byCookie ? undefined : (options.apiKey ?? env.STRATA_API_KEY)
  if (!apiKey && !byCookie)
    throw new StrataError('API key not found; pass `apiKey` or set STRATA_API_KEY')
  const url = (options.url ?? (env.STRATA_URL || 'http://127.0.0.1:8787')).replace(/\/+$/, '')
  const send = options.fetch ?? fetch
  return async (request) => {
    const { retries = options.retries ?? RETRIES, signal } = request
    const init = initOf(request, apiKey ? { authorization: `Bearer ${apiKey}` } : BY_COOKIE)
    const timeoutMs = request.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await once(send, `${url}${request.path}${queryOf(request.query)}`, init, {
          ...{ timeoutMs, signal, url },
        })
      } catch (error) {
        if (!(error instanceof StrataError) || attempt >= retries || !mayPass(error, init))
          throw error
        const pauseMs = pauseAfter(error, attempt)
        options.onRetry?.(error, pauseMs)
        await sleep(pauseMs, signal)
      }
    }
  }
}

/** Header that a form on another site cannot send, required with cookies. */
const BY_COOKIE = { 'strata-console': '1' }

interface Init {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string | Uint8Array<ArrayBuffer> | Blob
}

function initOf(request: Request, credential: Readonly<Record<string, string>>): Init {
  const { method, body, keyed: isKeyed, idempotencyKey, ifMatch, ifNoneMatch } = request
  const headers: Record<string, string> = {
    ...credential,
    ...(isKeyed ? { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() } : {}),
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
    ...request.headers,
  }
  if (body === undefined) return { method, headers }
  if (body instanceof Uint8Array || body instanceof Blob) {
    headers['content-type'] ??= 'application/octet-stream'
    return { method, headers, body: body as Uint8Array<ArrayBuffer> | Blob }
  }
  headers['content-type'] ??= 'application/json'
  return { method, headers, body: JSON.stringify(body) }
}

/**
 * Encodes query parameters: lists as one comma-separated value, objects such as `metadata` as one
 * value per member.
 */
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
    if (late.signal.aborted)
      throw new TimeoutError(`no response from ${url} within ${timeoutMs} ms`)
    throw new ConnectionError(`could not reach the server at ${url} (${reasonOf(error)})`, {
      cause: error,
    })
  } finally {
    clearTimeout(timer)
  }
}

const reasonOf = (error: unknown): string =>
  (error as { cause?: { message?: string } }).cause?.message ?? String(error)

/**
 * Whether a request that may already have been processed can be retried: only if it is idempotent.
 */
function mayPass(error: StrataError, { method, headers }: Init): boolean {
  if (error instanceof ProblemError) {
    const { status, code, retryAfterMs } = error
    // A full quota of resources has no time; only a deletion or a higher quota changes the answer.
    const isFull = code === 'quota_exceeded' && retryAfterMs === undefined
    return LATER.has(status) && !isFull && (retryAfterMs ?? 0) <= LATEST_RETRY_MS
  }
  const conditional = 'if-match' in headers || 'if-none-match' in headers
  return (
    'idempotency-key' in headers || method === 'GET' || (REPEATABLE.has(method) && !conditional)
  )
}

const pauseAfter = (error: StrataError, attempt: number): number => {
  const hint = error instanceof ProblemError ? error.retryAfterMs : undefined
  const backoffMs = FIRST_PAUSE_MS * 2 ** attempt * (0.75 + Math.random() / 2)
  return Math.min(LONGEST_PAUSE_MS, Math.max(hint ?? 0, backoffMs))
}

/** Waits for `ms` milliseconds; throws the signal's reason when aborted. */
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
