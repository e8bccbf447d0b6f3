/**
 * `Authorization: Bearer <key>` on everything under /v1, or in its place the cookie of the console.
 * The tenant comes from the key alone.
 */

import type { Context, MiddlewareHandler } from 'hono'
import { type Refusal, refusal } from '../core/problem.ts'
import { DEFAULT_TENANT } from '../engine/partition/keys.ts'
import { noteUse, type Principal, verifyKey } from '../engine/tenant/api-keys.ts'
import { verifyBrowserSession } from '../engine/tenant/browser-sessions.ts'
import { isIdentity, verifyIdentity } from '../engine/tenant/identity.ts'
import { countRequest } from '../engine/tenant/request-rate.ts'
import { suspendedRefusal } from '../engine/tenant/state.ts'
import { isToken, verifyToken } from '../engine/tenant/tokens.ts'
import { covered } from '../lib/address.ts'
import { fail, type Outcome, ok } from '../lib/outcome.ts'
import type { World } from '../ports/world.ts'
import { crossSite, sessionCookies } from './browser-cookie.ts'
import { clientAddress } from './client-address.ts'
import { granted, refuse } from './problem.ts'
import type { Env } from './route.ts'
import { endWithKey } from './stream/until-ended.ts'

/** A sender to an inbound hook shows a signature instead of a key; all else needs one. */
const SIGNED = /^\/v1\/hooks\/[^/]+$/
const KEYED = new Set(['GET', 'HEAD', 'PATCH', 'DELETE'])

/** A link to a file is its own key. */
const LINKED = '/v1/downloads'
/** A person's browser has no key; its state is sealed. */
export const CALLBACK = '/v1/oauth/callback'
const OPEN = new Set([LINKED, CALLBACK])

/** A browser without a key may come with a link that signs it in. */
export const SIGN_IN = '/v1/browser-sessions'

const BEARER = /^bearer ([^\s,]+)$/i

/** For doors that the operator has opened: no key is needed. */
export const asOperator: MiddlewareHandler<Env> = (c, next) => {
  c.set('principal', { tenant: DEFAULT_TENANT, key_id: '', scopes: ['metrics:read'] })
  return next()
}

/** Work that is worth neither a request's time nor its failure. */
function behindAnswer(c: Context<Env>, work: Promise<void> | undefined): void {
  if (!work) return
  // What went wrong is written by the next use.
  const quiet = work.catch(() => {})
  c.env?.after?.(quiet)
}

/** Of a key itself; tokens note nothing. */
export function noteKeyUse(c: Context<Env>, world: World, principal: Principal): void {
  const { token, until, key_id } = principal
  if (!token && until === undefined) behindAnswer(c, noteUse(world, key_id))
}

/** The owner of the key, known to the log from here on, also when the address is another. */
export async function admitted(
  c: Context<Env>,
  world: World,
  text: string,
): Promise<Outcome<Principal, Refusal>> {
  const way = isIdentity(world, text) ? verifyIdentity : isToken(text) ? verifyToken : verifyKey
  const principal = await way(world, text)
  if (principal) return welcomed(c, world, principal)
  const what = way !== verifyKey ? 'token is not valid, or no longer' : 'API key is not valid'
  return fail(refusal('unauthorized', `The ${what}.`))
}

/** The same for somebody who is known: within the rates, of a tenant at work, from an address. */
export async function welcomed(
  c: Context<Env>,
  world: World,
  principal: Principal,
): Promise<Outcome<Principal, Refusal>> {
  c.set('principal', principal)
  const counted = countRequest(world, principal)
  c.set('counted', counted)
  if (counted.refused) return fail(counted.refused)
  const suspended = await suspendedRefusal(world, principal.tenant)
  if (suspended) return fail(suspended)
  const { allowed_addresses: allowed } = principal
  if (allowed === undefined || covered(allowed, clientAddress(c, world) ?? '')) return ok(principal)
  // The address is named to nobody: what was seen may be that of a proxy.
  const detail = 'The API key counts from certain addresses only; this request comes from another.'
  return fail(refusal('address_not_allowed', detail))
}

/** Cookies are for the console, and it asks the API alone. */
const isApi = (c: Context<Env>): boolean => c.req.path.startsWith('/v1/')

/** By the cookie of the console. */
async function signedIn(
  c: Context<Env>,
  world: World,
  cookies: readonly string[],
): Promise<Outcome<Principal, Refusal>> {
  const foreign = crossSite(c, world)
  if (foreign) return fail(foreign)
  const [text = '', more] = cookies
  if (more !== undefined) return fail(refusal('invalid_header', 'The cookie is given twice.'))
  const principal = await verifyBrowserSession(world, text)
  if (principal) return welcomed(c, world, principal)
  return fail(refusal('unauthorized', 'The sign-in is not valid, or no longer: sign in again.'))
}

export function authenticate(world: World): MiddlewareHandler<Env> {
  return async function authenticated(c, next) {
    if (!KEYED.has(c.req.method) && SIGNED.test(c.req.path)) return next()
    if (c.req.method === 'GET' && OPEN.has(c.req.path)) return next()
    const header = c.req.header('authorization')
    if (header?.includes(',')) throw refuse('invalid_header', 'Authorization is given twice.')
    if (header === undefined && c.req.method === 'POST' && c.req.path === SIGN_IN) return next()
    const [, text] = BEARER.exec(header ?? '') ?? []
    const cookies = header === undefined && isApi(c) ? sessionCookies(c) : []
    if (text === undefined && cookies.length === 0) {
      throw refuse('unauthorized', 'Send `Authorization: Bearer <API key>`.')
    }
    const way = text === undefined ? signedIn(c, world, cookies) : admitted(c, world, text)
    const principal = granted(await way)
    await next()
    endWithKey(world, c, principal)
    noteKeyUse(c, world, principal)
  }
}
