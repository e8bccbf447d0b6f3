/**
 * Rejects every changing request while the server is paused, so that a copy of a deployment only
 * shows its data. Users can still sign in.
 */

import type { MiddlewareHandler } from 'hono'
import { refusal } from '../../core/problem.ts'
import type { Settings } from '../../ports/world.ts'
import { SIGN_IN } from './auth.ts'
import { RequestRefused } from './problem.ts'
import type { Env } from './route.ts'

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Routes allowed while paused: they read by POST, or change only the sign-in. */
const ALLOWED = [SIGN_IN, '/v1/sign-in-links', '/v1/resolve']

const PAUSED = refusal(
  'unavailable',
  'This server is paused (STRATA_PAUSED) and allows only reads. Start it without the ' +
    'setting, or send the request to the server that this one was copied from.',
)

export function whilePaused({ paused }: Pick<Settings, 'paused'>): MiddlewareHandler<Env> {
  return async function refusingChanges(c, next) {
    const { method, path } = c.req
    const isAllowed = ALLOWED.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
    if (paused && !READS.has(method) && !isAllowed)
      throw new RequestRefused(PAUSED, { 'retry-after': '60' })
    await next()
  }
}
