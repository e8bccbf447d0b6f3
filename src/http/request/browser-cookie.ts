/**
 * Handles the browser session cookie. Browsers also send the cookie with requests from pages of
 * other sites. A request must therefore prove its origin by `Sec-Fetch-Site`, and a change also by
 * `Origin` and a header that no form can send.
 */

import type { Context } from 'hono'
import { type Refusal, refusal } from '../../core/problem.ts'
import type { World } from '../../ports/world.ts'
import { isLoopback } from './host-names.ts'
import type { Env } from './route.ts'

/** Header `Strata-Console: 1`, which the console sends with every change. */
const CONSOLE_HEADER = 'strata-console'

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD'])

type Settings = Pick<World, 'settings'>

/** Returns the URL that the browser requested, because a proxy may have terminated TLS. */
function reachedAt(c: Context<Env>, { settings }: Settings): URL {
  const url = new URL(c.req.url)
  const ours = URL.parse(settings.publicUrl ?? '')
  return ours?.host === url.host ? ours : url
}

interface Cookie {
  readonly name: string
  readonly attributes: string
}

/**
 * Returns the session cookie's name and attributes. Browsers share cookies between all ports of a
 * host, so on loopback the name includes the port. Returns undefined if the connection is neither
 * encrypted nor local.
 */
function cookieAt(url: URL): Cookie | undefined {
  const attributes = 'Path=/; HttpOnly; SameSite=Strict'
  if (url.protocol === 'https:')
    return { name: '__Host-strata', attributes: `${attributes}; Secure` }
  return isLoopback(url.hostname) ? { name: `strata-${url.port || '80'}`, attributes } : undefined
}

/**
 * Returns the values of all session cookies in the request, in the order in which the browser sent
 * them.
 */
export function sessionCookies(c: Context<Env>, world: Settings): readonly string[] {
  const header = c.req.header('cookie')
  const name = header === undefined ? undefined : cookieAt(reachedAt(c, world))?.name
  if (header === undefined || name === undefined) return []
  return header.split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : []
  })
}

/**
 * Returns a `Set-Cookie` header with the session secret and its lifetime in seconds; an empty
 * secret removes the cookie.
 */
export function setCookie(
  c: Context<Env>,
  world: Settings,
  { secret, seconds }: { readonly secret: string; readonly seconds: number },
): { readonly 'set-cookie': string } | undefined {
  const cookie = cookieAt(reachedAt(c, world))
  return (
    cookie && { 'set-cookie': `${cookie.name}=${secret}; Max-Age=${seconds}; ${cookie.attributes}` }
  )
}

/** Returns why a browser cannot keep a session on this connection; undefined if it can. */
export const insecure = (c: Context<Env>, world: Settings): Refusal | undefined =>
  cookieAt(reachedAt(c, world)) === undefined ? refusal('insecure_connection', INSECURE) : undefined

const INSECURE =
  "Browsers can sign in only over HTTPS or on the server's machine. If a proxy " +
  'terminates TLS, set STRATA_PUBLIC_URL to the URL that browsers use.'

/**
 * Returns the rejection of a request that has the session cookie; undefined if a page of this
 * deployment made the request.
 */
export function crossSite(c: Context<Env>, world: Settings): Refusal | undefined {
  if (c.req.header('sec-fetch-site') !== 'same-origin')
    return refusal('cross_site', 'A request with a cookie requires `Sec-Fetch-Site: same-origin`.')
  if (SAFE.has(c.req.method)) return undefined
  if (c.req.header(CONSOLE_HEADER) !== '1')
    return refusal(
      'cross_site',
      'A request that changes data with a cookie requires the header `Strata-Console: 1`.',
    )
  return foreignOrigin(c, world, true)
}

/**
 * Returns the rejection of a sign-in if the browser's headers name another site. A sign-in has no
 * cookie yet.
 */
export function crossSiteSignIn(c: Context<Env>, world: Settings): Refusal | undefined {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin')
    return refusal('cross_site', 'A page on another site cannot sign in a browser.')
  return foreignOrigin(c, world, false)
}

function foreignOrigin(c: Context<Env>, world: Settings, isNeeded: boolean): Refusal | undefined {
  const origin = c.req.header('origin')
  if (origin === undefined && !isNeeded) return undefined
  if (origin === reachedAt(c, world).origin) return undefined
  const detail =
    "The request's Origin does not match this deployment. If a proxy changes the host, " +
    'set STRATA_PUBLIC_URL.'
  return refusal('cross_site', detail)
}
