/**
 * Pages of other origins: none may read an answer, until the operator lists the origin
 * (`CORS_ORIGINS`). A page then sends its API key or token itself; cookies are never part of it,
 * because no answer allows credentials.
 */

import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { ANSWER_HEADERS } from './openapi/names.ts'
import type { Env } from './route.ts'

/** Browsers keep the answer to a preflight for so long. */
const MAX_AGE_SECONDS = 600

export function allowOrigins(origins: readonly string[]): MiddlewareHandler<Env> {
  const allowed = new Set(origins)
  const answer = cors({
    origin: [...allowed],
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    // No script reads a cookie that is set.
    exposeHeaders: Object.keys(ANSWER_HEADERS).filter((name) => name !== 'Set-Cookie'),
    maxAge: MAX_AGE_SECONDS,
  })
  return async function allowingOrigins(c, next) {
    const { method } = c.req
    const isKnown =
      method !== 'OPTIONS' || c.req.header('access-control-request-method') !== undefined
    if (isKnown && allowed.has(c.req.header('origin') ?? '')) return answer(c, next)
    await next()
    // A cache must not show one origin the answer to another.
    c.header('Vary', 'Origin', { append: true })
  }
}
