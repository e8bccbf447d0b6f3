/**
 * Implements CORS: pages of other origins may read responses only if the operator lists their
 * origin (`STRATA_CORS_ORIGINS`). A preflight carries no credential, so only this list applies to
 * it; a tenant's policy can narrow the list for other responses. No response allows credentials, so
 * a page sends its key or token explicitly.
 */

import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { readPolicy } from '../../engine/tenant/policy.ts'
import type { World } from '../../ports/world.ts'
import { ANSWER_HEADERS } from './names.ts'
import type { Env } from './route.ts'

/** Time for which browsers cache a preflight response, in seconds. */
const MAX_AGE_SECONDS = 600
const ALLOW = 'access-control-allow-origin'

export function crossOrigin(world: World): MiddlewareHandler<Env> {
  const allowed = new Set(world.settings.corsOrigins)
  const corsHandler = cors({
    origin: [...allowed],
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: Object.keys(ANSWER_HEADERS),
    maxAge: MAX_AGE_SECONDS,
  })
  return async function crossingOrigins(c, next) {
    const origin = c.req.header('origin')
    const isPreflight = c.req.method === 'OPTIONS'
    const isAsked = !isPreflight || c.req.header('access-control-request-method') !== undefined
    if (origin === undefined || !allowed.has(origin) || !isAsked) {
      await next()
      // The response varies by origin, because a cache must not serve one origin the response to
      // another.
      if (allowed.size > 0) c.header('Vary', 'Origin', { append: true })
      return
    }
    const answer = await corsHandler(c, next)
    const principal = c.get('principal')
    if (isPreflight || !principal) return answer
    // The request is already processed, so an unreadable policy counts as a policy that allows no
    // origins.
    const policy = await readPolicy(world, principal.tenant).catch(() => undefined)
    const origins = policy === undefined ? [] : policy.policy.cors_origins
    if (origins !== null && !origins.includes(origin)) c.res.headers.delete(ALLOW)
    return answer
  }
}
