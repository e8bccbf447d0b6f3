/** Logs each request and its response: caller, route, and duration. Bodies are never logged. */

import type { Context } from 'hono'
import { withoutToken } from '../../core/token.ts'
import type { Env } from './route.ts'

export interface SeenRequest {
  readonly request_id: string
  readonly tenant?: string | undefined
  readonly key_id?: string | undefined
  /** ID of the request's token; absent for a request with a key. */
  readonly token_id?: string | undefined
  readonly run_id?: string | undefined
  readonly fanout_id?: string | undefined
  readonly session_id?: string | undefined
  readonly method: string
  /** Request path without the query and without tokens. */
  readonly path: string
  /** Path pattern of the matched route, such as `/v1/runs/{id}`; absent if no route matched. */
  readonly route?: string | undefined
  readonly status: number
  /** Time until the response started, in milliseconds; a stream continues afterwards. */
  readonly duration_ms: number
  /** Number of ignored request members and items; absent if none were ignored. */
  readonly ignored?: number | undefined
}

const NAMED_ID = /\/(run|fanout|session)s\/([a-z]+_[0-9a-z]+)/

export function seenRequest(c: Context<Env>, ms: number): SeenRequest {
  const principal = c.get('principal')
  const path = withoutToken(new URL(c.req.url).pathname)
  const [, kind, id] = NAMED_ID.exec(c.res.headers.get('location') ?? path) ?? []
  return {
    request_id: c.get('requestId'),
    tenant: principal?.tenant,
    key_id: principal?.key_id,
    token_id: principal?.token?.id,
    ...(kind === undefined ? {} : { [`${kind}_id`]: id }),
    method: c.req.method,
    path,
    route: c.get('route'),
    // Status 499, as in most HTTP logs, for a response that the client did not read.
    status: c.req.raw.signal.aborted ? CLIENT_GONE : c.res.status,
    duration_ms: Math.round(ms),
    ignored: c.get('ignored')?.length,
  }
}
const CLIENT_GONE = 499
