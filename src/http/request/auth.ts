/**
 * Authenticates requests to all paths under /v1 by `Authorization: Bearer <key>`, or by the cookie
 * of a browser session. The credential alone determines the tenant.
 */

import type { Context, MiddlewareHandler } from 'hono'
import { LINK_PATH } from '../../core/token.ts'
import { DEFAULT_TENANT } from '../../engine/partition/keys.ts'
import { type Principal, readKey } from '../../engine/tenant/api-keys.ts'
import { verifyBrowserSession } from '../../engine/tenant/browser-sessions.ts'
import { verifyCredential } from '../../engine/tenant/credentials.ts'
import { isToken } from '../../engine/tenant/tokens.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { whileValid } from '../stream/credential-check.ts'
import { admitKey, isAddressAllowed } from './admission.ts'
import { crossSite, sessionCookies } from './browser-cookie.ts'
import { RequestRefused, refuse } from './problem.ts'
import { queryToken } from './query-token.ts'
import type { Env } from './route.ts'
import { admitTenant } from './tenant-state.ts'

/** Matches paths of inbound hooks, which require a signature instead of a key. */
const SIGNED = /^\/v1\/hooks\/[^/]+$/
const KEYED_METHODS = new Set(['GET', 'HEAD', 'PATCH', 'DELETE'])

/** Path of downloads, whose signed links need no key. */
const LINKED = '/v1/downloads'
/**
 * Path of the OAuth callback, which a user's browser requests without a key; the callback's `state`
 * is sealed.
 */
export const CALLBACK = '/v1/oauth/callback'
const OPEN = new Set([LINKED, CALLBACK])
/** Path of the sign-in request, whose body contains the credential. */
export const SIGN_IN = '/v1/browser-sessions'

const BEARER = /^bearer ([^\s,]+)$/i

/** Authenticates requests as the operator on endpoints that the operator has made public. */
export const asOperator: MiddlewareHandler<Env> = (c, next) => {
  c.set('principal', { tenant: DEFAULT_TENANT, key_id: '', scopes: ['metrics:read'] })
  return next()
}

/**
 * Returns the response unchanged, except that an open event stream ends when its credential ends.
 */
export const endingWithKey = (
  c: Context<Env>,
  answer: Response,
  world: World,
  text: string,
): Response => endingWith(c, answer, world, () => verifyCredential(world, text))

/** Verifies a credential; the error is a sentence for the 401 response. */
type Verify = () => Promise<Outcome<Principal, string>>

function endingWith(c: Context<Env>, answer: Response, world: World, verify: Verify): Response {
  return whileValid(answer, world.clock, async () => {
    const principal = await verify()
    if (!principal.ok) return false
    if (principal.value.identity) return true
    const key = await readKey(world, principal.value.key_id)
    return key !== undefined && isAddressAllowed(c, world, key)
  })
}

/**
 * Returns the request's API key or token. Without either, returns the cookie of a browser session
 * for paths under `/v1`.
 */
function credentialOf(c: Context<Env>, world: World): Verify {
  if (c.req.path.startsWith(LINK_PATH)) return linkCredential(c.req.path, world)
  const header = c.req.header('authorization')
  if (header?.includes(','))
    throw refuse('invalid_header', 'The Authorization header was sent twice.')
  const text = queryToken(c) ?? BEARER.exec(header ?? '')?.[1]
  if (text !== undefined) return () => verifyCredential(world, text)
  const [secret, ...more] =
    header === undefined && c.req.path.startsWith('/v1/') ? sessionCookies(c, world) : []
  if (secret === undefined) throw refuse('unauthorized', 'Send `Authorization: Bearer <API key>`.')
  if (more.length > 0) throw refuse('invalid_header', 'The session cookie was sent twice.')
  const foreign = crossSite(c, world)
  if (foreign) throw new RequestRefused(foreign)
  return async () => {
    const principal = await verifyBrowserSession(world, secret)
    return principal ? ok(principal) : fail('Invalid browser session.')
  }
}

/**
 * Returns the token of a signed link. An `Authorization` header is ignored, because a proxy may add
 * it.
 */
function linkCredential(path: string, world: World): Verify {
  const text = path.slice(LINK_PATH.length)
  const invalid = fail('Invalid link: it expired, was revoked, or is truncated.')
  return async () => {
    const principal = isToken(text) ? await verifyCredential(world, text) : invalid
    return principal.ok ? principal : invalid
  }
}

export function authenticate(world: World): MiddlewareHandler<Env> {
  return async function authenticated(c, next) {
    if (!KEYED_METHODS.has(c.req.method) && SIGNED.test(c.req.path)) return next()
    if (c.req.method === 'GET' && OPEN.has(c.req.path)) return next()
    if (c.req.method === 'POST' && c.req.path === SIGN_IN) return next()
    const verify = credentialOf(c, world)
    const principal = await verify()
    if (!principal.ok) throw refuse('unauthorized', principal.error)
    c.set('principal', principal.value)
    await admitKey(c, world, principal.value)
    await admitTenant(c, world, principal.value.tenant)
    await next()
    const answer = endingWith(c, c.res, world, verify)
    if (answer !== c.res) c.res = answer
  }
}
