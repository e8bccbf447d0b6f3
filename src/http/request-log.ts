/** A request and its answer as the log records them: who, what, how long. Nothing of the bodies. */

import type { Context } from 'hono'
import type { Env } from './route.ts'

export interface SeenRequest {
  readonly request_id: string
  readonly tenant?: string | undefined
  readonly key_id?: string | undefined
  /** The token in place of the key itself, which made it. */
  readonly token_id?: string | undefined
  /** The console in a browser, signed in with the key. */
  readonly browser_session_id?: string | undefined
  readonly run_id?: string | undefined
  readonly fanout_id?: string | undefined
  readonly session_id?: string | undefined
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** The route's own path, `/v1/runs/{id}`; absent: none was found. */
  readonly route?: string | undefined
  readonly status: number
  /** Until the answer began: a stream goes on after it. */
  readonly duration_ms: number
}

const NAMED = /\/(run|fanout|session)s\/([a-z]+_[0-9a-z]+)/

export function seenRequest(c: Context<Env>, ms: number): SeenRequest {
  const principal = c.get('principal')
  const path = pathOf(c.req.url)
  const [, kind, id] = NAMED.exec(c.res.headers.get('location') ?? path) ?? []
  return {
    request_id: c.get('requestId'),
    tenant: principal?.tenant,
    key_id: principal?.key_id,
    ...(principal?.token ? { token_id: principal.token.id } : {}),
    ...(principal?.browser ? { browser_session_id: principal.browser.id } : {}),
    ...(kind === undefined ? {} : { [`${kind}_id`]: id }),
    method: c.req.method,
    path,
    route: c.get('route'),
    // Nobody read the answer: what most logs call it.
    status: c.req.raw.signal.aborted ? CLIENT_GONE : c.res.status,
    duration_ms: Math.round(ms),
  }
}
const CLIENT_GONE = 499

/** Of a complete address. */
function pathOf(url: string): string {
  const rest = url.slice(url.indexOf('/', url.indexOf('://') + 3))
  const end = rest.search(/[?#]/)
  return end < 0 ? rest : rest.slice(0, end)
}
